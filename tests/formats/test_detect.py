from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastedit.errors import FasteditError, UnreadableEdit, UsageError
from fastedit.formats.base import (
    CreateFile,
    DeleteFile,
    Edit,
    FoundEdit,
    ModifyFile,
    Replacement,
    Sketch,
    WriteFile,
)
from fastedit.formats.detect import read_edit
from fastedit.formats.files.sketches import without_prose
from fastedit.formats.message import read_message, sketch_in
from fastedit.formats.registry import FORMATS
from fastedit.source.document import Document


@dataclass(frozen=True)
class Bracketed:
    """Edits from a line with `opening` to one with `closing`; each line between them names a file to delete."""

    name: str
    opening: str
    closing: str

    def find(self, lines):
        found, start = [], None
        for index, line in enumerate(lines):
            if line == self.opening and start is None:
                start = index
            elif line == self.closing and start is not None:
                found.append(FoundEdit(range(start, index + 1), partial(_read, lines[start + 1 : index])))
                start = None
        return found


def _read(lines):
    return tuple(
        ModifyFile(line[1:], (Replacement("", f"{line}\n", whole_lines=True),))
        if line.startswith("~")
        else DeleteFile(line)
        for line in lines
    )


ROUND = Bracketed("round", "(", ")")
SQUARE = Bracketed("square", "[", "]")
BOTH = (ROUND, SQUARE)


def sketch(text):
    return Edit(("sketch",), (ModifyFile(None, (Sketch(text),)),))


def taken(message, text="pass\n", path="a.py"):
    """The sketch in a message, for a file with this text."""
    [operation] = read_edit(message, BOTH).operations
    return without_prose(operation.hunks[0].text, Document.from_text(text, Path(path)))


def refusal(message, formats=BOTH, insist=None):
    with pytest.raises(UnreadableEdit) as caught:
        read_edit(message, formats, insist)
    assert "\n" not in str(caught.value)
    return str(caught.value)


class TestSegments:
    def test_they_are_read_in_the_order_of_the_message(self):
        edit = read_edit("First:\n[\nb\n]\nand\n(\na\n)\n[\nc\n]", BOTH)
        assert edit == Edit(("square", "round"), (DeleteFile("b"), DeleteFile("a"), DeleteFile("c")))

    def test_other_line_separators_are_text(self):
        assert read_edit("(\na\u2028b\x0c\n)", BOTH).operations == (DeleteFile("a\u2028b\x0c"),)

    def test_what_an_earlier_format_contains_is_its_text(self):
        assert read_edit("(\n[\na\n]\n)", BOTH).operations == (
            DeleteFile("["),
            DeleteFile("a"),
            DeleteFile("]"),
        )

    def test_of_two_formats_that_claim_the_same_lines_the_earlier_one_is_meant(self):
        rival = Bracketed("rival", "(", ")")
        assert read_edit("(\na\n)", (ROUND, rival)).formats == ("round",)
        assert read_edit("(\na\n)", (rival, ROUND)).formats == ("rival",)

    @pytest.mark.parametrize("message", ["(\n[\na\n)\n]", "[\n(\na\n)\n]", "[\n(\na\n]\n)"])
    def test_any_other_overlap_is_refused_with_both_formats_and_their_lines(self, message):
        text = refusal(message)
        assert "round" in text
        assert "square" in text
        assert "lines 1-" in text


class TestInsist:
    def test_only_that_format_counts(self):
        assert read_edit("(\n[\na\n]\n)", BOTH, "square") == Edit(("square",), (DeleteFile("a"),))

    def test_a_message_without_it_is_refused_with_what_it_looks_like(self):
        assert "round: the message has no such edit, it looks like square" in refusal(
            "[\na\n]", insist="round"
        )
        assert "it looks like a sketch" in refusal("x = 1", insist="round")

    def test_a_format_that_does_not_exist_is_a_usage_error_with_the_names(self):
        with pytest.raises(UsageError, match="no format oval; the formats are round, square, sketch"):
            read_edit("(\na\n)", BOTH, "oval")

    def test_a_sketch_may_hold_what_looks_like_another_format(self):
        assert read_edit("(\na\n)\n", BOTH, "sketch") == sketch("(\na\n)\n")


