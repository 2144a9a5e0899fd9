from __future__ import annotations

import re
from contextlib import nullcontext

import pytest

from fastedit.errors import OperationRefused, TargetUnresolved
from fastedit.ops.source import Source
from fastedit.ops.uses.rename import check_name
from tests.ops.carried import carried, outcome, rename

CASES = {
    "typescript: a variable is not the type of its name outside, which its own type may mean": (
        "typescript",
        "interface A {}\nfunction f() {\n  const A: Array<A> = [];\n  A.push(1);\n}\n",
        ("f.A", "B"),
        "interface A {}\nfunction f() {\n  const B: Array<A> = [];\n  B.push(1);\n}\n",
    ),
    "typescript: a type is not the variable of its name outside, which may be asked for its type": (
        "typescript",
        "const a = 1;\nfunction f() {\n  type a = typeof a;\n  const x: a = a;\n}\nexport { a };\n",
        ("f.a", "b"),
        "const a = 1;\nfunction f() {\n  type b = typeof a;\n  const x: b = a;\n}\nexport { a };\n",
    ),
    "typescript: a namespace is part of a path, and what it has is renamed behind its dot": (
        "typescript",
        "namespace U { export interface P {} export const k = 1 }\nlet p: U.P = U.k, q: V.P;\n",
        ("U.P", "Q"),
        "namespace U { export interface Q {} export const k = 1 }\nlet p: U.Q = U.k, q: V.P;\n",
    ),
    "rust: what a module of the file has is renamed behind its path": (
        "rust",
        "mod a { pub fn f() {} }\nfn g() { a::f(); b::f(); }\n",
        ("a.f", "h"),
        "mod a { pub fn h() {} }\nfn g() { a::h(); b::f(); }\n",
    ),
    "csharp: a type parameter is what its function gives back too": (
        "csharp",
        "class A { T F<T>(T a) { T G<T>(T x) => x; return G<T>(a); } Color F(int Color) => null; }\n",
        ("A.F.T", "U"),
        "class A { U F<U>(U a) { T G<T>(T x) => x; return G<U>(a); } Color F(int Color) => null; }\n",
    ),
    "swift: a type parameter is what its function gives back too": (
        "swift",
        "func get<T>(a: T) -> T where T: P { return a }\n",
        ("get.T", "Y"),
        "func get<Y>(a: Y) -> Y where Y: P { return a }\n",
    ),
    "php: a variable that names a member": (
        "php",
        '<?php\nfunction f() { $n = 1; $o->$n = A::$n . A::$n() . "{$o->$n}" . $o?->{$n}(); }\n',
        ("f.$n", "$y"),
        '<?php\nfunction f() { $y = 1; $o->$y = A::$n . A::$y() . "{$o->$y}" . $o?->{$y}(); }\n',
    ),
    "c: a tag and a variable of its name are two things": (
        "c",
        "struct n { struct n *next; };\nint n;\nint f(struct n *p) { return n; }\n",
        ("n@1", "y"),
        "struct y { struct y *next; };\nint n;\nint f(struct y *p) { return n; }\n",
    ),
    "c: the parameter of a macro is its own": (
        "c",
        "#define ADD(n, m) ((n) + (m))\nint n;\n",
        ("n", "y"),
        "#define ADD(n, m) ((n) + (m))\nint y;\n",
    ),
    "java: a class and a field of its name are two things": (
        "java",
        "class A { A A; void f() { A a = A; } }\n",
        ("A", "Y"),
        "class Y { Y A; void f() { Y a = A; } }\n",
    ),
    "javascript: shorthand keeps its key": (
        "javascript",
        "function load(a) { return { load, a }; }\n",
        ("load", "read"),
        "function read(a) { return { load: read, a }; }\n",
    ),
    "javascript: patterns keep their key": (
        "javascript",
        "const { a, b: c } = x;\nf(a, c);\n",
        ("a", "z"),
        "const { a: z, b: c } = x;\nf(z, c);\n",
    ),
    "javascript: var is the function's, let the block's": (
        "javascript",
        "function f() { { var v = 1; let w = v; } return v; }\nv;\n",
        ("f.v", "q"),
        "function f() { { var q = 1; let w = q; } return q; }\nv;\n",
    ),
    "javascript: a catch parameter hides": (
        "javascript",
        "const e = 1;\ntry { e; } catch (e) { e; }\n",
        ("e", "q"),
        "const q = 1;\ntry { q; } catch (e) { e; }\n",
    ),
    "typescript: imports and exports keep what others see": (
        "typescript",
        'import { load, save as put } from "m";\nexport { load };\nload(put);\n',
        ("load", "read"),
        'import { load as read, save as put } from "m";\nexport { read as load };\nread(put);\n',
    ),
    "typescript: classes as types and values": (
        "typescript",
        "class A<T> { x: T; }\nfunction f(a: A<number>): A<number> { return new A(); }\no.A;\n",
        ("A", "B"),
        "class B<T> { x: T; }\nfunction f(a: B<number>): B<number> { return new B(); }\no.A;\n",
    ),
    "typescript: type parameters": (
        "typescript",
        "class A<T> { x: T; }\nfunction f<T>(a: T): T { return a; }\n",
        ("f.T", "U"),
        "class A<T> { x: T; }\nfunction f<U>(a: U): U { return a; }\n",
    ),
    "tsx: components": (
        "tsx",
        "function Box() { return <p>Box</p>; }\nconst b = <Box><Box /></Box>;\n",
        ("Box", "Card"),
        "function Card() { return <p>Box</p>; }\nconst b = <Card><Card /></Card>;\n",
    ),
    "go: what := takes on its right is the outer one": (
        "go",
        "package p\n\nvar a = 1\n\nfunc f() int {\n\ta := a + 1\n\treturn a\n}\n",
        ("f.a", "b"),
        "package p\n\nvar a = 1\n\nfunc f() int {\n\tb := a + 1\n\treturn b\n}\n",
    ),
    "go: := takes a parameter over": (
        "go",
        "package p\n\nfunc f(err error) {\n\tx, err := g()\n\tif err := h(); err != nil {\n\t}\n\t_ = err\n}\n",
        ("f.err", "e"),
        "package p\n\nfunc f(e error) {\n\tx, e := g()\n\tif err := h(); err != nil {\n\t}\n\t_ = e\n}\n",
    ),
    "go: types, not fields": (
        "go",
        "package p\n\ntype S struct{ S int }\n\nfunc (s *S) F() S { return S{} }\n",
        ("S", "T"),
        "package p\n\ntype T struct{ S int }\n\nfunc (s *T) F() T { return T{} }\n",
    ),
    "java: classes with their constructors": (
        "java",
        "class A { A() {} static A of() { return new A(); } }\nclass B extends A { A a = A.of(); }\n",
        ("A", "C"),
        "class C { C() {} static C of() { return new C(); } }\nclass B extends C { C a = C.of(); }\n",
    ),
    "java: locals and lambdas": (
        "java",
        "class A { int f(int x) { F g = (y) -> x + y; return this.x + x; } }\n",
        ("f.x", "z"),
        "class A { int f(int z) { F g = (y) -> z + y; return this.x + z; } }\n",
    ),
    "c: functions with their prototypes": (
        "c",
        "int load(int a);\nint load(int a) { return s.load + load(a); }\n",
        ("load", "read"),
        "int read(int a);\nint read(int a) { return s.load + read(a); }\n",
    ),
    "c: blocks hide": (
        "c",
        "int f(int x) { for (int i = x; i; i--) { int x = i; g(x); } return x; }\n",
        ("f.x@1", "y"),
        "int f(int y) { for (int i = y; i; i--) { int x = i; g(x); } return y; }\n",
    ),
    "c: tags are apart from variables": (
        "c",
        "struct node { int v; };\nvoid f(void) { struct node node; node.v = 1; }\n",
        ("f.node", "n"),
        "struct node { int v; };\nvoid f(void) { struct node n; n.v = 1; }\n",
    ),
    "c: an initializer sees what it initializes": (
        "c",
        "int *p;\nvoid f(void) { int *p = g(sizeof(*p)); *p = 1; }\n",
        ("f.p", "q"),
        "int *p;\nvoid f(void) { int *q = g(sizeof(*q)); *q = 1; }\n",
    ),
    "c: fields of what is declared to have them": (
        "c",
        "struct a { int v; };\nstruct b { int v; };\nint f(struct a *x, struct b *y) { return x->v + y->v; }\n",
        ("a.v", "w"),
        "struct a { int w; };\nstruct b { int v; };\nint f(struct a *x, struct b *y) { return x->w + y->v; }\n",
    ),
    "cpp: locals, captures and bindings": (
        "cpp",
        "int f(int a) { auto [b, c] = g(a); auto l = [a, &b, d = 1](int e) { return a + b + d + e; }; return l(c); }\n",
        ("f.b", "z"),
        "int f(int a) { auto [z, c] = g(a); auto l = [a, &z, d = 1](int e) { return a + z + d + e; }; return l(c); }\n",
    ),
    "cpp: a local of a template's function that returns a reference": (
        "cpp",
        "int& A<T>::f() { int a = 1; return a; }\nint g() { int a = 1; return a; }\n",
        ("A.f.a", "b"),
        "int& A<T>::f() { int b = 1; return b; }\nint g() { int a = 1; return a; }\n",
    ),
    "cpp: a lambda captures under a name of its own": (
        "cpp",
        "int d;\nint f(int a) { auto l = [d = a](int e) { return d + e; }; return l(d); }\n",
        ("d@2", "z"),
        "int d;\nint f(int a) { auto l = [z = a](int e) { return z + e; }; return l(d); }\n",
    ),
    "cpp: parameters, not members of the same name": (
        "cpp",
        "struct P { int x; P(int x) : x(x) { this->x = x; } };\n",
        ("P.x", "z"),
        "struct P { int x; P(int z) : x(z) { this->x = z; } };\n",
    ),
    "cpp: static functions": (
        "cpp",
        "static int f(int a) { return a; }\nint g() { return f(1) + o.f(2) + std::f(3); }\n",
        ("f", "h"),
        "static int h(int a) { return a; }\nint g() { return h(1) + o.f(2) + std::f(3); }\n",
    ),
    "rust: shadowing, macros and what they capture": (
        "rust",
        'fn f(n: u8) -> u8 { let n = n + 1; println!("{n} {}", n); if let Some(n) = g(n) { n } else { n } }\n',
        ("f.n", "m"),
        'fn f(m: u8) -> u8 { let m = m + 1; println!("{m} {}", m); if let Some(n) = g(m) { n } else { m } }\n',
    ),
    "rust: constants in patterns are no bindings": (
        "rust",
        "const TOP: u8 = 1;\nfn f(x: u8) -> u8 { match x { TOP => 0, y if y > TOP => y, y => y } }\n",
        ("TOP", "MAX"),
        "const MAX: u8 = 1;\nfn f(x: u8) -> u8 { match x { MAX => 0, y if y > MAX => y, y => y } }\n",
    ),
    "rust: fields with their literals and patterns": (
        "rust",
        "struct A { x: u8 }\nstruct B { x: u8 }\n"
        "impl A { fn f(&self, b: &B) -> A { let x = self.x + b.x; A { x } } }\n"
        "fn g(a: A) -> u8 { let A { x } = a; x }\n",
        ("A.x", "y"),
        "struct A { y: u8 }\nstruct B { x: u8 }\n"
        "impl A { fn f(&self, b: &B) -> A { let x = self.y + b.x; A { y: x } } }\n"
        "fn g(a: A) -> u8 { let A { y: x } = a; x }\n",
    ),
    "rust: methods, by their paths too": (
        "rust",
        "struct A;\nimpl A { fn new() -> Self { A } fn f() { Self::new(); Vec::new(); } }\nfn g() { A::new(); }\n",
        ("A.new", "made"),
        "struct A;\nimpl A { fn made() -> Self { A } fn f() { Self::made(); Vec::new(); } }\nfn g() { A::made(); }\n",
    ),
    "rust: a module of tests sees what it imports": (
        "rust",
        "fn f() {}\nmod tests { use super::*; fn g() { f(); } }\nmod other { fn f() {} fn g() { f(); } }\n",
        ("f@1", "h"),
        "fn h() {}\nmod tests { use super::*; fn g() { h(); } }\nmod other { fn f() {} fn g() { f(); } }\n",
    ),
    "rust: variants with fields, by their exact paths": (
        "rust",
        "enum K { A, C { id: u32 } }\nfn f(k: K) { match k { K::C { id } => id } }\n"
        "fn g() { K::C { id: 1 }; vec![K::C { id: 2 }]; }\nimpl K { fn h() { Self::C { id: 3 }; } }\n",
        ("K.C", "D"),
        "enum K { A, D { id: u32 } }\nfn f(k: K) { match k { K::D { id } => id } }\n"
        "fn g() { K::D { id: 1 }; vec![K::D { id: 2 }]; }\nimpl K { fn h() { Self::D { id: 3 }; } }\n",
    ),
    "typescript: private members": (
        "typescript",
        "class A { private x = 1; f(o: A) { return this.x + o.x; } }\nfunction g(p) { return p.x; }\n",
        ("A.x", "y"),
        "class A { private y = 1; f(o: A) { return this.y + o.y; } }\nfunction g(p) { return p.x; }\n",
    ),
    "javascript: a getter beside a private field": (
        "javascript",
        "class A { #x = 1; get x() { return this.#x; } }\nnew A().x;\n",
        ("A.x", "y"),
        "class A { #x = 1; get y() { return this.#x; } }\nnew A().y;\n",
    ),
    "javascript: a private field beside its getter": (
        "javascript",
        "class A { #x = 1; get x() { return this.#x; } }\nnew A().x;\n",
        ("A.#x", "y"),
        "class A { #y = 1; get x() { return this.#y; } }\nnew A().x;\n",
    ),
    "java: methods without their object": (
        "java",
        "class A { int f() { return f() + g(this); } int g(A a) { return a.f(); } }\nclass B { int f() {} }\n",
        ("A.f", "h"),
        "class A { int h() { return h() + g(this); } int g(A a) { return a.h(); } }\nclass B { int f() {} }\n",
    ),
    "java: fields, not locals of the same name": (
        "java",
        "class A { int x; A(int x) { this.x = x; } int f() { int y = x; return y; } }\n",
        ("A.x@1", "z"),
        "class A { int z; A(int x) { this.z = x; } int f() { int y = z; return y; } }\n",
    ),
    "go: fields of one struct": (
        "go",
        "package p\n\ntype A struct{ X int }\n\ntype B struct{ X int }\n\n"
        "func (a *A) F(b *B) A {\n\ta.X = b.X\n\tc := A{X: 1}\n\tc.X++\n\treturn c\n}\n",
        ("A.X", "Y"),
        "package p\n\ntype A struct{ Y int }\n\ntype B struct{ X int }\n\n"
        "func (a *A) F(b *B) A {\n\ta.Y = b.X\n\tc := A{Y: 1}\n\tc.Y++\n\treturn c\n}\n",
    ),
    "go: methods": (
        "go",
        "package p\n\ntype A struct{}\n\nfunc (a A) F() {\n\ta.F()\n}\n\nfunc F(a A) {\n\ta.F()\n}\n",
        ("A.F", "G"),
        "package p\n\ntype A struct{}\n\nfunc (a A) G() {\n\ta.G()\n}\n\nfunc F(a A) {\n\ta.G()\n}\n",
    ),
    "go: a loop in a function that is assigned": (
        "go",
        "package p\n\nfunc f(x []int) {\n\tg := func() {\n\t\tfor i := range x {\n\t\t\th(i)\n\t\t}\n\t}\n\tg()\n}\n",
        ("f.i", "j"),
        "package p\n\nfunc f(x []int) {\n\tg := func() {\n\t\tfor j := range x {\n\t\t\th(j)\n\t\t}\n\t}\n\tg()\n}\n",
    ),
}


