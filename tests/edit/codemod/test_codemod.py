from __future__ import annotations

import textwrap

import pytest

from fastedit.edit.codemod import predict_instruction
from fastedit.edit.request import LineRange

ALL = '__all__ = ["load", "merge"]'
READ = "    def read(self, timeout=3):"
PYTHON = '''\
"""Settings."""

import json
import os

__all__ = ["load", "merge"]


def load(path):
    with open(path) as handle:
        return json.load(handle)


def merge(base, extra):
    merged = dict(base)
    merged.update(extra)
    return merged


@total
class Store:
    limit = 3

    def __init__(self, path):
        self.path = path

    def read(self, timeout=3):
        return load(self.path)

    def save(self):
        self.read()


def settings(path, overrides):
    base = load(path)
    return merge(base, overrides)
'''


def carried_out(
    text: str, source: str = PYTHON, language: str = "python"
) -> tuple[list[str], list[str], tuple[str, ...]]:
    """The lines that go, those that come, and what speaks against it."""
    lines = source.split("\n")
    found = predict_instruction(lines, language, text)
    assert found is not None, text
    kept = {origin for origin in found.origins if origin is not None}
    gone = [line for number, line in enumerate(lines) if number not in kept]
    come = [line for line, origin in zip(found.lines, found.origins, strict=True) if origin is None]
    assert all(
        origin is None or lines[origin] == line
        for line, origin in zip(found.lines, found.origins, strict=True)
    )
    assert found.unambiguous == (not found.reasons)
    return gone, come, found.reasons


@pytest.mark.parametrize(
    ("text", "gone", "come"),
    [
        (
            "rename load to read",
            [ALL, "def load(path):", "        return load(self.path)", "    base = load(path)"],
            [ALL.replace("load", "read"), "def read(path):", "        return read(self.path)", "    base = read(path)"],
        ),
        (
            "Please rename the parameter `path` -> `file` in load. Leave the rest alone",
            ["def load(path):", "    with open(path) as handle:"],
            ["def load(file):", "    with open(file) as handle:"],
        ),
        (
            "rename the method read to fetch because it is nicer",
            ["    def read(self, timeout=3):", "        self.read()"],
            ["    def fetch(self, timeout=3):", "        self.fetch()"],
        ),
        ("in merge, rename extra to more", ["def merge(base, extra):", "    merged.update(extra)"],
         ["def merge(base, more):", "    merged.update(more)"]),
        ("remove the line `merged.update(extra)`", ["    merged.update(extra)"], []),
        ("remove the import of os", ["import os"], []),
        ("add import re", [], ["import re"]),
        ("add an import of cache from functools", [], ["from functools import cache"]),
        ('add a parameter `encoding="utf-8"` to load', ["def load(path):"], ['def load(path, encoding="utf-8"):']),
        ("drop the parameter timeout from read", [READ], ["    def read(self):"]),
        ("make path default to None in load", ["def load(path):"], ["def load(path=None):"]),
        ("set the default of timeout in read to 5", [READ], ["    def read(self, timeout=5):"]),
        ("annotate path in load as str", ["def load(path):"], ["def load(path: str):"]),
        ("annotate load as returning `dict`", ["def load(path):"], ["def load(path) -> dict:"]),
        ("decorate load with `@cache`", [], ["@cache"]),
        ("remove the decorator `total` from Store", ["@total"], []),
        ('add the docstring "Read a file." to load', [], ['    """Read a file."""']),
        ("set `merged` to `{}` in merge", ["    merged = dict(base)"], ["    merged = {}"]),
        ("comment out the line `self.read()`", ["        self.read()"], ["        # self.read()"]),
        ("replace `json.load(handle)` with `parse(handle)`", ["        return json.load(handle)"],
         ["        return parse(handle)"]),
        ("after the line `merged = dict(base)` add `merged.pop(1)`", [], ["    merged.pop(1)"]),
        ("put `x = 1` before `merged = dict(base)` in merge", [], ["    x = 1"]),
    ],
)  # fmt: skip
def test_a_plain_sentence_is_carried_out_and_nothing_else_changes(text, gone, come):
    assert carried_out(text) == (gone, come, ())


def test_a_definition_goes_with_its_decorators_and_the_blank_lines_that_set_it_apart():
    gone, come, reasons = carried_out("delete the class Store")
    assert gone[0] == "@total"
    assert gone[-3:] == ["        self.read()", "", ""]
    assert not come
    assert not reasons