class TestSketch:
    @pytest.mark.parametrize(
        "text",
        [
            "x = 1\n",
            "def f():\n    # ... existing code ...\n    return 1\n",
            "import os\nfrom typing import List\n",
            '"""Reads the settings."""\n\nDEFAULTS = {}\n',
            "\t// ...\r\n\tcall();\r\n",
            "# Usage\n\n<!-- ... existing text ... -->\n\nRun it with `make`.\n",
            "# ... existing code ...\n# It is called once.\n",
            'def f():\n    """Example.\n\n    ```\n    f()\n    ```\n    """\n',
        ],
    )
    def test_text_in_no_format_is_a_sketch_as_it_is(self, text):
        assert read_edit(text, BOTH) == sketch(text)
        assert taken(text) == text

    def test_a_fence_in_prose_that_quotes_code_is_taken_out_too(self):
        message = (
            "Now x == 1, so f(x) is 2.\n\nThe new code:\n\n```\nx = 1\n```\n\nI left the rest as it was.\n"
        )
        assert taken(message) == "x = 1\n"

    def test_a_fence_belongs_to_the_text_around_it_where_that_stands_in_the_file(self):
        text = "Usage\n=====\n\n```sh\nmake all\n```\n\nThat is all.\n"
        assert taken(text, "Usage\n=====\n\nRun make.\n", "README.md") == text
        assert taken(text, "Other\n", "README.md") == "make all\n"

    @pytest.mark.parametrize("info", ["", "python", "python title=x"])
    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("", ""),
            ("\n", "\n\n"),
            ("Here is the change:\n\n", "\n\nIt makes `f()` **faster**.\n\n1. It is short.\n"),
        ],
    )
    def test_one_fence_and_the_prose_around_it_are_taken_off(self, info, before, after):
        message = f"{before}```{info}\ndef f():\n\n    # ...\n```{after}"
        assert taken(message) == "def f():\n\n    # ...\n"

    @pytest.mark.parametrize(
        "fence",
        ["src/a.py\n```python\n", "### `src/a.py`\n\n```\n", "```python src/a.py\n", "```python:src/a.py\n"],
    )
    def test_a_fence_that_names_its_file_is_a_sketch_of_it(self, fence):
        edit = read_edit(
            f"The change:\n\n{fence}# ... existing code ...\nx = 2\n```\nDone.", list(FORMATS.values())
        )
        assert edit.operations == (ModifyFile("src/a.py", (Sketch("# ... existing code ...\nx = 2\n"),)),)

    def test_a_sketch_of_a_file_with_fences_of_its_own_ends_at_its_own_fence(self):
        text = "<!-- ... existing code ... -->\n```sh\nmake\n```\n<!-- ... existing code ... -->\n"
        edit = read_edit(f"README.md\n```markdown\n{text}```\n", list(FORMATS.values()))
        assert edit.operations == (ModifyFile("README.md", (Sketch(text),)),)

    def test_a_named_fence_that_breaks_off_is_refused(self):
        assert "breaks off before the closing fence" in refusal(
            "a.py\n```python\n# ... existing code ...\nx = 1\n"
        )

    @pytest.mark.parametrize("message", ["", " \n\n"])
    def test_a_message_without_text_is_refused(self, message):
        assert "no edit" in refusal(message)

    @pytest.mark.parametrize("info", ["", "markdown", "md", "docs/a.md"])
    @pytest.mark.parametrize("inner", ["```sh", "```"])
    def test_a_fence_around_a_text_with_fences_of_its_own_ends_with_the_last_mark(self, info, inner):
        text = f"# Use\n\n{inner}\nmake\n```\n\nThen run it:\n\n{inner}\nrun\n```\n\nDone.\n"
        message = f"The new file:\n\n```{info}\n{text}```\n\nIt is longer.\n"
        assert taken(message, text, "docs/a.md") == text
        assert taken(text, text, "docs/a.md") == text

    @pytest.mark.parametrize("info", ["", "md"])
    @pytest.mark.parametrize("inner", ["```sh", "```"])
    @pytest.mark.parametrize("lines", [6, 8, 12, 14])
    def test_a_text_with_fences_whose_own_fence_is_not_closed_is_refused(self, info, inner, lines):
        text = f"# Use\n\n{inner}\nmake\n```\n\nThen run it:\n\n{inner}\nrun\n```\n\nDone.\n"
        cut = "\n".join(text.split("\n")[:lines])
        for message in (f"```{info}\n{cut}", f"Here:\n\n```{info}\n{cut}"):
            with pytest.raises(UnreadableEdit, match="not closed"):
                taken(message, text, "a.md")

    def test_a_text_that_breaks_off_in_a_fence_is_refused_unless_a_marker_hides_its_end(self):
        text = "# Use\n\n```sh\nmake\nrun\n```\n"
        with pytest.raises(UnreadableEdit, match="not closed"):
            taken("# Use\n\n```sh\nmake all\n", text, "a.md")
        shown = "# Use\n\n```sh\nmake all\n# ... existing code ...\n"
        assert taken(shown, text, "a.md") == shown

    @pytest.mark.parametrize("last", ["", "make\n"])
    def test_a_text_may_end_with_the_first_lines_of_a_fence_of_the_file(self, last):
        text = "# Use\n\nSo:\n\n```sh\nmake\nrun\n```\n"
        shown = f"# Use\n\nThus:\n\n```sh\n{last}"
        assert taken(shown, text, "a.md") == shown

    def test_a_text_that_begins_and_ends_with_a_fence_keeps_both(self):
        text = "```sh\nmake\n```\n\nThen:\n\n```sh\nrun\n```\n"
        assert taken(text, f"# Use\n\n{text}", "a.md") == text

    @pytest.mark.parametrize("prose", ["Here:", "Done", "Use `load`"])
    def test_prose_that_the_grammar_reads_as_code_beside_a_fence_is_taken_off_too(self, prose):
        assert taken(f"{prose}\n```tsx\nlet a = 2\n```\n", "let a = 1\n", "a.tsx") == "let a = 2\n"

    def test_a_fence_within_a_comment_is_a_part_of_the_code(self):
        code = "/* Call it so:\n```\nload()\n```\n*/\nlet load = 2\n"
        assert taken(code, "let a = 1\n", "a.ts") == code

    def test_several_fences_without_a_file_are_refused(self):
        with pytest.raises(UnreadableEdit, match="2 code fences"):
            taken("First:\n```\na\n```\nThen:\n```\nb\n```\n")

    def test_a_fence_that_breaks_off_is_refused(self):
        with pytest.raises(UnreadableEdit, match="not closed"):
            taken("Here it is:\n```python\nx = 1\n")