@pytest.mark.parametrize(("language", "text", "names", "expected"), CASES.values(), ids=CASES)
def test_a_rename_follows_the_scopes(language, text, names, expected):
    assert carried(text, rename(*names), language=language) == expected


@pytest.mark.parametrize(("language", "text", "names", "expected"), CASES.values(), ids=CASES)
def test_there_and_back_is_the_identity(language, text, names, expected):
    target, new = names
    path = target.split("@")[0].split(".")
    back = ".".join([*path[:-1], new])
    assert carried(expected, rename(back, path[-1].strip("#")), language=language) == text


LEFT = {
    "an object of unknown class": (
        "typescript",
        "class A { x = 1; }\nfunction f(o) { return o.x; }\n",
        ("A.x", "y"),
        [1],
    ),
    "what a pattern takes out": (
        "typescript",
        "class A { x = 1; f() { const { x } = this; } }\n",
        ("A.x", "y"),
        [0],
    ),
    "what overrides it": (
        "java",
        "class A { int f() {} }\nclass B extends A { int f() {} }\n",
        ("A.f", "g"),
        [1],
    ),
    "what an implementation of a trait has": (
        "rust",
        "trait T { fn f(&self); }\nstruct A;\nimpl T for A { fn f(&self) {} }\n",
        ("T.f", "g"),
        [2],
    ),
    "variants under their bare names": (
        "rust",
        "use E::*;\nenum E { A, B }\nfn f() -> E { A }\n",
        ("E.A", "C"),
        [2],
    ),
    "a path through this file": ("rust", "fn f() {}\nmod m { fn g() { super::f(); } }\n", ("f", "h"), [1]),
    "a name of a namespace of several parts": (
        "typescript",
        "namespace u { export function f() { f(); } }\nnamespace u { }\nu.f();\nv.f();\n",
        ("f", "g"),
        [2],
    ),
    "the rules of a macro": ("rust", "fn f() {}\nmacro_rules! m { () => { f() } }\n", ("f", "h"), [1]),
}


