from __future__ import annotations

import pytest

from tests.ops.carried import carried, marked, outcome, refused


def add(target: str, modifier: str) -> dict[str, object]:
    return {"op": "add-modifier", "target": target, "modifier": modifier}


def remove(target: str, modifier: str) -> dict[str, object]:
    return {"op": "remove-modifier", "target": target, "modifier": modifier}


SCRIPT = "var fs = 1;\nconst f = () => 1;\nfunction g() {}\nclass A {\n  x = 1;\n  m() {}\n  @D() z = 3;\n}\n"
JAVA = "class A {\n  private int x;\n  @Override\n  public void f() {}\n  @Deprecated void h() {}\n}\n"
RUST = "#[test]\nfn f() { let x = 1; }\nstruct S { x: u8 }\n"
ADDED = {
    "export": ("javascript", (SCRIPT, "const f", "export const f"), add("f", "export")),
    "export of a class": ("typescript", (SCRIPT, "class A", "export class A"), add("A", "export")),
    "static": ("typescript", (SCRIPT, "m()", "static m()"), add("A.m", "static")),
    "behind a decorator": ("typescript", (SCRIPT, "z = 3", "private z = 3"), add("A.z", "private")),
    "in its place": ("typescript", "class A { private ‹static ›async m() {} }\n", add("m", "static")),
    "final": ("java", (JAVA, "private int", "private final int"), add("A.x", "final")),
    "before a type": ("java", (JAVA, "class A", "public class A"), add("A", "public")),
    "behind an annotation": ("java", (JAVA, "void h", "public void h"), add("A.h", "public")),
    "pub": ("rust", (RUST, "fn f", "pub fn f"), add("f", "pub")),
    "pub of a field": ("rust", (RUST, "x: u8", "pub(crate) x: u8"), add("S.x", "pub(crate)")),
    "mut": ("rust", (RUST, "let x", "let mut x"), add("f.x", "mut")),
    "static of C": ("c", "‹static ›int f(void) { return 1; }\n", add("f", "static")),
    "const of C": ("c", "int f(void) { ‹const ›int a = 1; }\n", add("f.a", "const")),
    "async": ("typescript", "class A {\n  static ‹async ›m() {}\n}\n", add("A.m", "async")),
    "async of Rust": ("rust", "pub ‹async ›fn f() {}\n", add("f", "async")),
    "virtual": ("cpp", "struct A { ‹virtual ›int g() { return 1; } };\n", add("A.g", "virtual")),
    "behind an attribute of C++": (
        "cpp",
        "struct A { [[nodiscard]] ‹virtual ›int g() { return 1; } };\n",
        add("A.g", "virtual"),
    ),
}


@pytest.mark.parametrize(("language", "text", "operation"), ADDED.values(), ids=ADDED)
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
    "no modifier of the language": (
        "java",
        JAVA,
        add("A.x", "readonly"),
        "readonly is none of java's; there are public",
    ),
    "a language without": ("go", "package p\n", add("x", "static"), "does not exist in go"),
    "what is not there": ("java", JAVA, add("A.q", "final"), "A.q: is not in this file"),
    "one of several": ("java", "class A { int a, b; }\n", add("A.a", "final"), "`A.a` stands among others"),
    "a modifier that it has not": ("java", JAVA, remove("A.x", "static"), "has no static; it has private"),
    "a constant that is counted up": (
        "typescript",
        "let x = 1;\nfunction f() { x++; }\n",
        add("x", "const"),
        "assigned again on line 2",
    ),
    "what alone declares": (
        "javascript",
        "const x = 1;\n",
        remove("x", "const"),
        "const is what declares `x`",
    ),
    "an export within a function": (
        "javascript",
        "function f() {\n  const x = 1;\n}\n",
        add("f.x", "export"),
        "does not stand in the file itself",
    ),
    "a pointer": ("c", "char *p = 0;\n", add("p", "const"), "`p` is a pointer"),
    "async of what awaits": (
        "typescript",
        "async function f() {\n  await g();\n}\n",
        remove("f", "async"),
        "line 2 awaits",
    ),
}


@pytest.mark.parametrize(("language", "text", "operation", "reason"), REFUSED.values(), ids=REFUSED)
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