class TestRegistry:
    def test_the_path_above_a_fence_belongs_to_the_edit_in_it(self):
        json = '{"edits": [{"set_line": {"anchor": "1:a3", "new_text": "x"}}]}'
        for text, path in (("[a.py#A1B2]\nDEL 1", "a.py"), (json, "src/a.py")):
            edit = read_edit(f"src/a.py\n```\n{text}\n```\n", list(FORMATS.values()))
            assert (edit.formats, edit.operations[0].path) == (("hashline",), path)

    def test_edits_of_several_formats_are_one_edit(self):
        edit = read_edit(
            "a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n\n"
            "*** Begin Patch\n*** Add File: b.py\n+y\n*** End Patch\n",
            list(FORMATS.values()),
        )
        assert edit.formats == ("search_replace", "v4a")
        assert isinstance(edit.operations[1], CreateFile)


WORDS = [
    "(",
    ")",
    "[",
    "]",
    "a",
    "~a",
    "```",
    "x = 1",
    "I see.",
    "",
    "*** Begin Patch",
    "@@",
    "-x",
    "+x",
    "{",
    '"edits": [',
]


@given(st.lists(st.sampled_from(WORDS), max_size=12))
def test_any_message_is_an_edit_or_refused(words):
    for formats in (BOTH, list(FORMATS.values())):
        try:
            edit = read_edit("\n".join(words), formats)
        except FasteditError:
            continue
        assert edit.formats


@pytest.mark.parametrize(
    "message",
    [
        "--- a\n+++ b\n@@ -{n},1 +{n},1 @@\n-a\n+b\n",
        "[a.py#AB12]\nSWAP {n}:\n+b\n",
        '{{"command": "insert", "path": "a", "insert_line": {n}, "insert_text": "x"}}',
        "edit {n}:{n}\nb\nend_of_edit\n",
    ],
)
def test_a_number_of_thousands_of_digits_is_refused_in_one_line(message):
    with pytest.raises(UnreadableEdit, match="a whole number of thousands of digits"):
        read_edit(message.format(n="9" * 5000), tuple(FORMATS.values()))


