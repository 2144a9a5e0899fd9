"""What a sketch shows in a block, of which the file has lines in other blocks alone."""

from __future__ import annotations

import pytest

from fastedit.sketch.align import Alignment
from fastedit.sketch.candidate import TextCandidate
from fastedit.sketch.paths.weights import NEW
from fastedit.sketch.read.updates import read_update
from fastedit.sketch.signs.apart import FOUND_APART, TORN_APART
from fastedit.sketch.signs.signs import Signs


def laid(old: str, sketch: str, language: str) -> tuple[Alignment, TextCandidate]:
    lines = tuple(old.removesuffix("\n").split("\n"))
    alignment = Alignment(lines, read_update(sketch, language, lines))
    return alignment, alignment.best()


def text(old: str, sketch: str, language: str) -> str:
    _, best = laid(old, sketch, language)
    return "\n".join(best.text.lines) + "\n"


def signs(old: str, sketch: str, language: str) -> dict[str, float]:
    alignment, best = laid(old, sketch, language)
    return Signs.about(alignment).of(best.text, best.path)


SERVICES = """\
services:
  db:
    image: postgres:16
    ports:
      - "5432:5432"

  web:
    image: web:1
    healthcheck:
      test: ["CMD", "curl", "-f", "http://localhost"]
      interval: 30s
      timeout: 5s
"""
CHECK = '    healthcheck:\n      test: ["CMD-SHELL", "pg_isready"]\n      interval: 10s\n      timeout: 5s\n'
PORTS = '    ports:\n      - "5432:5432"\n'
LEVELS = """\
[logger_sql]
level = WARN
handlers =

[logger_app]
level = INFO
handlers =
"""
GOALS = """\
export const table = {
  goals: {
    title: "Goals",
    free: { allowed: false },
    paid: { allowed: true },
  },
  wishes: {
    title: "Wishes",
    free: { allowed: true, limit: 5 },
    paid: { allowed: true },
  },
};
"""
FREE = "    free: { allowed: false },\n", "    free: { allowed: true, limit: 5 },\n"
RECEIVERS = """\
func (r Json) Write(w Writer) {
	write(w, jsonType)
}

func (r Ascii) Write(w Writer) {
	write(w, asciiType)
}
"""


@pytest.mark.parametrize(
    "sketch", [f"  db:\n{PORTS}{CHECK}", f"services:\n  db:\n    # ...\n{PORTS}{CHECK}  # ...\n"]
)
def test_a_new_key_comes_into_the_block_that_is_shown_though_another_block_has_that_key(sketch):
    assert text(SERVICES, sketch, "yaml") == SERVICES.replace(PORTS, PORTS + CHECK)


@pytest.mark.parametrize(
    ("old", "sketch", "language", "expected"),
    [
        (LEVELS, "[logger_sql]\nlevel = INFO\n", "ini", LEVELS.replace("WARN", "INFO")),
        (GOALS, f'  goals: {{\n    title: "Goals",\n{FREE[1]}', "typescript", GOALS.replace(*FREE)),
        (
            RECEIVERS,
            "func (r Json) Write(w Writer) {\n\twrite(w, asciiType)\n}\n",
            "go",
            RECEIVERS.replace("jsonType", "asciiType"),
        ),
    ],
)
def test_a_line_changes_in_the_block_that_is_shown_into_what_another_block_has(
    old, sketch, language, expected
):
    assert text(old, sketch, language) == expected


CLASSES = """\
class Store:
    def load(self):
        return self.text

    def name(self):
        return "store"


class Cache:
    def load(self):
        return self.data

    def size(self):
        return len(self.data)
"""


def test_a_method_below_an_unchanged_one_is_hardly_that_of_another_class():
    sketch = "    def load(self):\n        return self.text\n\n    def size(self):\n        return len(self.text)\n"
    assert FOUND_APART.name in signs(CLASSES, sketch, "python")


def test_changed_methods_of_two_classes_may_be_shown_below_each_other():
    sketch = '    def name(self):\n        return "s"\n\n    def size(self):\n        return len(self.data or ())\n'
    alignment, best = laid(CLASSES, sketch, "python")
    expected = CLASSES.replace('"store"', '"s"').replace("len(self.data)", "len(self.data or ())")
    assert "\n".join(best.text.lines) + "\n" == expected
    assert FOUND_APART.name not in Signs.about(alignment).of(best.text, best.path)


def test_a_method_below_a_function_may_be_of_a_class_that_is_not_shown():
    old = "def free(x):\n    y = x\n    return y\n\n\n" + CLASSES
    sketch = "def free(x):\n    y = x + 1\n    return y\n\n    def size(self):\n        return len(self.data or ())\n"
    expected = old.replace("y = x\n", "y = x + 1\n").replace("len(self.data)", "len(self.data or ())")
    assert text(old, sketch, "python") == expected


def test_what_stands_below_a_label_may_be_below_another_that_is_not_shown():
    old = "class A {\n public:\n  void f();\n\n private:\n  int input_ = -1;\n  int output_ = -1;\n};\n"
    alignment, _ = laid(old, "class A {\n public:\n  void f(int flag);\n  int input_ = -1;\n};\n", "cpp")
    assert not alignment.apart


def test_an_else_that_goes_leaves_its_lines_in_the_block_above():
    old = "def f(a):\n    if a:\n        first()\n    else:\n        second()\n    return a\n"
    sketch = "def f(a):\n    if a:\n        first()\n        second()\n    return a\n"
    assert text(old, sketch, "python") == sketch


def test_lines_of_two_blocks_shown_together_are_no_update_that_was_applied_before():
    sketch = "    def load(self):\n        return self.text\n\n    def size(self):\n        return len(self.data)\n"
    assert TORN_APART.name in signs(CLASSES, sketch, "python")
    assert TORN_APART.name not in signs(CLASSES, CLASSES, "python")
    assert TORN_APART.name not in signs(CLASSES, sketch.replace("\n\n", "\n\n    # ...\n"), "python")


def test_a_line_that_another_block_has_is_no_repeat_where_it_may_be_new():
    old = (
        "struct A {\n    handler: H,\n    route: R,\n}\n\nstruct B {\n    router: Router,\n    state: S,\n}\n"
    )
    alignment, _ = laid(old, "struct A {\n    handler: H,\n    router: Router,\n", "rust")
    new = [name for name, value in zip(NEW, alignment.features.new[2], strict=True) if value]
    assert not any("as in the file" in name for name in new)
