"""Blank lines are the file's where nothing is touched, else what the sketch shows or the file does elsewhere."""

from __future__ import annotations

import pytest

from fastedit.sketch.align import Alignment, lay
from fastedit.sketch.read.updates import read_update

SPACED = """import os


def first(a):
    total = a

    return total


def second(b):
    return b
"""


def merged(sketch: str, old: str = SPACED) -> str:
    lines = old.removesuffix("\n").split("\n")
    return "\n".join(lay(lines, read_update(sketch, "python", lines)).text.lines) + "\n"


@pytest.mark.parametrize("blanks", ["\n", "\n\n", "\n\n\n\n"])
def test_a_new_definition_stands_as_far_from_its_neighbour_as_the_files_do(blanks):
    made = merged(f"# ... existing code ...{blanks}def third(c):\n    return c\n")
    assert made == SPACED + "\n\ndef third(c):\n    return c\n"


def test_a_blank_line_that_parts_new_code_from_a_marker_is_written():
    old = "type T struct {\n\t// A is one.\n\tA int\n\t// B is two.\n\tB int\n}\n"
    sketch = "type T struct {\n\t// ... existing fields ...\n\n\t// C is three.\n\tC int\n}\n"
    text = lay(old.splitlines(), read_update(sketch, "go", old.splitlines())).text
    assert list(text.lines) == old.replace("\tB int\n", "\tB int\n\n\t// C is three.\n\tC int\n").splitlines()


def test_blank_lines_beside_markers_are_neither_doubled_nor_lost():
    made = merged("# ...\n\n\n\ndef second(b):\n    return b + 1\n\n\n\n# ...\n")
    assert made == SPACED.replace("return b\n", "return b + 1\n")


@pytest.mark.parametrize(
    ("old", "sketch", "new"),
    [
        (
            "import a\nimport b\n\nTHERE = 1\n",
            "import b\nfrom c import d\n# ...\n",
            "import a\nimport b\nfrom c import d\n\nTHERE = 1\n",
        ),
        (
            "import a\nimport b\n\nTHERE = 1\n",
            "# ...\nHERE = 2\nTHERE = 1\n",
            "import a\nimport b\n\nHERE = 2\nTHERE = 1\n",
        ),
        (
            "import a\nimport b\n\n\nif HERE:\n    a.load()\n",
            "# ...\nfrom c import d\n\n# ...\n",
            "import a\nimport b\nfrom c import d\n\n\nif HERE:\n    a.load()\n",
        ),
    ],
)
def test_the_blank_lines_that_new_ones_come_between_stay_where_the_marker_is(old, sketch, new):
    assert merged(sketch, old) == new


def test_a_sketch_that_is_careless_of_blank_lines_takes_none_away():
    made = merged("# ...\ndef first(a):\n    total = a\n    return total + 1\n# ...\n")
    assert made == SPACED.replace("return total", "return total + 1")


def test_a_blank_line_left_out_is_meant_where_nothing_else_is_asked_for():
    assert merged(SPACED.replace("total = a\n\n", "total = a\n")) == SPACED.replace(
        "total = a\n\n", "total = a\n"
    )


def test_an_update_that_is_careless_of_blank_lines_and_comes_twice_leaves_those_that_it_left_at_first():
    sketch = "def first(a):\n    total = a + 1\n    return total\n# ...\n"
    once = merged(sketch)
    assert once == SPACED.replace("total = a", "total = a + 1")
    assert merged(sketch, once) == once


def test_a_blank_line_that_the_sketch_adds_is_meant():
    made = merged("# ...\ndef second(b):\n\n    return b\n")
    assert made == SPACED.replace("(b):\n", "(b):\n\n")


def test_where_a_definition_goes_its_neighbours_keep_their_distance():
    old = SPACED + "\n\ndef third(c):\n    return c\n"
    made = merged("# ...\n    return total\n\n\ndef third(c):\n    return c\n", old)
    assert made == old.replace("def second(b):\n    return b\n\n\n", "")


def test_the_bytes_of_untouched_blank_lines_stay():
    old = SPACED.replace("import os\n\n", "import os\n\f\n").replace("total = a\n\n", "total = a\n    \n")
    made = merged("# ...\ndef second(b):\n    return b + 1\n", old)
    assert made == old.replace("return b\n", "return b + 1\n")
    assert made.count("\f") == 1


def test_a_long_run_that_stays_is_copied_as_it_is():
    old = SPACED + "".join(f"\n\ndef f{n}(x):\n\n    return x + {n}\n" for n in range(40))
    made = merged("# ...\ndef second(b):\n    return b + 1\n# ...\n", old)
    assert made == old.replace("return b\n", "return b + 1\n")


@pytest.mark.parametrize("below", [False, True])
def test_a_second_definition_is_parted_from_the_only_one_as_the_sketch_shows(below):
    old = "class A:\n    def a(self):\n        return 1\n"
    new = "    def b(self):\n        return 2\n"
    sketch = f"class A:\n    # ...\n\n{new}" if below else f"class A:\n{new}\n    # ...\n"
    first, second = (old.removeprefix("class A:\n"), new) if below else (new, old.removeprefix("class A:\n"))
    assert merged(sketch, old) == f"class A:\n{first}\n{second}"


@pytest.mark.parametrize("blank", ["", "\n"])
def test_a_new_end_of_a_block_stays_as_far_from_what_follows_as_the_old_one(blank):
    old = "class Store:\n    def load(self):\n        return 1\n\n\nif FAST:\n    run()\n"
    new = f"{blank}    def save(self):\n        return 2\n"
    assert merged(f"class Store:\n    # ...\n{new}", old) == old.replace("\n\n\nif", f"\n{new}\n\nif")


@pytest.mark.parametrize("blanks", ["\n", "\n\n", "\n\n\n\n"])
@pytest.mark.parametrize("heading", ["", "\n"])
def test_what_a_file_begins_with_goes_with_the_blank_lines_below_it_alone(blanks, heading):
    first, rest = "def first(a):\n    total = a\n    return total\n", "def second(b):\n    return b\n"
    assert merged("# removed: first\n", heading + first + blanks + rest) == heading + rest


def test_a_decorator_of_several_lines_stands_right_above_its_function():
    decorator = '@skip_if(\n    any(windows),\n    reason="x",\n)\n'
    made = merged(f"# ...\n\n{decorator}def second(b):\n    # ...\n")
    assert made == SPACED.replace("def second", f"{decorator}def second")


@pytest.mark.parametrize("above", ["", "    # of the total\n"])
def test_a_blank_line_that_a_sketch_leaves_out_makes_a_change_below_it_no_less_likely(above):
    posteriors = []
    for blank in ("", "\n"):
        sketch = f"def first(a):\n    total = a\n{blank}{above}    return total + 1\n\n\n# ...\n"
        lines = SPACED.removesuffix("\n").split("\n")
        best = Alignment(lines, read_update(sketch, "python", lines)).best()
        assert "".join(best.text.lines).count("return total") == 1
        posteriors.append(best.posterior)
    assert posteriors[0] > posteriors[1] - 0.02