@pytest.mark.parametrize(("language", "text", "names", "lines"), LEFT.values(), ids=LEFT)
def test_what_may_be_meant_too_is_left_and_reported(language, text, names, lines):
    _, found = outcome(text, rename(*names), language=language)
    assert [place.line for place in found.left] == lines


def test_a_use_of_rust_under_the_name_that_it_has_anyway_is_written_once():
    text = "use a::b as c;\nuse d::{e as f};\n\nfn g() { c(f) }\n"
    new = carried(text, rename("c", "b"), rename("f", "e"), language="rust")
    assert new == "use a::b;\nuse d::{e};\n\nfn g() { b(e) }\n"


@pytest.mark.parametrize(("language", "text", "names", "lines"), list(LEFT.values())[:4], ids=list(LEFT)[:4])
def test_all_that_may_be_meant_is_renamed_where_that_is_asked_for(language, text, names, lines):
    old, new = names[0].split(".")[-1], names[1]
    found = carried(text, rename(*names, attributes="all"), language=language)
    assert found.replace(f"{new}: {old}", new).replace(new, old) == text


REFUSED = {
    "a trait's name": (
        "rust",
        "struct A;\nimpl T for A { fn f(&self) {} }\n",
        ("A.f", "g"),
        "is the name that a trait gives it",
    ),
    "an override": (
        "java",
        "class A extends B { @Override int f() {} }\n",
        ("A.f", "g"),
        "overrides what another",
    ),
    "a constructor": (
        "javascript",
        "class A { constructor() {} }\n",
        ("A.constructor", "f"),
        "makes the object",
    ),
    "an element that would be one of HTML": (
        "tsx",
        "import { Text } from 'a';\nconst B = () => <Text a={1} />;\n",
        ("Text", "label"),
        "`<label>` on line 2 would be an element of HTML",
    ),
    "a member of C++": (
        "cpp",
        "struct A { int x; };\n",
        ("A.x", "y"),
        "there is none|is known to define it|not in this file",
    ),
    "a function of C++ that others see": ("cpp", "int f() { return 1; }\n", ("f", "g"), "may be overloaded"),
    "a component of a record": (
        "java",
        "record A(int x) { int f(A other) { return other.x(); } }\n",
        ("A.x", "y"),
        "is a parameter and a field of its class at once",
    ),
    "a member that exists": (
        "go",
        "package p\n\ntype A struct{ X, Y int }\n",
        ("A.X", "Y"),
        "`Y` exists already",
    ),
    "a path that imports it": (
        "rust",
        "fn f() {}\nmod m { use super::f; fn g() { f(); } }\n",
        ("f@1", "h"),
        "how line 2 binds `f` is not followed",
    ),
}


