from __future__ import annotations

import contextlib
import io

import pytest

from fastedit.errors import OperationRefused
from tests.ops.carried import carried


def variable(code: str, new: str, function: str | None = None, **more: object) -> dict[str, object]:
    return {"op": "extract-variable", "code": code, "new": new, "function": function, **more}


def function(name: str, anchor: str, last: str, new: str = "fresh") -> dict[str, object]:
    return {"op": "extract-function", "function": name, "anchor": anchor, "last": last, "new": new}


VARIABLES = {
    "before the statement": (
        "python",
        "def f(a):\n    x = g(a + 1) * 2\n    return x\n",
        variable("a + 1", "b"),
        "def f(a):\n    b = a + 1\n    x = g(b) * 2\n    return x\n",
    ),
    "in all places": (
        "python",
        "def f(a):\n    if a:\n        x = a + 1\n    return a + 1\n",
        variable("a + 1", "b", every=True),
        "def f(a):\n    b = a + 1\n    if a:\n        x = b\n    return b\n",
    ),
    "without its brackets": (
        "python",
        "def f(a):\n    x = a * (a + 1)\n",
        variable("a + 1", "b"),
        "def f(a):\n    b = a + 1\n    x = a * b\n",
    ),
    "in the brackets of a condition": (
        "javascript",
        "function f(a) {\n  if (a + 1) g();\n}\n",
        variable("a + 1", "b"),
        "function f(a) {\n  const b = a + 1;\n  if (b) g();\n}\n",
    ),
    "in brackets that part words": (
        "python",
        "def f(a):\n    x = a in(a + 1)\n",
        variable("a + 1", "b"),
        "def f(a):\n    b = a + 1\n    x = a in(b)\n",
    ),
    "what a loop goes over": (
        "python",
        "for x in g(b):\n    pass\n",
        variable("g(b)", "c"),
        "c = g(b)\nfor x in c:\n    pass\n",
    ),
    "what is evaluated first": (
        "typescript",
        "function f(a) {\n  return a.b && c;\n}\n",
        variable("a.b", "x", type="X"),
        "function f(a) {\n  const x: X = a.b;\n  return x && c;\n}\n",
    ),
    "without semicolons": (
        "javascript",
        "function f(a) {\n  g(a * 3)\n}\n",
        variable("a * 3", "x"),
        "function f(a) {\n  const x = a * 3\n  g(x)\n}\n",
    ),
    "in Go": (
        "go",
        "package p\n\nfunc f(a int) int {\n\treturn a * 3\n}\n",
        variable("a * 3", "b"),
        "package p\n\nfunc f(a int) int {\n\tb := a * 3\n\treturn b\n}\n",
    ),
    "in Java": (
        "java",
        "class A { int f() {\n  g(3);\n} }\n",
        variable("3", "b"),
        "class A { int f() {\n  var b = 3;\n  g(b);\n} }\n",
    ),
    "in C++": (
        "cpp",
        "int f() {\n  g(3);\n}\n",
        variable("3", "b"),
        "int f() {\n  auto b = 3;\n  g(b);\n}\n",
    ),
    "in Rust": (
        "rust",
        "fn f() {\n    g(3);\n}\n",
        variable("3", "b"),
        "fn f() {\n    let b = 3;\n    g(b);\n}\n",
    ),
    "a constant": (
        "python",
        "import os\n\nLIMIT = 1\n\n\ndef f(a):\n    return a > 38\n",
        variable("38", "MAX", "f", where="file"),
        "import os\n\nLIMIT = 1\nMAX = 38\n\n\ndef f(a):\n    return a > MAX\n",
    ),
    "the first constant": (
        "go",
        "package p\n\nfunc f(a int) int {\n\treturn a * 3\n}\n",
        variable("3", "C", where="file"),
        "package p\n\nconst C = 3\n\nfunc f(a int) int {\n\treturn a * C\n}\n",
    ),
    "a constant with its type": (
        "rust",
        "const A: u8 = 1;\n\nfn f(a: O) -> bool {\n    a == Some(38)\n}\n",
        variable("38", "ENOSYS", where="file", type="i32"),
        "const A: u8 = 1;\nconst ENOSYS: i32 = 38;\n\nfn f(a: O) -> bool {\n    a == Some(ENOSYS)\n}\n",
    ),
}


