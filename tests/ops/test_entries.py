from __future__ import annotations

import pytest

from fastedit.errors import OperationRefused
from tests.ops.carried import carried, outcome


def add(target: str, code: str, where: str = "last", anchor: str | None = None) -> dict[str, object]:
    return {"op": "add-entry", "target": target, "code": code, "where": where, "anchor": anchor}


def remove(target: str, entry: str) -> dict[str, object]:
    return {"op": "remove-entry", "target": target, "entry": entry}


DICT = "D = {\n    'a': 1,\n    'b': 2,  # two\n}\n"
ENUM = "class C(Enum):\n    X = 1\n    Y = 2\n\n    def f(self): pass\n"
# What is added, under the name by which it is removed again.
ADDED = {
    "to a list": ("python", "A = [1, 2]\n", add("A", "3"), "3", ("2]", "2, 3]")),
    "to an empty list": ("python", "A = []\n", add("A", "3"), "3", ("[]", "[3]")),
    "to what a call is given": (
        "python",
        "A = frozenset({'x'})\n",
        add("A", "'y'"),
        "y",
        ("'x'", "'x', 'y'"),
    ),
    "to a dict, behind a comment": (
        "python",
        DICT,
        add("D", "'c': 3"),
        "c",
        ("# two\n", "# two\n    'c': 3,\n"),
    ),
    "before another": (
        "python",
        DICT,
        add("D", "'z': 0", "before", "b"),
        "z",
        ("    'b'", "    'z': 0,\n    'b'"),
    ),
    "to an enum": ("python", ENUM, add("C", "Z = 3"), "Z", ("Y = 2\n", "Y = 2\n    Z = 3\n")),
    "to a class that has nothing": (
        "python",
        "class A:\n    pass\n",
        add("A", "x: int = 1"),
        "x",
        ("pass", "x: int = 1"),
    ),
    "to an object": (
        "javascript",
        "const o = f({ a: { b: 1 } });\n",
        add("o.a", "c: 2"),
        "c",
        ("b: 1", "b: 1, c: 2"),
    ),
    "to an object, by its name": (
        "javascript",
        "const o = { a };\n",
        add("o", "e", "first"),
        "e",
        ("a", "e, a"),
    ),
    "to an enum in braces": (
        "typescript",
        "enum E { A, B = 2 }\n",
        add("E", "C = 3"),
        "C",
        ("= 2", "= 2, C = 3"),
    ),
    "to an interface": (
        "typescript",
        "interface I {\n  a: number;\n}\n",
        add("I", "b?: X;"),
        "b",
        (";\n", ";\n  b?: X;\n"),
    ),
    "to an interface, ended as the entry beside it is": (
        "typescript",
        "interface I {\n  a: number;\n}\n",
        add("I", "b?: { c: X }"),
        "b",
        (";\n", ";\n  b?: { c: X };\n"),
    ),
    "to a class, ended as the entry beside it is": (
        "java",
        "class K {\n    int a;\n    void f() {}\n}\n",
        add("K", "int b"),
        "b",
        (";\n", ";\n    int b;\n"),
    ),
    "to a type": (
        "tsx",
        "type T = {\n  b: X;\n};\n",
        add("T", "d: Y;", "first"),
        "d",
        ("  b", "  d: Y;\n  b"),
    ),
    "to a class": (
        "typescript",
        "class K {\n  private x = 1;\n  f() {}\n}\n",
        add("K", "y = 2;"),
        "y",
        ("1;\n", "1;\n  y = 2;\n"),
    ),
    "to a struct of Go": (
        "go",
        "package p\n\ntype S struct {\n\tA int\n}\n",
        add("S", "B x"),
        "B",
        ("int\n", "int\n\tB x\n"),
    ),
    "to a slice": (
        "go",
        "package p\n\nvar l = []int{\n\t1,\n}\n",
        add("l", "2"),
        "2",
        ("1,\n", "1,\n\t2,\n"),
    ),
    "to a map": (
        "go",
        'package p\n\nvar m = map[string]int{"a": 1}\n',
        add("m", '"b": 2'),
        "b",
        ("1}", '1, "b": 2}'),
    ),
    "to a struct of Rust": ("rust", "struct S { x: u8 }\n", add("S", "y: u16"), "y", ("u8", "u8, y: u16")),
    "to variants": (
        "rust",
        "enum E {\n    A,\n    B,\n}\n",
        add("E", "C(u8)"),
        "C",
        ("B,\n", "B,\n    C(u8),\n"),
    ),
    "to constants of Java": (
        "java",
        "enum E {\n  A,\n  B(1);\n\n  int x;\n}\n",
        add("E", "C"),
        "C",
        ("B(1);", "B(1),\n  C;"),
    ),
    "to fields of Java": (
        "java",
        "class K {\n  int a;\n\n  void f() {}\n}\n",
        add("K", "int b = 1;"),
        "b",
        ("a;\n", "a;\n  int b = 1;\n"),
    ),
    "to a table of C": (
        "c",
        'M m[] = {\n  {"a", f},\n  {NULL}\n};\n',
        add("m", '{"c", h}', "after", "a"),
        "c",
        ("f},\n", 'f},\n  {"c", h},\n'),
    ),
    "to a struct of C": (
        "c",
        "struct s {\n  int x;\n};\n",
        add("s", "char *y;"),
        "y",
        ("x;\n", "x;\n  char *y;\n"),
    ),
    "to a class of C++": (
        "cpp",
        "class K {\n  int x = 1;\n};\n",
        add("K", "int y = 2;"),
        "y",
        ("1;\n", "1;\n  int y = 2;\n"),
    ),
}