@pytest.mark.parametrize(("language", "text", "names", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_other_files_decide_over_is_refused(language, text, names, reason):
    with pytest.raises(OperationRefused, match=reason):
        carried(text, rename(*names), language=language)


def test_the_text_of_a_macro_is_left_and_reported():
    text = "int load(int a);\n#define M(x) load(x)\n"
    new, found = outcome(text, rename("load", "read"), language="c")
    assert new == text.replace("int load", "int read")
    assert [place.line for place in found.left] == [1]


def test_a_key_of_a_literal_is_left_and_reported():
    text = "package p\n\nfunc f(path string) S { return S{path: path} }\n"
    new, found = outcome(text, rename("f.path", "at"), language="go")
    assert new == "package p\n\nfunc f(at string) S { return S{path: at} }\n"
    assert [place.line for place in found.left] == [2]


def test_an_exported_name_is_noted():
    _, found = outcome("export function load() {}\n", rename("load", "read"), language="javascript")
    assert found.notes == ("`load` is exported; other files may import it",)


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
            "interface A { x: number; f(): void }\nfunction g(a: A) { a.f(); return a.x; }\n",
            "A.x",
            "interface A { y: number; f(): void }\nfunction g(a: A) { a.f(); return a.y; }\n",
        ),
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


def test_a_parameter_that_is_a_field_too_keeps_its_name_and_does_not_hold_up_others_of_that_name():
    text = "class A {\n  constructor(private x: number) { f(x); }\n}\nfunction x() {}\n"
    assert carried(text, rename("x", "y"), language="typescript") == text.replace("function x", "function y")
    with pytest.raises(OperationRefused, match="is a parameter and a field of its class at once"):
        carried(text, rename("A.constructor.x", "y"), language="typescript")


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
    ),
    "rust": (
        "struct A {{\n    {0}: u8,\n}}\nimpl A {{\n    fn {1}(&self) {{\n"
        "        p!(self.{0}, self.{1}());\n        f(self.{0}, self.{1}(), A::{1});\n    }}\n}}\n",
        5,
    ),
}


