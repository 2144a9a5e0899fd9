from __future__ import annotations

import re
from contextlib import nullcontext

import pytest

from fastedit.errors import OperationRefused, TargetUnresolved
from fastedit.ops.source import Source
from fastedit.ops.uses.rename import check_name
from tests.ops.carried import by_language, carried, outcome, refused, rename, renamed

CASES = {
    "typescript: a variable is not the type of its name outside, which its own type may mean": (
        "interface A {}\nfunction f() {\n  const §: Array<A> = [];\n  §.push(1);\n}\n",
        "f.A to B",
    ),
    "typescript: a type is not the variable of its name outside, which may be asked for its type": (
        "const a = 1;\nfunction f() {\n  type § = typeof a;\n  const x: § = a;\n}\nexport { a };\n",
        "f.a to b",
    ),
    "typescript: a namespace is part of a path, and what it has is renamed behind its dot": (
        "namespace U { export interface § {} export const k = 1 }\nlet p: U.§ = U.k, q: V.P;\n",
        "U.P to Q",
    ),
    "rust: what a module of the file has is renamed behind its path": (
        "mod a { pub fn §() {} }\nfn g() { a::§(); b::f(); }\n",
        "a.f to h",
    ),
    "csharp: a type parameter is what its function gives back too": (
        "class A { § F<§>(§ a) { T G<T>(T x) => x; return G<§>(a); } Color F(int Color) => null; }\n",
        "A.F.T to U",
    ),
    "swift: a type parameter is what its function gives back too": (
        "func get<§>(a: §) -> § where §: P { return a }\n",
        "get.T to Y",
    ),
    "php: a variable that names a member": (
        '<?php\nfunction f() { § = 1; $o->§ = A::$n . A::§() . "{$o->§}" . $o?->{§}(); }\n',
        "f.$n to $y",
    ),
    "c: a tag and a variable of its name are two things": (
        "struct § { struct § *next; };\nint n;\nint f(struct § *p) { return n; }\n",
        "n@1 to y",
    ),
    "c: a tag and the type of its name": ("typedef struct § { int a; } §;\n§ x;\nstruct § *y;\n", "n to z"),
    "c: the parameter of a macro is its own": ("#define ADD(n, m) ((n) + (m))\nint §;\n", "n to y"),
    "java: a class and a field of its name are two things": (
        "class § { § A; void f() { § a = A; } }\n",
        "A to Y",
    ),
    "javascript: shorthand keeps its key": (
        "function §(a) { return { load‹: read›, a }; }\n",
        "load to read",
    ),
    "javascript: patterns keep their key": ("const { a‹: z›, b: c } = x;\nf(§, c);\n", "a to z"),
    "javascript: var is the function's, let the block's": (
        "function f() { { var § = 1; let w = §; } return §; }\nv;\n",
        "f.v to q",
    ),
    "javascript: a catch parameter hides": ("const § = 1;\ntry { §; } catch (e) { e; }\n", "e to q"),
    "typescript: imports and exports keep what others see": (
        'import { load‹ as read›, save as put } from "m";\nexport { ‹read as ›load };\n§(put);\n',
        "load to read",
    ),
    "typescript: classes as types and values": (
        "class §<T> { x: T; }\nfunction f(a: §<number>): §<number> { return new §(); }\no.A;\n",
        "A to B",
    ),
    "typescript: type parameters": (
        "class A<T> { x: T; }\nfunction f<§>(a: §): § { return a; }\n",
        "f.T to U",
    ),
    "tsx: components": ("function §() { return <p>Box</p>; }\nconst b = <§><§ /></§>;\n", "Box to Card"),
    "go: what := takes on its right is the outer one": (
        "package p\n\nvar a = 1\n\nfunc f() int {\n\t§ := a + 1\n\treturn §\n}\n",
        "f.a to b",
    ),
    "go: := takes a parameter over": (
        "package p\n\nfunc f(§ error) {\n\tx, § := g()\n\tif err := h(); err != nil {\n\t}\n\t_ = §\n}\n",
        "f.err to e",
    ),
    "go: types, not fields": (
        "package p\n\ntype § struct{ S int }\n\nfunc (s *§) F() § { return §{} }\n",
        "S to T",
    ),
    "java: classes with their constructors": (
        "class § { §() {} static § of() { return new §(); } }\nclass B extends § { § a = §.of(); }\n",
        "A to C",
    ),
    "java: locals and lambdas": (
        "class A { int f(int §) { F g = (y) -> § + y; return this.x + §; } }\n",
        "f.x to z",
    ),
    "c: functions with their prototypes": (
        "int §(int a);\nint §(int a) { return s.load + §(a); }\n",
        "load to read",
    ),
    "c: blocks hide": (
        "int f(int §) { for (int i = §; i; i--) { int x = i; g(x); } return §; }\n",
        "f.x@1 to y",
    ),
    "c: tags are apart from variables": (
        "struct node { int v; };\nvoid f(void) { struct node §; §.v = 1; }\n",
        "f.node to n",
    ),
    "c: an initializer sees what it initializes": (
        "int *p;\nvoid f(void) { int *§ = g(sizeof(*§)); *§ = 1; }\n",
        "f.p to q",
    ),
    "c: fields of what is declared to have them": (
        "struct a { int §; };\nstruct b { int v; };\nint f(struct a *x, struct b *y) { return x->§ + y->v; }\n",
        "a.v to w",
    ),
    "cpp: locals, captures and bindings": (
        "int f(int a) { auto [§, c] = g(a); auto l = [a, &§, d = 1](int e) { return a + § + d + e; }; return l(c); }\n",
        "f.b to z",
    ),
    "cpp: a local of a template's function that returns a reference": (
        "int& A<T>::f() { int § = 1; return §; }\nint g() { int a = 1; return a; }\n",
        "A.f.a to b",
    ),
    "cpp: a lambda captures under a name of its own": (
        "int d;\nint f(int a) { auto l = [§ = a](int e) { return § + e; }; return l(d); }\n",
        "d@2 to z",
    ),
    "cpp: parameters, not members of the same name": (
        "struct P { int x; P(int §) : x(§) { this->x = §; } };\n",
        "P.x to z",
    ),
    "cpp: static functions": (
        "static int §(int a) { return a; }\nint g() { return §(1) + o.f(2) + std::f(3); }\n",
        "f to h",
    ),
    "rust: shadowing, macros and what they capture": (
        'fn f(§: u8) -> u8 { let § = § + 1; println!("{§} {}", §); if let Some(n) = g(§) { n } else { § } }\n',
        "f.n to m",
    ),
    "rust: constants in patterns are no bindings": (
        "const §: u8 = 1;\nfn f(x: u8) -> u8 { match x { § => 0, y if y > § => y, y => y } }\n",
        "TOP to MAX",
    ),
    "rust: fields with their literals and patterns": (
        "struct A { §: u8 }\nstruct B { x: u8 }\n"
        "impl A { fn f(&self, b: &B) -> A { let x = self.§ + b.x; A {‹ y:› x } } }\n"
        "fn g(a: A) -> u8 { let A { ‹y: ›x } = a; x }\n",
        "A.x to y",
    ),
    "rust: methods, by their paths too": (
        "struct A;\nimpl A { fn §() -> Self { A } fn f() { Self::§(); Vec::new(); } }\nfn g() { A::§(); }\n",
        "A.new to made",
    ),
    "rust: a module of tests sees what it imports": (
        "fn §() {}\nmod tests { use super::*; fn g() { §(); } }\nmod other { fn f() {} fn g() { f(); } }\n",
        "f@1 to h",
    ),
    "rust: variants with fields, by their exact paths": (
        "enum K { A, § { id: u32 } }\nfn f(k: K) { match k { K::§ { id } => id } }\n"
        "fn g() { K::§ { id: 1 }; vec![K::§ { id: 2 }]; }\nimpl K { fn h() { Self::§ { id: 3 }; } }\n",
        "K.C to D",
    ),
    "typescript: private members": (
        "class A { private § = 1; f(o: A) { return this.§ + o.§; } }\nfunction g(p) { return p.x; }\n",
        "A.x to y",
    ),
    "javascript: a getter beside a private field": (
        "class A { #x = 1; get §() { return this.#x; } }\nnew A().§;\n",
        "A.x to y",
    ),
    "javascript: a private field beside its getter": (
        "class A { #§ = 1; get x() { return this.#§; } }\nnew A().x;\n",
        "A.#x to y",
    ),
    "java: methods without their object": (
        "class A { int §() { return §() + g(this); } int g(A a) { return a.§(); } }\nclass B { int f() {} }\n",
        "A.f to h",
    ),
    "java: fields, not locals of the same name": (
        "class A { int §; A(int x) { this.§ = x; } int f() { int y = §; return y; } }\n",
        "A.x@1 to z",
    ),
    "go: fields of one struct": (
        "package p\n\ntype A struct{ § int }\n\ntype B struct{ X int }\n\nfunc (a *A) F(b *B) A {\n"
        "\ta.§ = b.X\n\tc := A{§: 1}\n\tc.§++\n\treturn c\n}\n",
        "A.X to Y",
    ),
    "go: methods": (
        "package p\n\ntype A struct{}\n\nfunc (a A) §() {\n\ta.§()\n}\n\nfunc F(a A) {\n\ta.§()\n}\n",
        "A.F to G",
    ),
    "go: a loop in a function that is assigned": (
        "package p\n\nfunc f(x []int) {\n\tg := func() {\n\t\tfor § := range x {\n\t\t\th(§)\n\t\t}\n"
        "\t}\n\tg()\n}\n",
        "f.i to j",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_rename_follows_the_scopes_and_is_undone_by_one_back(case):
    language, (text, names) = case.split(":")[0], CASES[case]
    target, new = names.split(" to ")
    before, after = renamed(text, target, new)
    assert carried(before, rename(target, new), language=language) == after
    *around, old = target.split("@")[0].split(".")
    back = rename(".".join([*around, new]), old.strip("#"))
    assert carried(after, back, language=language) == before


LEFT = {
    "rust: what an implementation of a trait has": (
        "trait T { fn f(&self); }\nstruct A;\nimpl T for A { fn f(&self) {} }\n",
        "T.f to g",
        [2],
    ),
    "rust: variants under their bare names": (
        "use E::*;\nenum E { A, B }\nfn f() -> E { A }\n",
        "E.A to C",
        [2],
    ),
    "rust: a path through this file": ("fn f() {}\nmod m { fn g() { super::f(); } }\n", "f to h", [1]),
    "rust: the rules of a macro": ("fn f() {}\nmacro_rules! m { () => { f() } }\n", "f to h", [1]),
}


@pytest.mark.parametrize(("language", "text", "names", "lines"), by_language(LEFT), ids=LEFT)
def test_what_may_be_meant_too_is_left_and_reported(language, text, names, lines):
    _, found = outcome(text, rename(*names.split(" to ")), language=language)
    assert [place.line for place in found.left] == lines


REFUSED = {
    "rust: a trait's name": (
        "struct A;\nimpl T for A { fn f(&self) {} }\n",
        "A.f to g",
        "is the name that a trait gives it",
    ),
    "java: an override": (
        "class A extends B { @Override int f() {} }\n",
        "A.f to g",
        "overrides what another",
    ),
    "javascript: a constructor": ("class A { constructor() {} }\n", "A.constructor to f", "makes the object"),
    "tsx: an element that would be one of HTML": (
        "import { Text } from 'a';\nconst B = () => <Text a={1} />;\n",
        "Text to label",
        "`<label>` on line 2 would be an element of HTML",
    ),
    "cpp: a member of C++": (
        "struct A { int x; };\n",
        "A.x to y",
        "there is none|is known to define it|not in this file",
    ),
    "cpp: a function of C++ that others see": ("int f() { return 1; }\n", "f to g", "may be overloaded"),
}


@pytest.mark.parametrize(("language", "text", "names", "reason"), by_language(REFUSED), ids=REFUSED)
def test_what_other_files_decide_over_is_refused(language, text, names, reason):
    with pytest.raises(OperationRefused, match=reason):
        carried(text, rename(*names.split(" to ")), language=language)


def test_a_key_of_a_literal_is_left_and_reported():
    text = "package p\n\nfunc f(path string) S { return S{path: path} }\n"
    new, found = outcome(text, rename("f.path", "at"), language="go")
    assert new == "package p\n\nfunc f(at string) S { return S{path: at} }\n"
    assert [place.line for place in found.left] == [2]


OVERLOADS = (
    "class J {\n  int load(String p, int n) { return load(p); }\n\n  int load(String p) { return 1; }\n}\n"
)


def test_one_of_several_overloads_is_not_renamed_alone():
    with pytest.raises(OperationRefused, match=r"has 2 overloads \(line 2, 4\).* leave out @LINE"):
        carried(OVERLOADS, rename("J.load@4", "read"), language="java")


def test_overloads_are_renamed_together_with_a_note():
    made, found = outcome(OVERLOADS, rename("J.load", "read"), language="java")
    assert made == OVERLOADS.replace("load", "read")
    assert found.notes == ("all 2 overloads of `load` (line 2, 4) are renamed",)


def test_the_signatures_of_one_function_are_no_overloads_apart():
    text = "function f(a: A): A;\nfunction f(a: B): B;\nfunction f(a) {\n  return a;\n}\n"
    made, found = outcome(text, rename("f@3", "g"), language="typescript")
    assert (made, found.notes) == (text.replace("function f", "function g"), ())


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("export function f(a: number) { return a; }\n", "f.a"),
        ("export class A {\n  private a = 1;\n}\n", "A.a"),
    ],
)
def test_what_no_other_file_can_name_is_not_said_to_be_exported(text, target):
    assert not outcome(text, rename(target, "c"), language="typescript")[1].notes


