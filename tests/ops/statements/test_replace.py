from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastedit.errors import OperationRefused
from tests.ops.carried import carried, marked, outcome, refused


def replace(old: str, new: str | None = None, **more: object) -> dict[str, object]:
    return {"op": "replace", "old": old, "new": new, **more}


CASES = {
    "an expression, whatever its white space": (
        "python",
        "x = «f( a,b »‹g(b›)\ny = ff(a, b)\n",
        replace("f(a, b)", "g(b)"),
    ),
    "a literal, not one in a string or a comment": (
        "python",
        "x = «30»‹60›  # 30\ny = '30'\nz = 300\n",
        replace("30", "60"),
    ),
    "a string as it is written": ("javascript", "f(«'a b'»‹\"c\"›, 'a  b');\n", replace("'a b'", '"c"')),
    "what a string has between braces": ("python", 'x = f"{«a.b»‹c›} a.b"\n', replace("a.b", "c")),
    "lines as deep as the file has them, though the first one begins in its line": (
        "python",
        "def f(p):\n    if p:\n‹        if p > 1:\n            return None\n›        return g(p)\n",
        replace("return g(p)", "if p > 1:\n            return None\n        return g(p)"),
    ),
    "a head with its indentation": (
        "python",
        "class A:\n    def «f»‹g›(self):\n        return 1\n",
        replace("    def f(self):", "    def g(self):"),
    ),
    "in one definition": (
        "python",
        "def f():\n    return 1\n\n\ndef g():\n    return «1»‹2›\n",
        replace("1", "2", target="g"),
    ),
    "by the line": ("go", "package p\n\nvar a = 1\nvar b = «1»‹2›\n", replace("1", "2", anchor="var b = 1")),
    "by the line's number": (
        "rust",
        "const A: u8 = «1»‹2›;\nconst B: u8 = 1;\n",
        replace("1", "2", anchor="@1"),
    ),
    "all of them": (
        "cpp",
        "int* a = «NULL; f(NULL»‹nullptr; f(nullptr›, xNULL);\n",
        replace("NULL", "nullptr", every=True),
    ),
    "in brackets where it would be torn apart": (
        "java",
        "class A { int x = «b»‹(c + d)› * 2; }\n",
        replace("b", "c + d"),
    ),
    "without brackets where it is not": ("c", "int x = f(«b»‹c + d›);\n", replace("b", "c + d")),
    "an object is no block": ("javascript", "f(() => «x»‹({ a: 1 })›);\n", replace("x", "{ a: 1 }")),
    "a part of a comparison": ("typescript", "if (a.length >« 32»‹= 64›) {}\n", replace("> 32", ">= 64")),
    "a statement by several": (
        "python",
        "def f():\n\tif a:\n\t\t«return g()»‹b = g()\n\t\tif b:\n\t\t\treturn b›\n",
        replace("return g()", "b = g()\nif b:\n    return b"),
    ),
    "several statements by one": (
        "python",
        "def f():\n    «if a:\n        b()\n    c»‹d›()\n",
        replace("if a:\n    b()\nc()", "d()"),
    ),
    "words of a string": (
        "javascript",
        "f('«egrep»‹grep -E› \"^egreps'); // egrep\n",
        replace("egrep", "grep -E", inside="strings"),
    ),
    "words of a comment": (
        "c",
        "/* we «callback»‹fall back› to it */ int callback;\n",
        replace("callback", "fall back", inside="comments"),
    ),
    "words of a string in a macro": (
        "c",
        '#define A "x «is»‹has› y" \\\n  "y" + y\n',
        replace("is y", "has y", inside="strings"),
    ),
    "white space": (
        "java",
        "class A { void f() { if‹ ›(a) {} } }\n",
        replace("if(a", "if (a", inside="text"),
    ),
    "blank lines": ("c", "int a;\n\n«\n»int b;\n", replace("a;\n\n\n", "a;\n\n", inside="text")),
    "a statement goes with its line": (
        "javascript",
        "f();\n«delete a.b; // why\n»g();\n",
        replace("delete a.b;"),
    ),
    "a statement between blank lines": ("rust", "a!();\n\n«b!();\n\n»c!();\n", replace("b!();")),
    "the last line": ("python", "a()\n«b()\n»", replace("b()")),
    "an item with its comma": ("python", "f(a, «b, »c)\n", replace("b")),
    "an item with its line": ("go", "package p\n\nvar a = []int{\n\t1,\n«\t2,\n»}\n", replace("2")),
    "lines as deep as the file's, from the middle of one on": (
        "rust",
        "fn f() -> A {\n    A {\n        changes,\n        ‹last: ›error,\n    }\n}\n",
        replace("changes,\n        error,", "changes,\n        last: error,"),
    ),
    "whole lines as the file has them": (
        "python",
        "def f():\n    a = «1»‹2›\n    return a\n",
        replace("    a = 1\n    return a", "    a = 2\n    return a"),
    ),
    "a word in front": ("typescript", "class A {\n  «public »a = 1;\n}\n", replace("public")),
    "a line of a docstring": (
        "python",
        'def f():\n    """One.\n«\n    .. two\n»    """\n',
        replace(".. two", inside="strings"),
    ),
}


@pytest.mark.parametrize(("language", "text", "operation"), CASES.values(), ids=CASES)
def test_code_is_replaced_where_it_stands(language, text, operation):
    before, after = marked(text)
    assert carried(before, operation, language=language) == after


REFUSED = {
    "nothing": ("python", "a = 1\n", replace("b", "c"), "'b' does not stand there"),
    "what only a comment says": (
        "python",
        "a = 1\nb = 2  # of a b\n",
        replace("of a", "of"),
        "'of a' stands in comments alone, at line 2; set `inside` to comments",
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


def test_places_on_one_line_are_listed_once():
    assert "3 times (line 1: once; line 2: 2 times)" in refused("a = 1\nb = 1 + 1\n", replace("1", "2"))


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
    "a macro's tokens": ("rust", "fn f() { p!(«q»‹(a + b)› * 2, -«q»‹(a + b)›, «q»‹a + b›); }\n", "a + b"),
    "a power": ("javascript", "y = «q»‹(-b)› ** 2;\n", "-b"),
    "a default": ("javascript", "y = «q ?? f(q»‹(b || c) ?? f(b || c›);\n", "b || c"),
    "a constructor": ("javascript", "y = new «q»‹(get())›(1);\n", "get()"),
    "a constructor's name": ("javascript", "y = new «q»‹A.B›(1);\n", "A.B"),
    "a subscript of Kotlin's": ("kotlin", "val x = «q[0] + q»‹(-b)[0] + (-b)›.m()\n", "-b"),
    "a subscript of Swift's": ("swift", "let x = «q»‹(-b)›[0]\n", "-b"),
}


@pytest.mark.parametrize(("language", "text", "code"), TIGHT.values(), ids=TIGHT)
def test_code_is_put_in_brackets_where_the_grammar_would_not_ask_for_them(language, text, code):
    before, after = marked(text)
    operation = {"op": "replace", "old": "q", "new": code, "every": True}
    assert carried(before, operation, language=language) == after
