from __future__ import annotations

import pytest

from fastedit.errors import TargetUnresolved
from tests.ops.carried import carried, marked, op, outcome, refused


def value(target: str, code: str) -> dict[str, object]:
    return {"op": "set-value", "target": target, "value": code}


def annotate(target: str, kind: str | None = None) -> dict[str, object]:
    return {"op": "annotate", "target": target, "type": kind}


PYTHON = "X = 1\nclass A:\n    x: int = 3\n    def f(self):\n        self.y = 1\n        z = 1\n"
SCRIPT = "const s = create({ tab: { minHeight: 48 } });\nclass A { private x = 1; y?: string; }\nenum E { A = 1, B }\n"
CASES = {
    "a constant": ("python", (PYTHON, "X = 1", "X = 2"), value("X", "2")),
    "an attribute of a class": ("python", (PYTHON, "int = 3", "int = a + b"), value("A.x", "a + b")),
    "an attribute of its objects": ("python", (PYTHON, "self.y = 1", "self.y = 'q'"), value("A.y", "'q'")),
    "a local variable": ("python", (PYTHON, "z = 1", "z = 1, 2"), value("f.z", "1, 2")),
    "an entry": ("python", "D = {'a': [1], 'b-c': «2»‹3›}\n", value("D.b-c", "3")),
    "a value for what has none": ("python", "x: int‹ = 3›\n", value("x", "3")),
    "an entry of an entry": ("typescript", (SCRIPT, "48", "56"), value("s.tab.minHeight", "56")),
    "a private field": ("typescript", (SCRIPT, "x = 1", "x = () => 1"), value("A.x", "() => 1")),
    "a member of an enum": ("typescript", (SCRIPT, "A = 1", "A = 2"), value("E.A", "2")),
    "a var": ("javascript", "let x = «1»‹f(2)›, y;\n", value("x", "f(2)")),
    "a field of a module": ("javascript", "exports = «1»‹2›;\n", value("exports", "2")),
    "a constant of Go": ("go", "package p\n\nconst A = «1»‹2›\n", value("A", "2")),
    "a key of a map": ("go", 'package p\n\nvar m = map[string]int{"a": «1»‹5›}\n', value("m.a", "5")),
    "what := gives": ("go", "package p\n\nfunc f() { x := «2»‹g()›; _ = x }\n", value("f.x", "g()")),
    "a let": ("rust", "fn f() { let x = «2»‹a + b›; }\n", value("f.x", "a + b")),
    "a static field": ("java", "class A { static final int X = «1»‹2›; }\n", value("A.X", "2")),
    "a field without": ("java", 'class A { String s‹ = "x"›; }\n', value("A.s", '"x"')),
    "a macro": ("c", "#define N «3»‹(4)›\n", value("N", "(4)")),
    "a macro with a comment": ("c", '#define N «"//"»‹(4)›  // n\n', value("N", "(4)")),
    "a pointer": ("c", "static int *p = «0»‹&x›;\n", value("p", "&x")),
    "an array of pointers": ("c", "int *p[2] = {«0»‹q›};\n", value("p", "{q}")),
    "a member of an enum of C": ("c", "enum e { A = «1»‹2›, B };\n", value("A", "2")),
    "an array": ("cpp", "int a[2] = {«1, 2»‹3, 4›};\n", value("a", "{3, 4}")),
    "several lines": ("python", "class A:\n\tx = [‹\n\t\t1,\n\t›]\n", value("A.x", "[\n    1,\n]")),
    "a type": ("python", (PYTHON, "X = 1", "X: int | None = 1"), annotate("X", "int | None")),
    "another type": ("typescript", (SCRIPT, "string", "number"), annotate("A.y", "number")),
    "a type of one of several": ("typescript", "let a: x = 1, b‹: y› = 2;\n", annotate("b", "y")),
    "no type": ("rust", "fn f() { let y«: u8» = 3; }\n", annotate("f.y")),
    "the type of a field": ("rust", "struct S { f: «u8»‹u32› }\n", annotate("S.f", "u32")),
    "a type behind the name": ("go", "package p\n\nconst A ‹int64 ›= 1\n", annotate("A", "int64")),
    "a type of C": ("c", "«int»‹long› x = 1;\n", annotate("x", "long")),
}


@pytest.mark.parametrize(("language", "text", "operation"), CASES.values(), ids=CASES)
def test_a_value_or_its_type_is_set(language, text, operation):
    before, after = marked(text)
    assert carried(before, operation, language=language) == after


REFUSED = {
    "several": ("python", "x = 1\nx = 2\n", value("x", "3"), "can mean 2 things (line 1: `x`; line 2: `x`)"),
    "a function": (
        "python",
        "def f(): pass\n",
        value("f", "3"),
        "f: stands on line 1, but as nothing that set-value",
    ),
    "none": ("python", "x = 1\n", value("y", "3"), "y: is not in this file"),
    "another place": ("python", PYTHON, value("g.z", "3"), "there is none, but line 6: `A.f.z`"),
    "no value": ("python", "x = 1\n", value("x", "="), "would not"),
    "two values": ("c", "int x = 1;\n", value("x", "1, y"), "would not be read as one"),
    "a type that others have too": ("c", "int x = 1, y;\n", annotate("x", "long"), "that of others too"),
    "what takes no type": ("python", "D = {'a': 1}\n", annotate("D.a", "int"), "cannot have a type"),
    "what needs its type": ("c", "int x = 1;\n", annotate("x"), "needs its type"),
    "an assignment for a value": ("c", "int a = b = 1;\n", value("a", "2"), "gives other names a value"),
    "a name of a pattern, and not a variable in a function": (
        "python",
        "x, y = 1, 2\ndef f():\n    x = 3\n",
        value("x", "2"),
        "x: there is none, but line 3: `f.x`",
    ),
}


@pytest.mark.parametrize(("language", "text", "operation", "reason"), REFUSED.values(), ids=REFUSED)
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
