from __future__ import annotations

import pytest

from fastedit.errors import OperationRefused, TargetUnresolved
from tests.ops.carried import by_language, carried, marked, op, outcome, refused


def add(code: str, where: str = "last", anchor: str | None = None) -> dict[str, object]:
    return {"op": "add", "code": code, "where": where, "anchor": anchor}


def move(target: str, where: str, anchor: str | None = None) -> dict[str, object]:
    return {"op": "move", "target": target, "where": where, "anchor": anchor}


F, G = "def f():\n    return LIMIT\n", "# about g\n@d\ndef g():\n    return f()\n"
A = "class A:\n    x = 1\n\n    def m(self):\n        pass\n"
PYTHON = f"LIMIT = 1\n\n\n{F}\n\n{G}\n\n{A}"
ADDED = {
    "before a function with its comment": (
        (PYTHON, "# about", "def h(): pass\n\n\n# about"),
        add("def h(): pass\n", "before", "g"),
    ),
    "a constant to another": ((PYTHON, "1\n", "1\nMAX = 2\n"), add("MAX = 2", "after", "LIMIT")),
    "a method": (
        (PYTHON, "        pass\n", "        pass\n\n    def h(self):\n        pass\n"),
        add("def h(self):\n  pass", "last", "A"),
    ),
    "by its code": ((PYTHON, "1\n", "1\nMAX = 2\n"), add("MAX = 2", "after", "LIMIT = 1")),
    "by a line": ((PYTHON, "LIMIT", "MAX = 2\nLIMIT"), add("MAX = 2", "before", "@1")),
}


@pytest.mark.parametrize(("text", "operation"), ADDED.values(), ids=ADDED)
def test_code_is_added_as_far_from_what_stands_beside_it_as_is_usual(text, operation):
    before, after = marked(text)
    assert carried(before, operation) == after


OTHERS = {
    "go": ("package p\n\nfunc f() {}\n", add("func g() {}", "before", "f"), ("func", "func g() {}\n\nfunc")),
    "rust": ("fn f() {}\n", add("const X: u8 = 1;", "before", "f"), ("fn", "const X: u8 = 1;\n\nfn")),
    "typescript": ("class A {\n  f() {}\n}\n", add("g() {\n}", "first", "A"), ("  f", "  g() {\n  }\n\n  f")),
    "c": ("int f() { return 1; }\n", add("int g() {\n}", "after", "f"), (";  }\n", "")),
}


@pytest.mark.parametrize("language", OTHERS)
def test_code_is_added_in_other_languages(language):
    text, operation, change = OTHERS[language]
    expected = text.replace(*change, 1) if change[1] else text + "\nint g() {\n}\n"
    assert carried(text, operation, language=language) == expected


TWICE = {
    "python: a function": (PYTHON, add("def f(a): pass"), "`f` exists already on line 4"),
    "python: a method": (PYTHON, add("def m(self): pass", "first", "A"), "`m` exists already on line 17"),
    "python: a constant, above": (PYTHON, add("LIMIT = 2", "first"), "`LIMIT` exists already on line 1"),
    "python: a constant, below": (PYTHON, add("LIMIT = 2"), "`LIMIT` exists already on line 1"),
    "python: another kind": (PYTHON, add("f = 2"), "`f` exists already on line 4"),
    "go: go": ("package p\n\nfunc F() {}\n", add("func F() {}"), "`F` exists already on line 3"),
    "javascript: javascript": ("const A = 1;\n", add("const A = 2;"), "`A` exists already on line 1"),
    "typescript: a type": ("type A = 1;\n", add("type A = 2;"), "`A` exists already on line 1"),
    "rust: rust": ("fn f() {}\n", add("fn f() {}"), "`f` exists already on line 1"),
    "c: c": ("int x = 1;\n", add("int x = 2;"), "`x` exists already on line 1"),
}


@pytest.mark.parametrize(("language", "text", "operation", "reason"), by_language(TWICE), ids=TWICE)
def test_what_a_block_has_already_is_not_added_to_it(language, text, operation, reason):
    assert reason in refused(text, operation, language=language)


