from __future__ import annotations

from dataclasses import replace
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastedit.errors import UnreadableEdit
from fastedit.formats.base import Beside, FileOperation, ModifyFile, Replacement, join_modifications
from fastedit.formats.diffs.search_replace import FORMAT, BlockReader
from tests.formats import reading
from tests.formats.placing import applied, lines, problem


def lines_of(text: str) -> list[str]:
    return dedent(text).strip("\n").split("\n")


def read(text: str) -> tuple[FileOperation, ...]:
    return reading.operations(FORMAT, lines_of(text))


def hunk(old: str, new: str, line: int | None = None) -> Replacement:
    """Without an old text and a line it is a string, which has no place in a file that is not empty."""
    return replace(lines(old, new, line=line), whole_lines=bool(old) or line is not None)


def only_hunk(text: str) -> Replacement:
    (operation,) = read(text)
    assert isinstance(operation, ModifyFile)
    (replacement,) = operation.hunks
    assert isinstance(replacement, Replacement)
    return replacement


def path_of(above: str) -> str | None:
    """The path of a block below these lines."""
    (operation,) = read(above.rstrip("\n") + BLOCK)
    assert isinstance(operation, ModifyFile)
    return operation.path


def problem_of(text: str) -> str:
    return reading.refused(read, text)


def beside(files: set[str], text: str) -> list[tuple[str | None, int]]:
    """The path and the number of hunks of each operation, where there are these files."""
    found = FORMAT.find(lines_of(text))
    operations = [one for each in found for one in each.operations(Beside(is_file=files.__contains__))]
    operations = join_modifications(operations)
    return [(one.path, len(one.hunks)) for one in operations if isinstance(one, ModifyFile)]


def segments(text: str) -> list[str]:
    return reading.segments(FORMAT, lines_of(text))


BLOCK = "\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n"
ONE_TO_TWO = hunk("one", "two")


class TestMarkers:
    @pytest.mark.parametrize(
        ("opening", "divider", "closing"),
        [
            ("<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE"),
            ("<<<<< SEARCH", "=====", ">>>>> REPLACE"),
            ("<<<<<<<<< SEARCH", "=========", ">>>>>>>>> REPLACE"),
            ("<<<<<<< SEARCH>", "=======", ">>>>>>> REPLACE"),
            ("<<<<<<< SEARCH  ", "======= ", ">>>>>>> REPLACE\t"),
            ("<<<<<<< SEARCH", "========", ">>>>>> REPLACE"),
            ("<<<<<<< ORIGINAL", "=======", ">>>>>>> UPDATED"),
            ("------- SEARCH", "=======", "+++++++ REPLACE"),
            ("--- SEARCH", "===", "+++ REPLACE"),
            ("------- SEARCH", "=======", ">>>>>>> REPLACE"),
            ("<<<<<<< SEARCH", "=======", "+++++++ REPLACE"),
            ("<<<<<<<", "=======", ">>>>>>>"),
            ("<<<<", "====", ">>>>"),
        ],
    )
    def test_every_dialect_is_read(self, opening: str, divider: str, closing: str):
        assert read(f"{opening}\none\n{divider}\ntwo\n{closing}") == (ModifyFile(None, (ONE_TO_TWO,)),)

    def test_an_empty_search_fills_an_empty_file_and_has_no_place_in_another(self):
        addition = only_hunk("<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE")
        assert applied("", addition) == "new\n"
        for text in ("x\n", "\n"):
            assert "its old text is empty, but the file is not" in problem(text, addition)

    def test_a_search_of_one_blank_line_has_no_old_text(self):
        assert only_hunk("<<<<<<< SEARCH\n\n=======\nnew\n>>>>>>> REPLACE") == hunk("", "new")

    def test_an_empty_replace_deletes(self):
        assert only_hunk("<<<<<<< SEARCH\none\n=======\n>>>>>>> REPLACE") == hunk("one", "")

    def test_the_line_number_of_an_opening_line_is_a_hint(self):
        assert only_hunk("<<<<<<< SEARCH line=42\none\n=======\ntwo\n>>>>>>> REPLACE").line == 42

    def test_git_conflicts_are_no_edit(self):
        assert segments("<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> main") == []