@pytest.mark.parametrize(("language", "text", "operation", "expected"), VARIABLES.values(), ids=VARIABLES)
def test_an_expression_gets_a_name(language, text, operation, expected):
    assert carried(text, operation, language=language) == expected


PROGRAMS = {
    "parameters and a result": (
        "def f(x, y):\n    z = x + 1\n    w = z * y\n    print(w)\n    return w + y\nprint(f(2, 3))\n",
        function("f", "z = x + 1", "w = z * y"),
        "def fresh(x, y):\n    z = x + 1\n    w = z * y\n    return w\n\n\n"
        "def f(x, y):\n    w = fresh(x, y)\n    print(w)\n    return w + y\nprint(f(2, 3))\n",
    ),
    "a variable that changes": (
        "def f(x):\n    y = 0\n    for i in x:\n        y += i\n    return y\nprint(f([1, 2]))\n",
        function("f", "for i in x:", "for i in x:"),
        "def fresh(x, y):\n    for i in x:\n        y += i\n    return y\n\n\n"
        "def f(x):\n    y = 0\n    y = fresh(x, y)\n    return y\nprint(f([1, 2]))\n",
    ),
    "two results": (
        "def f(x):\n    a = x\n    b = a + 1\n    return a, b\nprint(f(1))\n",
        function("f", "a = x", "b = a + 1"),
        "def fresh(x):\n    a = x\n    b = a + 1\n    return a, b\n\n\n"
        "def f(x):\n    a, b = fresh(x)\n    return a, b\nprint(f(1))\n",
    ),
    "what the next pass of a loop uses": (
        "def f(x):\n    a = 0\n    for i in x:\n        print(a)\n        a = i\nf([1, 2])\n",
        function("f", "a = i", "a = i"),
        "def fresh(i, a):\n    a = i\n    return a\n\n\n"
        "def f(x):\n    a = 0\n    for i in x:\n        print(a)\n        a = fresh(i, a)\nf([1, 2])\n",
    ),
    "a method": (
        "class A:\n    k = 2\n\n    def f(self, x):\n        y = x * self.k\n        print(y)\nA().f(3)\n",
        function("A.f", "y = x * self.k", "print(y)"),
        "def fresh(self, x):\n    y = x * self.k\n    print(y)\n\n\n"
        "class A:\n    k = 2\n\n    def f(self, x):\n        fresh(self, x)\nA().f(3)\n",
    ),
}


def printed(program: str) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(program, "a.py", "exec"), {"__name__": "a"})
    return out.getvalue()


@pytest.mark.parametrize(("text", "operation", "expected"), PROGRAMS.values(), ids=PROGRAMS)
def test_statements_become_a_function_that_does_the_same(text, operation, expected):
    new = carried(text, operation)
    assert sorted(new.split("\n")[0].split("(")[1]) == sorted(expected.split("\n")[0].split("(")[1])
    assert printed(new) == printed(text) != ""
    assert len(new.split("\n")) == len(expected.split("\n"))


def test_statements_of_a_script_become_a_function():
    text = "export function f(a) {\n  const x = a + 1;\n  const y = x * 2;\n  g(x, y);\n}\n"
    assert carried(text, function("f", "const x = a + 1;", "const y = x * 2;"), language="javascript") == (
        "function fresh(a) {\n  const x = a + 1;\n  const y = x * 2;\n  return { x, y };\n}\n\n"
        "export function f(a) {\n  const { x, y } = fresh(a);\n  g(x, y);\n}\n"
    )


def test_typescript_keeps_the_types_of_parameters():
    text = "function f(a: A, b = 1) {\n  g(a, b);\n}\n"
    expected = "function fresh(a: A, b) {\n  g(a, b);\n}\n\nfunction f(a: A, b = 1) {\n  fresh(a, b);\n}\n"
    assert carried(text, function("f", "g(a, b);", "g(a, b);"), language="typescript") == expected