BESIDE = {
    "python: in another block": (PYTHON, add("def m(): pass")),
    "python: a value of the one before": ("app = make()\n", add("app = wrap(app)")),
    "python: a value after one that is read": ("x = 1\nprint(x)\n", add("x = 2")),
    "go: without a name": ("package p\n\nvar _ I = a\n", add("var _ I = b")),
    "go: a function that runs at the start": ("package p\n\nfunc init() {}\n", add("func init() {}")),
    "go: methods of two types": ("package p\n\nfunc (a *A) F() {}\n", add("func (b *B) F() {}")),
    "javascript: a getter and a setter": (
        "class A {\n  get x() { return 1; }\n}\n",
        add("set x(v) {}", "last", "A"),
    ),
    "typescript: an interface": ("interface A { x: 1 }\n", add("interface A { y: 1 }")),
    "typescript: what overloads declare": ("function f(a: string): void;\n", add("function f(a: any) {}")),
    "java: an overload": ("class A {\n    void f() {}\n}\n", add("void f(int a) {}", "last", "A")),
    "rust: an impl": ("struct A;\n\nimpl A {}\n", add("impl B for A {}")),
    "rust: a condition": ("#[cfg(unix)]\nfn f() {}\n", add("#[cfg(windows)]\nfn f() {}")),
    "csharp: part of a class": ("partial class A {\n}\n", add("partial class A {\n}")),
    "kotlin: a block of a class": ("class A {\n    init {}\n}\n", add("init { x() }", "last", "A")),
    "ruby: an open class": ("class A\nend\n", add("class A\nend")),
    "csharp: a static constructor": ("class A {\n    A() { }\n}\n", add("static A() { }", "last", "A")),
    "kotlin: properties of two types": ("val A.x: Int get() = 1\n", add("val B.x: Int get() = 2")),
    "swift: a type's own": (
        "struct A {\n    var x: Int { 1 }\n}\n",
        add("static var x: Int { 2 }", "last", "A"),
    ),
    "cpp: two templates": ("template <int N> void f() {}\n", add("template <typename T> void f() {}")),
    "c: what was declared": ("extern int x;\n", add("int x = 2;")),
}


@pytest.mark.parametrize(("language", "text", "operation"), by_language(BESIDE), ids=BESIDE)
def test_what_may_stand_beside_another_of_its_name_is_added(language, text, operation):
    assert operation["code"].split("\n")[-1] in carried(text, operation, language=language)


MOVED = {
    "python: up": (
        PYTHON,
        move("g", "before", "f"),
        move("g", "after", "f"),
        f"LIMIT = 1\n\n\n{G}\n\n{F}\n\n{A}",
    ),
    "python: down": (
        PYTHON,
        move("f", "after", "A"),
        move("f", "before", "g"),
        f"LIMIT = 1\n\n\n{G}\n\n{A}\n\n{F}",
    ),
    "javascript: a constant": (
        "const a = 1;\n\nfunction f() {\n  return x;\n}\n\nconst x = 2;\n",
        move("x", "after", "a"),
        move("x", "last"),
        "const a = 1;\nconst x = 2;\n\nfunction f() {\n  return x;\n}\n",
    ),
    "java: a method": (
        "class A {\n  int x = 1;\n\n  void f() {\n  }\n\n  void g() {\n  }\n}\n",
        move("A.g", "before", "A.f"),
        move("A.g", "after", "A.f"),
        "class A {\n  int x = 1;\n\n  void g() {\n  }\n\n  void f() {\n  }\n}\n",
    ),
    "go: with its comment": (
        "package p\n\nfunc f() int {\n\treturn g()\n}\n\n// g is.\nfunc g() int {\n\treturn 1\n}\n",
        move("g", "before", "f"),
        move("g", "after", "f"),
        "package p\n\n// g is.\nfunc g() int {\n\treturn 1\n}\n\nfunc f() int {\n\treturn g()\n}\n",
    ),
}


@pytest.mark.parametrize(("language", "text", "there", "back", "expected"), by_language(MOVED), ids=MOVED)
def test_a_definition_is_moved_with_all_that_belongs_to_it_and_back(language, text, there, back, expected):
    assert carried(text, there, language=language) == expected
    if there["target"] != "x":  # whose gap was another
        assert carried(expected, back, language=language) == text