def test_an_element_that_names_a_file_and_is_in_no_format_is_not_dropped():
    fence = "```python b.py\nY = 2\n```\n"
    with pytest.raises(UnreadableEdit, match=r'update line 1: `<file path="a.py">` names a file'):
        read_edit(f'<file path="a.py">\nX = 2\n</file>\n\n{fence}', [*FORMATS.values()])
    assert (
        len(read_edit(f"An <a path='x'>element</a> in words.\n\n{fence}", [*FORMATS.values()]).operations)
        == 1
    )


PATCH = "*** Begin Patch\n*** Update File: a{n}.py\n@@\n-x = 1\n+x = 2\n*** End Patch\n"
DIFF = "--- a/b{n}.py\n+++ b/b{n}.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"


BLOCK = "a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n"
CALL = (
    "<tool_call>\n<function=edit>\n<parameter=path>\na.py\n</parameter>\n<parameter=old_string>\nx = 1\n"
    "</parameter>\n<parameter=new_string>\nx = 2\n</parameter>\n</function>\n</tool_call>\n"
)


@pytest.mark.parametrize("more", ["a.py\n<<<<<<< SEA", "\n<<<", "```json\n", "Then:\n\n```py\n\n", "<inv"])
def test_a_message_that_ends_where_a_further_edit_begins_is_refused(more):
    with pytest.raises(UnreadableEdit, match="opens a further edit"):
        read_message(BLOCK + more)


PAIR = "<old_text>\nx = 1\n</old_text>\n<new_text>\nx = 2\n</new_text>\n"
JSON = '{"path": "a.py", "old_string": "x = 1", "new_string": "x = 2"}\n'


@pytest.mark.parametrize("edit", [PAIR, JSON, CALL[12:-13]])
@pytest.mark.parametrize("lead", ["Then: ", "`", "\u200b"])
def test_an_edit_that_begins_in_the_midst_of_a_line_is_not_left_out(edit, lead):
    joined = edit[:-1] + lead + edit  # as JSON, this is none
    for message in (lead + edit + edit, edit + lead + edit, *([joined] if edit != JSON else [])):
        with pytest.raises(UnreadableEdit, match=r"begins in the midst of|look alike"):
            read_message(message)
    for prose in ("See [a](b).\n", "Uses `<old_text>` and `<function=x>`.\n", "Gives {'a': 1}.\n"):
        assert len(read_message(f"{edit}\n{prose}").operations) == 1


@pytest.mark.parametrize("edit", [BLOCK, CALL, PAIR, "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"])
@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_any_line_end_ends_a_line_of_a_message(edit, end):
    assert read_message(edit.replace("\n", end)) == read_message(edit)


@pytest.mark.parametrize("size", [13, 14, 25, 30, 46, 50, 51, 60])
def test_a_further_call_that_breaks_off_is_refused(size):
    with pytest.raises(UnreadableEdit, match="opens a further edit"):
        read_message(CALL + CALL[:size])


@pytest.mark.parametrize(
    "more", ["```\n", "Now x < 3.\n", "\n<br/>\n", "```py\nprint(x)\n```\n", "See <source>\n"]
)
def test_what_opens_nothing_may_stand_below_the_last_edit(more):
    assert len(read_message(BLOCK + more).operations) == 1


def test_edits_in_several_formats_by_turns_are_found_where_they_stand():
    message = "".join(f"First:\n{PATCH}Then:\n{DIFF}".format(n=n) for n in range(3))
    edit = read_edit(message, tuple(FORMATS.values()))
    assert [operation.path for operation in edit.operations] == [
        "a0.py",
        "b0.py",
        "a1.py",
        "b1.py",
        "a2.py",
        "b2.py",
    ]
    assert edit.lines == tuple(
        range(at + 13 * n, stop + 13 * n) for n in range(3) for at, stop in ((1, 7), (8, 13))
    )


@pytest.mark.parametrize(
    "one",
    [
        PATCH,
        "b{n}.py\n```python\nx = 2\n",
        "```diff\n+x\n",
        "```diff\nfoo\n",
        "<old_text>x{n}</old_text><new_text>y</new_text>\n",
    ],
)
def test_many_edits_are_found_in_one_pass(one):
    lines = "".join(one.format(n=n) for n in range(500)).split("\n")
    found = [found for format in FORMATS.values() for found in format.find(lines)]
    assert bool(found) is (one != "```diff\nfoo\n")