@pytest.mark.parametrize(
    ("text", "target", "expected"),
    [
        (
            "type A = { x: number };\nconst a: A = { x: 1 };\n",
            "A.x",
            "type A = { y: number };\nconst a: A = { y: 1 };\n",
        ),
        ("enum A { x = 1, z }\nf(A.x);\n", "A.x", "enum A { y = 1, z }\nf(A.y);\n"),
        ("enum A { z, x }\nf(A.x);\n", "A.x", "enum A { z, y }\nf(A.y);\n"),
    ],
)
def test_members_of_interfaces_types_and_enums_of_typescript_are_renamed(text, target, expected):
    new, found = outcome(text, rename(target, "y"), language="typescript")
    assert new == expected
    assert not found.left


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("interface A { x: number }\nf({ x: 1 });\n", [1]),
        ("interface A { x: number }\nconst g = ({ x }: A) => x;\n", [1]),
        ("interface A { x: number }\nclass B { x = 1; }\n", [1]),
        ("class A { x = 1; }\nf({ x: 1 });\n", []),
        ("interface A { x: number; b: { x: number } }\n", []),
    ],
)
def test_what_may_be_of_an_interface_without_saying_so_is_left_and_reported(text, lines):
    _, found = outcome(text, rename("A.x", "y"), language="typescript")
    assert [place.line for place in found.left] == lines