@pytest.mark.parametrize(("language", "text", "operation", "entry", "change"), ADDED.values(), ids=ADDED)
def test_an_entry_is_added_in_the_layout_of_its_place_and_removed_again(
    language, text, operation, entry, change
):
    there = carried(text, operation, language=language)
    assert there == text.replace(*change, 1)
    assert carried(there, remove(operation["target"], entry), language=language) == text


REFUSED = {
    "several at a time": ("python", "A = [1]\n", add("A", "2, 3"), "is not one entry of `A`"),
    "a key that is there": ("python", DICT, add("D", '"a": 3'), "has `a` already, on line 2"),
    "a field that is there": (
        "go",
        "package p\n\ntype S struct {\n\tA int\n}\n",
        add("S", "A x"),
        "has `A` already",
    ),
    "an anchor that is not there": (
        "python",
        DICT,
        add("D", "'c': 1", "after", "q"),
        "q: there is none, but line 2: `a`; line 3",
    ),
    "an entry that is not there": ("python", DICT, remove("D", "q"), "q: there is none, but line"),
    "an entry that is there twice": ("python", "A = [1, 1]\n", remove("A", "1"), "1: can mean 2 things"),
    "no literal": ("python", "A = f(1)\n", add("A", "2"), "`A` has no entries"),
    "several literals": ("python", "A = [1] + [2]\n", add("A", "3"), "`A` has several literals"),
    "nothing of the name": ("python", "A = [1]\n", add("B", "3"), "B: is not in this file"),
    "an anchor alone": ("python", "A = [1]\n", add("A", "2", "last", "1"), "`anchor` goes with"),
    "fields on one line": (
        "c",
        "struct s { int x; int y; };\n",
        add("s", "int z;"),
        "holds several statements",
    ),
}


@pytest.mark.parametrize(("language", "text", "operation", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_entry_is_refused(language, text, operation, reason):
    with pytest.raises(OperationRefused) as error:
        carried(text, operation, language=language)
    assert reason in str(error.value)


@pytest.mark.parametrize(
    ("language", "text", "entry", "expected"),
    [
        ("python", "X = [1,  # one\n     2]\n", "2", "X = [1,  # one\n     ]\n"),
        ("python", "X = [1,  # one\n     2]\n", "1", "X = [2]\n"),
        ("python", "X = [1,\n     # two\n     2]\n", "1", "X = [# two\n     2]\n"),
        ("javascript", "const X = [1, /* two */ 2];\n", "1", "const X = [/* two */ 2];\n"),
        ("javascript", "const X = [1, /* two */ 2];\n", "2", "const X = [1, /* two */ ];\n"),
    ],
)
def test_a_comment_about_another_entry_stays(language, text, entry, expected):
    assert carried(text, remove("X", entry), language=language) == expected


def test_an_emptied_class_of_python_keeps_a_body():
    assert carried("class C:\n    X = 1\n", remove("C", "X")) == "class C:\n    pass\n"


USED = {
    "python": ("python", "class S:\n    a = 1\n    b = a + 1\n\nS.a\n", ("S", "a"), [3, 5]),
    "javascript": ("javascript", "class S {\n  a = 1;\n  f() {\n    this.a;\n  }\n}\n", ("S", "a"), [4]),
    "java": ("java", "class S {\n  int a;\n  int f() {\n    return a;\n  }\n}\n", ("S", "a"), [4]),
    "csharp": ("csharp", "class S {\n  int a;\n  int F() {\n    return a;\n  }\n}\n", ("S", "a"), [4]),
    "go": (
        "go",
        "package p\n\ntype S struct {\n\ta int\n}\n\nfunc (s *S) f() int {\n\treturn s.a\n}\n",
        ("S", "a"),
        [8],
    ),
    "rust": ("rust", "struct S {\n    a: u8,\n    b: u8,\n}\nfn f(s: S) {\n    s.a;\n}\n", ("S", "a"), [6]),
    "c": ("c", "struct S {\n  int a;\n  int b;\n};\nint f(struct S *s) { return s->a; }\n", ("S", "a"), [5]),
    "a member of an enum": (
        "java",
        "enum E { A, B }\nclass K {\n  E f = E.A;\n  E g = E.B;\n}\n",
        ("E", "A"),
        [3],
    ),
    "a key": ("python", "D = {'a': 1, 'b': 2}\na = D['a']\n", ("D", "a"), []),
}


@pytest.mark.parametrize(("language", "text", "names", "lines"), USED.values(), ids=USED)
def test_what_still_uses_a_removed_member_is_reported(language, text, names, lines):
    _, found = outcome(text, remove(*names), language=language)
    assert [candidate.line + 1 for candidate in found.left] == lines
