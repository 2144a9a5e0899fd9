from __future__ import annotations

import pytest

from fastedit.errors import OperationRefused
from tests.ops.carried import by_language, carried, marked, op, outcome, refused


def delete(target: str) -> dict[str, object]:
    return {"op": "delete", "target": target}


CASES = {
    "python: the last of a class": ("class A:\n    x = 1\n\n«    def f(self): pass\n\n»\ny = 1\n", "A.f"),
    "python: the only one of a class": ("class A:\n    «# c\n    def f(self):\n        »pass\n", "A.f"),
    "rust: the only statement of a block that may be empty": ("fn f() {\n«    let x = 1;\n»}\n", "f.x"),
    "python: the last of the file": ("x = 1\n«\n\ndef f():\n    pass\n»", "f"),
    "java: a method between braces": (
        "class A {\n  int x;\n«\n  /** f */\n  @B\n  int f() { return 1; }\n»}\n",
        "A.f",
    ),
    "go: a Go method": ("package p\n\n«// F does.\nfunc (s *S) F() {\n}\n\n»func g() {}\n", "S.F"),
    "rust: a Rust function with its attribute": ("«/// f\n#[test]\nfn f() {}\n\n»fn g() {}\n", "f"),
    "c: a C function": ("int x;\n«\nint f(void) {\n  return 1;\n}\n»", "f"),
}


@pytest.mark.parametrize(("language", "text", "target"), by_language(CASES), ids=CASES)
def test_a_definition_goes_with_what_belongs_to_it(language, text, target):
    before, after = marked(text)
    assert carried(before, delete(target), language=language) == after


def test_places_that_still_use_it_are_reported_in_other_languages():
    text = "function f() {}\n\nfunction g(f) { f(); }\nf();\n"
    _, found = outcome(text, delete("f"), language="javascript")
    assert [place.line for place in found.left] == [3]


def test_places_that_still_use_it_are_reported():
    text = "def f(): f()\n\nf()\ndef g(f): f\n"
    _, found = outcome(text, delete("f"))
    assert [place.line for place in found.left] == [2]


@pytest.mark.parametrize(
    ("language", "text", "target"),
    [
        ("python", "x = 1; class A: pass\n", "A"),
        ("javascript", "const o = { a() { return 1; }, b: 2 };\n", "a"),
        ("javascript", "const a = 1, f = () => {};\n", "f"),
        ("c", "int f(void) { return 1; } int x;\n", "f"),
        ("c", "int a = 1; /* b */ int b = 2;\n", "a"),
    ],
)
def test_a_line_that_holds_other_code_is_refused(language, text, target):
    beside = [{"op": "add", "code": "y", "where": "after", "anchor": target}]
    for operation in (delete(target), *beside, {"op": "add-comment", "text": "y", "target": target}):
        assert "line 1 holds other code too" in refused(text, operation, language=language)


def test_an_ambiguous_definition_is_refused_with_its_lines():
    with pytest.raises(OperationRefused, match=r"line 2: function `A.f`; line 4: function `B.f`"):
        carried("class A:\n    def f(self): pass\nclass B:\n    def f(self): pass\n", delete("f"))


VARIABLES = {
    "python: a constant with its comment": ("«# why\nX = 1\n»Y = 2\n", "X"),
    "python: the one attribute of a class": ("class A:\n    «z = 1»‹pass›\n", "A.z"),
    "javascript: a require": ("var a = require('a');\n«var b = a || c;\n»f();\n", "b"),
    "c: a macro": ("#define «A 1\n#define »B 2\n", "A"),
    "go: a constant of Go": ("package p\n\n«// A is.\nconst A = 1\n\n»var b = 2\n", "A"),
    "java: a field": ("class A {\n  int x = 1;\n«  int z;\n»}\n", "A.z"),
}


@pytest.mark.parametrize(("language", "text", "target"), by_language(VARIABLES), ids=VARIABLES)
def test_a_variable_goes_with_its_lines(language, text, target):
    before, after = marked(text)
    assert carried(before, delete(target), language=language) == after