REFUSED = {
    "an order of calls": ("python", "x = h() + g(a)\n", variable("g(a)", "b"), "would be called before"),
    "what is not always evaluated": (
        "python",
        "x = a and g(a)\n",
        variable("g(a)", "b"),
        "evaluated later, or not once",
    ),
    "an alternative": (
        "javascript",
        "x = a ? b.c : d;\n",
        variable("b.c", "e"),
        "evaluated later, or not once",
    ),
    "a loop's condition": (
        "python",
        "while g(a):\n    pass\n",
        variable("g(a)", "b"),
        "evaluated later, or not once",
    ),
    "a comprehension": (
        "python",
        "x = [y + 1 for y in z]\n",
        variable("y + 1", "b"),
        "evaluated later, or not once",
    ),
    "a value that changes": (
        "python",
        "x = a + 1\na = 2\ny = a + 1\n",
        variable("a + 1", "b", every=True),
        "may have another value",
    ),
    "a name that is there": (
        "python",
        "b = 1\nx = a + 1\n",
        variable("a + 1", "b"),
        "`b` is there on line 1 already",
    ),
    "a local in a constant": (
        "python",
        "def f(a):\n    g(a + 1)\n",
        variable("a + 1", "B", where="file"),
        "may have another value in the whole file",
    ),
    "a call in a constant": (
        "python",
        "x = g()\n",
        variable("g()", "B", where="file"),
        "would do so only once",
    ),
    "a constant without its type": (
        "rust",
        "fn f() {\n    g(3);\n}\n",
        variable("3", "B", where="file"),
        "needs its `type`",
    ),
    "a statement": ("python", "import a\n", variable("import a", "b"), "is not an expression within"),
    "a return": (
        "python",
        "def f():\n    return 1\n",
        function("f", "return 1", "return 1"),
        "`return` on line 2",
    ),
    "a result that may not be": (
        "python",
        "def f(x):\n    if x:\n        y = 1\n    print(y)\n",
        function("f", "if x:", "if x:"),
        "`y` does not have a value in every case",
    ),
    "a result of a loop": (
        "python",
        "def f(x):\n    for y in x:\n        g()\n    print(y)\n",
        function("f", "for y in x:", "for y in x:"),
        "`y` does not have a value in every case",
    ),
    "a value that may not be there": (
        "python",
        "def f(x):\n    if x:\n        y = 1\n    if x:\n        print(y)\n",
        function("f", "@4", "@4"),
        "`y` may have no value yet",
    ),
    "a name of the same statement": (
        "javascript",
        "let x = 1, y = x + 1;\n",
        variable("x + 1", "z"),
        "before its statement",
    ),
    "a default": (
        "javascript",
        "function f(a = g()) {}\n",
        variable("g()", "b"),
        "evaluated later, or not once",
    ),
    "a case": (
        "javascript",
        "switch (x) {\n  case a.b: f();\n}\n",
        variable("a.b", "c"),
        "evaluated later, or not once",
    ),
    "this": (
        "typescript",
        "class A {\n  f() {\n    this.g();\n  }\n}\n",
        function("A.f", "this.g();", "this.g();"),
        "`this` on line 3",
    ),
    "what is assigned outside too": (
        "javascript",
        "function f(a) {\n  let x = 1;\n  x = a;\n  return x;\n}\n",
        function("f", "x = a;", "x = a;"),
        "is assigned here and outside",
    ),
    "a private name": (
        "python",
        "class A:\n    def f(self):\n        self.__x = 1\n",
        function("A.f", "self.__x = 1", "self.__x = 1"),
        "`__x` means another thing elsewhere",
    ),
    "a new name that is there": (
        "python",
        "def f():\n    g()\n",
        function("f", "g()", "g()", "g"),
        "is a name of this file",
    ),
    "a language without": ("go", "package p\n", function("f", "a", "b"), "does not exist in go"),
}


@pytest.mark.parametrize(("language", "text", "operation", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_would_not_be_the_same_is_refused(language, text, operation, reason):
    with pytest.raises(OperationRefused) as error:
        carried(text, operation, language=language)
    assert reason in str(error.value)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("java", "class A {\n    void f(int x) {\n        g(x++, x + 1);\n    }\n}\n"),
        ("rust", "fn f(mut x: i32) {\n    g({ x += 1; x }, x + 1);\n}\n"),
        ("cpp", "void f(int x) {\n    g(++x, x + 1);\n}\n"),
    ],
)
def test_what_the_statement_changes_first_is_not_extracted_in_any_language(language, text):
    with pytest.raises(OperationRefused, match="may have another value before its statement"):
        carried(
            text, {"op": "extract-variable", "code": "x + 1", "new": "y", "function": "f"}, language=language
        )


@pytest.mark.parametrize(
    "line", ["_, err := more(v)", "a, ok = more(v)", "var a, b = more(v)", "return more(v)"]
)
def test_what_gives_several_values_of_go_is_not_extracted_into_one_variable(line):
    text = f"package p\n\nfunc f() (int, error) {{\n\t{line}\n}}\n"
    with pytest.raises(OperationRefused, match="has several values there"):
        carried(text, variable("more(v)", "z"), language="go")