def test_a_method_that_an_interface_of_go_has_too_is_renamed_and_the_other_is_reported():
    text = "package p\n\ntype A interface {\n\tF()\n}\n\ntype B struct{}\n\nfunc (b B) F() {}\n"
    for target, line in (("A.F", 8), ("B.F", 3)):
        _, found = outcome(text, rename(target, "G"), language="go")
        assert [place.line for place in found.left] == [line]


def test_members_of_a_struct_of_c_are_renamed_where_a_variable_or_a_literal_is_declared_with_it():
    text = (
        "struct a { int x; };\nstruct a g = { .x = 1 };\n"
        "int f(void) {\n    struct a b = { .x = 1 };\n    struct a *p = &b;\n"
        "    return h((struct a){ .x = 2 }) + b.x + p->x;\n}\n"
    )
    new, found = outcome(text, rename("a.x", "y"), language="c")
    assert new == text.replace("x", "y")
    assert not found.left


def test_a_variable_of_a_declared_type_is_of_that_type_whatever_it_is_given():
    text = "class A {\n  int x;\n}\nclass B extends A {\n  int x;\n}\n"
    text += "class C {\n  int f() { A a = new B(); return a.x; }\n}\n"
    assert "return a.y" in carried(text, rename("A.x", "y"), language="java")
    assert "return a.x" in carried(text, rename("B.x", "y"), language="java")


