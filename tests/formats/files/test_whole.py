from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fastedit.errors import UnreadableEdit
from fastedit.formats.base import WriteFile
from fastedit.formats.files.whole import FORMAT
from tests.formats import reading


def writes(text: str) -> list[tuple[str | None, str]]:
    """The path and the text of each file in a message."""
    found = reading.operations(FORMAT, text.split("\n"))
    return [(one.path, one.text) for one in found if isinstance(one, WriteFile)]


def segments(text: str) -> list[str]:
    return reading.segments(FORMAT, text.split("\n"))


def problem_of(text: str) -> str:
    return reading.refused(writes, text)


class TestPaths:
    @pytest.mark.parametrize(
        "opening",
        [
            "src/a.py\n```",
            "src/a.py\n```python",
            "### src/a.py\n```",
            "**src/a.py**:\n```",
            "`src/a.py`\n```",
            "File: src/a.py\n```",
            "```src/a.py",
            "```python:src/a.py",
            "```python src/a.py",
            "```python:src/a.py (lines 3-7)",
            "src/a.py:12\n```python",
            "[src/a.py](src/a.py#L12-L14)\n```python",
            "[`a.py`](src/a.py)\n```python",
            "Some prose in between.\n```python:src/a.py",
            "src/a.py\n\n```python",
        ],
    )
    def test_the_fence_or_the_line_above_names_the_file(self, opening: str):
        assert writes(f"Prose.\n\n{opening}\nx = 1\n```\nProse.") == [("src/a.py", "x = 1\n")]

    def test_a_link_whose_words_are_no_path_names_no_file(self):
        assert writes("[See here](docs/a.py)\n```python\nx = 1\n```\n") == []

    @pytest.mark.parametrize("path", ["src/a.py", "TodoList.tsx", "a.css"])
    def test_a_comment_that_the_fence_begins_with_names_the_file_in_its_language(self, path: str):
        comment = {"src/a.py": f"# {path}", "a.css": f"/* {path} */"}.get(path, f"// {path}")
        message = f"Here:\n```\n{comment}\nx = 1\n```\nProse."
        assert writes(message) == [(path, f"{comment}\nx = 1\n")]
        assert segments(message) == [f"```\n{comment}\nx = 1\n```"]

    @pytest.mark.parametrize(
        "comment",
        ["// filepath: src/a.js", "# File: src/a.js", "/* path: src/a.js */", "<!-- file path: src/a.js -->"],
    )
    def test_a_comment_with_a_label_names_the_file_in_any_language(self, comment: str):
        assert writes(f"Here:\n\n```\n{comment}\nx = 1\n```\n") == [("src/a.js", f"{comment}\nx = 1\n")]

    def test_a_block_comment_names_the_file_where_the_language_has_them(self):
        assert writes("```\n/* src/a.js */\nx\n```") == [("src/a.js", "/* src/a.js */\nx\n")]
        assert segments("```\n/* src/a.py */\nx\n```") == []

    @pytest.mark.parametrize(
        "comment",
        [
            "// src/a.py",
            "# about src/a.py",
            "# TODO: src/a.py",
            "# from: src/a.py",
            "# README.md",
            "# src/a.py\n@@ -1 +1 @@\n-x\n+y",
        ],
    )
    def test_no_other_comment_in_a_fence_names_a_file(self, comment: str):
        assert segments(f"```\n{comment}\nx = 1\n```") == []

    @pytest.mark.parametrize("opening", ["`Makefile`\n```", "Makefile\n```makefile", "`bin/run`\n```sh"])
    def test_a_name_without_a_suffix_needs_more_evidence(self, opening: str):
        assert [text for _, text in writes(f"{opening}\nall:\n```")] == ["all:\n"]

    @pytest.mark.parametrize(
        "opening",
        [
            "```python",
            "Output\n```",
            "Input/Output:\n```",
            "Run `src/a.py`, then:\n```",
            "Now look at src/a.py:\n```",
            "`load`:\n\n```python",
            "```12:15:src/a.py",
            "```diff",
        ],
    )
    def test_a_fence_without_a_name_is_no_file(self, opening: str):
        assert segments(f"{opening}\nx = 1\n```") == []