@pytest.mark.parametrize(("language", "case"), FIELDS.items(), ids=FIELDS)
def test_a_field_and_a_method_of_one_name_are_two_things(language, case):
    form, line = case
    text = form.format("x", "x")
    assert carried(text, rename("A.x@2", "y"), language=language) == form.format("y", "x")
    assert carried(text, rename(f"A.x@{line}", "y"), language=language) == form.format("x", "y")
    with pytest.raises(OperationRefused, match="can mean 2 things"):
        carried(text, rename("A.x", "y"), language=language)


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
    with pytest.raises(OperationRefused, match="`a` is the name of a file too"):
        carried("mod a;\nuse a::f;\n", rename("a", "q"), language="rust")


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
    with pytest.raises(OperationRefused, match="`X` means something else on line 2"):
        carried("const X = 1;\nenum E { A, B = X }\n", rename("E.A", "X"), language="typescript")


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
        with pytest.raises(OperationRefused, match="is a parameter and a field of its class at once"):
            carried(text, rename(target, "key", **more), language=language)


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
    with pytest.raises(OperationRefused, match="`#y` cannot be a name in javascript"):
        carried(text, rename("A.x", "#y"), language="javascript")


def test_a_function_that_other_files_may_have_is_refused_for_that_whatever_its_new_name():
    with pytest.raises(
        OperationRefused, match="`load` may be overloaded, or a member, in what other files have"
    ):
        carried("<?php\nfunction load() {}\nload();\n", rename("load", "fetch"), language="php")


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