@pytest.mark.parametrize(
    ("language", "name", "is_taken"),
    [
        ("c", "switch", True), ("c", "int", True), ("csharp", "class", True), ("go", "func", True),
        ("java", "class", True), ("rust", "match", True), ("rust", "fn", True), ("typescript", "class", True),
        # They have a meaning in some places only.
        ("typescript", "type", False), ("javascript", "get", False), ("csharp", "value", False),
    ],
)  # fmt: skip
def test_a_keyword_is_no_name(language, name, is_taken):
    source = Source(("",), language, operation="rename")
    with pytest.raises(OperationRefused, match="cannot be a name") if is_taken else nullcontext():
        check_name(source, name)


# {0} is the field, {1} the method.
FIELDS = {
    "java": (
        "class A {{\n  int {0};\n  int {1}() {{\n    int x = {1}();\n    return this.{0} + f(this::{1});\n"
        "  }}\n}}\n",
        3,
    )
}


@pytest.mark.parametrize(("language", "case"), FIELDS.items(), ids=FIELDS)
def test_a_field_and_a_method_of_one_name_are_two_things(language, case):
    form, line = case
    text = form.format("x", "x")
    assert carried(text, rename("A.x@2", "y"), language=language) == form.format("y", "x")
    assert carried(text, rename(f"A.x@{line}", "y"), language=language) == form.format("x", "y")
    assert "can mean 2 things" in refused(text, rename("A.x", "y"), language=language)


