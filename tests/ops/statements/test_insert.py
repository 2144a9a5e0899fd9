from __future__ import annotations

import pytest

from fastedit.errors import OperationRefused
from tests.ops.carried import carried, outcome, refused


def insert(code: str, where: str, anchor: str | None = None, function: str = "f") -> dict[str, object]:
    return {"op": "insert", "function": function, "code": code, "where": where, "anchor": anchor}


PYTHON = 'def f(a):\n    """Doc."""\n    # one\n    x = 1\n    if x:\n        x = 2\n    return x\n'
CASES = {
    "behind the docstring": ("python", PYTHON, insert("y()", "first"), ('"""\n', '"""\n    y()\n')),
    "before a statement and its comment": (
        "python",
        PYTHON,
        insert("y()", "before", "x = 1"),
        ("    #", "    y()\n    #"),
    ),
    "deep inside": ("python", PYTHON, insert("y()", "after", "x = 2"), ("x = 2\n", "x = 2\n        y()\n")),
    "by its line": ("python", PYTHON, insert("y()", "before", "@7"), ("    return", "    y()\n    return")),
    "behind a whole block": (
        "python",
        PYTHON,
        insert("y()", "after", "if x:"),
        ("    ret", "    y()\n    ret"),
    ),
    "in the file's own steps": (
        "python",
        "def f():\n\tg()\n",
        insert("if a:\n  b()\n\n  c()", "last"),
        ("g()\n", "g()\n\tif a:\n\t\tb()\n\n\t\tc()\n"),
    ),
    "in braces": (
        "javascript",
        "function f() {\n  g();\n}\n",
        insert("h();", "first"),
        ("{\n", "{\n  h();\n"),
    ),
    "in an arrow function": (
        "typescript",
        "const f = () => {\n  g();\n};\n",
        insert("h();", "last"),
        ("g();", "g();\n  h();"),
    ),
    "in an empty body": (
        "java",
        "class A {\n  void f() {\n  }\n}\n",
        insert("g();", "last"),
        ("{\n  }", "{\n    g();\n  }"),
    ),
    "in Go": ("go", "package p\n\nfunc f() {\n\tg()\n}\n", insert("h()", "last"), ("g()", "g()\n\th()")),
    "in Rust": ("rust", "fn f() {\n    g();\n}\n", insert("h();", "first"), ("{\n", "{\n    h();\n")),
    "in C": ("c", "int f(void)\n{\n  g();\n}\n", insert("h();", "first"), ("{\n", "{\n  h();\n")),
}


@pytest.mark.parametrize(("language", "text", "operation", "change"), CASES.values(), ids=CASES)
def test_statements_are_inserted_with_the_indentation_of_their_place(language, text, operation, change):
    assert carried(text, operation, language=language) == text.replace(*change, 1)


def test_of_overloads_the_one_with_a_body_takes_statements():
    text = "class S {\n  f(a: string): void;\n  f(a: number): void;\n  f(a: any) {\n    g(a);\n  }\n}\n"
    new = carried(text, insert("h();", "last", None, "S.f"), language="typescript")
    assert new == text.replace("g(a);\n", "g(a);\n    h();\n")


def test_a_field_is_added_to_a_struct_of_go():
    text = "package m\n\ntype S struct {\n\tA int\n}\n"
    new = carried(text, {"op": "add", "code": "B int", "where": "last", "anchor": "S"}, language="go")
    assert new == text.replace("A int\n", "A int\n\tB int\n")


def test_what_needs_a_removed_statement_is_reported():
    text = "def f(rows):\n    total = 0\n    total += len(rows)\n    return total\n"
    _, found = outcome(text, {"op": "remove-statement", "anchor": "total = 0", "function": "f"})
    assert [place.line for place in found.left] == [2, 3]
    text = "def f(rows):\n    total = 0\n    total = 1\n    return total\n"
    assert not outcome(text, {"op": "remove-statement", "anchor": "total = 0", "function": "f"})[1].left


