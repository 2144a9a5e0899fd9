from __future__ import annotations

import pytest

from fastedit.errors import OperationRefused
from tests.ops.carried import carried


def add(target: str, decorator: str) -> dict[str, object]:
    return {"op": "add-decorator", "target": target, "decorator": decorator}


CASES = {
    "an annotation": (
        "java",
        "class A {\n  void f() {}\n}\n",
        add("A.f", "Test"),
        ("  void", "  @Test\n  void"),
    ),
    "above another": ("java", "@A class B {}\n", add("B", "@C(1)"), ("@A", "@C(1)\n@A")),
    "an attribute": ("rust", "#[b]\npub struct S;\n", add("S", "derive(A)"), ("#[b]", "#[derive(A)]\n#[b]")),
    "an attribute as written": ("rust", "fn f() {}\n", add("f", "#[test]"), ("fn", "#[test]\nfn")),
    "of an exported class": ("typescript", "@D()\nexport class A {}\n", add("A", "E()"), ("@D", "@E()\n@D")),
    "of a field": (
        "java",
        "class A {\n  private int a;\n}\n",
        add("A.a", "X"),
        ("  private", "  @X\n  private"),
    ),
    "of a field of Rust": (
        "rust",
        "struct S {\n    /// Doc.\n    a: u8,\n}\n",
        add("S.a", "b"),
        ("    a:", "    #[b]\n    a:"),
    ),
    "of a variant": ("rust", "enum S {\n    A,\n    B,\n}\n", add("S.B", "b"), ("    B", "    #[b]\n    B")),
    "of a property": (
        "csharp",
        "class A {\n    int P { get; set; }\n}\n",
        add("A.P", "X"),
        ("    int", "    [X]\n    int"),
    ),
    "of a field of PHP": (
        "php",
        "<?php\nclass A {\n    private $n = 1;\n}\n",
        add("A.$n", "X"),
        ("    private", "    #[X]\n    private"),
    ),
    "of a method": ("typescript", "class A {\n  v() {}\n}\n", add("A.v", "F"), ("  v", "  @F\n  v")),
}


@pytest.mark.parametrize(("language", "text", "operation", "change"), CASES.values(), ids=CASES)
def test_annotations_and_attributes_are_added_and_removed_again(language, text, operation, change):
    there = carried(text, operation, language=language)
    assert there == text.replace(*change, 1)
    assert carried(there, {**operation, "op": "remove-decorator"}, language=language) == text


def test_one_beside_the_definition_goes_alone():
    gone = {"op": "remove-decorator", "target": "A.g", "decorator": "Deprecated"}
    assert (
        carried("class A { @Deprecated void g() {} }\n", gone, language="java") == "class A { void g() {} }\n"
    )


def test_one_that_is_not_there_is_refused_with_those_that_are():
    gone = {"op": "remove-decorator", "target": "f", "decorator": "c"}
    with pytest.raises(OperationRefused, match=r"`f` has no #\[c\]; it has #\[a\], #\[b\(1\)\]"):
        carried("#[a]\n#[b(1)]\nfn f() {}\n", gone, language="rust")


def test_a_comment_behind_a_decorator_is_no_part_of_it():
    text = "@a  # why\n@b\ndef f(): pass\n"
    assert carried(text, {**add("f", "a"), "op": "remove-decorator"}) == "@b\ndef f(): pass\n"
    assert carried(text, add("f", "a")) == text


@pytest.mark.parametrize(
    ("language", "text", "target"),
    [("java", "class A { void g() {} }\n", "A.g"), ("rust", "fn f() {} fn g() {}\n", "g")],
)
def test_a_decorator_above_other_code_is_refused(language, text, target):
    with pytest.raises(OperationRefused, match="line 1 holds other code too"):
        carried(text, add(target, "a"), language=language)


def test_a_comment_may_stand_between_an_attribute_and_what_it_is_of():
    gone = {"op": "remove-decorator", "target": "S", "decorator": "a"}
    assert carried("#[a]\n/// Doc.\nstruct S;\n", gone, language="rust") == "/// Doc.\nstruct S;\n"


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
