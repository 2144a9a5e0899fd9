from __future__ import annotations

import pytest

from fastedit.errors import TargetUnresolved
from tests.ops.carried import by_language, carried, marked, op, outcome, refused


def value(target: str, code: str) -> dict[str, object]:
    return {"op": "set-value", "target": target, "value": code}


def annotate(target: str, kind: str | None = None) -> dict[str, object]:
    return {"op": "annotate", "target": target, "type": kind}


PYTHON = "X = 1\nclass A:\n    x: int = 3\n    def f(self):\n        self.y = 1\n        z = 1\n"
SCRIPT = "const s = create({ tab: { minHeight: 48 } });\nclass A { private x = 1; y?: string; }\nenum E { A = 1, B }\n"
CASES = {
    "python: a constant": ((PYTHON, "X = 1", "X = 2"), value("X", "2")),
    "python: an attribute of a class": ((PYTHON, "int = 3", "int = a + b"), value("A.x", "a + b")),
    "python: an attribute of its objects": ((PYTHON, "self.y = 1", "self.y = 'q'"), value("A.y", "'q'")),
    "python: a local variable": ((PYTHON, "z = 1", "z = 1, 2"), value("f.z", "1, 2")),
    "python: an entry": ("D = {'a': [1], 'b-c': «2»‹3›}\n", value("D.b-c", "3")),
    "python: a value for what has none": ("x: int‹ = 3›\n", value("x", "3")),
    "typescript: an entry of an entry": ((SCRIPT, "48", "56"), value("s.tab.minHeight", "56")),
    "typescript: a private field": ((SCRIPT, "x = 1", "x = () => 1"), value("A.x", "() => 1")),
    "typescript: a member of an enum": ((SCRIPT, "A = 1", "A = 2"), value("E.A", "2")),
    "javascript: a var": ("let x = «1»‹f(2)›, y;\n", value("x", "f(2)")),
    "javascript: a field of a module": ("exports = «1»‹2›;\n", value("exports", "2")),
    "go: a constant of Go": ("package p\n\nconst A = «1»‹2›\n", value("A", "2")),
    "go: a key of a map": ('package p\n\nvar m = map[string]int{"a": «1»‹5›}\n', value("m.a", "5")),
    "go: what := gives": ("package p\n\nfunc f() { x := «2»‹g()›; _ = x }\n", value("f.x", "g()")),
    "rust: a let": ("fn f() { let x = «2»‹a + b›; }\n", value("f.x", "a + b")),
    "java: a static field": ("class A { static final int X = «1»‹2›; }\n", value("A.X", "2")),
    "java: a field without": ('class A { String s‹ = "x"›; }\n', value("A.s", '"x"')),
    "c: a macro": ("#define N «3»‹(4)›\n", value("N", "(4)")),
    "c: a macro with a comment": ('#define N «"//"»‹(4)›  // n\n', value("N", "(4)")),
    "c: a pointer": ("static int *p = «0»‹&x›;\n", value("p", "&x")),
    "c: an array of pointers": ("int *p[2] = {«0»‹q›};\n", value("p", "{q}")),
    "c: a member of an enum of C": ("enum e { A = «1»‹2›, B };\n", value("A", "2")),
    "cpp: an array": ("int a[2] = {«1, 2»‹3, 4›};\n", value("a", "{3, 4}")),
    "python: several lines": ("class A:\n\tx = [‹\n\t\t1,\n\t›]\n", value("A.x", "[\n    1,\n]")),
    "python: a type": ((PYTHON, "X = 1", "X: int | None = 1"), annotate("X", "int | None")),
    "typescript: another type": ((SCRIPT, "string", "number"), annotate("A.y", "number")),
    "typescript: a type of one of several": ("let a: x = 1, b‹: y› = 2;\n", annotate("b", "y")),
    "rust: no type": ("fn f() { let y«: u8» = 3; }\n", annotate("f.y")),
    "rust: the type of a field": ("struct S { f: «u8»‹u32› }\n", annotate("S.f", "u32")),
    "go: a type behind the name": ("package p\n\nconst A ‹int64 ›= 1\n", annotate("A", "int64")),
    "c: a type of C": ("«int»‹long› x = 1;\n", annotate("x", "long")),
}


