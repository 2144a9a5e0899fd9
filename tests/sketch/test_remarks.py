"""Comments after code that speak of the edit are left out of the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastedit.engine.merge import Merge
from fastedit.request import LineRange
from fastedit.sketch.reading import read_update
from fastedit.sketch.remarks import Remark, trailing_comments, without_remarks
from fastedit.sketch.wording import BIAS, KNOWN, Wording, traits
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
        ("# of the proxy", False, 0.622),
        ("# new, of the proxy", True, 0.731),
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
    sketch = "LIMIT = 60  # seconds\nNAME = 'b'  # of the host\n# ...\n"
    merge = Merge(document, sketch, LineRange(0, len(document.lines)))
    texts = [apply_hunks(document, reading.hunks) for reading in merge.offered]
    assert {("# seconds" in text, "# of the host" in text) for text in texts} == {
        (True, True),
        (False, False),
    }
    assert sorted(len(merge.left_out(reading)) for reading in merge.offered) == [0, 2]


def test_traits_tell_how_a_comment_begins_and_whether_its_code_is_in_the_file():
    found = traits("// <-- was 20", {KNOWN})
    assert found.keys() >= {"begins with an arrow", "a number", KNOWN, "word: was"}
    assert "in capitals" in traits("# NEW")


@pytest.mark.parametrize("remark", ["# NEW", "# was 30", "# <-- changed", "# added"])
def test_what_assistants_say_at_a_changed_line_does_not_reach_the_file(remark):
    old = "import os\n\nLIMIT = 30\nNAME = 'a'\n\n\ndef run():\n    return LIMIT\n"
    document = Document.from_text(old, Path("run.py"))
    merge = Merge(document, f"LIMIT = 60  {remark}\nNAME = 'a'\n# ...\n", LineRange(0, len(document.lines)))
    assert apply_hunks(document, merge.best.hunks) == old.replace("LIMIT = 30", "LIMIT = 60")


@pytest.mark.parametrize(("remark", "others"), [("# seconds", 1), ("# was 30", 0)])
def test_what_an_uncertain_comment_may_be_instead_is_offered(remark, others):
    old = "import os\n\nLIMIT = 30\nNAME = 'a'\n\n\ndef run():\n    return LIMIT\n"
    document = Document.from_text(old, Path("run.py"))
    merge = Merge(document, f"LIMIT = 60  {remark}\nNAME = 'a'\n# ...\n", LineRange(0, len(document.lines)))
    texts = [apply_hunks(document, reading.hunks) for reading in merge.offered]
    assert len(texts) == 1 + others
    for text, comment in zip(texts, ("", f"  {remark}"), strict=False):
        assert text == old.replace("LIMIT = 30", f"LIMIT = 60{comment}")
    assert [bool(merge.left_out(reading)) for reading in merge.offered] == [True, False][: 1 + others]


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
