from __future__ import annotations

import contextlib
import io

import pytest

from tests.ops.carried import by_language, carried, op, refused


def function(name: str, anchor: str, last: str, new: str = "fresh") -> dict[str, object]:
    return {"op": "extract-function", "function": name, "anchor": anchor, "last": last, "new": new}


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
        "def fresh(i):\n    a = i\n    return a\n\n\n"
        "def f(x):\n    a = 0\n    for i in x:\n        print(a)\n        a = fresh(i)\nf([1, 2])\n",
    ),
    "a method": (
        "class A:\n    k = 2\n\n    def f(self, x):\n        y = x * self.k\n        print(y)\nA().f(3)\n",
        function("A.f", "y = x * self.k", "print(y)"),
        "def fresh(self, x):\n    y = x * self.k\n    print(y)\n\n\n"
        "class A:\n    k = 2\n\n    def f(self, x):\n        fresh(self, x)\nA().f(3)\n",
    ),
    "what is deleted later": (
        "def f(x):\n    y = x\n    print(y)\n    del y\nf(3)\n",
        function("f", "y = x", "print(y)"),
        "def fresh(x):\n    y = x\n    print(y)\n    return y\n\n\ndef f(x):\n    y = fresh(x)\n    del y\nf(3)\n",
    ),
    "what is changed later": (
        "def f(x):\n    y = x\n    print(y)\n    y += [2]\nz = [1]\nf(z)\nprint(z)\n",
        function("f", "y = x", "print(y)"),
        "def fresh(x):\n    y = x\n    print(y)\n    return y\n\n\n"
        "def f(x):\n    y = fresh(x)\n    y += [2]\nz = [1]\nf(z)\nprint(z)\n",
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
    "python: a result that has a type alone": (
        "def f():\n    y: int\n    y = g()\n    print(y)\n",
        function("f", "y: int", "y: int"),
        "`y` does not have a value in every case",
    ),
    "python: a value that may not be there": (
        "def f(x):\n    if x:\n        y = 1\n    if x:\n        print(y)\n",
        function("f", "@4", "@4"),
        "`y` may have no value yet",
    ),
    "typescript: this": (
        "class A {\n  f() {\n    this.g();\n  }\n}\n",
        function("A.f", "this.g();", "this.g();"),
        "`this` on line 3",
    ),
    "javascript: what is assigned outside too": (
        "function f(a) {\n  let x = 1;\n  x = a;\n  return x;\n}\n",
        function("f", "x = a;", "x = a;"),
        "is assigned here and outside",
    ),
    "python: a private name": (
        "class A:\n    def f(self):\n        self.__x = 1\n",
        function("A.f", "self.__x = 1", "self.__x = 1"),
        "`__x` means another thing elsewhere",
    ),
    "python: a new name that is there": (
        "def f():\n    g()\n",
        function("f", "g()", "g()", "g"),
        "is a name of this file",
    ),
    "python: what a lambda sees change later": (
        "def f():\n    w = 4\n    g = lambda: w\n    w = 5\n    return g()\n",
        function("f", "g = lambda: w", "g = lambda: w"),
        "`w` changes, and a function within this one sees it do so",
    ),
    "javascript: what a hoisted function sees": (
        "function f() {\n  let n = 0;\n  function g() { n++; }\n  g();\n  const z = n;\n  return z;\n}\n",
        function("f", "g();", "const z = n;"),
        "`n` changes, and a function within this one sees it do so",
    ),
    "javascript: a var that is used outside of its block": (
        "function f(n) {\n  if (n) {\n    var u = n * 2;\n  }\n  return u;\n}\n",
        function("f", "var u = n * 2;", "var u = n * 2;"),
        "`u` is used outside of the block that has it",
    ),
    "python: used where an error is handled": (
        "def f(n):\n    y = 0\n    try:\n        y = n\n        y += k()\n    except E:\n        print(y)\n",
        function("f", "y = n", "y += k()"),
        "`y` is used where the `try` around these statements ends",
    ),
    "python: used after a return": (
        "def f(n):\n    y = 0\n    try:\n        y = n\n        return y\n    finally:\n        print(y)\n",
        function("f", "y = n", "return y"),
        "`y` is used where the `try` around these statements ends",
    ),
    "go: a language without": ("package p\n", function("f", "a", "b"), "does not exist in go"),
}


@pytest.mark.parametrize(("language", "text", "operation", "reason"), by_language(REFUSED), ids=REFUSED)
def test_what_would_not_be_the_same_is_refused(language, text, operation, reason):
    assert reason in refused(text, operation, language=language)


def test_what_a_function_above_reads_when_it_is_called_is_a_result():
    text = "def f(k):\n    def g():\n        return k\n    k = k + 1\n    return g\n"
    wanted = op("extract-function f 'k = k + 1' 'k = k + 1' h")
    new = carried(text, wanted)
    assert new == f"def h(k):\n    k = k + 1\n    return k\n\n\n{text.replace('k = k + 1', 'k = h(k)')}"


@pytest.mark.parametrize("word", ["global", "nonlocal"])
def test_statements_that_change_a_name_of_another_scope_stay(word):
    text = f"def o():\n    a = 0\n    def f(n):\n        {word} a\n        a = n\n        return n\n    return f\n"
    wanted = op("extract-function o.f 'a = n' 'a = n' h")
    assert "`a` is changed for another scope" in refused(text, wanted)


def test_a_parameter_keeps_a_type_of_several_lines():
    function = "function f(k: {\n  a: number;\n}) {\n  g(k);\n}\n"
    wanted = op("extract-function f 'g(k);' 'g(k);' h")
    new = carried(function, wanted, language="typescript")
    assert new == f"{function.replace('f(', 'h(')}\n{function.replace('g(k)', 'h(k)')}"


def test_what_a_pattern_takes_from_an_object_is_a_result():
    text = "function f(o) {\n  const { a, b = 1 } = o;\n  return a + b;\n}\n"
    line = "const { a, b = 1 } = o;"
    new = carried(text, function("f", line, line), language="javascript")
    moved = f"function fresh(o) {{\n  {line}\n  return {{ a, b }};\n}}\n\n"
    assert new == moved + text.replace(line, "const { a, b } = fresh(o);")


def test_the_end_of_a_function_is_taken_out_with_its_return():
    text = "def f(x):\n    y = x + 1\n    return y\n"
    assert carried(text, function("f", "y = x + 1", "return y", "g")) == (
        "def g(x):\n    y = x + 1\n    return y\n\n\ndef f(x):\n    return g(x)\n"
    )


def test_a_variable_that_the_statements_give_a_value_first_is_no_parameter():
    text = "def f(x):\n    if x:\n        z = 1\n    else:\n        z = 2\n        w = z\n    return z\n"
    assert "        z = g()\n" in carried(text, function("f", "z = 2", "w = z", "g"))
    grown = text.replace("z = 2", "z = z + 2")
    assert "`z` may have no value yet" in refused(grown, function("f", "z = z + 2", "w = z", "g"))