class TestThought:
    BLOCK = "a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = {}\n>>>>>>> REPLACE\n"

    @pytest.mark.parametrize("tag", ["think", "Thinking", "reasoning", f"thinking-content-{'7b' * 16}"])
    def test_edits_in_what_the_model_thought_before_its_answer_are_none(self, tag: str):
        thought = f"<{tag}>\nMaybe:\n{self.BLOCK.format(9)}Or `b.py`:\n```python\ny = 1\n```\n</{tag}>\n"
        edit = read_edit(f"{thought}\nSo:\n{self.BLOCK.format(2)}", list(FORMATS.values()))
        assert edit == read_edit(self.BLOCK.format(2), list(FORMATS.values()))
        assert edit.lines == (range(15, 21),)
        assert read_edit(f"{thought}a.py\n```\nx = 2\n```\n", list(FORMATS.values())).formats == ("whole",)

    def test_a_message_whose_edits_are_only_thought_of_is_refused(self):
        message = f"<think>\n{self.BLOCK.format(2)}</think>\nI would rather leave it.\n"
        with pytest.raises(
            UnreadableEdit, match="stand in what its model thought before the answer; send the answer"
        ):
            read_edit(message, list(FORMATS.values()))

    @pytest.mark.parametrize("before", ["", "Now:\n", "x = 1\n"])
    def test_tags_further_in_or_left_open_are_no_thought(self, before: str):
        message = f"{before or '<think>'}\n{self.BLOCK.format(2)}{'<think>a</think>' if before else ''}\n"
        assert len(read_edit(message, list(FORMATS.values())).operations) == 1

    def test_the_only_code_fence_after_a_thought_is_the_sketch(self):
        message = "<think>\n```\nx = 9\n```\n</think>\nHere:\n```python\nx = 2\n```\n"
        (operation,) = read_edit(message, list(FORMATS.values())).operations
        assert isinstance(operation, ModifyFile)
        (hunk,) = operation.hunks
        assert isinstance(hunk, Sketch)
        assert taken(hunk.text) == "x = 2\n"

    def test_bare_code_after_a_thought_is_the_sketch_and_a_prompt_may_begin_so_itself(self):
        message = "<think>\nIt is 2.\n</think>\n\nx = 2\n"
        assert read_edit(message, list(FORMATS.values())) == sketch(message)
        assert without_prose(message, Document.from_text("x = 1\n", Path("a.py"))) == "x = 2\n"
        assert without_prose(message, Document.from_text("x = 1\n", Path("a.txt"))) == message


FENCE = "a.py\n```python\nx = 2\n```\n"


@pytest.mark.parametrize("heading", ["## Makefile", "**Makefile**", "Makefile", "`Makefile`:"])
def test_whole_files_have_the_names_that_they_have_without_the_format(heading: str):
    message = f"{FENCE}\n{heading}\n\n```makefile\nall:\n```\n\nAlso in `b.py`:\n\n```python\ny = 3\n```\n"
    edit = read_message(message, "whole")
    assert edit.formats == ("whole",)
    assert [(each.path, each.text, each.stated) for each in edit.operations] == [
        ("a.py", "x = 2\n", True),
        ("Makefile", "all:\n", True),
        ("b.py", "y = 3\n", True),
    ]


def test_a_fence_that_may_be_a_whole_file_is_refused_and_not_dropped():
    with pytest.raises(UnreadableEdit, match="nothing says which file the code fence `y = 3` is for"):
        read_message(f"{FENCE}And:\n```python\ny = 3\n```\n", "whole")
    assert read_message(f"{FENCE}Run:\n```sh\nmake\n```\n", "whole").notes


@pytest.mark.parametrize("fence", ["", "```python\n"])
def test_an_edit_in_another_format_beside_those_insisted_on_is_refused_and_not_dropped(fence: str):
    block = f"b.py\n{fence}<<<<<<< SEARCH\ny\n=======\nz\n>>>>>>> REPLACE\n{fence[:3]}\n"
    for insist, other in (("whole", "search_replace"), ("search_replace", "whole")):
        with pytest.raises(UnreadableEdit, match=f"begins an edit in {other}; leave out the format"):
            read_message(FENCE + block, insist)