class TestTextLikeMarkers:
    def test_a_line_of_another_length_is_text(self):
        assert only_hunk("<<<<<<< SEARCH\nTitle\n=====\n=======\nName\n====\n>>>>>>> REPLACE") == hunk(
            "Title\n=====", "Name\n===="
        )

    def test_a_line_with_another_indentation_is_text(self):
        indented = "    <<<<<<< SEARCH\n    =======\n    >>>>>>> REPLACE"
        assert only_hunk(f"<<<<<<< SEARCH\n{indented}\n=======\nx\n>>>>>>> REPLACE") == hunk(indented, "x")

    def test_an_indented_block_is_read(self):
        text = "  <<<<<<< SEARCH\n  one\n=======\n  =======\n  two\n  >>>>>>> REPLACE"
        assert reading.operations(FORMAT, text.split("\n")) == (
            ModifyFile(None, (hunk("  one\n=======", "  two"),)),
        )

    def test_a_merge_conflict_can_be_replaced(self):
        conflict = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> main"
        assert only_hunk(f"<<<<<<< SEARCH\n{conflict}\n=======\nboth\n>>>>>>> REPLACE") == hunk(
            conflict, "both"
        )

    @pytest.mark.parametrize(
        ("old", "new"), [("    a()", "    b()"), ("", "    b()"), ("}", "    x\n}"), ("    a()\n", "")]
    )
    def test_a_divider_ends_the_replacement_too_where_it_cannot_be_code(self, old: str, new: str):
        parts = "".join(f"{part}\n" if part else "" for part in (old, "=======", new, "======="))
        block = "<<<<<<< SEARCH\n    b\n=======\n    c\n>>>>>>> REPLACE\n"
        for first, count in (("", 1), (block, 2)):
            (operation,) = read(f"src/a.js\n{first}<<<<<<< SEARCH\n{parts}>>>>>>> REPLACE")
            assert isinstance(operation, ModifyFile)
            assert operation.path == "src/a.js"
            assert (len(operation.hunks), operation.hunks[-1]) == (count, hunk(old, new))

    @pytest.mark.parametrize(
        ("path", "text"),
        [
            ("a.py", "Title\n=======\nText\n======="),
            ("a.py", "    Old\n    ----\n=======\nNew\n======="),
            ("a.py", "Title\n=======\n    gone()\n======="),
            ("a.md", "  a\n=======\n  b\n======="),
            ("a.txt", "  a\n=======\n  b\n======="),
            ("a.py", "    a\n=======\n    b\n=======\n    c"),
            ("a.py", "    a\n=======\n    b\n=======\n    c\n======="),
        ],
    )
    def test_a_second_divider_that_may_be_text_is_ambiguous(self, path: str, text: str):
        assert "lines may be the `=======`" in problem_of(f"{path}\n<<<<<<< SEARCH\n{text}\n>>>>>>> REPLACE")

    def test_two_dividers_are_ambiguous(self):
        message = problem_of("<<<<<<< SEARCH\nTitle\n=======\n=======\nName\n>>>>>>> REPLACE")
        assert message == (
            "search_replace, hunk 1: 2 lines may be the `=======` between SEARCH and REPLACE; "
            "write it once, and a backslash before text like it"
        )

    def test_a_divider_that_closes_is_ambiguous_or_truncated(self):
        assert "2 lines" in problem_of("<<<<<<< SEARCH\none\n=======\ntwo\n=======\n>>>>>>> REPLACE")
        assert "breaks off" in problem_of("<<<<<<< SEARCH\none\n=======\ntwo\n=======")

    @pytest.mark.parametrize(
        "text",
        [
            "<<<<<<< SEARCH",
            "=======",
            ">>>>>>> REPLACE",
            "-------",
            "<<<<<<< HEAD",
            ":start_line:1",
            ":end_line:2",
        ],
    )
    def test_a_backslash_makes_a_marker_text(self, text: str):
        assert only_hunk(f"<<<<<<< SEARCH\n\\{text}\n=======\n\\{text}\nx\n>>>>>>> REPLACE") == hunk(
            text, f"{text}\nx"
        )

    def test_other_backslashes_stay(self):
        assert only_hunk("<<<<<<< SEARCH\n\\section\n=======\n\\\\=======\n>>>>>>> REPLACE") == hunk(
            "\\section", "\\\\======="
        )