def test_a_tag_and_the_type_of_its_name_are_renamed_together_with_a_note():
    text = "typedef struct n { int a; } n;\nn x;\nstruct n *y;\n"
    new, found = outcome(text, rename("n", "z"), language="c")
    assert new == "typedef struct z { int a; } z;\nz x;\nstruct z *y;\n"
    assert found.notes == ("`n` is a tag and the type that stands for it; both are renamed",)


LOCALS = {
    "a lambda's parameter": ("java", "F f = k -> k + 1;"),
    "a lambda's variable": ("java", "F f = a -> { int k = a; return k; };"),
    "a variable of a pattern": ("java", "switch (p) { case P(int k) -> r = k; default -> {} }"),
    "a lambda's variable of C#": ("csharp", "F f = a => { int k = a; return k; };"),
}


@pytest.mark.parametrize(("language", "line"), LOCALS.values(), ids=LOCALS)
def test_a_local_variable_gets_no_name_of_one_within_or_around_where_that_is_an_error(language, line):
    text = f"class A {{\n  int m(Object p) {{\n    int r = 3;\n    {line}\n    return r;\n  }}\n}}\n"
    with pytest.raises(OperationRefused, match="`k` would meet another variable on line 4"):
        carried(text, rename("A.m.r", "k"), language=language)


