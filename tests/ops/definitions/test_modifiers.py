from __future__ import annotations

import pytest

from tests.ops.carried import carried, outcome, refused


def add(target: str, modifier: str) -> dict[str, object]:
    return {"op": "add-modifier", "target": target, "modifier": modifier}


def remove(target: str, modifier: str) -> dict[str, object]:
    return {"op": "remove-modifier", "target": target, "modifier": modifier}


SCRIPT = "var fs = 1;\nconst f = () => 1;\nfunction g() {}\nclass A {\n  x = 1;\n  m() {}\n  @D() z = 3;\n}\n"
JAVA = "class A {\n  private int x;\n  @Override\n  public void f() {}\n  @Deprecated void h() {}\n}\n"
RUST = "#[test]\nfn f() { let x = 1; }\nstruct S { x: u8 }\n"
ADDED = {
    "export": ("javascript", SCRIPT, add("f", "export"), ("const f", "export const f")),
    "export of a class": ("typescript", SCRIPT, add("A", "export"), ("class A", "export class A")),
    "static": ("typescript", SCRIPT, add("A.m", "static"), ("m()", "static m()")),
    "behind a decorator": ("typescript", SCRIPT, add("A.z", "private"), ("z = 3", "private z = 3")),
    "in its place": (
        "typescript",
        "class A { private async m() {} }\n",
        add("m", "static"),
        ("async", "static async"),
    ),
    "final": ("java", JAVA, add("A.x", "final"), ("private int", "private final int")),
    "before a type": ("java", JAVA, add("A", "public"), ("class A", "public class A")),
    "behind an annotation": ("java", JAVA, add("A.h", "public"), ("void h", "public void h")),
    "pub": ("rust", RUST, add("f", "pub"), ("fn f", "pub fn f")),
    "pub of a field": ("rust", RUST, add("S.x", "pub(crate)"), ("x: u8", "pub(crate) x: u8")),
    "mut": ("rust", RUST, add("f.x", "mut"), ("let x", "let mut x")),
    "static of C": ("c", "int f(void) { return 1; }\n", add("f", "static"), ("int", "static int")),
    "const of C": ("c", "int f(void) { int a = 1; }\n", add("f.a", "const"), ("int a", "const int a")),
    "async": ("typescript", "class A {\n  static m() {}\n}\n", add("A.m", "async"), ("m()", "async m()")),
    "async of Rust": ("rust", "pub fn f() {}\n", add("f", "async"), ("fn", "async fn")),
    "virtual": (
        "cpp",
        "struct A { int g() { return 1; } };\n",
        add("A.g", "virtual"),
        ("int g", "virtual int g"),
    ),
    "behind an attribute of C++": (
        "cpp",
        "struct A { [[nodiscard]] int g() { return 1; } };\n",
        add("A.g", "virtual"),
        ("int g", "virtual int g"),
    ),
}


@pytest.mark.parametrize(("language", "text", "operation", "change"), ADDED.values(), ids=ADDED)
def test_a_modifier_is_added_in_its_place_and_removed_again(language, text, operation, change):
    there = carried(text, operation, language=language)
    assert there == text.replace(*change, 1)
    assert carried(there, {**operation, "op": "remove-modifier"}, language=language) == text


@pytest.mark.parametrize(
    ("language", "text", "operation", "change"),
    [
        ("javascript", SCRIPT, add("fs", "const"), ("var fs", "const fs")),
        ("javascript", "let x = 1;\n", add("x", "const"), ("let", "const")),
        ("typescript", "class A { private x = 1; }\n", add("A.x", "public"), ("private", "public")),
        ("java", JAVA, add("A.x", "public"), ("private", "public")),
        ("rust", "pub fn f() {}\n", add("f", "pub(crate)"), ("pub", "pub(crate)")),
        ("cpp", "const int x = 1;\n", add("x", "constexpr"), ("const", "constexpr")),
    ],
)
def test_a_modifier_takes_the_place_of_the_one_that_it_rules_out(language, text, operation, change):
    assert carried(text, operation, language=language) == text.replace(*change, 1)


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
    "a constant that is assigned": (
        "javascript",
        "var x = 1;\nx = 2;\n",
        add("x", "const"),
        "assigned again on line 2",
    ),
    "a constant that is counted up": (
        "typescript",
        "let x = 1;\nfunction f() { x++; }\n",
        add("x", "const"),
        "assigned again on line 2",
    ),
    "a constant of C that is assigned": (
        "c",
        "int x;\nvoid f(void) { x = 2; }\n",
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
