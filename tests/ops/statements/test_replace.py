from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastedit.errors import OperationRefused
from tests.ops.carried import by_language, carried, marked, outcome, refused


def replace(old: str, new: str | None = None, **more: object) -> dict[str, object]:
    return {"op": "replace", "old": old, "new": new, **more}


CASES = {
    "python: an expression, whatever its white space": (
        "x = «f( a,b »‹g(b›)\ny = ff(a, b)\n",
        replace("f(a, b)", "g(b)"),
    ),
    "python: a literal, not one in a string or a comment": (
        "x = «30»‹60›  # 30\ny = '30'\nz = 300\n",
        replace("30", "60"),
    ),
    "javascript: a string as it is written": ("f(«'a b'»‹\"c\"›, 'a  b');\n", replace("'a b'", '"c"')),
    "python: what a string has between braces": ('x = f"{«a.b»‹c›} a.b"\n', replace("a.b", "c")),
    "python: lines as deep as the file has them, though the first one begins in its line": (
        "def f(p):\n    if p:\n‹        if p > 1:\n            return None\n›        return g(p)\n",
        replace("return g(p)", "if p > 1:\n            return None\n        return g(p)"),
    ),
    "python: a head with its indentation": (
        "class A:\n    def «f»‹g›(self):\n        return 1\n",
        replace("    def f(self):", "    def g(self):"),
    ),
    "python: in one definition": (
        "def f():\n    return 1\n\n\ndef g():\n    return «1»‹2›\n",
        replace("1", "2", target="g"),
    ),
    "go: by the line": ("package p\n\nvar a = 1\nvar b = «1»‹2›\n", replace("1", "2", anchor="var b = 1")),
    "rust: by the line's number": (
        "const A: u8 = «1»‹2›;\nconst B: u8 = 1;\n",
        replace("1", "2", anchor="@1"),
    ),
    "cpp: all of them": (
        "int* a = «NULL; f(NULL»‹nullptr; f(nullptr›, xNULL);\n",
        replace("NULL", "nullptr", every=True),
    ),
    "java: in brackets where it would be torn apart": (
        "class A { int x = «b»‹(c + d)› * 2; }\n",
        replace("b", "c + d"),
    ),
    "c: without brackets where it is not": ("int x = f(«b»‹c + d›);\n", replace("b", "c + d")),
    "javascript: an object is no block": ("f(() => «x»‹({ a: 1 })›);\n", replace("x", "{ a: 1 }")),
    "typescript: a part of a comparison": ("if (a.length >« 32»‹= 64›) {}\n", replace("> 32", ">= 64")),
    "python: a statement by several": (
        "def f():\n\tif a:\n\t\t«return g()»‹b = g()\n\t\tif b:\n\t\t\treturn b›\n",
        replace("return g()", "b = g()\nif b:\n    return b"),
    ),
    "python: several statements by one": (
        "def f():\n    «if a:\n        b()\n    c»‹d›()\n",
        replace("if a:\n    b()\nc()", "d()"),
    ),
    "javascript: words of a string": (
        "f('«egrep»‹grep -E› \"^egreps'); // egrep\n",
        replace("egrep", "grep -E", inside="strings"),
    ),
    "c: words of a comment": (
        "/* we «callback»‹fall back› to it */ int callback;\n",
        replace("callback", "fall back", inside="comments"),
    ),
    "c: words of a string in a macro": (
        '#define A "x «is»‹has› y" \\\n  "y" + y\n',
        replace("is y", "has y", inside="strings"),
    ),
    "java: white space": ("class A { void f() { if‹ ›(a) {} } }\n", replace("if(a", "if (a", inside="text")),
    "c: blank lines": ("int a;\n\n«\n»int b;\n", replace("a;\n\n\n", "a;\n\n", inside="text")),
    "javascript: a statement goes with its line": (
        "f();\n«delete a.b; // why\n»g();\n",
        replace("delete a.b;"),
    ),
    "rust: a statement between blank lines": ("a!();\n\n«b!();\n\n»c!();\n", replace("b!();")),
    "python: the last line": ("a()\n«b()\n»", replace("b()")),
    "python: an item with its comma": ("f(a, «b, »c)\n", replace("b")),
    "go: an item with its line": ("package p\n\nvar a = []int{\n\t1,\n«\t2,\n»}\n", replace("2")),
    "rust: lines as deep as the file's, from the middle of one on": (
        "fn f() -> A {\n    A {\n        changes,\n        ‹last: ›error,\n    }\n}\n",
        replace("changes,\n        error,", "changes,\n        last: error,"),
    ),
    "python: whole lines as the file has them": (
        "def f():\n    a = «1»‹2›\n    return a\n",
        replace("    a = 1\n    return a", "    a = 2\n    return a"),
    ),
    "typescript: a word in front": ("class A {\n  «public »a = 1;\n}\n", replace("public")),
    "python: a line of a docstring": (
        'def f():\n    """One.\n«\n    .. two\n»    """\n',
        replace(".. two", inside="strings"),
    ),
}