@pytest.mark.parametrize(
    ("text", "operation", "reason"),
    [
        ("def f(): pass\n", insert("y()", "last"), "shares a line"),
        ("def f():\n    x = 1; y = 2\n", insert("y()", "last"), "line 2 holds other code too"),
        (
            "def f():\n    x\n    x\n",
            insert("y()", "before", "x"),
            "can mean 2 things (line 2: here; line 3: here)",
        ),
        ("def f():\n    x\n", insert("y()", "before", "z"), "z: is no statement of `f`"),
        (
            "def f():\n    x; z\n",
            insert("y()", "before", "x"),
            "line 2 holds other code too; break it up first",
        ),
        (
            "def f():\n    x; z\n",
            insert("y()", "after", "z"),
            "line 2 holds other code too; break it up first",
        ),
        ("def f():\n    if x: z\n", insert("y()", "after", "z"), "line 2 holds other code too"),
        ("def f():\n    x = z\n", insert("y()", "after", "z"), "z: is no statement of `f`"),
        ("def f():\n    x\n", insert("y()", "before", "@" + "9" * 5000), "is no statement of `f`"),
        ("def f():\n    x\n", insert("y(", "last"), "correct the fields of the operation"),
        ("def f():\n    x\n", insert("return = 1", "last"), "correct the fields of the operation"),
        ("def f():\n    x\n", insert("y()", "before"), "`anchor` goes with"),
        ("class A:\n    def g(self): pass\n", insert("y()", "last", None, "f"), "is not in this file"),
    ],
)
def test_a_place_that_is_not_one_is_refused(text, operation, reason):
    assert reason in refused(text, operation)


def remove(anchor: str, last: str | None = None, function: str | None = None) -> dict[str, object]:
    return {"op": "remove-statement", "anchor": anchor, "last": last, "function": function}


SCRIPT = "function f() {\n  g();\n  const x = 1;\n  h(x);\n}\n"
# What is wrapped in it, and the change.


REMOVED = {
    "one": ("javascript", SCRIPT, remove("g();"), ("  g();\n", "")),
    "several": (
        "javascript",
        SCRIPT,
        remove("const x = 1;", "h(x);", "f"),
        ("  const x = 1;\n  h(x);\n", ""),
    ),
    "all of a block of Python": ("python", "if a:\n    b()\n", remove("b()"), ("b()", "pass")),
    "one between blank lines": ("python", "a()\n\nb()\n\nc()\n", remove("b()"), ("b()\n\n", "")),
    "a whole if": (
        "go",
        "package p\n\nfunc f() {\n\tif a {\n\t}\n\tg()\n}\n",
        remove("@4"),
        ("\tif a {\n\t}\n", ""),
    ),
}


@pytest.mark.parametrize(("language", "text", "operation", "change"), REMOVED.values(), ids=REMOVED)
def test_statements_go_with_their_lines(language, text, operation, change):
    assert carried(text, operation, language=language) == text.replace(*change, 1)


def test_what_is_inserted_is_removed_again():
    there = carried(PYTHON, insert("y()", "after", "x = 1"))
    assert carried(there, remove("y()", None, "f")) == PYTHON


SWITCH = "switch (x) {\n    case 1:\n        x = 2;\n        break;\n    default:\n        break;\n    }\n"
SWITCHES = {
    "c": f"int f(int x)\n{{\n    {SWITCH}}}\n",
    "java": f"class A {{\n  void f(int x) {{\n    {SWITCH}  }}\n}}\n",
    "csharp": f"class A {{\n  void f(int x) {{\n    {SWITCH}  }}\n}}\n",
    "javascript": f"function f(x) {{\n    {SWITCH}}}\n",
}


@pytest.mark.parametrize(("language", "text"), SWITCHES.items(), ids=SWITCHES)
def test_statements_stand_in_the_cases_of_a_switch_and_cases_are_none_themselves(language, text):
    new = carried(text, insert("g(x);", "before", "x = 2;"), language=language)
    assert new.replace(" ", "") == text.replace(" ", "").replace("x=2;", "g(x);\nx=2;")
    with pytest.raises(OperationRefused, match="`case 1:` is a case, not a statement"):
        carried(text, insert("g(x);", "before", "case 1:"), language=language)


def test_a_statement_behind_a_directive_of_the_preprocessor_is_one():
    text = "int f(int x)\n{\n#ifdef A\n    x = 2;\n#else\n    x = 3;\n#endif\n    return x;\n}\n"
    assert carried(text, insert("g(x);", "after", "x = 3;"), language="c") == text.replace(
        "x = 3;\n", "x = 3;\n    g(x);\n"
    )


def test_code_that_is_indented_to_fit_keeps_the_lines_of_its_strings_but_those_of_a_docstring():
    text = "def f():\n    g()\n"
    code = 'x = """\n  a\nb \n"""\nif x:\n    y()'
    assert carried(text, insert(code, "last")) == text + '    x = """\n  a\nb \n"""\n    if x:\n        y()\n'
    documented = 'def h():\n    """Doc.\n\n    More.\n    """'
    assert carried("class A:\n    x = 1\n", {"op": "add", "code": documented, "anchor": "A"}) == (
        'class A:\n    x = 1\n\n    def h():\n        """Doc.\n\n        More.\n        """\n'
    )