def test_a_field_of_a_class_within_a_method_may_have_the_name_of_a_local_variable():
    text = "class A {\n  void m() {\n    int r = 3;\n    O o = new O() { int k = 1; };\n    g(r);\n  }\n}\n"
    assert carried(text, rename("A.m.r", "k"), language="java") == text.replace("int r", "int k").replace(
        "g(r", "g(k"
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


def test_a_parameter_of_rust_and_the_variables_made_of_it_are_several():
    text = "fn f(n: u8) -> u8 {\n    let n = n + 1;\n    let g = |n| n * 2;\n    n\n}\n"
    parameter = text.replace("(n: u8)", "(m: u8)").replace("n + 1", "m + 1")
    assert carried(text, rename("f.n@1", "m"), language="rust") == parameter
    variable = text.replace("let n", "let m").replace("    n\n", "    m\n")
    assert carried(text, rename("f.n@2", "m"), language="rust") == variable


def test_two_variables_of_rust_on_one_line_are_not_told_apart():
    text = "fn f() -> u8 {\n    let n = 1; let n = n + 1;\n    n\n}\n"
    with pytest.raises(OperationRefused, match="can mean 2 things"):
        carried(text, rename("f.n@2", "m"), language="rust")


def test_a_macro_is_named_where_it_cannot_be_renamed():
    text = "#define MAX(a, b) ((a) > (b) ? (a) : (b))\nint x = MAX(1, 2);\n"
    with pytest.raises(OperationRefused, match="MAX: is a macro, whose uses are not followed"):
        carried(text, rename("MAX", "BIG"), language="c")


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
    with pytest.raises(OperationRefused, match="has a meaning of its own to the language"):
        carried(text, rename(target, "other"), language=language)


def test_a_variable_or_a_field_may_have_a_name_that_the_language_looks_up_for_functions():
    text = "package m\n\ntype A struct {\n\tError string\n}\n\nfunc f() {\n\tinit := 1\n\tuse(init)\n}\n"
    assert "Fault string" in carried(text, rename("A.Error", "Fault"), language="go")
    assert "use(first)" in carried(text, rename("f.init", "first"), language="go")
