from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastedit.errors import OperationRefused
from tests.ops.carried import carried, outcome


def replace(old: str, new: str | None = None, **more: object) -> dict[str, object]:
    return {"op": "replace", "old": old, "new": new, **more}


CASES = {
    "an expression, whatever its white space": (
        "python",
        "x = f( a,b )\ny = ff(a, b)\n",
        replace("f(a, b)", "g(b)"),
        "x = g(b)\ny = ff(a, b)\n",
    ),
    "a literal, not one in a string or a comment": (
        "python",
        "x = 30  # 30\ny = '30'\nz = 300\n",
        replace("30", "60"),
        "x = 60  # 30\ny = '30'\nz = 300\n",
    ),
    "a string as it is written": (
        "javascript",
        "f('a b', 'a  b');\n",
        replace("'a b'", '"c"'),
        "f(\"c\", 'a  b');\n",
    ),
    "what a string has between braces": (
        "python",
        'x = f"{a.b} a.b"\n',
        replace("a.b", "c"),
        'x = f"{c} a.b"\n',
    ),
    "lines as deep as the file has them, though the first one begins in its line": (
        "python",
        "def f(p):\n    if p:\n        return g(p)\n",
        replace("return g(p)", "if p > 1:\n            return None\n        return g(p)"),
        "def f(p):\n    if p:\n        if p > 1:\n            return None\n        return g(p)\n",
    ),
    "a head with its indentation": (
        "python",
        "class A:\n    def f(self):\n        return 1\n",
        replace("    def f(self):", "    def g(self):"),
        "class A:\n    def g(self):\n        return 1\n",
    ),
    "in one definition": (
        "python",
        "def f():\n    return 1\n\n\ndef g():\n    return 1\n",
        replace("1", "2", target="g"),
        "def f():\n    return 1\n\n\ndef g():\n    return 2\n",
    ),
    "by the line": (
        "go",
        "package p\n\nvar a = 1\nvar b = 1\n",
        replace("1", "2", anchor="var b = 1"),
        ("b = 1", "b = 2"),
    ),
    "by the line's number": (
        "rust",
        "const A: u8 = 1;\nconst B: u8 = 1;\n",
        replace("1", "2", anchor="@1"),
        ("1", "2"),
    ),
    "all of them": ("cpp", "int* a = NULL; f(NULL, xNULL);\n", replace("NULL", "nullptr", every=True), None),
    "in brackets where it would be torn apart": (
        "java",
        "class A { int x = b * 2; }\n",
        replace("b", "c + d"),
        "class A { int x = (c + d) * 2; }\n",
    ),
    "without brackets where it is not": (
        "c",
        "int x = f(b);\n",
        replace("b", "c + d"),
        "int x = f(c + d);\n",
    ),
    "an object is no block": (
        "javascript",
        "f(() => x);\n",
        replace("x", "{ a: 1 }"),
        "f(() => ({ a: 1 }));\n",
    ),
    "a part of a comparison": (
        "typescript",
        "if (a.length > 32) {}\n",
        replace("> 32", ">= 64"),
        ("> 32", ">= 64"),
    ),
    "a statement by several": (
        "python",
        "def f():\n\tif a:\n\t\treturn g()\n",
        replace("return g()", "b = g()\nif b:\n    return b"),
        "def f():\n\tif a:\n\t\tb = g()\n\t\tif b:\n\t\t\treturn b\n",
    ),
    "several statements by one": (
        "python",
        "def f():\n    if a:\n        b()\n    c()\n",
        replace("if a:\n    b()\nc()", "d()"),
        "def f():\n    d()\n",
    ),
    "words of a string": (
        "javascript",
        "f('egrep \"^egreps'); // egrep\n",
        replace("egrep", "grep -E", inside="strings"),
        "f('grep -E \"^egreps'); // egrep\n",
    ),
    "words of a comment": (
        "c",
        "/* we callback to it */ int callback;\n",
        replace("callback", "fall back", inside="comments"),
        "/* we fall back to it */ int callback;\n",
    ),
    "words of a string in a macro": (
        "c",
        '#define A "x is y" \\\n  "y" + y\n',
        replace("is y", "has y", inside="strings"),
        '#define A "x has y" \\\n  "y" + y\n',
    ),
    "white space": (
        "java",
        "class A { void f() { if(a) {} } }\n",
        replace("if(a", "if (a", inside="text"),
        ("if(", "if ("),
    ),
    "blank lines": (
        "c",
        "int a;\n\n\nint b;\n",
        replace("a;\n\n\n", "a;\n\n", inside="text"),
        ("\n\n\n", "\n\n"),
    ),
    "a statement goes with its line": (
        "javascript",
        "f();\ndelete a.b; // why\ng();\n",
        replace("delete a.b;"),
        "f();\ng();\n",
    ),
    "a statement between blank lines": (
        "rust",
        "a!();\n\nb!();\n\nc!();\n",
        replace("b!();"),
        "a!();\n\nc!();\n",
    ),
    "the last line": ("python", "a()\nb()\n", replace("b()"), "a()\n"),
    "an item with its comma": ("python", "f(a, b, c)\n", replace("b"), "f(a, c)\n"),
    "an item with its line": (
        "go",
        "package p\n\nvar a = []int{\n\t1,\n\t2,\n}\n",
        replace("2"),
        ("\t2,\n", ""),
    ),
    "lines as deep as the file's, from the middle of one on": (
        "rust",
        "fn f() -> A {\n    A {\n        changes,\n        error,\n    }\n}\n",
        replace("changes,\n        error,", "changes,\n        last: error,"),
        ("error,", "last: error,"),
    ),
    "whole lines as the file has them": (
        "python",
        "def f():\n    a = 1\n    return a\n",
        replace("    a = 1\n    return a", "    a = 2\n    return a"),
        ("a = 1", "a = 2"),
    ),
    "a word in front": ("typescript", "class A {\n  public a = 1;\n}\n", replace("public"), ("public ", "")),
    "a line of a docstring": (
        "python",
        'def f():\n    """One.\n\n    .. two\n    """\n',
        replace(".. two", inside="strings"),
        'def f():\n    """One.\n    """\n',
    ),
}