class TestLineNumbers:
    @pytest.mark.parametrize(
        "head",
        [
            ":start_line:42",
            ":start_line: 42",
            ":start_line:42\n-------",
            ":start_line:42\n:end_line:45\n-------",
            ":end_line:45\n:start_line:42",
        ],
    )
    def test_the_head_of_search_gives_the_line(self, head: str):
        assert only_hunk(f"<<<<<<< SEARCH\n{head}\none\n=======\ntwo\n>>>>>>> REPLACE") == hunk(
            "one", "two", 42
        )

    def test_a_rule_without_a_head_is_text(self):
        assert only_hunk("<<<<<<< SEARCH\n-------\none\n=======\ntwo\n>>>>>>> REPLACE") == hunk(
            "-------\none", "two"
        )

    def test_a_head_in_replace_is_refused(self):
        message = problem_of("<<<<<<< SEARCH\none\n=======\ntwo\n  :start_line:5\n>>>>>>> REPLACE")
        assert "hunk 1: `:start_line:` or `:end_line:` stands in REPLACE; move it to SEARCH" in message

    def test_numbers_at_every_line_are_taken_off(self):
        old, new = " 9 | def f():\n10 |     pass", " 9 | def g():\n10 |     pass"
        assert only_hunk(f"<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE") == hunk(
            "def f():\n    pass", "def g():\n    pass", 9
        )

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("1 | a\nb", "1 | c\n2 | d"),
            ("1 | a", "c"),
            ("1 | a\n3 | b", "1 | c"),
            ("1 || a", "1 || b"),
            ("1 | ", "1 | b"),
        ],
    )
    def test_numbers_stay_unless_every_line_has_the_next_one(self, old: str, new: str):
        assert only_hunk(f"<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE") == hunk(old, new)


class TestEllipses:
    def test_each_piece_is_a_replacement(self):
        text = """
            <<<<<<< SEARCH
            :start_line:7
            def f():
                ...
                return 1
            =======
            def g():
                ...
                return 2
            >>>>>>> REPLACE
            """
        below = replace(hunk("    return 1", "    return 2"), scopes=("def f():",), named=True)
        hunks = (hunk("def f():", "def g():", 7), below)
        assert read(text) == (ModifyFile(None, hunks),)

    def test_pieces_that_stay_are_kept(self):
        (operation,) = read("<<<<<<< SEARCH\na\n...\nb\n=======\na\n...\nc\n>>>>>>> REPLACE")
        below = replace(hunk("b", "c"), scopes=("a",), named=True)
        assert operation == ModifyFile(None, (hunk("a", "a"), below))

    @pytest.mark.parametrize(
        ("above", "piece", "scopes"),
        [
            ("class A:\n    x = 1\n    def f():", "        return 1", ("class A:", "    def f():")),
            ("class A:\n    def f():", "    def g():", ("class A:", "    def f():")),
            ("class A:\n    def f():\n        x = 1", "    def g():", ("class A:", "        x = 1")),
            ("class A:\n...\n    def f():\n", "        x = 1", ("class A:", "    def f():")),
        ],
    )
    def test_the_lines_above_a_piece_are_the_blocks_around_it(self, above, piece, scopes):
        text = f"<<<<<<< SEARCH\n{above}\n...\n{piece}\n=======\n{above}\n...\n{piece}0\n>>>>>>> REPLACE"
        ((*_, last),) = (operation.hunks for operation in read(text))
        assert (last.scopes, last.named) == (scopes, True)

    def test_an_ellipsis_at_the_edge_leaves_one_piece(self):
        assert only_hunk("<<<<<<< SEARCH\n...\nb\n=======\n...\nc\n>>>>>>> REPLACE") == hunk("b", "c")

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("def f():\n    ...", "def f():\n    return 1"),
            ("a\n...\nb", "a\n    ...\nb"),
            ("a\n...\nb\n...", "a\n...\nc"),
            ("...", "...\nx"),
            ("a\n...\n\n...", "b\n...\nx\n..."),
            ("a\n...", "a\n..."),
        ],
    )
    def test_ellipses_are_text_where_they_leave_nothing_to_find(self, old: str, new: str):
        assert only_hunk(f"<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE") == hunk(old, new)

    def test_a_piece_that_becomes_one_blank_line_is_ambiguous(self):
        assert "one blank line" in problem_of("<<<<<<< SEARCH\na\n...\nb\n=======\na\n...\n\n>>>>>>> REPLACE")


