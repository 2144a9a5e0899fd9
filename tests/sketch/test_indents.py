"""A sketch in the kind of indentation that its file has."""

from __future__ import annotations

import pytest

from fastedit.sketch.align import lay
from fastedit.sketch.read.updates import read_update

PACKAGE = """{
    "scripts": {
        "dev": "next dev"
    },
    "dependencies": {
        "next": "15.0.0",
        "react": "19.0.0"
    }
}"""
USER = """class User {
    @Col("A")
    int a;

    int b;

    int sum(int x) {
        return x;
    }
}"""
STEPS = """jobs:
    test:
        steps:
            - uses: checkout
              with:
                  depth: 0"""


def written(old: str, sketch: str, language: str) -> str:
    lines = tuple(old.split("\n"))
    return "\n".join(lay(lines, read_update(sketch, language, lines)).text.lines)


@pytest.mark.parametrize("margin", ["", "  ", "    "])
def test_new_lines_have_the_levels_of_the_file_wherever_the_sketch_begins(margin):
    sketch = '"dependencies": {\n  // ... existing dependencies ...\n  "zod": "4.0.0"\n}'
    indented = "\n".join(margin + line for line in sketch.split("\n"))
    expected = PACKAGE.replace('"19.0.0"', '"19.0.0",\n        "zod": "4.0.0"')
    assert written(PACKAGE, indented, "json") == expected


def test_wider_levels_become_those_of_the_file_too():
    old = "def load(path):\n  with open(path) as handle:\n    return handle.read()"
    sketch = old.replace("  ", "    ").replace("path):\n", "path):\n    if not path:\n        return None\n")
    expected = old.replace("path):\n", "path):\n  if not path:\n    return None\n")
    assert written(old, sketch, "python") == expected


@pytest.mark.parametrize("depths", [(9, 9, 12), (8, 8, 10), (7, 7, 12), (8, 8, 14)])
def test_a_sketch_that_changes_the_depth_of_some_lines_keeps_those_of_the_others(depths):
    first = 'def load(path, mode):\n    """Load.\n\n    Args:\n        mode: how\n    """\n    pass'
    texts = ("path: of a file", "code: what is in it,", "if anything")
    old, sketch = (
        "\n".join(["    Args:", *(" " * depth + text for depth, text in zip(row, texts, strict=True))])
        for row in (depths, (8, 8, 12))
    )
    head = f'{first}\n\ndef save(path, code):\n    """Save.\n\n'
    end = '\n    """\n    pass'
    assert written(head + old + end, sketch, "python") == head + sketch + end


def test_what_belongs_to_an_item_stays_aligned_with_its_text():
    sketch = "  test:\n    steps:\n      - uses: checkout\n        with:\n          depth: 1"
    assert written(STEPS, sketch, "yaml") == STEPS.replace("depth: 0", "depth: 1")


def test_what_is_aligned_with_a_bracket_stays_so():
    old = "def load(path):\n    data = read(path)\n    return data"
    call = "return parse(data,\n{}path)"
    sketch = "def load(path):\n  data = read(path)\n  " + call.format(" " * 15)
    assert written(old, sketch, "python") == old.replace("return data", call.format(" " * 17))


def test_a_level_is_that_of_a_whole_block_not_of_what_comes_below_a_marker():
    old = "class A {\n  run() {\n    const {\n      scale,\n    } = read();\n    stop();\n  }\n}"
    sketch = (
        "class A {\n  run() {\n    // ...\n      scale,\n      size,\n    } = read();\n    stop();\n  }\n}"
    )
    assert written(old, sketch, "typescript") == old.replace("scale,\n", "scale,\n      size,\n")


@pytest.mark.parametrize("margin", ["  ", "   ", "     "])
def test_a_line_that_is_shown_too_far_out_moves_nothing_that_a_marker_keeps(margin):
    sketch = f'class User {{\n{margin}@Col("B")\n    long a;\n\n    int b;\n\n    // ...\n}}'
    text = written(USER, sketch, "java")
    assert text.endswith(USER[USER.index("    int b") :])