@pytest.mark.parametrize(("language", "text", "operation", "expected"), CASES.values(), ids=CASES)
def test_code_is_replaced_where_it_stands(language, text, operation, expected):
    if expected is None:
        expected = text.replace(" NULL", " nullptr").replace("(NULL", "(nullptr")
    elif isinstance(expected, tuple):
        expected = text.replace(*expected, 1)
    assert carried(text, operation, language=language) == expected


REFUSED = {
    "nothing": ("python", "a = 1\n", replace("b", "c"), "'b' does not stand there"),
    "what only a comment says": (
        "python",
        "a = 1\nb = 2  # of a b\n",
        replace("of a", "of"),
        "'of a' stands in comments alone, at line 2; set `inside` to comments",
    ),
    "several": (
        "python",
        "a = 1\nb = 1\n",
        replace("1", "2"),
        "stands there 2 times (line 1: once; line 2: once)",
    ),
    "a part of a node": ("python", "x = a + b + c\n", replace("b + c", "d"), "does not stand there"),
    "a part of a chain": ("python", "x = 1 < a < 3\n", replace("1 < a", "b"), "does not stand there"),
    "a part of a word": ("python", "abc = 1\n", replace("ab", "d"), "does not stand there"),
    "operators that white space tells apart": (
        "c",
        "int x = a - -b;\n",
        replace("a--b", "c"),
        "does not stand there",
    ),
    "another string": ("python", "x = 'a  b'\n", replace("'a b'", "'c'"), "does not stand there"),
    "other blocks": (
        "python",
        "if a:\n    b()\n    c()\n",
        replace("if a:\n    b()\nc()", "d()"),
        "does not stand there",
    ),
    "what a comment would be lost from": (
        "python",
        "x = [\n    a,  # why\n    b,\n]\n",
        replace("[a, b]", "c"),
        "does not stand there",
    ),
    "no code": ("python", "x = a\n", replace("a", "b c"), "would not parse|would not compile"),
    "what is read in another way": (
        "python",
        "x = -a\n",
        replace("a", "b\nc"),
        "would not be read as one|would not",
    ),
    "another function": ("python", "a = 1\n", replace("1", "2", target="f"), "f: is not in this file"),
    "another line": (
        "python",
        "a = 1\n",
        replace("1", "2", anchor="b = 1"),
        "b = 1: is no statement of the file",
    ),
}