class TestPaths:
    @pytest.mark.parametrize(
        "above",
        [
            "src/a.py",
            "src/a.py\n```python",
            "```python\nsrc/a.py",
            "```src/a.py",
            "```python:src/a.py",
            "```python src/a.py",
            "src/a.py\n````",
            "src/a.py\n~~~",
            "src/a.py\n<source>python",
            "src/a.py\n\n```python",
            " ```python\nsrc/a.py\n```\n```python",
            "# src/a.py",
            "### `src/a.py`",
            "**src/a.py**",
            "**`src/a.py`:**",
            "// src/a.py",
            "- src/a.py",
            "1. src/a.py",
            "src/a.py:",
            "src/a.py (new file)",
            "File: src/a.py",
            "**File:** `src/a.py`",
            "In `src/a.py`, `load` becomes:",
            "Now update src/a.py:",
            "<replace_in_file>\n<path>src/a.py</path>\n<diff>",
            "<file><path>src/a.py</path>\n<diff>\n<content><![CDATA[",
            "other/b.py\n```\nsome code\nand more\n```\nsrc/a.py",
        ],
    )
    def test_the_lines_above_name_the_file(self, above: str):
        assert path_of(above) == "src/a.py"

    @pytest.mark.parametrize(
        ("above", "path"),
        [
            ("Makefile", "Makefile"),
            ("`Dockerfile`", "Dockerfile"),
            (".gitignore", ".gitignore"),
            ("__init__.py", "__init__.py"),
            ("`my notes/to do.txt`", "my notes/to do.txt"),
            ("src\\win\\a.py", "src\\win\\a.py"),
            ("C:\\src\\a.py", "C:\\src\\a.py"),
            ("/abs/a.py", "/abs/a.py"),
            ("app/(group)/[id].tsx", "app/(group)/[id].tsx"),
            ("<path>my notes/to do.txt</path>", "my notes/to do.txt"),
        ],
    )
    def test_unusual_paths_are_paths(self, above: str, path: str):
        assert path_of(above) == path

    @pytest.mark.parametrize(
        "above",
        [
            "Here is the change:",
            "...",
            "```python",
            "Replace the call of `os.path.join` here:",
            "See https://example.com/a.py",
            "Move it from `a/b.py` to `c/d.py`:",
            "other/b.py\n\nSome prose in between.",
            "```\nsrc/a.py\nother code\n```",
            "```12:15:src/a.py",
            "2.",
        ],
    )
    def test_prose_names_no_file(self, above: str):
        assert path_of(above) is None

    def test_a_block_without_a_path_has_that_of_the_block_above(self):
        operations = read(f"a.py{BLOCK}\n...\n{BLOCK}\nb.py{BLOCK}")
        assert operations == (ModifyFile("a.py", (ONE_TO_TWO, ONE_TO_TWO)), ModifyFile("b.py", (ONE_TO_TWO,)))

    @pytest.mark.parametrize(
        "above",
        [
            "**gradlew**",
            "#### gradlew",
            "File: gradlew",
            "gradlew:",
            "- gradlew",
            "**gradlew:**",
            "In gradlew:",
        ],
    )
    def test_a_name_above_a_block_is_its_file_if_there_is_such_a_file(self, above: str):
        block = f"\n```{BLOCK}```\n"
        for fence in (block, f"\n{block}"):
            text = f"a.py{block}\n{above}{fence}\nThen:{block}"
            assert beside({"a.py", "gradlew"}, text) == [("a.py", 1), ("gradlew", 2)]
            assert beside({"a.py"}, text) == [("a.py", 3)]
        assert beside({"gradlew"}, f"{above}{block}") == [("gradlew", 1)]

    @pytest.mark.parametrize(
        "above", ["My Docs/a b.py", "## My Docs/a b.py", "File: My Docs/a b.py", "In My Docs/a b.py:"]
    )
    def test_a_path_with_blanks_is_not_cut_where_there_is_such_a_file(self, above: str):
        assert beside({"My Docs/a b.py", "Docs/a", "b.py"}, f"{above}{BLOCK}") == [("My Docs/a b.py", 1)]
        assert beside({"b.py"}, f"{above}{BLOCK}") == [("Docs/a b.py", 1)]

    def test_words_of_a_chat_between_a_path_and_its_block_are_no_file_unless_there_is_such_a_one(self):
        text = f"src/a.py\n\npython\nCopy\nEdit{BLOCK}"
        assert path_of("src/a.py\n\npython\nCopy\nEdit") == "src/a.py"
        assert beside({"src/a.py"}, text) == [("src/a.py", 1)]
        assert beside({"src/a.py", "Edit"}, text) == [("Edit", 1)]
        assert path_of("Copy\nEdit") == "Edit"

    def test_blocks_of_one_file_become_one_operation_whatever_stands_between(self):
        operations = read(f"a.py{BLOCK}\na.py{BLOCK}\nb.py{BLOCK}\na.py{BLOCK}")
        assert operations == (ModifyFile("a.py", (ONE_TO_TWO,) * 3), ModifyFile("b.py", (ONE_TO_TWO,)))

    def test_a_file_named_in_prose_conflicts_with_the_block_above(self):
        message = problem_of(f"src/a.py{BLOCK}\nAnd in `b.py`:\n{BLOCK}")
        assert message == (
            "search_replace, hunk 2: its file may be b.py, which the text above names, or src/a.py as before; "
            "write the path alone on the line above the block"
        )

    def test_prose_may_name_the_same_file(self):
        assert read(f"src/a.py{BLOCK}\nAlso in `a.py`:\n{BLOCK}") == (
            ModifyFile("src/a.py", (ONE_TO_TWO, ONE_TO_TWO)),
        )


