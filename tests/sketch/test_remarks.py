"""Comments after code that speak of the edit are left out of the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastedit.engine.merge.merge import Merge
from fastedit.request import LineRange
from fastedit.sketch.read.updates import read_update
from fastedit.sketch.read.wording import BIAS, Wording, traits_of_remark
from fastedit.sketch.remarks import Remark, trailing_comments, without_remarks
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, apply_hunks

NEW = Wording(of_remark={BIAS: -2.0, "word: new": 3.0, "word: was": 3.0})


def taken(sketch: str, language: str = "python", old: str = "port = 1\n") -> list[str]:
    lines = old.removesuffix("\n").split("\n")
    return list(without_remarks(read_update(sketch, language, lines), lines, NEW)[0].texts)


@pytest.mark.parametrize(
    ("line", "language", "expected"),
    [
        ("port = 2  # was 1", "python", "port = 2"),
        ("port = 2  # of the proxy", "python", "port = 2  # of the proxy"),
        ("name = 'a # new'", "python", "name = 'a # new'"),
        ('url = "http://new"; // NEW', "typescript", 'url = "http://new";'),
        ("margin: 0; /* new */", "css", "margin: 0;"),
        ("<Row /> {/* new */}", "tsx", "<Row />"),
        ("<b>new</b> <!-- new -->", "html", "<b>new</b>"),
        ('"port": 2 // was 1', "json", '"port": 2'),
        ("A port # new", "markdown", "A port # new"),
        ("color: #new;", "vue", "color: #new;"),
        ("run --new", "dockerfile", "run --new"),
        ("%(<b #{new}>#{code}</b>)", "ruby", "%(<b #{new}>#{code}</b>)"),
        ("# new", "python", "# new"),
        ("# port = 2  # new", "python", "# port = 2  # new"),
        ("  // Either form (a //new) or b", "typescript", "  // Either form (a //new) or b"),
        ("/* width */ left: 0; /* new */", "css", "/* width */ left: 0;"),
    ],
)
def test_only_comments_after_code_that_speak_of_the_edit_are_left_out(line, language, expected):
    assert taken(line, language) == [expected]


def test_a_line_within_a_block_comment_has_no_comment_of_its_own():
    sketch = "/**\n * load()  // was new\n */\nport(2);  // new"
    assert taken(sketch, "typescript") == ["/**", " * load()  // was new", " */", "port(2);"]


def test_a_comment_that_the_file_has_after_a_line_is_of_the_code():
    assert taken("port = 2  # was 1", old="port = 1\nhost = 2  # was 1\n") == ["port = 2  # was 1"]


def test_a_marker_after_code_is_no_remark():
    assert taken("port = 2  # ... was new") == ["port = 2", "# ... was new"]


def test_comments_after_code_of_one_sketch_are_all_taken_for_the_same():
    lines = ["port = 1"]
    for others, left_out, certainty in (
        ("# of the proxy", True, 0.731),
        ("# new, of the proxy", True, 0.982),
    ):
        update = read_update(f"port = 2  # was 1\nhost = 3  {others}\n", "python", lines)
        read, remarks = without_remarks(update, lines, NEW)
        assert [(one.row, one.left_out) for one in remarks] == [(0, left_out), (1, left_out)]
        assert [round(one.certainty, 3) for one in remarks] == [certainty] * 2
        assert ("# was 1" in read.texts[0], others in read.texts[1]) == (not left_out, not left_out)
    assert remarks[0].doubt == (
        "`# was 1` in update line 1 speaks of the edit and is left out, or belongs to the code"
    )


def test_of_several_comments_after_code_the_text_with_all_of_them_is_offered_or_none():
    old = "import os\n\nLIMIT = 30\nNAME = 'a'\n\n\ndef run():\n    return LIMIT\n"
    document = Document.from_text(old, Path("run.py"))
    sketch = "LIMIT = 60  # simplified here\nNAME = 'b'  # of the host\n# ...\n"
    merge = Merge(document, sketch, LineRange(0, len(document.lines)))
    texts = [apply_hunks(document, reading.hunks) for reading in merge.offered]
    for text in texts:
        assert ("# simplified here" in text) is ("# of the host" in text)
    assert len(merge.left_out(merge.best)) == 2


def test_what_a_comment_after_code_says_again_tells_nothing_more():
    assert NEW.remarks(["# new"]) == NEW.remarks(["# new", "# new"]) == 1.0
    assert NEW.remarks(["# new", "# was 1"]) == 4.0


def test_traits_tell_what_remarks_share_whatever_their_words_are():
    assert traits_of_remark("// <-- was 20").keys() >= {"begins with an arrow", "a number", "word: was"}
    assert "in capitals" in traits_of_remark("# NEW")
    assert traits_of_remark("// ✅ 'a' -> 'b'").keys() >= {"begins with a sign", "an arrow"}
    assert traits_of_remark("# extracted").keys() >= {"a word in -ed", "first word in -ed"}


@pytest.mark.parametrize(
    "comment",
    ["seconds", "per request", "see issue 12", "half open", "may be None", "Only used on Windows"],
)
@pytest.mark.parametrize(
    ("path", "old", "new", "mark"),
    [
        ("run.py", "    limit = 10", "    page = 0", "#"),
        ("run.go", "\tlimit := 10", "\tpage := 0", "//"),
        ("run.js", "  const limit = 10;", "  const page = 0;", "//"),
    ],
)
def test_what_new_code_says_at_its_end_reaches_a_file_without_such_comments(path, old, new, mark, comment):
    head, end = {"py": ("def run():", ""), "go": ("func run() {", "}"), "js": ("function run() {", "}")}[
        path[4:]
    ]
    text = f"{head}\n{old}\n    start(limit)\n{end}\n"
    document = Document.from_text(text, Path(path))
    said = f"{new}  {mark} {comment}"
    merge = Merge(document, text.replace(old, f"{old}\n{said}"), LineRange(0, len(document.lines)))
    assert said in apply_hunks(document, merge.best.hunks)
    assert merge.best.sure


@pytest.mark.parametrize("remark", ["# NEW", "# was 30", "# <-- changed", "# added"])
def test_what_assistants_say_at_a_changed_line_does_not_reach_the_file(remark):
    old = "import os\n\nLIMIT = 30\nNAME = 'a'\n\n\ndef run():\n    return LIMIT\n"
    document = Document.from_text(old, Path("run.py"))
    merge = Merge(document, f"LIMIT = 60  {remark}\nNAME = 'a'\n# ...\n", LineRange(0, len(document.lines)))
    assert apply_hunks(document, merge.best.hunks) == old.replace("LIMIT = 30", "LIMIT = 60")


@pytest.mark.parametrize(
    ("remark", "left_out"),
    [("# simplified here", [True, False]), ("# was 30", [True])],
)
def test_what_an_uncertain_comment_may_be_instead_is_offered(remark, left_out):
    old = "import os\n\nLIMIT = 30\nNAME = 'a'\n\n\ndef run():\n    return LIMIT\n"
    document = Document.from_text(old, Path("run.py"))
    merge = Merge(document, f"LIMIT = 60  {remark}\nNAME = 'a'\n# ...\n", LineRange(0, len(document.lines)))
    texts = [apply_hunks(document, reading.hunks) for reading in merge.offered]
    for text, lost in zip(texts, left_out, strict=True):
        assert text == old.replace("LIMIT = 30", "LIMIT = 60" if lost else f"LIMIT = 60  {remark}")
    assert [bool(merge.left_out(reading)) for reading in merge.offered] == left_out


def test_a_comment_is_put_back_only_where_one_line_alone_has_its_code():
    remark = Remark(0, "}", "// NEW", 0.5)
    hunks = (Hunk(0, 1, ("  }", "}")), Hunk(2, 2, ("x",)))
    assert remark.otherwise(hunks) == hunks
    assert remark.otherwise([Hunk(0, 1, ("  }",))]) == (Hunk(0, 1, ("  }  // NEW",)),)


def test_in_a_notation_that_is_not_known_the_file_tells_what_begins_a_comment():
    lines = ("-- Keys that are locked.", "local n = 0")
    update = read_update("if #tokens ~= #keys then\nlocal n = 1 -- was 0\n", "text", lines)
    assert [found.comment for found in trailing_comments(update, lines)] == ["-- was 0"]


@pytest.mark.parametrize(("comment", "found"), [("# v6.0.1", 0), ("# since v6", 1), ("# new", 1)])
def test_a_comment_that_the_file_has_with_other_numbers_is_no_remark(comment, found):
    lines = ["- uses: actions/checkout@08c6903 # v5.0.0"]
    update = read_update(f"- uses: actions/checkout@de0fac2 {comment}\n", "yaml", lines)
    assert len(list(trailing_comments(update, lines))) == found
