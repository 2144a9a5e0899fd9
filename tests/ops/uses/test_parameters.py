from __future__ import annotations

import pytest

from tests.ops.carried import carried, marked, op, outcome, refused, rename


def add(function: str, code: str, argument: str | None = None, after: str | None = None) -> dict[str, object]:
    return {"op": "add-parameter", "function": function, "code": code, "argument": argument, "after": after}


def remove(function: str, parameter: str) -> dict[str, object]:
    return {"op": "remove-parameter", "function": function, "parameter": parameter}


def default(function: str, parameter: str, value: str | None = None) -> dict[str, object]:
    return {"op": "set-default", "function": function, "parameter": parameter, "default": value}


def kind(function: str, parameter: str, value: str | None = None) -> dict[str, object]:
    return {"op": "set-type", "function": function, "parameter": parameter, "type": value}


def returns(function: str, value: str | None = None) -> dict[str, object]:
    return {"op": "set-return-type", "function": function, "type": value}


METHODS = "class A:\n    def f(self, a): pass\n    def g(self): self.f(1); A.f(self, 2); A().f(a=3)\n"
LINES = "def f(\n    a,  # first\n    b=1,\n):\n    pass\n"
CASES = {
    "a default changes no call": ("def f(a‹, b: int = 2›): pass\nf(1)\n", add("f", "b: int = 2")),
    "calls get the argument": ("def f(a‹, b›): pass\nf(1‹, 2›); f(a=1‹, b=2›)\n", add("f", "b", "2")),
    "calls in calls": ("def f(a«): pass\nf(f(1)»‹, b): pass\nf(f(1, 2), 2›)\n", add("f", "b", "2")),
    "methods": (
        (
            METHODS,
            "): pass\n    def g(self): self.f(1); A.f(self, 2); A().f(a=3",
            ", b): pass\n    def g(self): self.f(1, 0); A.f(self, 2, 0); A().f(a=3, b=0",
        ),
        add("A.f", "b", "0"),
    ),
    "constructors": (
        "class A:\n    def __init__(self«): pass\nA(»‹, b): pass\nA(0›)\n",
        add("A.__init__", "b", "0"),
    ),
    "keyword-only behind a star": (
        "def f(a, *, c=1, «**kw): pass\nf(1»‹d, **kw): pass\nf(1, d=2›)\n",
        add("f", "d", "2"),
    ),
    "before defaults": ("def f(a, «b=1): pass\nf(1»‹c, b=1): pass\nf(1, 0›, 2)\n", add("f", "c", "0")),
    "behind another": ("def f(a, «b): pass\nf(1»‹c, b): pass\nf(1, 0›, 2)\n", add("f", "c", "0", "a")),
    "before any number": ("def f(a‹, c=0›, *b): pass\nf(1); f(1, ‹0, ›2)\n", add("f", "c=0", None, "a")),
    "behind all that a call unpacks": ("def f(a, b=1‹, c=0›): pass\nf(*x)\n", add("f", "c=0")),
    "on a line of its own": ((LINES, "b=1,\n", "b=1,\n    c=2,\n"), add("f", "c=2")),
    "removed with its arguments": (
        "def f(a«, b», *, c=1): pass\nf(1«, 2»); f(1, «b=2, »c=3)\n",
        remove("f", "b"),
    ),
    "removed with its star": ("def f(a«, *, b): pass\nf(1, b=2»‹): pass\nf(1›)\n", remove("f", "b")),
    "removed with its line": ((LINES, "a,  # first\n    ", ""), remove("f", "a")),
    "a default": ("def f(a, b: int‹ = 1›): pass\n", default("f", "b", "1")),
    "a default of a bare parameter": ("def f(a‹=1›): pass\n", default("f", "a", "1")),
    "another default": ("def f(a=«1»‹(1, 2)›): pass\n", default("f", "a", "(1, 2)")),
    "no default": ("def f(a: int« = 1»): pass\nf(1)\n", default("f", "a")),
    "a type": ("def f(a, b«=»‹: int = ›1, **c): pass\n", kind("f", "b", "int")),
    "another type": ("def f(a: «int»‹list[str]›): pass\n", kind("f", "a", "list[str]")),
    "no type": ("def f(a«: int = »‹=›1): pass\n", kind("f", "a")),
    "a return type": ("def f()‹ -> int | None›: pass\n", returns("f", "int | None")),
    "another return type": ("def f() -> «int»‹str›: pass\n", returns("f", "str")),
    "no return type": ("def f()« -> int»: pass\n", returns("f")),
}


