from __future__ import annotations

import pytest

from tests.ops.carried import by_language, carried, marked, op, outcome, refused


def add(text: str, target: str | None = None, anchor: str | None = None) -> dict[str, object]:
    return {"op": "add-comment", "text": text, "target": target, "anchor": anchor}


def remove(target: str | None = None, anchor: str | None = None) -> dict[str, object]:
    return {"op": "remove-comment", "target": target, "anchor": anchor}


def document(target: str, text: str | None = None) -> dict[str, object]:
    return {"op": "set-docstring", "target": target, "text": text}


PYTHON = "@d\ndef f(a):\n    x = 1\n    y = 2  # two\n    return x\n\n\nLIMIT = 3\n"
ADDED = {
    "python: to a definition": ((PYTHON, "@d", "# New.\n# More.\n@d"), add("New.\nMore.", "f")),
    "python: to a statement": ((PYTHON, "    x", "    # Why.\n    x"), add("Why.", "f", "x = 1")),
    "python: to a variable": ((PYTHON, "LIMIT", "# Most.\nLIMIT"), add("Most.", "LIMIT")),
    "java: to a method": ("class A {\n‹  // Why.\n›  void f() {}\n}\n", add("Why.", "A.f")),
    "go: to a line of Go": ("package p\n\nfunc f() {\n‹\t// Why.\n›\tg()\n}\n", add("Why.", "f", "g()")),
    "c: to a macro": ("‹// Why.\n›#define A 1\n", add("Why.", "A")),
}


@pytest.mark.parametrize(("language", "text", "operation"), by_language(ADDED), ids=ADDED)
def test_a_comment_is_added_above_and_removed_again(language, text, operation):
    before, after = marked(text)
    assert carried(before, operation, language=language) == after
    assert carried(after, remove(operation["target"], operation["anchor"]), language=language) == before


def test_a_comment_of_several_lines_belongs_to_the_statement_below_it():
    text = "void f() {\n  a();\n  /*\n   * why\n   */\n  b();\n}\n"
    before = op("insert f 'c();' before 'b();'")
    assert carried(text, remove("f", "b();"), language="c") == "void f() {\n  a();\n  b();\n}\n"
    assert carried(text, before, language="c") == text.replace("  /*", "  c();\n  /*")


# The definition without, and with it.
DOCUMENTED = {
    "python: a function": ('def f():\n‹    """Doc."""\n›    x\n', "f", "Doc."),
    "python: several lines": ('class A:\n‹\t"""Doc.\n\n\tMore.\n\t"""\n›\tx = 1\n', "A", "Doc.\n\nMore."),
    "python: a backslash": ('def f():\n‹    r"""A \\d."""\n›    x\n', "f", "A \\d."),
    "typescript: an exported function": ("// x\n‹/** Doc. */\n›export function f() {}\n", "f", "Doc."),
    "javascript: lines of a script": ("‹/**\n * Doc.\n * More.\n */\n›class A {}\n", "A", "Doc.\nMore."),
    "java: what is annotated": ("class A {\n‹  /** Doc. */\n›  @Override\n  void f() {}\n}\n", "A.f", "Doc."),
    "go: a function of Go": ("package p\n\n‹// F does.\n›func F() {}\n", "F", "F does."),
    "rust: an attribute of Rust": ("// x\n‹/// Doc.\n/// More.\n›#[a]\nfn f() {}\n", "f", "Doc.\nMore."),
    "c: a function of C": ("/* x */\n‹/** Doc. */\n›int f() { return 1; }\n", "f", "Doc."),
    "cpp: a class of C++": ("‹/** Doc. */\n›class A {};\n", "A", "Doc."),
}


@pytest.mark.parametrize(("language", "text", "target", "docstring"), by_language(DOCUMENTED), ids=DOCUMENTED)
def test_a_docstring_is_set_changed_and_taken_away(language, text, target, docstring):
    before, after = marked(text)
    assert carried(before, document(target, docstring), language=language) == after
    other = carried(after, document(target, "Other."), language=language)
    assert carried(other, document(target, docstring), language=language) == after
    assert carried(other, document(target), language=language) == before


def test_a_docstring_keeps_the_indentation_of_its_own_lines():
    there = carried(
        "class A:\n\tdef f(self):\n\t\tx\n", document("A.f", "Say.\n\n- one\n  two\n\n      code")
    )
    lines = ["Say.", "", "\t\t- one", "\t\t  two", "", "\t\t      code"]
    assert there == 'class A:\n\tdef f(self):\n\t\t"""' + "\n".join(lines) + '\n\t\t"""\n\t\tx\n'


def test_what_has_no_docstring_is_noted():
    assert outcome("def f():\n    x\n", document("f"))[1].notes == ("`f` has no docstring",)


@pytest.mark.parametrize(
    ("language", "text", "operation", "reason"),
    [
        ("python", PYTHON, remove("LIMIT"), "line 8 has no comment above or after it"),
        ("python", PYTHON, add("a"), "name the `target` or the `anchor`"),
        ("python", PYTHON, add("a", "g"), "g: is not in this file"),
        ("python", "def f():\n    x\n", document("f", 'a """ b'), "would end the docstring"),
        ("python", "def f(): pass\n", document("f", "a"), "shares a line"),
        ("java", "class A {}\n", document("A", "a */ b"), "would end the comment"),
        ("c", "int a;\nint b;\n", add("C:\\", "b"), r"`// C:\` would go on in the line below"),
        ("python", 'def f():\n    """a"""; x()\n', document("f"), "line 2 holds other code too"),
    ],
)
def test_what_cannot_have_a_comment_is_refused(language, text, operation, reason):
    assert reason in refused(text, operation, language=language)


@pytest.mark.parametrize("behind", ["; x()", "  # noqa: D205"])
def test_what_stands_behind_a_docstring_stays(behind):
    text = f'def f():\n    """a"""{behind}\n    y()\n'
    assert carried(text, document("f", "b")) == text.replace('"""a"""', '"""b"""')


def test_what_go_says_to_its_compiler_is_no_documentation():
    text = "package p\n\n//go:nosplit\n// F does.\n//go:noinline\nfunc F() {}\n"
    assert carried(text, document("F", "F is."), language="go") == text.replace("does", "is")
    assert carried(text, document("F"), language="go") == text.replace("// F does.\n", "")


@pytest.mark.parametrize(
    ("language", "kept", "gone"),
    [
        ("javascript", "/** Doc. */\n", "// a\n// b\n"),
        ("rust", "/// Doc.\n", "// a\n"),
        ("c", "// a\n", "/*\n * b\n */\n"),
    ],
)
def test_of_two_comments_above_the_lower_one_goes(language, kept, gone):
    code = (
        "fn f() {\n}\n"
        if language == "rust"
        else "int f() {\n}\n"
        if language == "c"
        else "function f() {\n}\n"
    )
    assert carried(kept + gone + code, op("remove-comment f"), language=language) == kept + code