class TestText:
    def test_an_empty_fence_is_an_empty_file(self):
        assert writes("a/__init__.py\n```\n```") == [("a/__init__.py", "")]

    def test_text_is_kept_as_it_is(self):
        assert writes("a.txt\n~~~\n\n  x  \n```\n\ty\n\n~~~") == [("a.txt", "\n  x  \n```\n\ty\n\n")]

    def test_a_longer_fence_holds_shorter_ones(self):
        assert writes("a.md\n````\n```\nx\n```\n````") == [("a.md", "```\nx\n```\n")]

    def test_a_fence_with_an_info_string_is_closed_inside(self):
        assert writes("a.md\n```markdown\n# A\n```sh\nmake\n```\nEnd.\n```\nDone.") == [
            ("a.md", "# A\n```sh\nmake\n```\nEnd.\n")
        ]

    def test_a_fence_indented_differently_is_text(self):
        text = 'def f():\n    """\n    ```\n    f()\n    ```\n    """\n'
        assert writes(f"a.py\n```python\n{text}```") == [("a.py", text)]

    def test_the_indentation_of_the_fence_is_no_text(self):
        assert writes("- a.py\n  ```python\n  if x:\n      y\n z\n  ```") == [("a.py", "if x:\n    y\nz\n")]

    def test_files_are_read_in_order_and_other_fences_skipped(self):
        text = "a.py\n```\na\n```\nRun it:\n```\npython a.py\n```\n```b.py\nb\n```\nc.py\n```\nc\n```"
        assert writes(text) == [("a.py", "a\n"), ("b.py", "b\n"), ("c.py", "c\n")]


class TestSegments:
    def test_a_segment_has_the_path_and_the_fence_and_no_prose(self):
        assert segments("Prose.\na.py\n```python\nx\n```\nProse.") == ["a.py\n```python\nx\n```"]

    def test_with_the_path_in_the_fence_the_line_above_is_prose(self):
        assert segments("b.py\n```python:a.py\nx\n```") == ["```python:a.py\nx\n```"]

    @pytest.mark.parametrize(
        "text",
        [
            "# ... existing code ...\nx = 1",
            "x = 1\n# rest of the code unchanged",
            "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE",
            "\na.py\n------- SEARCH\nx\n=======\ny\n+++++++ REPLACE",
            "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y",
            "@@\n-x\n+y",
            "*** Begin Patch\n*** End Patch",
            "<edits>\n</edits>",
            "x\n=======\ny\n>>>>>>> REPLACE",
        ],
    )
    def test_a_sketch_or_another_edit_is_no_whole_file(self, text: str):
        assert segments(f"a.py\n```\n{text}\n```") == []

    def test_an_ellipsis_is_a_statement_in_python_only(self):
        stub = "def f() -> int:\n    ...\n"
        assert writes(f"a.pyi\n```python\n{stub}```") == [("a.pyi", stub)]
        assert segments("a.js\n```js\nf()\n...\n```") == []


@pytest.mark.parametrize("tag", ["source", "code", "pre", "codeblock", "sourcecode"])
class TestTags:
    def test_tags_are_a_fence_around_a_file_that_has_fences(self, tag: str):
        text = "# A\n```sh\nmake\n```\n```\n"
        for above in ("docs/a.md", "`docs/a.md`:", "### docs/a.md\n"):
            assert writes(
                f"Here:\n\n{above}\n<{tag}>\n{text}</{tag}>\n\nb.py\n<{tag}>python\nb = 1\n</{tag}>"
            ) == [
                ("docs/a.md", text),
                ("b.py", "b = 1\n"),
            ]

    def test_tags_in_pairs_inside_are_text(self, tag: str):
        text = f"<{tag}>\n</{tag}>\nx\n"
        assert writes(f"a.html\n<{tag}>\n{text}</{tag}>") == [("a.html", text)]

    def test_tags_without_a_path_above_are_no_file(self, tag: str):
        assert segments(f"Now:\n<{tag}>\na\n</{tag}>") == []

    def test_tags_within_a_fence_are_text(self, tag: str):
        text = f"a.py\n<{tag}>\nx\n</{tag}>\n"
        assert writes(f"b.html\n```html\n{text}```") == [("b.html", text)]

    def test_a_file_is_refused_that_breaks_off_or_may_end_at_several_tags(self, tag: str):
        assert "a.py breaks off before the closing fence" in problem_of(f"a.py\n<{tag}>\na = 1\n")
        assert "a.py may end at any of several fences" in problem_of(
            f"a.py\n<{tag}>\na\n</{tag}>\nb\n</{tag}>"
        )

    def test_in_a_text_of_markup_it_is_open_whether_tags_are_a_fence(self, tag: str):
        assert f"`<{tag}>` below a.py may be text of what begins with `<h1>A</h1>`" in problem_of(
            f"<h1>A</h1>\na.py\n<{tag}>\na\n</{tag}>\n"
        )