def test_what_stands_there_already_is_noted():
    assert outcome(PYTHON, move("g", "after", "f"))[1].notes == ("`g` stands there already",)


REFUSED = {
    "python: what is called": (f"{F}\n\nf()\n", move("f", "last"), "line 5 needs `f` above it"),
    "python: a method": (f"{A}\n\nX = 1\n", move("A.m", "after", "X"), "would be another thing"),
    "python: what stands beside it": (
        "x = 1; y = 2\n\n\ndef f(): pass\n",
        move("x", "after", "f"),
        "line 1 holds other code too",
    ),
    "python: itself": (A, move("A", "after", "A.m"), "would be another thing"),
    "python: a function": (f"{F}\n\n{G}", move("g", "first", "f"), "would be another thing there"),
    "python: what is not there": (PYTHON, move("h", "last"), "h: is not in this file"),
    "python: an anchor that is not there": (PYTHON, move("f", "after", "h"), "h: is not in this file"),
    "python: no anchor": (PYTHON, move("f", "after"), "`before` and `after` need an `anchor`"),
    "cpp: access": (
        "class A {\npublic:\n  int f() { return 1; }\nprivate:\n  int g;\n};\n",
        move("A.f", "last", "A"),
        "would have another access there",
    ),
}


@pytest.mark.parametrize(("language", "text", "operation", "reason"), by_language(REFUSED), ids=REFUSED)
def test_what_must_stand_where_it_is_is_refused(language, text, operation, reason):
    assert reason in refused(text, operation, language=language)


def test_a_definition_does_not_move_below_what_runs_the_functions_that_need_it():
    text = "def g(): pass\n\n\ndef f(): g()\n\n\nif __name__ == '__main__':\n    f()\n"
    assert "line 8 runs what is above it, and line 4 needs `g` then" in refused(text, op("move g last"))
    assert carried(text, op("move g after f")).startswith("def f")


RUST = "struct A {\n    x: u8,\n}\n\nimpl A {\n    fn f(&self) {}\n}\n"


@pytest.mark.parametrize(
    ("operation", "change"),
    [
        (op("add-decorator A 'derive(Debug)'"), ("struct", "#[derive(Debug)]\nstruct")),
        (op("add-modifier A pub"), ("struct", "pub struct")),
        (op("add 'fn g(&self) {}' last A"), ("fn f(&self) {}\n", "fn f(&self) {}\n\n    fn g(&self) {}\n")),
    ],
)
def test_a_type_of_rust_is_meant_and_its_impl_where_something_goes_into_it(operation, change):
    assert carried(RUST, operation, language="rust") == RUST.replace(*change, 1)


def test_the_impl_blocks_of_a_type_are_told_apart_by_their_lines():
    add = op("add 'fn g() {}' last A")
    text = RUST + "\nimpl A {\n    fn h() {}\n}\n"
    assert "can mean 2 things" in refused(text, add, language="rust")
    assert "fn h() {}\n\n    fn g() {}" in carried(text, add | {"anchor": "A@9"}, language="rust")


def test_what_goes_into_a_type_goes_into_the_one_impl_that_is_no_traits():
    add = op("add 'fn g() {}' last A")
    trait = "\nimpl B for A {\n    fn h() {}\n}\n"
    assert "fn f(&self) {}\n\n    fn g() {}" in carried(RUST + trait, add, language="rust")
    assert "fn h() {}\n\n    fn g() {}" in carried("struct A;\n" + trait, add, language="rust")