@pytest.mark.parametrize(("language", "text", "operation", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_does_not_stand_there_once_is_refused(language, text, operation, reason):
    with pytest.raises(OperationRefused) as error:
        carried(text, operation, language=language)
    assert any(part in str(error.value) for part in reason.split("|"))


def test_a_comparison_within_a_chain_stands_in_brackets():
    text = "x = 1 < a < 3\n"
    assert carried(text, replace("a", "b < c")) == "x = 1 < (b < c) < 3\n"
    assert carried(text, replace("< 3", "<= 4")) == "x = 1 < a <= 4\n"


def test_places_on_one_line_are_listed_once():
    with pytest.raises(OperationRefused, match=r"3 times \(line 1: once; line 2: 2 times\)"):
        carried("a = 1\nb = 1 + 1\n", replace("1", "2"))


def test_the_places_of_an_ambiguous_one_are_candidates():
    with pytest.raises(OperationRefused) as error:
        outcome("a = 1\nb = 1\n", replace("1", "2"))
    assert [place.line for place in error.value.candidates] == [0, 1]


TEXT = "def f(a, b=1):\n    x = g(a)[b] + a.b * -b  # a b\n    return {'a': a, 'b': [b, x]}, \"a\"\n"


@given(st.sampled_from(["a", "b", "x", "a.b", "g(a)", "[b, x]", "'a'", "1"]), st.data())
def test_there_and_back_is_the_identity(old, data):
    new = data.draw(st.sampled_from(["fresh", "fresh(1)", "(fresh, 2)"]))
    try:
        there = carried(TEXT, replace(old, new, every=True))
    except OperationRefused:
        return  # no parameter can be a call
    assert there != TEXT
    assert carried(there, replace(new, old, every=True)) == TEXT


TIGHT = {
    "a macro's tokens": (
        "rust",
        "fn f() { p!(q * 2, -q, q); }\n",
        "a + b",
        "fn f() { p!((a + b) * 2, -(a + b), a + b); }\n",
    ),
    "a power": ("javascript", "y = q ** 2;\n", "-b", "y = (-b) ** 2;\n"),
    "a default": ("javascript", "y = q ?? f(q);\n", "b || c", "y = (b || c) ?? f(b || c);\n"),
    "a constructor": ("javascript", "y = new q(1);\n", "get()", "y = new (get())(1);\n"),
    "a constructor's name": ("javascript", "y = new q(1);\n", "A.B", "y = new A.B(1);\n"),
    "a subscript of Kotlin's": ("kotlin", "val x = q[0] + q.m()\n", "-b", "val x = (-b)[0] + (-b).m()\n"),
    "a subscript of Swift's": ("swift", "let x = q[0]\n", "-b", "let x = (-b)[0]\n"),
}


@pytest.mark.parametrize(("language", "text", "code", "expected"), TIGHT.values(), ids=TIGHT)
def test_code_is_put_in_brackets_where_the_grammar_would_not_ask_for_them(language, text, code, expected):
    operation = {"op": "replace", "old": "q", "new": code, "every": True}
    assert carried(text, operation, language=language) == expected