def test_a_private_name_is_that_of_the_class_around_whatever_stands_before_it():
    inner = "class B { #x = 2; f(o) { return o.#x; } }"
    text = f"class A {{ #x = 1; static f(o) {{ return #x in o && o.#x; }} g() {{ return {inner}; }} }}\n"
    new, found = outcome(text, rename("A.#x", "y"), language="javascript")
    assert new == text.replace("#x", "#y").replace(inner.replace("#x", "#y"), inner)
    assert not found.left


def test_what_imports_a_function_from_its_module_in_the_file_is_left():
    text = "mod a {\n    pub fn f() {}\n}\nuse a::f;\nuse a::{b, f as g};\nuse b::f as h;\n"
    new, found = outcome(text, rename("a.f", "q"), language="rust")
    assert new == text.replace("fn f", "fn q")
    assert [place.line for place in found.left] == [3, 4]


def test_a_module_or_type_of_the_file_is_renamed_where_a_use_begins_with_it():
    text = "mod a {\n    pub fn f() {}\n}\nenum E { A }\nuse a::{f as g};\nuse a::*;\nuse E::A;\nuse b::{a::h};\n"
    new, found = outcome(text, rename("a", "q"), rename("E", "Q"), language="rust")
    assert new == (
        "mod q {\n    pub fn f() {}\n}\nenum Q { A }\nuse q::{f as g};\nuse q::*;\nuse Q::A;\nuse b::{a::h};\n"
    )
    assert not found.left


def test_a_module_with_a_file_of_its_own_is_not_renamed():
    assert "`a` is the name of a file too" in refused(
        "mod a;\nuse a::f;\n", rename("a", "q"), language="rust"
    )


@pytest.mark.parametrize("given", ["start", "start = 0", "start: s", "restart: s"])
def test_a_pattern_is_as_it_was_after_a_rename_there_and_back(given):
    text = f"const {{ {given}, b }} = o;\nf({given[-1] if ':' in given else 'start'});\n"
    old = "s" if ":" in given else "start"
    there = carried(text, rename(old, "fresh"), language="javascript")
    assert carried(there, rename("fresh", old), language="javascript") == text


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("typescript", "function g() {}\nclass A { f() { g(); } }\n", ("A.f", "g")),
        ("rust", "fn g() {}\nstruct A;\nimpl A { fn f(&self) { g() } }\n", ("A.f", "g")),
        ("go", "package p\n\ntype G struct{}\n\ntype A struct{ F G }\n", ("A.F", "G")),
    ],
)
def test_a_member_may_be_called_like_what_is_used_without_an_object(language, text, names):
    old, new = names[0].split(".")[-1], names[1]
    declared = f"{old} G" if language == "go" else f"{old}("
    assert carried(text, rename(*names), language=language) == text.replace(declared, new + declared[1:])


def test_a_member_of_an_enum_is_not_called_like_what_another_one_is():
    assert "`X` means something else on line 2" in refused(
        "const X = 1;\nenum E { A, B = X }\n", rename("E.A", "X"), language="typescript"
    )


@pytest.mark.parametrize(
    ("language", "text", "lines"),
    [
        (
            "typescript",
            "interface Q { id: number }\nclass R implements Q {\n  constructor(public id: number) {}\n"
            "  get() { return this.id }\n}\n",
            [2, 3],
        ),
        (
            "java",
            "interface Q { int id(); }\nrecord R(int id) implements Q {\n  int f() { return this.id(); }\n}\n",
            [1, 2],
        ),
    ],
)
def test_a_parameter_that_is_a_field_too_is_what_its_class_declares(language, text, lines):
    new, found = outcome(text, rename("Q.id", "key"), language=language)
    assert new == text.replace("id", "key", 1)
    assert [place.line for place in found.left] == lines
    for target, more in (("R.id", {}), ("Q.id", {"attributes": "all"})):
        assert "is a parameter and a field of its class at once" in refused(
            text, rename(target, "key", **more), language=language
        )


def test_a_variant_of_another_type_or_another_module_is_not_the_one_that_is_meant():
    text = "enum K { C { id: u32 } }\nenum L { C { id: u32 } }\n"
    text += "fn f() { L::C { id: 1 }; }\nfn g() { m::K::C { id: 1 }; }\n"
    new, found = outcome(text, rename("K.C", "D"), language="rust")
    assert new == text.replace("C", "D", 1)
    assert [place.line for place in found.left] == [3]