HEADS = [
    ("python", "#!/usr/bin/env python\n# -*- coding: latin-1 -*-\n", "x = 2\n"),
    ("python", "# Copyright me\n# All rights reserved\n", "def f(): ...\n"),
    ("python", "# What it is for.\n\n", "# about f\ndef f(): ...\n"),
    ("python", "", "# about f\ndef f(): ...\n"),
    ("python", '# Copyright me\n\n"""Doc."""\n', "\n# Constants\n\nx = 2\n"),
    ("rust", "#![allow(x)]\n#![deny(y)]\n", "\nfn f() {}\n"),
    ("javascript", "#!/usr/bin/env node\n// Copyright me\n'use strict';\n", "\nf();\n"),
    ("c", "/* Copyright\n   me */\n", "int f(void);\n"),
]
FIRST = {
    "python": ("X = 1", "os"),
    "rust": ("const X: i32 = 1;", "std::fs"),
    "javascript": ("const X = 1;", "./x"),
    "c": ("int X;", "<x.h>"),
}


@pytest.mark.parametrize(("language", "head", "below"), HEADS)
def test_what_goes_first_goes_below_what_is_about_the_file_and_above_the_comment_on_what_follows(
    language, head, below
):
    code, module = FIRST[language]
    operations = ({"op": "add", "code": code, "where": "first"}, {"op": "add-import", "module": module})
    for operation in operations:
        changed = carried(head + below, operation, language=language)
        assert changed.startswith(head)
        assert changed.endswith(below)


@pytest.mark.parametrize(("target", "where", "anchor"), [("m", "last", None), ("f", "before", "m")])
def test_a_macro_of_rust_stays_above_its_uses(target, where, anchor):
    text = "macro_rules! m {\n    () => { 1 };\n}\n\nfn f() -> u8 {\n    m!()\n}\n\nfn g() {}\n"
    assert "line 6 needs `m` above it" in refused(
        text, {"op": "move", "target": target, "where": where, "anchor": anchor}, language="rust"
    )


@pytest.mark.parametrize(
    ("language", "text", "operation", "change"),
    [
        ("java", "import a.B;\n\nclass A {\n}\n", add("class C {}", "first"), ("B;\n", "B;\n\nclass C {}\n")),
        ("cpp", "class A {\npublic:\n  int f;\n};\n", add("int g;", "last", "A"), ("f;\n", "f;\n  int g;\n")),
    ],
    ids=["a class on a line, below imports", "last behind an access"],
)
def test_code_is_set_apart_and_indented_as_what_stands_beside_it(language, text, operation, change):
    assert carried(text, operation, language=language) == text.replace(*change, 1)


@pytest.mark.parametrize(
    ("operation", "wanted"),
    [
        (op("delete @3"), "#!/bin/python\n# License: MIT\nb()\n"),
        (add("c()", "before", "@3"), "#!/bin/python\n# License: MIT\n\n\nc()\na()\nb()\n"),
        (move("@4", "before", "@3"), "#!/bin/python\n# License: MIT\n\n\nb()\na()\n"),
    ],
)
def test_the_comments_on_the_file_do_not_belong_to_its_first_statement(operation, wanted):
    assert carried("#!/bin/python\n# License: MIT\na()\nb()\n", operation) == wanted


def test_the_comments_on_the_file_are_not_removed_with_those_of_its_first_statement():
    assert "line 3 has no comment above or after it" in refused(
        "#!/bin/python\n# License: MIT\na()\n", op("remove-comment --anchor 'a()'")
    )


BOTH = {
    "java": "class S {\n    int size;\n    int cap;\n\n    int size() { return 1; }\n}\n",
    "kotlin": "class S {\n    val size = 1\n    val cap = 1\n\n    fun size() = 2\n}\n",
    "rust": "struct S {\n    size: usize,\n    cap: usize,\n}\n\nimpl S {\n    fn size(&self) {}\n}\n",
}


@pytest.mark.parametrize(("language", "text"), BOTH.items())
@pytest.mark.parametrize(
    "operation", [op("delete S.size"), op("add-comment Say. S.size"), op("move S.cap before S.size")]
)
def test_a_field_and_a_method_of_one_name_are_two_things(language, text, operation):
    with pytest.raises(TargetUnresolved, match=r"S.size: can mean 2 things .* say which"):
        carried(text, operation, language=language)


@pytest.mark.parametrize(("line", "gone"), [(2, "    int size;\n"), (5, "\n    int size() { return 1; }\n")])
def test_a_field_and_a_method_of_one_name_are_told_apart_by_their_lines(line, gone):
    found = carried(BOTH["java"], {"op": "delete", "target": f"S.size@{line}"}, language="java")
    assert found == BOTH["java"].replace(gone, "")