def test_nothing_is_inserted_below_the_expression_that_a_function_returns():
    text = "fn f() -> i32 {\n    g();\n    if a { 1 } else { 2 }\n}\n"
    with pytest.raises(OperationRefused, match="line 3 ends what `f` runs there; insert before it"):
        carried(text, insert("h();", "last"), language="rust")
    after = text.replace("g();\n", "g();\n    h();\n")
    assert carried(text, insert("h();", "after", "g();"), language="rust") == after
    nothing = text.replace(" -> i32", "")
    assert carried(nothing, insert("h();", "last"), language="rust").endswith("2 }\n    h();\n}\n")


def test_code_goes_below_an_empty_statement():
    insertion = {"op": "insert", "function": "f", "code": "g();"}
    assert carried("void f(void) {\n  ;\n}\n", insertion, language="c") == "void f(void) {\n  ;\n  g();\n}\n"


@pytest.mark.parametrize(
    ("language", "text", "where"),
    [
        ("python", "def f():\n    g()\n    return 1\n", {"where": "last"}),
        (
            "go",
            "package p\n\nfunc f() {\n\tfor {\n\t\tbreak\n\t}\n}\n",
            {"where": "after", "anchor": "break"},
        ),
        ("java", "class A { void f() {\n  throw e;\n} }\n", {"where": "last"}),
        ("rust", "fn f() {\n    return;\n}\n", {"where": "last"}),
        ("rust", "fn f(a: u8) -> u8 {\n    a\n}\n", {"where": "last"}),
    ],
    ids=["return", "break", "throw", "return of Rust", "a result"],
)
def test_nothing_is_inserted_where_it_would_never_be_run(language, text, where):
    with pytest.raises(OperationRefused, match=r"ends what `.*f` runs there; insert before it"):
        carried(text, {"op": "insert", "function": "f", "code": "h()", **where}, language=language)


def test_what_needs_a_removed_value_before_it_gets_another_is_reported():
    text = "def f(e):\n    x = e\n    x = g(x)\n    for a in x:\n        d = a()\n        h(d)\n"
    text += "    for d in y:\n        h(d)\n    return x, d\n"
    for anchor, left in (
        ("x = e", "line 3: may use `x`: x = g(x)"),
        ("d = a()", "line 6: may use `d`: h(d)"),
    ):
        _, found = outcome(text, {"op": "remove-statement", "anchor": anchor, "function": "f"})
        assert [str(place) for place in found.left] == [left]


def test_a_directive_stays_the_first_statement_of_its_function():
    text = 'function f() {\n  "use strict";\n  g();\n}\n'
    assert carried(text, insert("h();", "first"), language="javascript") == text.replace("  g", "  h();\n  g")


@pytest.mark.parametrize(
    ("language", "line", "anchor"),
    [
        ("python", "x = 1  # done", "x = 1"),
        ("c", "x = 1; /* done */", "x = 1;"),
        ("c", "x = 1; // a /* b", "x = 1;"),
    ],
)
def test_a_statement_is_named_with_or_without_the_comment_behind_it(language, line, anchor):
    frame = {"python": "def f():\n    %s\n", "c": "void f() {\n    %s\n}\n"}[language]
    for said in (anchor, line):
        made = carried(frame % line, insert("g();", "before", said), language=language)
        assert made == frame % f"g();\n    {line}"


def test_a_statement_without_a_comment_is_meant_before_one_that_has_one():
    text = "def f():\n    x()  # one\n    x()\n"
    assert carried(text, insert("y()", "after", "x()")) == text + "    y()\n"


def test_a_line_of_swift_that_begins_with_a_dot_does_not_go_on_with_a_new_one():
    text = "func f() -> V {\n    .count(1)\n}\n"
    with pytest.raises(OperationRefused, match="would be one statement"):
        carried(text, {"op": "insert", "function": "f", "code": "log()", "where": "first"}, language="swift")


def test_what_uses_a_name_that_a_guard_of_swift_binds_is_left_and_reported():
    line = "guard let x = n else { return 0 }"
    text = f"func f(n: Int?) -> Int {{\n    {line}\n    return x\n}}\n"
    found = outcome(text, {"op": "remove-statement", "function": "f", "anchor": line}, language="swift")[1]
    assert [str(place) for place in found.left] == ["line 3: may use `x`: return x"]
