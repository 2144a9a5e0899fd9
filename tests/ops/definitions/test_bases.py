from __future__ import annotations

import pytest

from tests.ops.carried import by_language, carried, marked, outcome, refused


def add(target: str, base: str, kind: str | None = None) -> dict[str, object]:
    return {"op": "add-base", "target": target, "base": base, "kind": kind}


def remove(target: str, base: str) -> dict[str, object]:
    return {"op": "remove-base", "target": target, "base": base}


ADDED = {
    "python: the first": ("class A‹(X)›: pass\n", add("A", "X")),
    "python: behind type parameters": ("class A[T]‹(X[T])›: pass\n", add("A", "X[T]")),
    "python: before a keyword": ("class A(B, ‹X, ›metaclass=M): pass\n", add("A", "X")),
    "java: a class of the file": ("class B {}\nclass A<T> ‹extends B ›{}\n", add("A", "B")),
    "typescript: one more interface": ("class A implements I<Y, Z>‹, K› {}\n", add("A", "K", "implements")),
    "java: of an interface": ("interface J extends I‹, L› {}\n", add("J", "L")),
    "java: of an enum": ("enum E ‹implements I ›{ X }\n", add("E", "I")),
    "javascript: of a script": ("class A ‹extends B ›{}\n", add("A", "B")),
    "cpp: public where nothing is said": ("class A ‹: public B ›{};\n", add("A", "B")),
    "cpp: as it is said": ("class A : public B<int, 2>‹, private D› {};\n", add("A", "private D")),
    "cpp: of a struct": ("struct S ‹: B ›{};\n", add("S", "B")),
    "csharp: before what a type parameter has to be": (
        "class A<T> ‹: B ›where T : class {}\n",
        add("A", "B"),
    ),
    "cpp: of a final class": ("class A final ‹: public B ›{};\n", add("A", "B")),
    "java: before the classes that it permits": (
        "interface I {}\nsealed class A ‹implements I ›permits B {}\n",
        add("A", "I"),
    ),
    "rust: of a trait": ("trait T‹: A› {}\n", add("T", "A")),
    "rust: one more of a trait": ("trait T: A ‹+ B ›{}\n", add("T", "B")),
}


@pytest.mark.parametrize(("language", "text", "operation"), by_language(ADDED), ids=ADDED)
def test_a_base_is_added_and_removed_again(language, text, operation):
    before, after = marked(text)
    assert carried(before, operation, language=language) == after
    gone = carried(after, remove(operation["target"], operation["base"]), language=language)
    assert gone == before


def test_one_that_is_there_is_noted():
    assert outcome("class A(B[int]): pass\n", add("A", "B"))[1].notes == ("`A` derives from B already",)


REFUSED = {
    "java: a second class": (
        "class B {}\nclass A extends C {}\n",
        add("A", "B"),
        "extends C already; remove that first",
    ),
    "typescript: what is not told": ("class A {}\n", add("A", "B"), "B is not in this file; say in `kind`"),
    "python: no class": ("def f(): pass\n", add("f", "B"), "`f` is a function; name a class"),
    "rust: a struct of Rust": ("struct S;\n", add("S", "B"), "`S` is a struct"),
    "python: a base that it has not": (
        "class A(B): pass\n",
        remove("A", "C"),
        "does not derive from C, but from B",
    ),
    "go: a language without": ("package p\n", add("A", "B"), "does not exist in go"),
    "cpp: nothing of the name": ("class A {};\n", add("C", "B"), "C: is not in this file"),
}


@pytest.mark.parametrize(("language", "text", "operation", "reason"), by_language(REFUSED), ids=REFUSED)
def test_what_cannot_derive_is_refused(language, text, operation, reason):
    assert reason in refused(text, operation, language=language)


@pytest.mark.parametrize(
    ("language", "text", "operation", "left"),
    [
        (
            "python",
            "class A(B):\n    def f(self):\n        B.f(self)\n",
            remove("A", "B"),
            "line 3: may need `B`",
        ),
        (
            "java",
            "class A extends B {\n  A() {\n    super(1);\n  }\n}\n",
            remove("A", "B"),
            "line 3: may need `B`",
        ),
        ("csharp", "class A : B\n{\n    A() : base(1) { }\n}\n", remove("A", "B"), "line 3: may need `B`"),
        (
            "javascript",
            "class A {\n  constructor() {}\n}\n",
            add("A", "B"),
            "line 2: has to call `super` now",
        ),
    ],
    ids=["its name", "super", "base", "a constructor"],
)
def test_what_depends_on_whether_a_class_derives_from_another_is_reported(language, text, operation, left):
    kind = {"kind": "extends"} if operation["op"] == "add-base" else {}
    (found,) = outcome(text, {**operation, **kind}, language=language)[1].left
    assert str(found).startswith(left)


def test_what_does_not_depend_on_a_base_is_not_reported():
    text = 'class A extends B implements C {\n  A(int base) { super(base); }\n  String s = "C"; // C\n}\n'
    assert outcome(text, remove("A", "C"), language="java")[1].left == ()
    constructor = "class A {\n  constructor() { super(); }\n}\nclass B {}\n"
    assert outcome(constructor, add("A", "B"), language="javascript")[1].left == ()