class TestErrors:
    def test_an_unclosed_fence_is_truncated(self):
        assert problem_of("a.py\n```\na\n```\nsrc/b.py\n```python\nx = 1\n") == (
            "whole: src/b.py breaks off before the closing fence; send the whole file again"
        )

    def test_a_fence_that_swallows_another_file_is_truncated(self):
        assert "a.py breaks off" in problem_of("a.py\n```python\na\n\nb.py\n```python\nb\n```")

    def test_a_markdown_file_that_may_end_at_several_fences_is_ambiguous(self):
        assert problem_of("README.md\n```\n# A\n```\ncode\n```\nEnd.\n```\na.py\n```\na\n```") == (
            "whole: README.md may end at any of several fences; put it in a fence of four backticks or more"
        )

    def test_a_markdown_file_before_a_fence_with_a_language_is_not_ambiguous(self):
        assert writes("README.md\n```\n# A\n```\nRun:\n```sh\nmake\n```\n") == [("README.md", "# A\n")]

    @pytest.mark.parametrize("mark", ["```", "````"])
    @pytest.mark.parametrize("opening", ["`b.json`:\n\n```json", "b.json\n```", "In `b.json`:\n\n```json"])
    def test_a_markdown_file_ends_where_the_fences_of_the_files_below_pair_up(self, mark: str, opening: str):
        below = f"{opening}\n1\n```\n\n"
        written = writes(f"`a.md`:\n\n{mark}markdown\n# A\n\n- a\n{mark}\n\n{below * 2}{below}")
        assert written[0] == ("a.md", "# A\n\n- a\n")

    @pytest.mark.parametrize("blank", ["", "\n"])
    def test_a_path_above_a_fence_of_a_markdown_file_does_not_hide_that_it_goes_on(self, blank: str):
        text = f"# A\n```\nls\n```\n**b.json**\n{blank}```json\n1\n```\nEnd.\n"
        assert "a.md may end at any of several fences" in problem_of(f"a.md\n```markdown\n{text}```")
        assert writes(f"a.md\n````markdown\n{text}````") == [("a.md", text)]

    @pytest.mark.parametrize("text", ["", "prose", "```\nx\n```"])
    def test_text_without_a_named_fence_is_no_edit(self, text: str):
        assert segments(text) == []


LINES = [
    "",
    "x",
    "  y",
    "a.py",
    "b.md",
    "`Makefile`",
    "```",
    "  ```",
    "````",
    "```python",
    "```python:c.py",
    "~~~",
    "<source>",
    "</source>",
]


@example(["a.py", "", "", "```", "```"])
@given(st.lists(st.sampled_from(LINES), max_size=25))
def test_segments_are_disjoint_and_readable_or_refused(lines: list[str]):
    found = FORMAT.find(lines)
    edges = [edge for each in found for edge in (each.lines.start, each.lines.stop)]
    assert edges == sorted(edges)
    for each in found:
        with suppress(UnreadableEdit):
            read = lines[each.lines.start : each.lines.stop]
            (operation,) = each.read()
            assert isinstance(operation, WriteFile)
            opening = next(
                at for at, line in enumerate(read) if line.lstrip().startswith(("```", "~~~", "<"))
            )
            assert operation.text.count("\n") == len(read) - opening - 2


@given(st.lists(st.sampled_from(["", "x", "    y\t", "```", "a.py", "```sh", "=====", "\\"]), max_size=8))
def test_what_is_written_in_a_longer_fence_is_read_back(lines: list[str]):
    text = "".join(f"{line}\n" for line in lines)
    assert writes(f"src/a.py\n````python\n{text}````") == [("src/a.py", text)]
