"""Lines of a sketch as the file has them."""

import pytest

from fastedit.sketch.read.inline import inline_marker
from fastedit.sketch.read.reading import BARE, BLANK, FULL, SHORT, Outline, target_of
from fastedit.sketch.read.updates import read_update
from fastedit.source.languages import TEXT, named
from fastedit.source.outline import is_closer


def test_dots_behind_a_head_are_its_body_where_the_file_has_no_other():
    file = "class Reader(Protocol):\n    def read(self) -> str:\n        ...\n"
    file += "\n    def close(self) -> None:\n        pass\n"
    sketch = (
        "    def read(self) -> str: ...\n    def close(self) -> None: ...\n    def open(self) -> None: ...\n"
    )
    lines = read_update(sketch, "python", file.split("\n")).lines
    assert [(line.text.strip(), line.marker) for line in lines] == [
        ("def read(self) -> str: ...", False),
        ("def close(self) -> None:", False),
        ("...", True),
        ("def open(self) -> None: ...", False),
    ]


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("from b import c  # ... existing code ...", ["from b import c", "# ... existing code ..."]),
        ("def stop():  # ... existing code ...", ["def stop():", "    # ... existing code ..."]),
        ("size  # ...", None),
        ("size = load(  # ... existing code ...", None),
        ("stop()  # as it was before", None),
    ],
)
def test_a_marker_after_a_whole_new_line_is_one_of_its_own(line, parts):
    lines = read_update(line, "python", ["import a", "size = 2"]).lines
    assert [one.text for one in lines] == (parts or [line])
    assert [one.marker for one in lines] == ([False, True] if parts else [False])


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ("size: int = 3", "size"),
        ("let size: u8 = 1;", "size"),
        ("'size': 2,", "size"),
        ("size?: number;", "size"),
        ("Frame::Reset => 5,", None),
        ("Frame::LIMIT = 3;", None),
        ("checksum/config: 9c2d76", "checksum/config"),
        ("example.com/name: web", "example.com/name"),
        ("// size: 3", None),
    ],
)
def test_a_path_of_code_is_no_key_that_is_given_a_value_and_one_of_data_is(line, target):
    assert target_of(line) == target


def test_a_head_whose_brace_stands_on_its_own_line_is_one():
    lines = ["public class A", "{", "    public bool Done()", "    {", "        Wait(1);", "    }", "}"]
    assert Outline(lines, language="csharp").heads == {0: "A", 2: "Done"}


def test_what_stands_below_a_table_of_toml_is_in_it_up_to_the_next():
    lines = ["name = 1", "[a]", "x = 1", "", "# about b", "[b.c]  # here", "y = [", "  1,", "]"]
    outline = Outline(lines, language="toml")
    assert outline.heads == {1: "a", 5: "b.c"}
    assert outline.parents == [None, None, 1, None, 1, None, 5, 6, 6]
    assert [outline.block_end(row) for row in outline.heads] == [3, 9]
    assert outline.depths == [1, 0, 1, 1, 1, 0, 1, 3, 1]


@pytest.mark.parametrize(
    ("language", "lines", "heads"),
    [
        ("yaml", ["a:", "  b: 1", "  c:", "  - x", "d: 2"], {0: "a", 2: "c"}),
        ("yaml", ["a:", "  b: 1", "---", "a:", "  b: 2"], {0: "a", 3: "a"}),
        ("text", ["all: build", "build: main.o", "\tcc main.o", "X = 1"], {1: "build"}),
        ("json", ["{", '  "a": {', '    "b": 1', "  }", "}"], {1: "a"}),
    ],
)
def test_what_a_name_opens_is_its_definition_where_a_language_tells_of_none(language, lines, heads):
    assert Outline(lines, language=language).heads == heads


def test_tables_of_one_array_have_no_name_of_their_own():
    outline = Outline(["[[bin]]", "name = 1", "[[bin]]", "name = 2"], language="toml")
    assert outline.heads == {}
    assert outline.parents == [None, 0, None, 2]


def test_what_stands_below_a_heading_of_markdown_is_in_it_up_to_the_next_that_is_no_deeper():
    outline = Outline(["# A", "text", "## B", "* one", "# C", "last"], language="markdown")
    assert outline.parents == [None, 0, 0, 2, None, 4]
    assert [outline.block_end(row) for row in outline.heads] == [4, 4, 6]
    assert not any(map(outline.comments, range(6)))


def test_a_rule_of_css_has_its_selector_for_a_name():
    outline = Outline([".a > b:hover {", "  color: red;", "}", "@media (width > 1px) {"], language="css")
    assert outline.heads == {0: ".a > b:hover", 3: "@media (width > 1px)"}