def test_a_private_member_may_be_given_its_new_name_with_its_mark():
    text = "class A {\n  #x = 1\n  get() { return this.#x }\n  x() {}\n}\n"
    for new in ("y", "#y"):
        assert carried(text, rename("A.#x", new), language="javascript") == text.replace("#x", "#y")
    assert "`#y` cannot be a name in javascript" in refused(text, rename("A.x", "#y"), language="javascript")


@pytest.mark.parametrize(
    ("language", "text", "target"),
    [
        ("go", "package p\n\nfunc f() {\nend:\n\tgoto end\n}\n", "end"),
        ("kotlin", "\n\n\nimport a.b as c\n", "c"),
    ],
)
def test_a_definition_that_is_not_followed_is_not_said_to_be_a_use(language, text, target):
    with pytest.raises(
        TargetUnresolved, match=r"nothing here is known to define it \(it stands first on line 4\)"
    ):
        carried(text, rename(target, "other"), language=language)


LOCALS = {
    "java: a lambda's parameter": ("F f = k -> k + 1;",),
    "java: a lambda's variable": ("F f = a -> { int k = a; return k; };",),
    "java: a variable of a pattern": ("switch (p) { case P(int k) -> r = k; default -> {} }",),
    "csharp: a lambda's variable of C#": ("F f = a => { int k = a; return k; };",),
}


@pytest.mark.parametrize(("language", "line"), by_language(LOCALS), ids=LOCALS)
def test_a_local_variable_gets_no_name_of_one_within_or_around_where_that_is_an_error(language, line):
    text = f"class A {{\n  int m(Object p) {{\n    int r = 3;\n    {line}\n    return r;\n  }}\n}}\n"
    assert "`k` would meet another variable on line 4" in refused(
        text, rename("A.m.r", "k"), language=language
    )


def test_of_several_variables_of_rust_with_one_name_that_of_a_line_is_renamed_alone():
    text = (
        "fn f(a: u8) -> u8 {\n    let n = a;\n    let g = |x| x + n;\n    let n = {\n        n + 1\n    };\n"
        "    let (n, b) = (n * 2, n);\n    h!(n, b)\n}\n"
    )
    first = text.replace("let n = a", "let m = a").replace("x + n", "x + m").replace("n + 1", "m + 1")
    assert carried(text, rename("f.n@2", "m"), language="rust") == first
    assert carried(text, rename("f.n@3", "m"), language="rust") == first
    second = text.replace("let n = {", "let m = {").replace("(n * 2, n)", "(m * 2, m)")
    assert carried(text, rename("f.n@4", "m"), language="rust") == second
    third = text.replace("let (n, b)", "let (m, b)").replace("h!(n", "h!(m")
    assert carried(text, rename("f.n@7", "m"), language="rust") == third
    whole = carried(text, rename("f.n", "m"), language="rust")
    assert whole == re.sub(r"\bn\b", "m", text)


def test_two_variables_of_rust_on_one_line_are_not_told_apart():
    text = "fn f() -> u8 {\n    let n = 1; let n = n + 1;\n    n\n}\n"
    assert "can mean 2 things" in refused(text, rename("f.n@2", "m"), language="rust")


def test_a_macro_is_named_where_it_cannot_be_renamed():
    text = "#define MAX(a, b) ((a) > (b) ? (a) : (b))\nint x = MAX(1, 2);\n"
    assert "MAX: is a macro, whose uses are not followed" in refused(text, rename("MAX", "BIG"), language="c")


@pytest.mark.parametrize(
    ("language", "text", "target"),
    [
        ("c", "int main(void) { return 0; }\n", "main"),
        ("go", "package m\n\nfunc init() {}\n", "init"),
        ("go", "package m\n\ntype A struct{}\n\nfunc (a A) Error() string { return E }\n", "A.Error"),
        ("rust", "fn main() {}\n", "main"),
        ("java", "class A {\n    public int hashCode() { return 1; }\n}\n", "A.hashCode"),
        ("typescript", "class A {\n  toJSON() { return 1; }\n}\n", "A.toJSON"),
    ],
)
def test_a_name_that_the_language_looks_up_stays(language, text, target):
    assert "has a meaning of its own to the language" in refused(
        text, rename(target, "other"), language=language
    )