@pytest.mark.parametrize(("language", "text", "operation"), by_language(CASES), ids=CASES)
def test_a_value_or_its_type_is_set(language, text, operation):
    before, after = marked(text)
    assert carried(before, operation, language=language) == after


REFUSED = {
    "python: several": ("x = 1\nx = 2\n", value("x", "3"), "can mean 2 things (line 1: `x`; line 2: `x`)"),
    "python: a function": (
        "def f(): pass\n",
        value("f", "3"),
        "f: stands on line 1, but as nothing that set-value",
    ),
    "python: none": ("x = 1\n", value("y", "3"), "y: is not in this file"),
    "python: another place": (PYTHON, value("g.z", "3"), "there is none, but line 6: `A.f.z`"),
    "python: no value": ("x = 1\n", value("x", "="), "would not"),
    "c: two values": ("int x = 1;\n", value("x", "1, y"), "would not be read as one"),
    "c: a type that others have too": ("int x = 1, y;\n", annotate("x", "long"), "that of others too"),
    "python: what takes no type": ("D = {'a': 1}\n", annotate("D.a", "int"), "cannot have a type"),
    "c: what needs its type": ("int x = 1;\n", annotate("x"), "needs its type"),
    "c: an assignment for a value": ("int a = b = 1;\n", value("a", "2"), "gives other names a value"),
    "python: a name of a pattern, and not a variable in a function": (
        "x, y = 1, 2\ndef f():\n    x = 3\n",
        value("x", "2"),
        "x: there is none, but line 3: `f.x`",
    ),
}


@pytest.mark.parametrize(("language", "text", "operation", "reason"), by_language(REFUSED), ids=REFUSED)
def test_what_has_no_one_value_is_refused(language, text, operation, reason):
    assert reason in refused(text, operation, language=language)


def test_what_has_no_type_is_noted():
    assert outcome("x = 1\n", annotate("x"))[1].notes == ("`x` has no type",)


def test_the_value_of_a_constant_that_the_next_one_repeats_is_not_set():
    text = "package p\n\nconst (\n\tA = iota // a\n\tB\n\tC = 4\n\tD = 5\n)\n"
    assert "line 5 repeats the value of `A`" in refused(text, op("set-value A 1"), language="go")
    new = carried(text, op("set-value C 7"), language="go")
    assert new == text.replace("4", "7")


ASSIGNED = {
    "a tuple": ("python", "a, b = 1, 2\n\n\ndef f():\n    global a\n    a = 3\n"),
    "an import": ("python", "from x import a\n\n\ndef f():\n    global a\n    a = 3\n"),
    "a loop": ("python", "for a in b:\n    a = 3\n"),
    "a pattern": ("javascript", "let [a, b] = g();\nfunction f() {\n  a = 3;\n}\n"),
    "a parameter": ("javascript", "function f(a) {\n  a = 3;\n}\n"),
    "a constructor's field": (
        "typescript",
        "class K {\n  constructor(private a: number) {}\n  f() {\n    this.a = 3;\n  }\n}\n",
    ),
    "a function pointer": ("c", "static int (*a)(int) = 0;\nvoid f(void) {\n  a = g;\n}\n"),
    "a qualified name": ("cpp", "int A::a = 3;\nvoid f() {\n  a = 3;\n}\n"),
    "several of Ruby's": ("ruby", "a, b = g\ndef f\n  a = 3\nend\n"),
}


@pytest.mark.parametrize("case", ASSIGNED)
def test_an_assignment_is_not_taken_for_a_definition_of_another_form_unless_its_line_is_given(case):
    language, text = ASSIGNED[case]
    row = next(row for row, line in enumerate(text.split("\n"), 1) if "a = " in line and row > 1)
    operation = op("set-value a 9")
    with pytest.raises(TargetUnresolved, match=f"name the assignment, a@{row}"):
        carried(text, operation, language=language)
    lines = carried(text, operation | {"target": f"a@{row}"}, language=language).split("\n")
    assert "a = 9" in lines[row - 1]