@pytest.mark.parametrize(("text", "operation"), CASES.values(), ids=CASES)
def test_a_signature_changes_with_its_calls(text, operation):
    before, after = marked(text)
    assert carried(before, operation) == after


REFUSED = {
    "a call without a value": (
        "def f(): pass\nf()\n",
        add("f", "a"),
        "the call on line 2 needs a value for `a`",
    ),
    "a call that unpacks": ("def f(a): pass\nf(*x)\n", add("f", "b", "1"), "line 2 unpacks its arguments"),
    "a name that is taken": ("def f(a): b = 1\n", add("f", "b=1"), "has the name `b` already (line 1)"),
    "a name of the file": (
        "b = 1\ndef f(a): return b\n",
        add("f", "b=1"),
        "has the name `b` already (line 2)",
    ),
    "no parameter": ("def f(): pass\n", add("f", "a b"), "is not a parameter"),
    "two parameters": ("def f(): pass\n", add("f", "a, b"), "is not a parameter"),
    "out of order": ("def f(a, b): pass\n", add("f", "c=1", None, "a"), "would not compile"),
    "no expression": ("def f(): pass\n", add("f", "a", "1, 2"), "is not an expression"),
    "no function": ("class A: pass\n", add("A", "a"), "`A` is a class"),
    "a parameter that is used": ("def f(a): return a\n", remove("f", "a"), "uses `a` (line 1)"),
    "no such parameter": ("def f(a): pass\n", remove("f", "b"), "has no parameter b; it has a"),
    "self": ("class A:\n    def f(self): pass\n", remove("A.f", "self"), "comes first for a reason"),
    "any number": ("def f(*a): pass\n", remove("f", "a"), "takes any number of arguments"),
    "a default before none": ("def f(a, b): pass\n", default("f", "a", "1"), "the result would not compile"),
    "a default that is relied on": (
        "def f(a=1): pass\nf()\n",
        default("f", "a"),
        "the call on line 2 relies on",
    ),
    "a type that is none": ("def f(a): pass\n", kind("f", "a", "int int"), "is not an expression"),
}


