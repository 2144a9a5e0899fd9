from __future__ import annotations

import pytest

from fastedit.errors import OperationRefused
from tests.ops.carried import by_language, carried, marked, op, outcome, refused


def negate(anchor: str, function: str | None = None) -> dict[str, object]:
    return {"op": "negate", "anchor": anchor, "function": function}


def guard(function: str, condition: str, code: str = "return") -> dict[str, object]:
    return {"op": "guard", "function": function, "condition": condition, "code": code}


# Both ways, but for what has brackets that are needed no more.
PYTHON = {
    "a": "not a",
    "a is b": "a is not b",
    "a in b": "a not in b",
    "a == b": "a != b",
    "True": "False",
    "f(x)": "not f(x)",
    "a < b": "not (a < b)",
    "a == b == c": "not (a == b == c)",
    "a and b": "not (a and b)",
    "a if b else c": "not (a if b else c)",
}
BRACES = {
    "a": "!a",
    "a == b": "a != b",
    "a.b": "!a.b",
    "f(x)": "!f(x)",
    "a < b": "!(a < b)",
    "a && b": "!(a && b)",
}


@pytest.mark.parametrize(("condition", "opposite"), PYTHON.items())
@pytest.mark.parametrize("word", ["if", "while"])
def test_a_condition_of_python_is_negated_and_back(word, condition, opposite):
    here, there = (f"def f():\n    {word} {text}:\n        pass\n" for text in (condition, opposite))
    assert carried(here, negate("@2", "f")) == there
    assert carried(there, negate("@2", "f")) == here


@pytest.mark.parametrize(("condition", "opposite"), BRACES.items())
@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("javascript", "function f() {\n  if (%s) {\n  }\n}\n"),
        ("tsx", "while (%s) {\n}\n"),
        ("typescript", "if (%s) {\n} else {\n}\n"),
        ("java", "class A { void f() {\n  while (%s) {\n  }\n} }\n"),
        ("c", "int f() {\n  if (%s) {\n  }\n}\n"),
        ("go", "package p\n\nfunc f() {\n\tif x := g(); %s {\n\t}\n}\n"),
        ("rust", "fn f() {\n    while %s {\n    }\n}\n"),
    ],
)
def test_a_condition_is_negated_and_back(language, text, condition, opposite):
    line = next(row for row, line in enumerate(text.split("\n"), 1) if "%s" in line)
    assert carried(text % condition, negate(f"@{line}"), language=language) == text % opposite
    assert carried(text % opposite, negate(f"@{line}"), language=language) == text % condition


def test_a_condition_behind_a_declaration_is_negated_alone():
    text = "int f() {\n  if (auto x = g(); %s) {\n  }\n}\n"
    assert carried(text % "x", negate("@2"), language="cpp") == text % "!x"


@pytest.mark.parametrize(("language", "condition"), [("javascript", "a in b"), ("kotlin", "a in b")])
def test_only_python_has_an_operator_for_the_opposite_of_in(language, condition):
    text = {"javascript": "if (%s) {\n}\n", "kotlin": "fun f() {\n    if (%s) {\n    }\n}\n"}[language]
    line = "@1" if language == "javascript" else "@2"
    assert carried(text % condition, negate(line), language=language) == text % f"!({condition})"


def test_operators_of_cpp_may_be_anything():
    text = "int f() {\n  if (%s) {\n  }\n}\n"
    assert carried(text % "a == b", negate("@2"), language="cpp") == text % "!(a == b)"


@pytest.mark.parametrize(
    ("language", "text", "anchor"),
    [
        ("rust", "fn f() {\n    if let Some(y) = z {}\n}\n", "@2"),
        ("python", "for x in y:\n    pass\n", "@1"),
        ("python", "x = 1\n", "x = 1"),
        ("c", "int f() {\n    ;\n}\n", ";"),
        ("cpp", "int f() {\n  if (auto x = g()) {\n  }\n}\n", "@2"),
    ],
)
def test_what_has_no_condition_is_refused(language, text, anchor):
    assert "has no condition to negate" in refused(text, negate(anchor), language=language)


GUARDS = {
    "typescript: without semicolons": (
        "const f = (a) => {\n‹  if (!a) {\n    return 1\n  }\n›  g()\n}\n",
        guard("f", "!a", "return 1"),
    ),
    "rust: in Rust": ("fn f() {\n‹    if x {\n        return;\n    }\n›    g();\n}\n", guard("f", "x")),
}


@pytest.mark.parametrize(("language", "text", "operation"), by_language(GUARDS), ids=GUARDS)
def test_a_function_is_left_early(language, text, operation):
    before, after = marked(text)
    assert carried(before, operation, language=language) == after


