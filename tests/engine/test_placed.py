"""The edit of one file in a message, and what it makes of the file."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

import pytest

from fastedit.engine import Engine
from fastedit.engine.changes.change import ChangeRequest, change
from fastedit.engine.edits.placed import place
from fastedit.errors import UnplacedHunk, UnreadableEdit, WayOut
from fastedit.formats.base import ModifyFile, Replacement, Sketch, WriteFile
from fastedit.formats.message import edit_of, read_update, sketch_in
from fastedit.request import EditRequest, LineRange
from fastedit.result import Status
from fastedit.source.document import Document

BLOCK = "{}\n<<<<<<< SEARCH\n{}\n=======\n{}\n>>>>>>> REPLACE\n"


def document(text: str, path: str | None = "src/a.py") -> Document:
    return Document.from_text(text, None if path is None else Path(path))


def edit_in(before: Document, message: str, insist: str | None = None) -> ModifyFile | WriteFile:
    return edit_of(before, read_update(message, insist))


def applied(text: str, message: str, path: str | None = "src/a.py") -> str:
    before = document(text, path)
    return place(before, edit_in(before, message)).text(before)


@pytest.mark.parametrize(
    ("path", "named"),
    [
        ("src/a.py", "a.py"),
        ("a.py", "project/src/a.py"),
        ("/home/me/src/a.py", "./src/a.py"),
        ("../src/a.py", "project/src/a.py"),
        ("src/a.py", "src\\a.py"),
        ("src/a.py", "project\\src\\a.py"),
    ],
)
def test_a_path_that_may_mean_the_file_is_taken_for_it(path, named):
    assert applied("a = 1\n", BLOCK.format(named, "a = 1", "a = 2"), path) == "a = 2\n"


@pytest.mark.parametrize("heading", ["**`save`**", "`save`:", "#### Store.save"])
def test_a_name_of_the_code_above_an_edit_is_no_file(heading):
    text = "class Store:\n    def save(self):\n        pass\n"
    edit = BLOCK.format(heading, "        pass", "        return")
    assert applied(text, edit) == text.replace("pass", "return")
    with pytest.raises(UnreadableEdit, match=r"not for src/a\.py"):
        applied(text.replace("save", "keep"), edit)


def test_an_edit_in_a_file_of_this_name_elsewhere_is_taken_for_what_it_quotes_line_by_line():
    diff = "--- a/h11/a.py\n+++ b/h11/a.py\n@@ -1,2 +1,2 @@\n-a = 1\n+a = 2\n b = 1\n"
    assert applied("a = 1\nb = 1\n", diff) == "a = 2\nb = 1\n"
    for other in ("a = 1\nb = 2\n", "a = 1  \nb = 1\n"):
        with pytest.raises(UnreadableEdit, match=r"is for h11/a\.py, not for src/a\.py"):
            edit_in(document(other), diff)
    with pytest.raises(UnreadableEdit, match=r"is for h11/a\.py, not for src/a\.py"):
        edit_in(document("a = 1\nb = 1\n"), diff + diff.replace("h11", "h12").replace("a = ", "b = "))
    with pytest.raises(UnreadableEdit, match=r"is for h11/a\.py, not for src/a\.py"):
        edit_in(document("a = 1\n"), "h11/a.py\n```python\na = 2\n```\n")


def test_an_edit_that_does_more_than_change_the_file_is_refused():
    with pytest.raises(UnreadableEdit, match="apply it as one of several files") as refused:
        edit_in(document("a = 1\n"), "*** Begin Patch\n*** Delete File: src/a.py\n*** End Patch\n")
    assert refused.value.ways_out == (WayOut.CHANGE,)


def test_blocks_that_name_the_file_and_blocks_that_do_not_are_one_edit():
    message = BLOCK.format("a.py", "a = 1", "a = 2") + "\nAnd in the diff:\n\n"
    message += "```diff\n--- a/src/a.py\n+++ b/src/a.py\n@@ -2 +2 @@\n-b = 1\n+b = 2\n```\n"
    assert applied("a = 1\nb = 1\n", message) == "a = 2\nb = 2\n"


def test_edits_of_several_files_do_not_go_to_one_text_without_a_name():
    message = BLOCK.format("a.py", "a = 1", "a = 2") + "\n" + BLOCK.format("b.py", "a = 1", "a = 3")
    with pytest.raises(UnreadableEdit, match=r"a\.py and b\.py"):
        edit_in(document("a = 1\n", None), message)


def test_a_hunk_without_a_place_is_an_error_with_reports_of_all_hunks():
    edit = ModifyFile(None, (Replacement("a = 1\n", "a = 2\n", True), Replacement("x\n", "y\n", True)))
    with pytest.raises(UnplacedHunk, match=r"src/a\.py: hunk 5: its old text is not in the file") as caught:
        place(document("a = 1\n"), edit, first=4)
    assert [(report.number, report.step.placed) for report in caught.value.reports] == [(4, True), (5, False)]


BREAKS = [
    ("a.py", "def f(a):\n    return a\n", "    return a\n", "    return (a\n", "FE101"),
    ("a.py", "def f(a):\n    return a\n", "  return a\n", "  return (a\n", "FE101"),
    ("a.json", '{"a": 1}\n', '{"a": 1}\n', '{"a": 1,}\n', "FE102"),
    ("a.toml", "x = 1\n", "x = 1\n", "x = 1\nx = 2\n", "FE102"),
    ("a.yaml", "a: 1\n", "a: 1\n", "a: 1: 2\n", "FE102"),
]


@pytest.mark.parametrize(("path", "text", "old", "new", "code"), BREAKS)
@pytest.mark.parametrize("format", ["blocks", "whole"])
def test_what_an_edit_says_literally_is_done_and_held_back_where_it_breaks_the_file(
    path, text, old, new, code, format
):
    before, wanted = document(text, path), text.replace(old.strip(), new.strip())
    blocks = f"<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n"
    message, insist = (blocks, None) if format == "blocks" else (wanted, "whole")
    result = Engine.load().apply(EditRequest(before, None, message, format=insist))
    assert (result.status, result.text) == (Status.SUSPECT, wanted)
    assert f"({code})" in result.reasons[0]
    (file,) = change(Engine.load(), ChangeRequest(message, path, insist), Held(before)).files
    assert (file.status, file.reasons) == (Status.SUSPECT, result.reasons)


TWINS = "def f():\n    b = 2\n\n\ndef g():\n    b = 2\n"


@pytest.mark.parametrize("where", [{"symbol": "g"}, {"lines": LineRange(4, 6)}])
def test_of_several_places_of_a_hunk_the_lines_that_may_change_tell_which(where):
    blocks = "<<<<<<< SEARCH\n    b = 2\n=======\n    b = 3\n>>>>>>> REPLACE\n"
    result = Engine.load().apply(EditRequest(document(TWINS), None, blocks, **where))
    assert (result.status, result.text) == (Status.OK, TWINS[:-2] + "3\n")
    with pytest.raises(UnplacedHunk, match="stands 2 times"):
        Engine.load().apply(EditRequest(document(TWINS), None, blocks, lines=LineRange(0, 6)))


def test_a_file_that_was_broken_before_is_edited_as_the_edit_says():
    blocks = "<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n"
    result = Engine.load().apply(EditRequest(document("def f(:\nx = 1\n"), None, blocks))
    assert (result.status, result.text) == (Status.OK, "def f(:\nx = 2\n")


def test_edits_of_one_file_are_judged_by_what_all_of_them_leave():
    def block(path, old, new):
        return f"{path}\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"

    before = document("x = [\n    1,\n]\n")
    first, other, second = (
        block("src/a.py", "x = [", "x = ("),
        block("b.py", "", "b"),
        block("src/a.py", "]", ")"),
    )
    files = change(Engine.load(), ChangeRequest(first + other + second), Held(before)).files
    assert [file.status for file in files] == [Status.OK, Status.OK]
    assert files[0].after.text == "x = (\n    1,\n)\n"


def test_a_whole_file_that_is_cut_off_is_held_back():
    before = document("def f(a):\n    first(a)\n    # in the order in which they came\n    second(a)\n")
    text = "def f(a):\n    first(a)\n    # in the order in whi"
    result = Engine.load().apply(EditRequest(before, None, text, format="whole"))
    assert result.status is Status.SUSPECT
    assert result.reasons[0].startswith("the update seems to break off at `# in the order in whi`, where")


MARK = "\\ No newline at end of file\n"


@pytest.mark.parametrize(
    ("old", "message", "new"),
    [
        ("a\nb", f"@@ -1,2 +1,2 @@\n a\n-b\n{MARK}+b\n", "a\nb\n"),
        ("a\nb\n", f"@@ -1,2 +1,2 @@\n a\n-b\n+b\n{MARK}", "a\nb"),
        ("a\r\nb\r\n", f"@@ -1,2 +1,2 @@\n a\n-b\n+b\n{MARK}", "a\r\nb"),
        ("", f"@@ -0,0 +1 @@\n+a\n{MARK}", "a"),
        ("", "@@ -0,0 +1 @@\n+a\n", "a\n"),
        ("a\n", f"@@ -1,0 +2 @@\n+b\n{MARK}", "a\nb"),
        ("a\nb", '{"path": "src/a.py", "content": "a\\nb\\n"}', "a\nb\n"),
        ("a\r\nb\r\n", '{"path": "src/a.py", "content": "a\\nc"}', "a\r\nc"),
        ("a\r\nb", '{"path": "src/a.py", "content": "a\\nb\\n"}', "a\r\nb\r\n"),
        ("", '{"path": "src/a.py", "content": "a"}', "a"),
    ],
)
def test_a_final_newline_comes_and_goes_as_the_edit_says_in_one_file_as_in_many(old, message, new):
    if message.startswith("@@"):
        message = f"--- a/src/a.py\n+++ b/src/a.py\n{message}"
    before = document(old)
    result = Engine.load().apply(EditRequest(before, update=message))
    assert (result.status, result.text) == (Status.OK, new)
    [file] = change(Engine.load(), ChangeRequest(message), Held(before)).files
    assert file.after.text == new


class Held:
    def __init__(self, document: Document) -> None:
        self._document = document

    def read(self, path: str) -> Document | None:
        return self._document if path == str(self._document.path) else None


def test_blocks_beside_operations_quote_the_file_as_it_is_before_them():
    old = document("def load(path):\n    return open(path).read()\n\n\nload('a')\n")
    message = """{"operations": [{"op": "rename", "target": "load", "new": "read"}]}