@pytest.mark.parametrize(("text", "operation", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_the_calls_or_the_language_do_not_take_is_refused(text, operation, reason):
    assert reason in refused(text, operation)


def test_a_string_that_is_the_functions_name_is_reported():
    text = 'def f(): pass\ng = globals()["f"]\n"f or not"\n'
    _, found = outcome(text, add("f", "b=1"))
    assert [(place.line, place.why) for place in found.left] == [
        (1, "a string with its name, as for getattr")
    ]


def order(function: str, names: str) -> dict[str, object]:
    return {"op": "reorder-parameters", "function": function, "order": names}


ORDERS = {
    "keyword-only": ("def f(«x): pass\nf(»‹*, x): pass\nf(x=›1); f(x=2)\n", order("f", "*, x")),
    "no longer keyword-only": ("def f(a, «*, »b): pass\nf(1, b=2)\n", order("f", "a, b")),
}


@pytest.mark.parametrize(("text", "operation"), ORDERS.values(), ids=ORDERS)
def test_parameters_and_arguments_are_put_in_another_order(text, operation):
    before, after = marked(text)
    assert carried(before, operation) == after


DISORDERS = {
    "not all of them": ("def f(a, b): pass\n", order("f", "b"), "names each parameter once; there are a, b"),
    "a call that unpacks": (
        "def f(a, b): pass\nf(*x)\n",
        order("f", "b, a"),
        "line 2 does not tell what it passes",
    ),
    "a default before none": ("def f(a, b=1): pass\n", order("f", "b, a"), "would not compile: "),
    "a gap without names": (
        "def f(a, b=0, c=1, /): pass\nf(1, 2)\n",
        order("f", "a, c, b, /"),
        "cannot pass `b` by name",
    ),
    "a name that goes": ("def f(a): pass\nf(a=1)\n", order("f", "a, /"), "cannot pass `a` by name"),
    "self": ("class A:\n    def f(self, a): pass\n", order("A.f", "a, self"), "comes first for a reason"),
    "none": ("def f(): pass\n", order("f", "*"), "there are none"),
    "a parameter without a name": (
        "def f(a, b=1, /): pass\nf(1)\n",
        add("f", "c=2", "9", "b"),
        "line 2 cannot pass `c` by name",
    ),
}


@pytest.mark.parametrize(("text", "operation", "reason"), DISORDERS.values(), ids=DISORDERS)
def test_an_order_that_the_calls_do_not_take_is_refused(text, operation, reason):
    assert reason in refused(text, operation)


def test_classes_that_derive_from_one_are_made_by_its_constructor_unless_they_have_their_own():
    text = "class A:\n    def __init__(self, a): pass\nclass B(A): pass\nclass C(B):\n"
    text += "    def __init__(self): pass\nA(1)\nB(2)\nC()\n"
    new = carried(text, add("A.__init__", "b", "0"))
    assert new == text.replace("self, a", "self, a, b").replace("A(1", "A(1, 0").replace("B(2", "B(2, 0")


def test_a_static_method_is_one_with_a_comment_behind_its_decorator():
    text = "class A:\n    @staticmethod  # why\n    def f(a, b): return a\n    def g(self): return self.f(1, 2)\n"
    gone = op("remove-parameter A.f b")
    assert carried(text, gone) == text.replace("(a, b)", "(a)").replace("(1, 2)", "(1)")


def test_a_call_that_goes_with_its_parameter_is_noted():
    operation = op("remove-parameter f b")
    new, found = outcome("def f(a, b=1):\n    return a\n\n\nf(1, b=connect())\n", operation)
    assert new.endswith("f(1)\n")
    assert found.notes == ("line 5 no longer calls `connect()`",)


MAKING = (
    "class A:\n"
    "    def __init__(self, n, m): self.n = n\n"
    "    @classmethod\n"
    "    def make(cls): return cls(1, 2)\n"
    "    def copy(self): return type(self)(3, 4), self.__class__(m=5, n=6)\n"
)


def test_a_class_is_made_by_what_stands_for_it_in_its_own_methods():
    made = carried(MAKING, add("A.__init__", "k", "0"))
    assert "cls(1, 2, 0)" in made
    assert "type(self)(3, 4, 0), self.__class__(m=5, n=6, k=0)" in made
    order = op("reorder-parameters A.__init__ 'self, m, n'")
    assert "cls(2, 1)" in carried(MAKING, order)
    assert "self.__class__(m=5, k=6)" in carried(MAKING, rename("A.__init__.n", "k"))


def test_a_class_that_is_given_on_and_makes_perhaps_another_are_reported():
    text = MAKING + "K = A\nK(7, 8)\nisinstance(K, A)\n"
    assert [place.line for place in outcome(text, add("A.__init__", "k", "0"))[1].left] == [5]
    above = "class B:\n    @classmethod\n    def make(cls): return cls(1)\n"
    text, found = outcome(
        above + "class A(B):\n    def __init__(self, n): pass\n", add("A.__init__", "k", "0")
    )
    assert "cls(1)" in text
    assert [place.line for place in found.left] == [2]


def test_a_call_of_an_object_gets_the_argument_or_is_reported():
    text = "class A:\n    def __call__(self, q): pass\n    def run(self): self(1)\nA()(2)\na = A()\na(3)\nprint(4)\n"
    text, found = outcome(text, add("A.__call__", "k", "0"))
    assert "self(1, 0)" in text
    assert "A()(2, 0)" in text
    assert [place.line for place in found.left] == [5]


def test_a_keyword_for_a_function_that_a_variable_holds_or_for_a_derived_class_is_reported():
    text = "def f(path): pass\ng = f\ng(path=1)\nh = {1: f}\nh[1](path=2)\nprint(path=3)\n"
    assert [place.line for place in outcome(text, rename("f.path", "p"))[1].left] == [2, 4]
    text = "class S:\n    def __init_subclass__(cls, tag): pass\nclass T(S, tag=1): pass\n"
    assert [place.line for place in outcome(text, rename("S.__init_subclass__.tag", "t"))[1].left] == [2]