@pytest.mark.parametrize("line", ["a, b := 1, more(v)", "a := more(v)"])
def test_one_of_several_values_of_go_is_extracted(line):
    text = f"package p\n\nfunc f() int {{\n\t{line}\n\treturn more(v)\n}}\n"
    made = carried(text, variable("more(v)", "z", anchor="@4"), language="go")
    assert made == text.replace(line, f"z := more(v)\n\t{line.replace('more(v)', 'z')}")


def test_a_name_of_another_function_is_free_for_a_variable():
    text = "def f(n):\n    return n\n\n\ndef g(x):\n    return h(x + 1)\n"
    operation = {"op": "extract-variable", "code": "x + 1", "new": "n", "function": "g"}
    assert carried(text, operation) == text.replace("return h(x + 1)", "n = x + 1\n    return h(n)")


PLACES = {
    "assigned": ("python", "def f(a):\n    a.b = 1\n", "a.b"),
    "changed": ("python", "def f(a):\n    a.b += 1\n", "a.b"),
    "deleted": ("python", "def f(a):\n    del a.b\n", "a.b"),
    "one of several": ("python", "def f(a):\n    a.b, c = d\n", "a.b"),
    "gone over": ("python", "def f(a):\n    for a.b in c:\n        d()\n", "a.b"),
    "counted up": ("java", "class A {\n  void f(A a) {\n    a.b++;\n  }\n}\n", "a.b"),
    "deleted in JavaScript": ("javascript", "function f(a) {\n  delete a.b;\n}\n", "a.b"),
    "a method without its object": ("javascript", "function f(a) {\n  return a.b(1);\n}\n", "a.b"),
    "referred to": ("go", "package p\n\nfunc f(a A) {\n\tg(&a.b)\n}\n", "a.b"),
    "assigned in part": ("go", "package p\n\nfunc f(a A) {\n\ta.b.c = 1\n}\n", "a.b"),
    "called in part": ("rust", "fn f(a: A) {\n    a.b.push(1);\n}\n", "a.b"),
    "borrowed": ("rust", "fn f(a: A) {\n    g(&mut a.b);\n}\n", "a.b"),
}


@pytest.mark.parametrize(("language", "text", "code"), PLACES.values(), ids=PLACES)
def test_no_variable_stands_for_what_is_more_than_a_value(language, text, code):
    with pytest.raises(OperationRefused, match=f"needs the place of '{code}', not its value alone"):
        carried(text, {"op": "extract-variable", "code": code, "new": "m"}, language=language)


def test_a_method_that_knows_its_object_is_extracted_and_so_is_one_whose_part_is_assigned():
    for text, line in (("def f(a):\n    a.b(1)\n", "m(1)"), ("def f(a):\n    a.b.c = 1\n", "m.c = 1")):
        new = carried(text, {"op": "extract-variable", "code": "a.b", "new": "m"})
        assert new == f"def f(a):\n    m = a.b\n    {line}\n"


def test_what_stands_in_no_function_gets_no_variable_where_nothing_runs_outside_of_one():
    with pytest.raises(OperationRefused, match="stands in no function; take `where` file"):
        carried(
            "static A: u8 = 1 + 2;\n",
            {"op": "extract-variable", "code": "1 + 2", "new": "m"},
            language="rust",
        )


def test_what_a_function_above_reads_when_it_is_called_is_a_result():
    text = "def f(k):\n    def g():\n        return k\n    k = k + 1\n    return g\n"
    wanted = {
        "op": "extract-function",
        "function": "f",
        "anchor": "k = k + 1",
        "last": "k = k + 1",
        "new": "h",
    }
    new = carried(text, wanted)
    assert new == f"def h(k):\n    k = k + 1\n    return k\n\n\n{text.replace('k = k + 1', 'k = h(k)')}"


@pytest.mark.parametrize("word", ["global", "nonlocal"])
def test_statements_that_change_a_name_of_another_scope_stay(word):
    text = f"def o():\n    a = 0\n    def f(n):\n        {word} a\n        a = n\n        return n\n    return f\n"
    wanted = {"op": "extract-function", "function": "o.f", "anchor": "a = n", "last": "a = n", "new": "h"}
    with pytest.raises(OperationRefused, match="`a` is changed for another scope"):
        carried(text, wanted)