@pytest.mark.parametrize(
    "line", ["</div>", "endif()", "endforeach(x)", "fi", "done;", "{% endblock %}", "end"]
)
def test_a_line_that_closes_a_block_by_its_name_says_nothing_else(line):
    assert (Outline([line]).ink == [BARE]) == (line != "endforeach(x)")
    assert is_closer(line)


def test_a_line_says_something_from_three_letters_or_digits_on_in_any_script():
    lines = ["", "{ _ }", "é_", "a1", "a1b", "x = _", "値を足す"]
    assert Outline(lines).ink == [BLANK, BARE, SHORT, SHORT, FULL, SHORT, FULL]


@pytest.mark.parametrize("line", ["end = 1", "endpoint()", "done: bool", "final = 2"])
def test_a_name_that_begins_like_a_closer_is_none(line):
    assert Outline([line]).ink == [FULL]
    assert not is_closer(line)


@pytest.mark.parametrize(
    "line",
    [
        "# the form with two slashes (sqlite://...), never four",
        'url = "sqlite://..."',
        "// see http://... for more",
        "url: s3://...",
        'text = "# ... existing code ..."',
    ],
)
def test_an_address_or_a_text_with_dots_holds_no_marker(line):
    assert inline_marker(line, named(TEXT)) is None


@pytest.mark.parametrize(
    ("line", "language", "expected"),
    [
        ("-- all of it", "text", True),
        ("-- --nocapture", "shell", False),
        ("---", "yaml", False),
        ("# all of it", "javascript", True),
        ("// all of it", "python", True),
        ("#  else", "c", False),
        ("# endif", "csharp", False),
        ("# else", "python", True),
        ("# all of it", "c", True),
    ],
)
def test_directives_are_no_comments_and_two_dashes_begin_a_comment_only_where_the_notation_is_not_known(
    line, language, expected
):
    assert Outline([line], language=language).comments(0) is expected


@pytest.mark.parametrize(
    ("line", "language", "behind"),
    [
        ("def load(...) -> str:", "python", ") -> str:"),
        ("func (s *Store) Load(...) error {", "go", ") error {"),
        ("fn load(...) -> Option<T> {", "rust", ") -> Option<T> {"),
        ("const a = all.find(...) ?? all[0];", "typescript", ") ?? all[0];"),
        ("} catch (...) {", "cpp", None),
        ("void log(...) {", "c", None),
        ("function load(...) {", "text", None),
        ("call(...rest) {", "javascript", None),
        ("return append(a, b...)", "go", None),
        ("return load(path, args...);", "cpp", None),
    ],
)
def test_dots_in_brackets_hide_what_these_hold_where_the_language_has_no_such_code(line, language, behind):
    found = inline_marker(line, named(language))
    assert (found and found.behind) == behind


@pytest.mark.parametrize("dots", ["...", " ... "])
@pytest.mark.parametrize(("language", "hides"), [("typescript", True), ("java", True), ("python", False)])
def test_dots_alone_in_braces_hide_a_block_where_they_are_no_value(dots, language, hides):
    lines = ["find(id: string) {", "    return id;", "}"]
    update = read_update(f"find(id: number) {{{dots}}}\n", language, lines)
    shown = [(line.text.strip(), line.marker) for line in update.lines]
    parted = [("find(id: number) {", False), ("...", True), ("}", False)]
    assert shown == (parted if hides else [(f"find(id: number) {{{dots}}}", False)])


def test_a_head_whose_parameters_dots_hide_is_the_one_over_several_lines():
    lines = ["async def shot(", "    url: str,", ") -> str:", "    return url"]
    update = read_update("async def shot(...) -> str:\n    log(url)\n    # ...\n", "python", lines)
    assert [line.text.strip() for line in update.lines if not line.marker] == [
        "async def shot(",
        ") -> str:",
        "log(url)",
    ]


def test_hundreds_of_comments_above_lines_at_the_margin_are_read():
    rows = [line for at in range(600) for line in (f"k{at}: {at}", f"# about {at + 1}")]
    found = Outline(rows, language="yaml")
    assert [found.chains[row] for row in (0, len(rows) - 1)] == [(), ()]


def test_a_comment_of_code_between_fences_is_no_heading():
    lines = ["# A", "```sh", "# b", "c", "```", "## D"]
    outline = Outline(lines, language="markdown")
    assert (outline.parts, outline.heads) == ({0: 1, 5: 2}, {0: "A", 5: "D"})
    assert outline.parents == [None, 0, 0, 0, 0, 0]
