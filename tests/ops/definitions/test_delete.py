from __future__ import annotations

import pytest

from fastedit.errors import OperationRefused, TargetUnresolved
from tests.ops.carried import carried, outcome


def delete(target: str) -> dict[str, object]:
    return {"op": "delete", "target": target}


CASES = {
    "with its decorators and the comment above": (
        "python",
        "import os\n\n\n# about f\n@a\n@b(1)\ndef f():\n    pass\n\n\nx = 1\n",
        "f",
        "import os\n\n\nx = 1\n",
    ),
    "not the comment that begins the file": (
        "python",
        "#!/usr/bin/env python\n# Copyright me\ndef f(): pass\nx = 1\n",
        "f",
        "#!/usr/bin/env python\n# Copyright me\nx = 1\n",
    ),
    "the last of a class": (
        "python",
        "class A:\n    x = 1\n\n    def f(self): pass\n\n\ny = 1\n",
        "A.f",
        "class A:\n    x = 1\n\n\ny = 1\n",
    ),
    "the only one of a class": (
        "python",
        "class A:\n    # c\n    def f(self):\n        pass\n",
        "A.f",
        "class A:\n    pass\n",
    ),
    "the only statement of a block that may be empty": (
        "rust",
        "fn f() {\n    let x = 1;\n}\n",
        "f.x",
        "fn f() {\n}\n",
    ),
    "the last of the file": ("python", "x = 1\n\n\ndef f():\n    pass\n", "f", "x = 1\n"),
    "an exported arrow function": (
        "typescript",
        "a;\n\n/** f */\nexport const f = () => {\n  g();\n};\n\nb;\n",
        "f",
        "a;\n\nb;\n",
    ),
    "a method between braces": (
        "java",
        "class A {\n  int x;\n\n  /** f */\n  @B\n  int f() { return 1; }\n}\n",
        "A.f",
        "class A {\n  int x;\n}\n",
    ),
    "a Go method": (
        "go",
        "package p\n\n// F does.\nfunc (s *S) F() {\n}\n\nfunc g() {}\n",
        "S.F",
        "package p\n\nfunc g() {}\n",
    ),
    "a Rust function with its attribute": (
        "rust",
        "/// f\n#[test]\nfn f() {}\n\nfn g() {}\n",
        "f",
        "fn g() {}\n",
    ),
    "a C function": ("c", "int x;\n\nint f(void) {\n  return 1;\n}\n", "f", "int x;\n"),
}


@pytest.mark.parametrize(("language", "text", "target", "expected"), CASES.values(), ids=CASES)
def test_a_definition_goes_with_what_belongs_to_it(language, text, target, expected):
    assert carried(text, delete(target), language=language) == expected


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
        with pytest.raises(OperationRefused, match="line 1 holds other code too"):
            carried(text, operation, language=language)


def test_an_ambiguous_definition_is_refused_with_its_lines():
    with pytest.raises(OperationRefused, match=r"line 2: function `A.f`; line 4: function `B.f`"):
        carried("class A:\n    def f(self): pass\nclass B:\n    def f(self): pass\n", delete("f"))


VARIABLES = {
    "a constant with its comment": ("python", "# why\nX = 1\nY = 2\n", "X", "Y = 2\n"),
    "the one attribute of a class": ("python", "class A:\n    z = 1\n", "A.z", "class A:\n    pass\n"),
    "a require": (
        "javascript",
        "var a = require('a');\nvar b = a || c;\nf();\n",
        "b",
        "var a = require('a');\nf();\n",
    ),
    "a macro": ("c", "#define A 1\n#define B 2\n", "A", "#define B 2\n"),
    "a constant of Go": (
        "go",
        "package p\n\n// A is.\nconst A = 1\n\nvar b = 2\n",
        "A",
        "package p\n\nvar b = 2\n",
    ),
    "a field": ("java", "class A {\n  int x = 1;\n  int z;\n}\n", "A.z", "class A {\n  int x = 1;\n}\n"),
}


@pytest.mark.parametrize(("language", "text", "target", "expected"), VARIABLES.values(), ids=VARIABLES)
def test_a_variable_goes_with_its_lines(language, text, target, expected):
    assert carried(text, {"op": "delete", "target": target}, language=language) == expected


@pytest.mark.parametrize(
    ("language", "text", "target"),
    [("python", "D = {'a': 1}\n", "D.a"), ("javascript", "var a = 1, b = 2;\n", "a")],
)
def test_what_stands_among_others_is_no_variable_to_delete(language, text, target):
    with pytest.raises(OperationRefused, match="stands among others"):
        carried(text, {"op": "delete", "target": target}, language=language)


def test_what_still_uses_a_variable_is_reported():
    _, found = outcome("X = 1\nY = X\n", {"op": "delete", "target": "X"})
    assert [str(place) for place in found.left] == ["line 2: still uses `X`: Y = X"]
    _, found = outcome("X = 1\ndel X\n", {"op": "delete", "target": "X"})
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


def test_an_assignment_on_the_line_is_meant_and_not_the_function_around_of_its_name():
    assert carried("def f():\n    f = 1\n    return 2\n", delete("f@2")) == "def f():\n    return 2\n"


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
    with pytest.raises(OperationRefused, match="by hand"):
        carried(text, delete(target), language=language)


def test_a_definition_goes_with_the_conditions_that_are_whole_in_it():
    text = "int f(int a) {\n#ifdef W\n  g();\n#else\n  h();\n#endif\n}\nint g;\n"
    assert carried(text, delete("f"), language="c") == "int g;\n"


def test_the_name_of_an_import_is_refused_with_the_operation_for_it():
    with pytest.raises(TargetUnresolved, match="json: is imported on line 1; `remove-import`"):
        carried("import json\nprint(json)\n", {"op": "delete", "target": "json"})