class TestBrokenBlocks:
    def test_a_block_without_its_end_is_truncated(self):
        assert problem_of(f"{BLOCK}<<<<<<< SEARCH\none\n=======\ntwo") == (
            "search_replace, hunk 2: the block breaks off before `>>>>>>> REPLACE`; "
            "send all of it, with a backslash before lines of its text that look like markers"
        )

    @pytest.mark.parametrize(
        ("opening", "closing"),
        [("------- SEARCH", "+++++++ REPLACE"), ("<<<<", ">>>>"), ("<<<<< SEARCH", ">>>>> REPLACE")],
    )
    def test_the_missing_line_is_named(self, opening: str, closing: str):
        assert f"`{closing}`" in problem_of(f"{opening}\none\n=======\ntwo\n```\nDone.")

    def test_a_block_inside_a_block_cuts_it_off(self):
        assert "hunk 1: the block breaks off" in problem_of(f"<<<<<<< SEARCH\none\n=======\ntwo\n{BLOCK}")

    def test_a_code_fence_may_open_a_block_in_place_of_the_marker(self):
        block = "```python\n\none\n=======\ntwo\n>>>>>>> REPLACE\n```"
        text = f"In `load`:\n\nsrc/a.py\n{block}\n{BLOCK}\nAnd then\n\nsrc/b.py\n{block}\n"
        fenced = hunk("\none", "two")
        assert read(text) == (
            ModifyFile("src/a.py", (fenced, ONE_TO_TWO)),
            ModifyFile("src/b.py", (fenced,)),
        )

    @pytest.mark.parametrize(
        "fenced",
        [
            "```\none\n>>>>>>> REPLACE\n```",  # no divider
            "```\none\n=======\ntwo\n```\n>>>>>>> REPLACE",  # behind the fence
            f"```\n{BLOCK}\none\n=======\ntwo\n>>>>>>> REPLACE\n```",  # behind a block
            "```\n<<<<<<< SEARCH src/a.py\none\n=======\ntwo\n>>>>>>> REPLACE\n```",
        ],
    )
    def test_a_code_fence_opens_no_other_block(self, fenced: str):
        assert "has no line `<<<<<<< SEARCH` above it" in problem_of(fenced)

    @pytest.mark.parametrize(
        "opening", ["<<<<<<< SEARCH src/a.py", "<<<<<<< SEARCH>>", "-- SEARCH", "<<-- SEARCH"]
    )
    def test_an_end_without_a_beginning_is_refused(self, opening: str):
        assert "hunk 2: `>>>>>>> REPLACE` has no line `<<<<<<< SEARCH` above it" in problem_of(
            f"{BLOCK}\n{opening}\none\n=======\ntwo\n>>>>>>> REPLACE"
        )

    def test_a_replace_of_one_blank_line_is_ambiguous(self):
        assert problem_of("<<<<<<< SEARCH\none\n=======\n\n>>>>>>> REPLACE") == (
            "search_replace, hunk 1: REPLACE is one blank line, which may mean none; leave REPLACE empty to delete "
            "the lines; to keep a blank one, repeat a line next to it in both parts"
        )