@pytest.mark.parametrize(
    ("text", "operation", "reason"),
    [
        ("def f(): pass\n", guard("f", "a"), "shares a line"),
        ("def f():\n    pass\n", guard("g", "a"), "g: is not in this file"),
        ("def f():\n    pass\n", guard("f", "a b"), "would not"),
        ("def f(a):\n    g(a)\n", guard("f", "a", "pass"), "does not leave `f`, or not always"),
        ("def f(a):\n    g(a)\n", guard("f", "a", "if b:\n    return"), "does not leave `f`, or not always"),
        ("def f(a):\n    x = 1\n", guard("f", "a", "return x"), "`x` has no value there"),
    ],
)
def test_what_cannot_be_left_early_is_refused(text, operation, reason):
    assert reason in refused(text, operation)


def test_a_guard_with_a_long_expression_is_refused_as_one_with_a_short_one():
    assert "does not leave `f`" in refused(
        "def f(a):\n    g(a)\n", guard("f", "a", "x = " + "+".join("a" * 1000))
    )


def test_a_guard_that_ends_with_a_call_is_noted():
    _, found = outcome("def f(a):\n    g(a)\n", guard("f", "a", "sys.exit(1)"))
    assert found.notes == ("`sys.exit(1)` is taken to leave `f`",)


VALUES = {
    "python: a parameter that is assigned below": ("def f(a):\n    a = a or 1\n", "not a"),
    "python: a name of the condition's own": ("def f(a):\n    i = 1\n", "any(n for n in a)"),
    "swift: a name that the condition binds": ("func f(a: Int?) {\n    let b = 1\n}\n", "let b = a, b > 1"),
    "python: a global": ("x = 1\ndef f():\n    global x\n    x = 2\n", "y"),
    "python: a variable of the function around": ("def g():\n    def f():\n        z()\n    y = 2\n", "y"),
    "javascript: a function of JavaScript": ("function f(a) {\n  g();\n  function h() {}\n}\n", "h(a)"),
    "go: a package's variable": ("package p\n\nvar x int\n\nfunc f() {\n\tx := 1\n\tg(x)\n}\n", "x == 0"),
    "java: a field": ("class A {\n  int x;\n  void f() {\n    int x = 1;\n    g(x);\n  }\n}\n", "x == 0"),
}


@pytest.mark.parametrize(("language", "text", "condition"), by_language(VALUES), ids=VALUES)
def test_what_has_a_value_at_the_start_of_a_function_may_leave_it(language, text, condition):
    assert condition in carried(text, guard("f", condition), language=language)


DECLARED = [
    ("javascript", "function f(a) {\n  let x = 1;\n}\n"),
    ("go", "package p\n\nfunc f() {\n\tx := 1\n\tg(x)\n}\n"),
    ("rust", "fn f() {\n    let x = 1;\n}\n"),
    ("php", "<?php\nfunction f() {\n    $x = 1;\n}\n"),
]


@pytest.mark.parametrize(("language", "text"), DECLARED)
def test_what_is_declared_below_a_guard_is_no_condition_of_it(language, text):
    assert "has no value there" in refused(
        text, guard("f", "$x" if language == "php" else "x"), language=language
    )


@pytest.mark.parametrize(
    ("language", "text", "code"),
    [
        ("c", "int f(int x) {\n    return x;\n}\n", "throw x"),
        ("c", "int f(int x) {\n    return x;\n}\n", "raise ValueError(x)"),
        ("java", "class A {\n    int f(int x) {\n        return x;\n    }\n}\n", "raise x"),
        ("csharp", "class A {\n    int f(int x) {\n        return x;\n    }\n}\n", "yield x"),
    ],
)
def test_a_guard_that_its_language_reads_as_a_declaration_leaves_nothing(language, text, code):
    with pytest.raises(OperationRefused, match=f"leaves nothing in {language}"):
        carried(text, guard("f", "x == 0", code), language=language)


def test_an_elif_is_negated_too():
    text = "def f(a, b):\n    if a:\n        x()\n    elif b == 1:\n        y()\n"
    assert carried(text, negate("elif b == 1:", "f")) == text.replace("==", "!=")


def test_a_label_between_two_steps_is_no_step_of_indentation():
    text = "class A {\n public:\n  int f(int a) {\n    return a;\n  }\n\n private:\n  int x_;\n};\n"
    guard = op("guard A.f 'a < 0' 'return -1'")
    guarded = "    if (a < 0) {\n      return -1;\n    }\n    return a"
    assert carried(text, guard, language="cpp") == text.replace("    return a", guarded)


@pytest.mark.parametrize(
    ("text", "opposite"),
    [
        ("if (/* why */ x) {}\n", "if (/* why */ !x) {}\n"),
        ("if (!(/* why */ x)) {}\n", "if ((/* why */ x)) {}\n"),
    ],
)
def test_a_comment_in_a_condition_stays(text, opposite):
    assert carried(text, negate("@1"), language="javascript") == opposite


def test_a_condition_of_kotlin_that_is_surely_there_loses_its_mark_alone():
    text = "fun f(a: Boolean?) {\n    if (!a!!) {\n    }\n}\n"
    new = carried(text, op("negate 'if (!a!!) {' f"), language="kotlin")
    assert new == text.replace("!a!!", "a!!")