@pytest.mark.parametrize(
    ("language", "text", "gone"),
    [
        (
            "java",
            "class J {\n    int a;\n    int b;\n    J(int a) {\n        this.a = a;\n    }\n}\n",
            "    int a;\n",
        ),
        ("javascript", "class J {\n  a = 0;\n  constructor(a) {\n    this.a = a;\n  }\n}\n", "  a = 0;\n"),
        (
            "csharp",
            "class J {\n    int a;\n    int b;\n    J(int n) {\n        a = n;\n    }\n}\n",
            "    int a;\n",
        ),
    ],
)
def test_a_field_is_its_declaration_where_a_constructor_assigns_to_it_too(language, text, gone):
    assert carried(text, op("delete J.a"), language=language) == text.replace(gone, "")


def test_code_goes_to_the_end_of_the_file_and_stays_code():
    guarded = ["#ifndef X_H", "#define X_H", "", "#include <a.h>", "", "int f(void);", "", "#endif", ""]
    cases: list[tuple[str, str, list[str], int]] = [
        ("php", "function g() {}", ["<?php", "function f() {}", "?>", "<b>x</b>", ""], 2),
        ("php", "function g() {}", ["<?php", "function f() {}", "__halt_compiler();", "data", ""], 2),
        ("ruby", "def g\nend", ["def f", "end", "", "__END__", "data", ""], 3),
        ("c", "struct s { int a; };", guarded, 7),
    ]
    for language, code, lines, row in cases:
        new = carried("\n".join(lines), {"op": "add", "code": code, "where": "last"}, language=language)
        kept = [line for line in new.replace(code, "").split("\n") if line]
        assert kept == [line for line in lines if line]
        assert new.index(code) < new.index(lines[row])


def test_code_goes_to_the_start_of_the_file_within_its_tag_or_guard():
    html = "<b>x</b>\n<?php\nfunction f() {}\n"
    add = op("add 'function g() {}' first")
    new = carried(html, add, language="php")
    assert new == html.replace("<?php\n", "<?php\n\nfunction g() {}\n\n")
    header = "#ifndef X_H\n#define X_H\n\n#include <a.h>\n\nint f(void);\n\n#endif\n"
    new = carried(header, add | {"code": "struct s;"}, language="c")
    assert new.index("<a.h>") < new.index("struct s;") < new.index("int f")


def test_a_place_outside_of_code_is_refused():
    add = op("add 'function g() {}'")
    for text, where in (("<a>\n<?= f() ?>\n", "first"), ("<?php\nfunction f() {} ?>\n", "last")):
        with pytest.raises(OperationRefused, match=r"no code stands there|the code ends within line 2"):
            carried(text, add | {"where": where}, language="php")


@pytest.mark.parametrize(
    ("language", "text", "code", "word"),
    [
        ("ruby", "class A\n  private\n\n  def b\n  end\nend\n", "def c\nend", "private"),
        ("cpp", "class A {\nprivate:\n  int b;\n};\n", "int c;", "private"),
    ],
)
def test_a_member_below_a_word_of_access_is_noted(language, text, code, word):
    found = outcome(text, add(code, "last", "A"), language=language)[1]
    assert found.notes == (f"it stands below `{word}` of line 2",)


@pytest.mark.parametrize(
    ("language", "text", "target", "anchor"),
    [
        ("java", "class T {\n    enum K { A }\n\n    static class B { K k; }\n}\n", "T.K", "T.B"),
        ("swift", "struct A {\n    let b: B\n}\n\nstruct B {\n}\n\nextension B {\n}\n", "B@5", "B@8"),
        ("typescript", "interface V { a: number }\n\ninterface W { v: V }\n", "V", "W"),
    ],
)
def test_a_type_that_is_known_everywhere_is_moved_past_what_names_it(language, text, target, anchor):
    moved = carried(text, move(target, "after", anchor), language=language)
    assert moved != text
    assert sorted(moved.split("\n")) == sorted(text.split("\n"))