@pytest.mark.parametrize(
    ("language", "text", "target"),
    [("python", "D = {'a': 1}\n", "D.a"), ("javascript", "var a = 1, b = 2;\n", "a")],
)
def test_what_stands_among_others_is_no_variable_to_delete(language, text, target):
    assert "stands among others" in refused(text, {"op": "delete", "target": target}, language=language)


def test_what_still_uses_a_variable_is_reported():
    _, found = outcome("X = 1\nY = X\n", op("delete X"))
    assert [str(place) for place in found.left] == ["line 2: still uses `X`: Y = X"]
    _, found = outcome("X = 1\ndel X\n", op("delete X"))
    assert [str(place) for place in found.left] == ["line 2: still uses `X`: del X"]


def test_a_statement_of_the_file_goes_by_its_line_and_what_uses_it_is_reported():
    text = "const { a, b } = x;\nf(a);\n"
    new, found = outcome(text, delete("@1"), language="javascript")
    assert new == "f(a);\n"
    assert [str(place) for place in found.left] == ["line 2: still uses `a`: f(a);"]


@pytest.mark.parametrize(
    ("language", "text", "target", "gone"),
    [
        ("c", "/* x */ int a;\nint b;\n", "b", "int b;\n"),
        ("c", "/* x */ int f() { return 1; }\nint g() { return 2; }\n", "g", "int g() { return 2; }\n"),
        ("rust", "#[inline] fn f() {}\nfn g() {}\n", "g", "fn g() {}\n"),
        (
            "rust",
            "fn f() {}\n#[inline] /* x */ #[cold]\nfn g() {}\n",
            "g",
            "#[inline] /* x */ #[cold]\nfn g() {}\n",
        ),
    ],
)
def test_a_comment_or_attribute_belongs_to_the_code_behind_it(language, text, target, gone):
    assert carried(text, delete(target), language=language) == text.replace(gone, "")


AT_LINE = {  # each has its class's name
    "java": "class A {\n  int k;\n\n  @Old\n  A() {\n    x();\n  }\n}\n",
    "csharp": "class A {\n  int k;\n\n  [Old]\n  A() {\n    x();\n  }\n}\n",
    "kotlin": "class A {\n  val k = 1\n\n  @Old\n  fun A() {\n    x()\n  }\n}\n",
    "php": "class A {\n  public $k;\n\n  #[Old]\n  function A() {\n    x();\n  }\n}\n",
    "cpp": "class A {\n  int k;\n\n  explicit\n  A(int x) {\n    x();\n  }\n};\n",
}


@pytest.mark.parametrize("line", [4, 5, 6])
@pytest.mark.parametrize("language", AT_LINE)
def test_of_definitions_of_one_name_the_innermost_around_the_line_goes(language, line):
    above = ["<?php"] if language == "php" else []
    lines = [*above, *AT_LINE[language].split("\n")]
    found = carried("\n".join(lines), delete(f"A@{line + len(above)}"), language=language)
    assert found.split("\n") == [*lines[: len(above) + 2], *lines[-2:]]


@pytest.mark.parametrize(
    ("language", "text", "target"),
    [
        ("c", "#ifdef W\nint u(void) {\n#else\nint f(void) {\n#endif\n  g();\n}\n", "f"),
        ("c", "int g;\n#ifdef W\nint f(int a)\n{\n#else\nint f(int a) {\n#endif\n}\n", "f"),
        ("c", "#ifdef W\nstatic\n#endif\nint f(int a)\n{\n}\nint g;\n", "f"),
        ("csharp", "class A {\n#if D\n  void F() {\n#else\n  void G() {\n#endif\n    X();\n  }\n}\n", "G"),
    ],
)
def test_a_definition_that_a_condition_goes_through_is_not_deleted(language, text, target):
    assert "by hand" in refused(text, delete(target), language=language)


def test_a_definition_goes_with_the_conditions_that_are_whole_in_it():
    text = "int f(int a) {\n#ifdef W\n  g();\n#else\n  h();\n#endif\n}\nint g;\n"
    assert carried(text, delete("f"), language="c") == "int g;\n"


def test_the_name_of_an_import_is_refused_with_the_operation_for_it():
    assert "json: is imported on line 1; `remove-import`" in refused(
        "import json\nprint(json)\n", op("delete json")
    )
