from __future__ import annotations

import pytest

from fastedit.errors import OperationRefused
from tests.ops.carried import by_language, carried, marked, op, refused


def add(target: str, decorator: str) -> dict[str, object]:
    return {"op": "add-decorator", "target": target, "decorator": decorator}


CASES = {
    "java: an annotation": ("class A {\n‹  @Test\n›  void f() {}\n}\n", add("A.f", "Test")),
    "java: above another": ("‹@C(1)\n›@A class B {}\n", add("B", "@C(1)")),
    "rust: an attribute": ("‹#[derive(A)]\n›#[b]\npub struct S;\n", add("S", "derive(A)")),
    "rust: an attribute as written": ("‹#[test]\n›fn f() {}\n", add("f", "#[test]")),
    "typescript: of an exported class": ("‹@E()\n›@D()\nexport class A {}\n", add("A", "E()")),
    "java: of a field": ("class A {\n‹  @X\n›  private int a;\n}\n", add("A.a", "X")),
    "rust: of a field of Rust": ("struct S {\n    /// Doc.\n‹    #[b]\n›    a: u8,\n}\n", add("S.a", "b")),
    "rust: of a variant": ("enum S {\n    A,\n‹    #[b]\n›    B,\n}\n", add("S.B", "b")),
    "csharp: of a property": ("class A {\n‹    [X]\n›    int P { get; set; }\n}\n", add("A.P", "X")),
    "php: of a field of PHP": ("<?php\nclass A {\n‹    #[X]\n›    private $n = 1;\n}\n", add("A.$n", "X")),
    "typescript: of a method": ("class A {\n‹  @F\n›  v() {}\n}\n", add("A.v", "F")),
}


@pytest.mark.parametrize(("language", "text", "operation"), by_language(CASES), ids=CASES)
def test_annotations_and_attributes_are_added_and_removed_again(language, text, operation):
    before, after = marked(text)
    assert carried(before, operation, language=language) == after
    assert carried(after, {**operation, "op": "remove-decorator"}, language=language) == before


def test_one_that_is_not_there_is_refused_with_those_that_are():
    gone = op("remove-decorator f c")
    assert "`f` has no #[c]; it has #[a], #[b(1)]" in refused(
        "#[a]\n#[b(1)]\nfn f() {}\n", gone, language="rust"
    )


def test_a_comment_behind_a_decorator_is_no_part_of_it():
    text = "@a  # why\n@b\ndef f(): pass\n"
    assert carried(text, {**add("f", "a"), "op": "remove-decorator"}) == "@b\ndef f(): pass\n"
    assert carried(text, add("f", "a")) == text


@pytest.mark.parametrize(
    ("language", "text", "target"),
    [("java", "class A { void g() {} }\n", "A.g"), ("rust", "fn f() {} fn g() {}\n", "g")],
)
def test_a_decorator_above_other_code_is_refused(language, text, target):
    assert "line 1 holds other code too" in refused(text, add(target, "a"), language=language)


@pytest.mark.parametrize(
    ("language", "text", "target", "reason"),
    [
        ("python", "class A:\n    n = 1\n", "A.n", "`A.n` can have no decorator"),
        ("java", "class A {\n  int a, b;\n}\n", "A.a", "`A.a` stands among others, which would have it too"),
        ("java", "class A {\n  void f() {\n    int a;\n  }\n}\n", "f.a", "`A.f.a` can have no decorator"),
    ],
)
def test_a_decorator_of_what_is_no_field_of_its_own_is_refused(language, text, target, reason):
    with pytest.raises(OperationRefused, match=reason):
        carried(text, add(target, "X"), language=language)