class TestSegments:
    @pytest.mark.parametrize(
        "edit",
        [
            f"src/a.py\n```python{BLOCK}```",
            f"```text\nfoo.txt{BLOCK}```",
            f"<replace_in_file>\n<path>a.py</path>\n<diff>{BLOCK}</diff>\n</replace_in_file>",
            f"a.py{BLOCK}\n\nb.py{BLOCK[:-1]}",
            f"a.py{BLOCK}\nThen:\n{BLOCK[:-1]}",  # which needs the path above
            ">>>>>>> REPLACE",
        ],
    )
    def test_a_segment_has_the_path_the_fence_and_the_tags_and_no_prose(self, edit: str):
        assert segments(f"Here is the change:\n\n{edit}\n\nHope you like it!") == [edit]

    @pytest.mark.parametrize("around", ["```\nother\ncode\n```{}", "{}```\nother code\n```"])
    def test_the_fence_of_other_code_does_not_belong_to_the_segment(self, around: str):
        assert segments(around.format(BLOCK)) == [BLOCK.strip()]

    def test_blocks_with_prose_between_are_segments_of_their_own_and_a_broken_one_goes_to_the_end(self):
        broken = "b.py\n<<<<<<< SEARCH\none\n======="
        assert segments(f"a.py{BLOCK}\nNow the other one.\n\n{broken}") == [f"a.py{BLOCK}"[:-1], broken]

    @pytest.mark.parametrize(
        "other", ["b.py\n```\nx\n```", "*** Begin Patch\n*** End Patch", '{"path": "b.py"}']
    )
    def test_what_may_be_another_edit_is_in_no_segment(self, other: str):
        assert segments(f"a.py{BLOCK}\n{other}\n{BLOCK}") == [f"a.py{BLOCK}"[:-1], BLOCK.strip()]


class TestStream:
    def test_a_block_arrives_with_the_line_that_closes_it(self):
        reader = BlockReader()
        before = [reader.feed(line) for line in lines_of("a.py\n<<<<<<< SEARCH\none\n=======\ntwo")]
        assert before == [()] * 5
        assert reader.feed(">>>>>>> REPLACE") == (ModifyFile("a.py", (ONE_TO_TWO,)),)


LINES = """
x
    y
src/a.py
...
```
```python
<diff>
</diff>
=======
=====
<<<<<<< SEARCH
  <<<<<<< SEARCH
------- SEARCH
<<<<
>>>>
>>>>>>> REPLACE
+++++++ REPLACE
<<<<<<< HEAD
>>>>>>> main
:start_line:3
-------
3 | z
\\=======
"""
LINE = st.sampled_from(LINES.split("\n"))
TEXT = st.lists(
    st.sampled_from(["", "a", "  b", "\tc  ", "====", "<div>", "```", "# x.py", "7 || x", "\\n"]), max_size=5
)
DIALECT = st.sampled_from(
    [
        ("<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE"),
        ("------- SEARCH", "=======", "+++++++ REPLACE"),
        ("<<<<<<<<< SEARCH", "=========", ">>>>>>>>> REPLACE"),
    ]
)


@given(
    st.lists(st.tuples(TEXT, TEXT.filter(lambda new: new != [""])), min_size=1, max_size=3),
    DIALECT,
    st.booleans(),
)
def test_what_is_written_is_read_back(
    parts: list[tuple[list[str], list[str]]], dialect: tuple[str, str, str], fenced: bool
):
    opening, divider, closing = dialect
    blocks = [[opening, *old, divider, *new, closing, ""] for old, new in parts]
    message = [
        "src/a.py",
        *["```python"] * fenced,
        *(line for block in blocks for line in block),
        *["```"] * fenced,
    ]
    hunks = tuple(hunk("\n".join(old), "\n".join(new)) for old, new in parts)
    assert reading.operations(FORMAT, message) == (ModifyFile("src/a.py", hunks),)
    assert reading.spans(FORMAT, message) == [range(len(message) - (not fenced))]


@given(st.lists(LINE, max_size=25))
def test_segments_are_disjoint_and_read_like_the_message(lines: list[str]):
    found = reading.spans(FORMAT, lines)
    edges = [edge for segment in found for edge in (segment.start, segment.stop)]
    assert edges == sorted(edges)
    assert all(segment.start < segment.stop <= len(lines) for segment in found)
    parts = [lines[segment.start : segment.stop] for segment in found]
    assert outcome([lines] if found else []) == outcome(parts)


def outcome(messages: list[list[str]]) -> list[object] | None:
    """The hunks, None for an error."""
    try:
        operations = [operation for message in messages for operation in reading.operations(FORMAT, message)]
    except UnreadableEdit:
        return None
    return [each for one in operations if isinstance(one, ModifyFile) for each in one.hunks]