@pytest.mark.parametrize(
    ("first", "now"),
    [
        ("int a;", "    int a;"),  # as the file has it
        ("int sum(int x, int y) {", "    int sum(int x, int y) {"),  # as the line above the next one
        ("log(x);", "        log(x);"),  # as the next line, which it opens no block for
    ],
)
def test_the_first_line_gets_back_the_blanks_that_went_with_those_around_the_sketch(first, now):
    update = read_update(first + "\n        return x;\n    }", "java", tuple(USER.split("\n")))
    assert update.texts[0] == now


@pytest.mark.parametrize(
    "sketch",
    [
        "total = a\n        + b",
        "int sum(int x, int y) {\n    return y;\n}",
        "// ...\n        return x;\n    }",
    ],
)
def test_a_first_line_that_may_stand_at_the_margin_stays_there(sketch):
    assert list(read_update(sketch, "java", tuple(USER.split("\n"))).texts) == sketch.split("\n")


def test_a_first_line_at_the_margin_stays_there_where_another_line_does_not_stand_as_in_the_file():
    update = read_update("int a;\nint b;\n        return x;\n    }", "java", tuple(USER.split("\n")))
    assert update.texts[0] == "int a;"


@pytest.mark.parametrize(
    ("language", "old", "sketch"),
    [
        ("ruby", "def f(a)\n  x = a\n  x * 2\nend", "def f(a, b)\n  x = a\n  x * b"),
        ("ruby", "def f(a)\n  x = a\n  x * 2\nend", "def f(a, b)\n  y = a\n  x * 2"),
        ("makefile", "test: build\n\tpytest -q\n\tpytest -x", "test: build lint\n\tpytest -q\n\tpytest -x"),
        ("markdown", "- an old item\n  that goes on\n- another", "- a new one\n  that goes on"),
        ("sql", "SELECT a\n  FROM orders\n WHERE x = 1", "SELECT a, b\n  FROM orders\n WHERE x = 2"),
    ],
)
def test_a_changed_first_line_of_a_block_at_the_margin_stays_there(language, old, sketch):
    assert read_update(sketch, language, tuple(old.split("\n"))).texts[0] == sketch.split("\n")[0]


def test_a_changed_first_line_of_a_block_stands_where_that_line_is_in_the_file():
    lines = ("class A", "  def f(a)", "    x = a", "    x * 2", "  end", "end")
    assert read_update("def f(a, b)\n    x = a\n    x * b\n  end", "ruby", lines).texts[0] == "  def f(a, b)"


def test_a_line_that_opens_a_block_gets_its_blanks_back_though_a_blank_line_follows():
    lines = ("class A {", "    int sum(int x) {", "", "        return x;", "    }", "}")
    update = read_update("int sum(int x, int y) {\n\n        return x;\n    }", "java", lines)
    assert update.texts[0] == "    int sum(int x, int y) {"


@pytest.mark.parametrize("first", ["# so that it stays", "@cached", "log(x)"])
def test_a_first_line_that_heads_or_comes_into_a_block_at_the_margin_gets_its_blanks_back(first):
    lines = ("class A:", "    x = 1", "    def f(self):", "        return self.x")
    sketch = f"{first}\n    def f(self):\n        return self.x"
    assert read_update(sketch, "python", lines).texts[0] == f"    {first}"


def test_a_form_feed_above_a_definition_is_no_indentation():
    old = "import os\n\n\f{}save(path, text){}\n    write(path, 1){}\n\nlast = 1"
    python, c = ("def ", ":", ""), ("int ", "\n{", "\n}")
    for language, parts in (("python", python), ("c", c)):
        file = old.format(*parts)
        sketch = file.partition("\f")[2].rpartition("\n\n")[0].replace("1", "2, 3")
        assert written(file, sketch, language) == file.replace("write(path, 1", "write(path, 2, 3")


def test_new_code_with_the_level_of_most_blocks_keeps_it_though_the_file_has_one_of_its_lines_above_a_wider_one():
    old = "def first():\n    if os.name:\n        return [\n                1,\n        ]"
    new = "def fresh():\n    return [\n        2,\n    ]"
    assert written(old, f"# ... existing code ...\n\n\n{new}", "python") == f"{old}\n\n\n{new}"