@pytest.mark.parametrize(("language", "text", "operation"), by_language(CASES), ids=CASES)
def test_code_is_replaced_where_it_stands(language, text, operation):
    before, after = marked(text)
    assert carried(before, operation, language=language) == after


REFUSED = {
    "python: nothing": ("a = 1\n", replace("b", "c"), "'b' does not stand there"),
    "python: what only a comment says": (
        "a = 1\nb = 2  # of a b\n",
        replace("of a", "of"),
        "'of a' stands in comments alone, at line 2; set `inside` to comments",
    ),
    "python: a part of a node": ("x = a + b + c\n", replace("b + c", "d"), "does not stand there"),
    "python: a part of a chain": ("x = 1 < a < 3\n", replace("1 < a", "b"), "does not stand there"),
    "python: a part of a word": ("abc = 1\n", replace("ab", "d"), "does not stand there"),
    "c: operators that white space tells apart": (
        "int x = a - -b;\n",
        replace("a--b", "c"),
        "does not stand there",
    ),
    "python: another string": ("x = 'a  b'\n", replace("'a b'", "'c'"), "does not stand there"),
    "python: no code": ("x = a\n", replace("a", "b c"), "would not parse|would not compile"),
    "python: what is read in another way": (
        "x = -a\n",
        replace("a", "b\nc"),
        "would not be read as one|would not",
    ),
    "python: another function": ("a = 1\n", replace("1", "2", target="f"), "f: is not in this file"),
    "python: another line": (
        "a = 1\n",
        replace("1", "2", anchor="b = 1"),
        "b = 1: is no statement of the file",
    ),
}


@pytest.mark.parametrize(("language", "text", "operation", "reason"), by_language(REFUSED), ids=REFUSED)
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
    "rust: a macro's tokens": ("fn f() { p!(«q»‹(a + b)› * 2, -«q»‹(a + b)›, «q»‹a + b›); }\n", "a + b"),
    "javascript: a power": ("y = «q»‹(-b)› ** 2;\n", "-b"),
    "javascript: a default": ("y = «q ?? f(q»‹(b || c) ?? f(b || c›);\n", "b || c"),
    "javascript: a constructor": ("y = new «q»‹(get())›(1);\n", "get()"),
    "javascript: a constructor's name": ("y = new «q»‹A.B›(1);\n", "A.B"),
    "kotlin: a subscript of Kotlin's": ("val x = «q[0] + q»‹(-b)[0] + (-b)›.m()\n", "-b"),
    "swift: a subscript of Swift's": ("let x = «q»‹(-b)›[0]\n", "-b"),
}


@pytest.mark.parametrize(("language", "text", "code"), by_language(TIGHT), ids=TIGHT)
def test_code_is_put_in_brackets_where_the_grammar_would_not_ask_for_them(language, text, code):
    before, after = marked(text)
    operation = {"op": "replace", "old": "q", "new": code, "every": True}
    assert carried(before, operation, language=language) == after
