from __future__ import annotations

import pytest

from tests.ops.carried import by_language, carried, marked, outcome, refused


def add(target: str, modifier: str) -> dict[str, object]:
    return {"op": "add-modifier", "target": target, "modifier": modifier}


def remove(target: str, modifier: str) -> dict[str, object]:
    return {"op": "remove-modifier", "target": target, "modifier": modifier}


SCRIPT = "var fs = 1;\nconst f = () => 1;\nfunction g() {}\nclass A {\n  x = 1;\n  m() {}\n  @D() z = 3;\n}\n"
JAVA = "class A {\n  private int x;\n  @Override\n  public void f() {}\n  @Deprecated void h() {}\n}\n"
RUST = "#[test]\nfn f() { let x = 1; }\nstruct S { x: u8 }\n"
ADDED = {
    "javascript: export": ((SCRIPT, "const f", "export const f"), add("f", "export")),
    "typescript: export of a class": ((SCRIPT, "class A", "export class A"), add("A", "export")),
    "typescript: static": ((SCRIPT, "m()", "static m()"), add("A.m", "static")),
    "typescript: behind a decorator": ((SCRIPT, "z = 3", "private z = 3"), add("A.z", "private")),
    "typescript: in its place": ("class A { private ‹static ›async m() {} }\n", add("m", "static")),
    "java: final": ((JAVA, "private int", "private final int"), add("A.x", "final")),
    "java: before a type": ((JAVA, "class A", "public class A"), add("A", "public")),
    "java: behind an annotation": ((JAVA, "void h", "public void h"), add("A.h", "public")),
    "rust: pub": ((RUST, "fn f", "pub fn f"), add("f", "pub")),
    "rust: pub of a field": ((RUST, "x: u8", "pub(crate) x: u8"), add("S.x", "pub(crate)")),
    "rust: mut": ((RUST, "let x", "let mut x"), add("f.x", "mut")),
    "c: static of C": ("‹static ›int f(void) { return 1; }\n", add("f", "static")),
    "c: const of C": ("int f(void) { ‹const ›int a = 1; }\n", add("f.a", "const")),
    "typescript: async": ("class A {\n  static ‹async ›m() {}\n}\n", add("A.m", "async")),
    "rust: async of Rust": ("pub ‹async ›fn f() {}\n", add("f", "async")),
    "cpp: virtual": ("struct A { ‹virtual ›int g() { return 1; } };\n", add("A.g", "virtual")),
    "cpp: behind an attribute of C++": (
        "struct A { [[nodiscard]] ‹virtual ›int g() { return 1; } };\n",
        add("A.g", "virtual"),
    ),
}


@pytest.mark.parametrize(("language", "text", "operation"), by_language(ADDED), ids=ADDED)
def test_a_modifier_is_added_in_its_place_and_removed_again(language, text, operation):
    before, after = marked(text)
    assert carried(before, operation, language=language) == after
    assert carried(after, {**operation, "op": "remove-modifier"}, language=language) == before


@pytest.mark.parametrize(
    ("language", "text", "operation"),
    [
        ("javascript", (SCRIPT, "var fs", "const fs"), add("fs", "const")),
        ("javascript", "«let»‹const› x = 1;\n", add("x", "const")),
        ("typescript", "class A { «private»‹public› x = 1; }\n", add("A.x", "public")),
        ("java", (JAVA, "private", "public"), add("A.x", "public")),
        ("rust", "pub‹(crate)› fn f() {}\n", add("f", "pub(crate)")),
        ("cpp", "«const»‹constexpr› int x = 1;\n", add("x", "constexpr")),
    ],
)
def test_a_modifier_takes_the_place_of_the_one_that_it_rules_out(language, text, operation):
    before, after = marked(text)
    assert carried(before, operation, language=language) == after


def test_what_is_so_already_is_noted():
    assert outcome(SCRIPT, add("f", "const"), language="javascript")[1].notes == ("`f` is const already",)


REFUSED = {
    "java: no modifier of the language": (
        JAVA,
        add("A.x", "readonly"),
        "readonly is none of java's; there are public",
    ),
    "go: a language without": ("package p\n", add("x", "static"), "does not exist in go"),
    "java: what is not there": (JAVA, add("A.q", "final"), "A.q: is not in this file"),
    "java: one of several": ("class A { int a, b; }\n", add("A.a", "final"), "`A.a` stands among others"),
    "java: a modifier that it has not": (JAVA, remove("A.x", "static"), "has no static; it has private"),
    "typescript: a constant that is counted up": (
        "let x = 1;\nfunction f() { x++; }\n",
        add("x", "const"),
        "assigned again on line 2",
    ),
    "javascript: what alone declares": ("const x = 1;\n", remove("x", "const"), "const is what declares `x`"),
    "javascript: an export within a function": (
        "function f() {\n  const x = 1;\n}\n",
        add("f.x", "export"),
        "does not stand in the file itself",
    ),
    "c: a pointer": ("char *p = 0;\n", add("p", "const"), "`p` is a pointer"),
    "typescript: async of what awaits": (
        "async function f() {\n  await g();\n}\n",
        remove("f", "async"),
        "line 2 awaits",
    ),
}


@pytest.mark.parametrize(("language", "text", "operation", "reason"), by_language(REFUSED), ids=REFUSED)
def test_what_takes_no_such_modifier_is_refused(language, text, operation, reason):
    assert reason in refused(text, operation, language=language)


def test_a_function_in_which_another_one_awaits_need_not_be_async():
    text = "async function f() {\n  return async () => await g();\n}\n"
    assert carried(text, remove("f", "async"), language="javascript") == text.removeprefix("async ")


def test_other_declarations_of_the_same_are_left_alone_and_reported():
    text = "int f(void);\nint f(void) { return 1; }\n"
    new, found = outcome(text, add("f@2", "static"), language="c")
    assert new == "int f(void);\nstatic int f(void) { return 1; }\n"
    assert [str(place) for place in found.left] == ["line 1: declares it too: int f(void);"]