<<<<<<< SEARCH
load('a')
=======
load('b')
>>>>>>> REPLACE
"""
    edit = edit_in(old, message)
    new = place(old, edit).text(old)
    assert new == "def read(path):\n    return open(path).read()\n\n\nread('b')\n"
    with pytest.raises(UnplacedHunk, match="not in the file"):
        place(old, edit_in(old, message.replace("load('a')", "read('a')")))


def test_a_sketch_stands_alone():
    text = Replacement("a\n", "b\n", True)
    with pytest.raises(UnreadableEdit, match="a sketch stands next to other edits"):
        sketch_in(ModifyFile(None, (Sketch("a\n"), text)), document("a\n"))


@pytest.mark.parametrize("lines", [LineRange(0, 1), LineRange(1, 3)])
def test_the_final_newline_stays_where_the_last_line_may_not_change(lines):
    whole = '{"path": "src/a.py", "content": "a\\nb\\nc\\nd"}'
    with pytest.raises(UnplacedHunk, match="file line 4 would change, which is outside"):
        Engine.load().apply(EditRequest(document("a\nb\nc\nd\n"), None, whole, lines=lines))


def test_a_named_fence_over_an_existing_file_may_be_a_part_of_it():
    lines = [f"def f{number}(a):\n    return a + {number}\n" for number in range(20)]
    document = Document.from_text("\n\n".join(lines), Path("m.py"))
    message = "m.py\n```python\ndef f7(a):\n    return a - 7\n```\n"
    result = Engine.load().apply(EditRequest(document, None, message, policy="merge"))
    assert result.text == document.text.replace("a + 7\n", "a - 7\n")
    whole = Engine.load().apply(EditRequest(document, None, message, policy="merge", format="whole"))
    assert whole.text == "def f7(a):\n    return a - 7\n"


CODE = "def f(a):\n    three(a)\n"


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (CODE, CODE),
        (CODE.removesuffix("\n"), CODE.removesuffix("\n")),
        (f"```python\n{CODE}```\n", CODE),
        (f"Here is the file:\n\n```\n{CODE}```\nDone.\n", CODE),
        (f"src/a.py\n```python\n{CODE}```\n", CODE),
        (f"Here it is.\n\nsrc/a.py\n<source>\n{CODE}</source>\n", CODE),
        (f"<source>\n{CODE}</source>\n", CODE),
        (f"<think>\nIt is\n```\nshort\n```\n</think>\n\n{CODE}", CODE),
        (f"<think>\nIt is\n```\nshort\n```\n</think>\nHere:\n```\n{CODE}```\n", CODE),
        ("class A:\n    def f(self): ...\n", "class A:\n    def f(self): ...\n"),
        ('A = """\n```\nx\n```\n"""\n', 'A = """\n```\nx\n```\n"""\n'),
    ],
)
def test_a_message_that_its_caller_says_to_be_the_whole_file_needs_no_path(message, text):
    before = document("def f(a):\n    one(a)\n\ndef g(a):\n    two(a)\n")
    assert place(before, edit_in(before, message, "whole")).text(before) == text
    (file,) = change(Engine.load(), ChangeRequest(message, "src/a.py", "whole"), Held(before)).files
    assert file.after is not None
    assert file.after.text == text


@pytest.mark.parametrize(
    "message", ["# Title\n\n```sh\nmake\n```\n", "````md\n# Title\n\n```sh\nmake\n```\n````\n"]
)
def test_a_markdown_file_keeps_its_own_fences(message):
    before = document("# Title\n\nOld.\n", "README.md")
    text = place(before, edit_in(before, message, "whole")).text(before)
    assert text == "# Title\n\n```sh\nmake\n```\n"


@pytest.mark.parametrize(
    ("path", "message", "problem"),
    [
        (
            "a.py",
            "def f(a):\n    # ... existing code ...\n    end()\n",
            "leaves code out at `# ... existing code ...`",
        ),
        ("a.md", "New:\n```\nmake\n```\n", "the text around the code fence may be part of a.md"),
        ("a.py", "```\na = 1\n```\nand\n```\nb = 2\n```\n", "has 2 code fences"),
        ("a.py", " \n", "has no text"),
        ("a.txt", "<think>\nShort.\n</think>\nx = 2\n", "what begins with `<think>` may be part of a.txt"),
        ("a.html", "<pre>\na\n</pre>\n", "the tags `<pre>` around it may be part of a.html"),
        ("a.txt", "<code>\na\n</code>\n", "the tags `<code>` around it may be part of a.txt"),
        (
            "a.py",
            "*** Begin Patch\n*** Delete File: a.py\n*** End Patch\n",
            "it looks like v4a; leave out the format, or send whole",
        ),
    ],
)
def test_a_message_that_does_not_tell_the_whole_file_is_refused(path, message, problem):
    before = document("x = 1\n", path)
    with pytest.raises(UnreadableEdit, match=re.escape(problem)):
        place(before, edit_in(before, message, "whole"))


def test_an_update_of_one_file_with_a_fence_that_may_be_an_edit_is_refused():
    message = BLOCK.format("a.py", "b = 2", "b = 3") + "\nAnd:\n\n```\nc = 1\n```\n"
    with pytest.raises(UnreadableEdit, match="nothing says which file the code fence `c = 1` is for"):
        edit_in(document("a = 1\nb = 2\n", "a.py"), message)


def test_what_of_an_update_is_no_edit_is_noted():
    message = BLOCK.format("a.py", "b = 2", "b = 3") + "\nThen run it:\n\n```sh\npython a.py\n```\n"
    result = Engine.load().apply(EditRequest(document("a = 1\nb = 2\n", "a.py"), update=message))
    assert (result.status, result.text) == (Status.OK, "a = 1\nb = 3\n")
    [note] = result.notes
    assert note.endswith("`python a.py` is taken for a command or an output, not for an edit")


@pytest.mark.parametrize("tag", ["source", "code", "pre"])
def test_tags_around_a_sketch_are_no_code_where_its_language_does_not_read_them(tag):
    message = f"<{tag}>\ndef f(a):\n    two(a)\n</{tag}>\n"
    result = Engine.load().apply(
        EditRequest(document("def f(a):\n    one(a)\n"), update=message, policy="merge")
    )
    assert (result.status, result.text) == (Status.OK, "def f(a):\n    two(a)\n")


def test_tags_that_the_language_of_a_file_reads_are_its_text():
    before = document("<div>\n<code>\na\n</code>\n</div>\n", "a.html")
    message = "<code>\nb\n</code>\n"
    assert sketch_in(edit_in(before, message), before) == message
    whole = place(before, edit_in(before, message, "whole")).text(before)
    assert whole == message


MARK = "\ufeff"
MARKED = Document.from_bytes(codecs.BOM_UTF8 + b"a\nb\na\n", Path("r.md"))
DIFF = "--- a/r.md\n+++ b/r.md\n@@ -1,3 +1,3 @@\n"


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (DIFF + f"-{MARK}a\n+{MARK}c\n b\n a\n", "c\nb\na\n"),
        (DIFF + f"-{MARK}a\n+{MARK}c\n", "c\nb\na\n"),
        (DIFF + f" {MARK}a\n-b\n+c\n a\n", "a\nc\na\n"),
        (DIFF + f"-{MARK}a\n-b\n+{MARK}b\n a\n", "b\na\n"),
        (DIFF + f"-{MARK}a\n+{MARK}0\n+a\n b\n a\n", "0\na\nb\na\n"),
        (DIFF + f"-{MARK}a\n-b\n-a\n+{MARK}\n\\ No newline at end of file\n", ""),
        (BLOCK.format("r.md", f"{MARK}a", f"{MARK}c"), "c\nb\na\n"),
        (BLOCK.format("r.md", "a\nb", f"{MARK}c\nb"), "c\nb\na\n"),
        (f"r.md\n```\n{MARK}c\nb\na\n```\n", "c\nb\na\n"),
        (f"{MARK}c\nb\na\n", "c\nb\na\n"),
    ],
)
def test_a_byte_order_mark_that_an_edit_quotes_is_that_of_the_file_and_no_character_of_its_text(
    message, text
):
    insist = None if "@@" in message or "<<<" in message else "whole"
    placed = place(MARKED, edit_in(MARKED, message, insist))
    assert placed.text(MARKED) == text


@pytest.mark.parametrize(
    "message",
    [DIFF + f"-{MARK}a\n+a\n b\n a\n", BLOCK.format("r.md", f"{MARK}a", "c"), DIFF + f"-{MARK}a\n b\n a\n"],
)
def test_an_edit_that_takes_the_byte_order_mark_away_is_refused(message):
    with pytest.raises(UnplacedHunk, match="byte order mark of the file, which stays"):
        place(MARKED, edit_in(MARKED, message))


def test_a_diff_that_adds_a_byte_order_mark_adds_it():
    assert (
        applied("a\nb\n", f"--- a/r.md\n+++ b/r.md\n@@ -1,2 +1,2 @@\n-a\n+{MARK}a\n b\n", "r.md")
        == f"{MARK}a\nb\n"
    )


def test_a_second_byte_order_mark_is_text_and_can_be_taken_away():
    before = Document.from_bytes(2 * codecs.BOM_UTF8 + b"a\nb\n", Path("r.md"))
    kept = place(before, edit_in(before, BLOCK.format("r.md", "b", "c")))
    assert kept.text(before) == f"{MARK}a\nc\n"
    mended = place(before, edit_in(before, BLOCK.format("r.md", f"{MARK}{MARK}a", f"{MARK}a")))
    assert mended.text(before) == "a\nb\n"


@pytest.mark.parametrize("insist", [None, "whole"])
def test_a_sketch_or_whole_text_that_begins_with_the_byte_order_mark_of_its_file_adds_none(insist):
    before = Document.from_bytes(codecs.BOM_UTF8 + b"class A\n{\n    int x = 1;\n}\n", Path("A.cs"))
    update = f"{MARK}class A\n{{\n    int x = 2;\n}}\n"
    result = Engine.load().apply(EditRequest(before, update=update, format=insist, policy="merge"))
    assert (result.status, result.text) == (Status.OK, update.removeprefix(MARK))


@pytest.mark.parametrize(
    "message",
    [
        BLOCK.format("a.py", "b = 2", "b = 3"),
        '{"path": "a.py", "old_string": "b = 2", "new_string": "b = 3"}\n',
        "<old_text>\nb = 2\n</old_text>\n<new_text>\nb = 3\n</new_text>\n",
        "# ... existing code ...\nb = 3\n",
        "```python\na = 1\nb = 3\n```\n",
        "a = 1\nb = 3\n",
    ],
)
def test_a_byte_order_mark_of_a_message_is_no_part_of_it(message):
    result = Engine.load().apply(
        EditRequest(document("a = 1\nb = 2\n"), update=MARK + message, policy="merge")
    )
    assert (result.status, result.text) == (Status.OK, "a = 1\nb = 3\n")


@pytest.mark.parametrize("message", ["```\na = 3\nb = 2\n```\n", "src/a.py\n```\na = 3\nb = 2\n```\n"])
def test_a_whole_file_in_a_fence_leaves_the_end_of_the_last_line_as_it_is(message):
    for end in ("", "\n"):
        before = document(f"a = 1\nb = 2{end}")
        assert place(before, edit_in(before, message, "whole")).text(before) == f"a = 3\nb = 2{end}"


def test_a_whole_file_without_a_fence_says_itself_whether_its_last_line_ends():
    before = document("a = 1\nb = 2")
    assert place(before, edit_in(before, "a = 3\nb = 2\n", "whole")).text(before) == "a = 3\nb = 2\n"
