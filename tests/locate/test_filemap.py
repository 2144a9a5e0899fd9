from __future__ import annotations

import pytest

from fastedit.locate.filemap import FileMap, file_map
from tests.locate.helpers import document

TEXTS = {
    "a.py": (
        "import os\n\n\n# about A\n@final\nclass A:\n    def f(self):\n        def g():\n            pass\n\n"
        "        return g\n\n    # about h\n    def h(self):\n        pass\n\n\nx = 1\n\n\ndef last():\n    pass\n"
    ),
    "a.js": (
        "const a = () => 1, b = () => {\n  return 2;\n};\n"
        "const t = {\n  f: () => 1,\n  g: () => {\n    return 1;\n  },\n};\n"
    ),
    "a.c": "typedef struct {\n  int x;\n} Point;\n\nint f(int x) {\n  return x;\n}\n",
    "a.md": "intro\n# A\ntext\n## B\n\ntext\n## C\n# D\n\ntext\n\n",
    "a.yaml": "a:\n  b:\n    c: 1\n  d: 2\ne:\n  f: 1\n",
}


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("a.ini", "x = 1\n[one]\ny = 2\n\n[two words]\nz = 3\n", {"one": (1, 3), "two words": (4, 6)}),
        (
            "a.qmd",
            "# One #\n~~~~sh\n# no heading\n~~~\n# nor this\n~~~~\n## Two\n\n# Three\n",
            {"One": (0, 7), "Two": (6, 7), "Three": (8, 9)},
        ),
    ],
)
def test_the_parts_of_a_text_are_those_that_its_language_has(name, text, found):
    sections = [each for each in FileMap(document(text, name)).definitions if each.kind == "section"]
    assert {each.name: (each.start, each.stop) for each in sections} == found


@pytest.mark.parametrize("name", TEXTS)
def test_the_smallest_definition_around_any_lines_is_found(name):
    files = FileMap(document(TEXTS[name], name))
    count = len(files.lines)
    assert files.definitions
    for start in range(count):
        for stop in range(start + 1, count + 1):
            around = [d for d in files.definitions if d.start <= start and stop <= d.stop]
            assert files.enclosing(start, stop) == min(around, key=len, default=None)


@pytest.mark.parametrize("name", ["a.py", "a.js", "a.c"])
def test_the_lines_with_one_name_are_those_that_a_list_of_all_names_has(name):
    files = file_map(document(TEXTS[name], name))
    assert files.syntax is not None
    listed = files.syntax.identifiers
    assert {each: files.lines_with(each) for each in listed} == {
        each: tuple(dict.fromkeys(rows)) for each, rows in listed.items()
    }
    assert files.lines_with("ret") == ()


def test_one_of_several_functions_in_a_statement_does_not_take_the_whole_statement():
    files = FileMap(document("const a = () => 1,\n  b = () => 2;\nconst c = () => 3;\n", "a.js"))
    assert [(d.name, d.start, d.stop) for d in files.definitions] == [("a", 0, 1), ("b", 1, 2), ("c", 2, 3)]


def test_definitions_with_a_brace_on_a_line_of_its_own_are_known_without_a_grammar():
    text = (
        "class Store\n{\n    public int Count(string text)\n    {\n        return 1;\n    }\n\n"
        "    public void Clear()\n    {\n        foreach (var item in items)\n        {\n        }\n    }\n}\n"
    )
    files = FileMap(document(text, "Store.cs"))
    assert [(item.dotted, item.start, item.stop) for item in files.definitions] == [
        ("Store", 0, 14),
        ("Store.Count", 2, 6),
        ("Store.Clear", 7, 13),
    ]