INSIDE = {
    "block": "b.js\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n",
    "diff": "--- a/b.js\n+++ b/b.js\n@@ -1 +1 @@\n-x\n+y\n",
    "v4a": "*** Begin Patch\n*** Update File: b.js\n@@\n-x\n+y\n*** End Patch\n",
    "invoke": '<invoke name="Edit">\n<parameter name="file_path">b.js</parameter>\n'
    '<parameter name="old_string">x</parameter>\n<parameter name="new_string">y</parameter>\n</invoke>\n',
    "tags": "<write_to_file>\n<path>b.js</path>\n<content>\ny\n</content>\n</write_to_file>\n",
}


@pytest.mark.parametrize("inside", INSIDE.values(), ids=INSIDE)
def test_an_edit_of_another_file_in_the_text_of_a_file_or_of_an_edit_is_its_text(inside: str):
    page = f"# Editing\n\n```\n{inside}```\n\nEnd.\n"
    code = f'TEXT = """\n{inside}"""\n'
    assert read_message(f"d.md\n````markdown\n{page}````\n").operations == (
        WriteFile("d.md", page, stated=False),
    )
    assert read_message(f"t.py\n```python\n{code}```\n").operations == (
        WriteFile("t.py", code, stated=False),
    )
    if "<<<<" not in inside:
        block = f"t.py\n<<<<<<< SEARCH\nTEXT = None\n=======\n{code}>>>>>>> REPLACE\n"
        [operation] = read_message(block).operations
        assert (operation.path, operation.hunks[0].new) == ("t.py", code)


def test_an_edit_of_the_same_file_in_a_fence_below_its_path_is_an_edit():
    block = "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"
    for inside in (f"# The first:\n{block}", f"a.py\n{block}", f"# b.py\n{block}"):
        assert read_message(f"a.py\n```python\n{inside}```\n").formats == ("search_replace",)


def test_a_mark_that_closes_a_file_opens_no_fence_for_the_edit_below():
    block = "a.py\n```python\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n```\n"
    edit = read_message(f"d.md\n```markdown\n# D\n\n```python\nf()\n```\n```\n\n{block}")
    assert edit.operations[0] == WriteFile("d.md", "# D\n\n```python\nf()\n```\n", stated=False)
    assert edit.operations[1].path == "a.py"
    assert edit.lines == (range(8), range(8, 17))


@pytest.mark.parametrize("blank", ["", "\n", "\n\n"])
@pytest.mark.parametrize("path", ["src/a.py", "`src/a.py`", "### src/a.py"])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("str_replace", '{"old_string": "x", "new_string": "y"}'),
        ("json_patch", '[{"op": "replace", "path": "/a", "value": 1}]'),
        ("search_replace", "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE"),
        ("edit_tags", "<old_text>\nx\n</old_text>\n<new_text>\ny\n</new_text>"),
        ("hashline", "[src/a.py#F2B2]\nDEL 3"),
        ("whole", "x = 1"),
    ],
)
def test_a_path_alone_above_a_fence_names_its_file_in_every_format(name, text, path, blank):
    edit = read_message(f"Here:\n\n{path}\n{blank}```\n{text}\n```\nDone.\n")
    stop = 6 + blank.count("\n") + text.count("\n")
    assert (edit.formats, edit.lines) == ((name,), (range(2, stop),))
    assert [operation.path for operation in edit.operations] == ["src/a.py"]


@pytest.mark.parametrize("above", ["", "src/b.py\n"])
def test_a_path_in_the_info_string_comes_first_in_every_format(above):
    block = "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE"
    call = (
        '<invoke name="edit"><parameter name="old">x</parameter><parameter name="new">y</parameter></invoke>'
    )
    for text in (block, call, '{"old_string": "x", "new_string": "y"}', "x = 1"):
        edit = read_message(f"{above}```python:src/a.py\n{text}\n```\n")
        assert [operation.path for operation in edit.operations] == ["src/a.py"]
        assert edit.lines[0].start == above.count("\n")


def test_an_object_of_json_in_no_format_is_no_sketch_of_a_file_that_is_none():
    message = '{"tool": "patch_lines", "text": "timeout = 60"}\n'
    (operation,) = read_message(message, path="a.py").operations
    with pytest.raises(UnreadableEdit, match=r"JSON in no known format, and a\.py is not JSON; send a diff"):
        sketch_in(operation, Document.from_text("timeout = 30\n", Path("a.py")))
    assert sketch_in(operation, Document.from_text('{"text": "x"}\n', Path("a.json"))) == message