def test_a_function_is_put_behind_another_as_far_from_it_as_its_neighbours_are():
    _, come, reasons = carried_out("after merge add this function:\ndef dump(x):\n    return x")
    assert come == ["", "", "def dump(x):", "    return x"]
    assert not reasons


@pytest.mark.parametrize("joint", [" and ", "; ", ", then ", ". Also "])
def test_several_things_are_done_one_after_the_other(joint):
    gone, come, reasons = carried_out(f"rename merge to join{joint}add a parameter `strict=False` to join")
    assert "def join(base, extra, strict=False):" in come
    assert "    return join(base, overrides)" in come
    assert "def merge(base, extra):" in gone
    assert not reasons


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("rename path to file", "a name of its own in 3 functions"),
        ("rename load to merge", "a name already"),
        ("rename json to simplejson", "imported"),
        ("rename limit to most", "attribute of its class"),
        ("delete `def load(path):`", "block below it"),
        ("after `with open(path) as handle:` add `pass`", "left open"),
        ("replace json.load by `parse`", "quote"),
        ("add a parameter `strict` to read", "follows one that has one"),
        ("decorate Store with `@final`", "another decorator"),
    ],
)
def test_what_could_be_read_in_another_way_says_so(text, reason):
    assert any(reason in said for said in carried_out(text)[2]), carried_out(text)


@pytest.mark.parametrize(
    "text",
    [
        "make load faster",
        "rename load to read but keep the old name as an alias",
        "rename load to read only where it is called",
        "delete the function load and everything that uses it",
        "do not rename load to read",
        "rename nothing_here to read",
        "add a parameter to load",
        "replace `base` with `first`",
        "`load` should be awaited",
        "change `limit` to the value that the tests use",
        "remove the second line of merge",
        "add error handling to load",
        "add the docstring of merge to load",
    ],
)
def test_a_sentence_that_is_not_understood_as_a_whole_is_left_to_the_model(text):
    assert predict_instruction(PYTHON.split("\n"), "python", text) is None


def test_nothing_outside_of_the_scope_changes():
    lines = PYTHON.split("\n")
    start = lines.index("def load(path):")
    scope = LineRange(start, start + 3)
    inside = predict_instruction(lines, "python", "rename path to file", scope)
    assert inside is not None
    assert [n for n, line in enumerate(lines) if inside.lines[n] != line] == [start, start + 1]
    assert predict_instruction(lines, "python", "delete the function merge", scope) is None


@pytest.mark.parametrize(
    ("language", "source", "text", "come"),
    [
        (
            "javascript",
            "function load(path) {\n  return fs.load(path);\n}\nconst x = load('a');\n",
            "rename load to read",
            ["function read(path) {", "const x = read('a');"],
        ),
        (
            "typescript",
            "class A {\n  load(): void {}\n  run() {\n    this.load();\n  }\n}\n",
            "rename the method load to read",
            ["  read(): void {}", "    this.read();"],
        ),
        (
            "go",
            'func Load(path string) int {\n\treturn 1\n}\n\nfunc main() {\n\tLoad("a")\n}\n',
            "rename Load to Read",
            ["func Read(path string) int {", '\tRead("a")'],
        ),
        (
            "rust",
            "fn load(path: &str) -> u8 {\n    1\n}\n",
            "add a parameter `strict: bool` to load",
            ["fn load(path: &str, strict: bool) -> u8 {"],
        ),
        (
            "java",
            "class A {\n    int load() {\n        return 1;\n    }\n    int save() {\n        return load();\n    }\n}",
            "rename load to read",
            ["    int read() {", "        return read();"],
        ),
        (
            "c",
            "int load(int a) {\n    return a;\n}\n\nint main() {\n    return load(1);\n}\n",
            "rename load to read",
            ["int read(int a) {", "    return read(1);"],
        ),
        ("cpp", "#include <map>\n\nint x = 1;\n", "add `#include <set>`", ["#include <set>"]),
        ("yaml", "a: 1\nb: 2\n", "comment out the line `a: 1`", ["# a: 1"]),
    ],
)
def test_other_languages_are_read_by_their_own_grammar(language, source, text, come):
    gone, new, reasons = carried_out(text, source, language)
    assert new == come
    assert not reasons
    assert gone or text.startswith("add `")


def test_a_parameter_joins_a_signature_of_several_lines_in_its_own():
    source = textwrap.dedent(
        """\
        def load(
            path,
            mode="r",
        ):
            pass
        """
    )
    assert carried_out("add a parameter `limit=3` to load", source)[:2] == ([], ["    limit=3,"])
