"""Which operation there is in which language, from real runs: each pair carries one out, or is refused by name."""

from __future__ import annotations

import re
import shlex

import pytest

from fastedit.cli.op import parse_fields
from fastedit.errors import OperationRefused
from fastedit.ops import operations, to_json
from fastedit.source.languages import languages, names
from tests.ops.carried import carried

LANGUAGES = frozenset(each.name for each in languages() if each.is_code)
SCRIPTS = frozenset({"javascript", "typescript", "tsx"})
FUNCTIONS = {
    "python": "import os\n\nLIMIT = [1]\n\n\n@a\ndef load(x=1):\n    g(x)  # g\n    if x:\n        h()\n",
    "javascript": (
        'import b from "b";\n\nvar LIMIT = [1];\n\nfunction load(x) {\n  g(x); // g\n  if (x) {\n    h();\n  }\n}\n'
    ),
    "typescript": (
        'import b from "b";\n\nvar LIMIT: T = [1];\n\nfunction load(x: number) {\n  g(x); // g\n'
        "  if (x) {\n    h();\n  }\n}\n"
    ),
    "tsx": (
        'import b from "b";\n\nvar LIMIT: T = [1];\n\nfunction load(x: number) {\n  g(x); // g\n'
        "  if (x) {\n    h();\n  }\n  return <p>{x}</p>;\n}\n"
    ),
    "go": (
        'package p\n\nimport "b"\n\nvar LIMIT = []int{1}\n\n'
        "func load(x int) {\n\tg(x) // g\n\tif x {\n\t\th()\n\t}\n}\n"
    ),
    "rust": (
        "use b::c;\n\nconst LIMIT: T = [1];\n\n#[a]\nfn load(x: u8) {\n    g(x); // g\n"
        "    if x {\n        h();\n    }\n}\n"
    ),
    "java": (
        "import b.C;\n\nclass load {\n  int[] LIMIT = {1};\n\n  @a\n  void f(int x) {\n    g(x); // g\n"
        "    if (x) {\n      h();\n    }\n  }\n}\n"
    ),
    "csharp": (
        "using B.C;\n\nclass load\n{\n    int[] LIMIT = { 1 };\n\n    [a]\n    void f(int x)\n    {\n"
        "        int loaded = 1;\n        g(x); // g\n        if (x)\n        {\n            h();\n"
        "        }\n    }\n}\n"
    ),
    "kotlin": (
        "import b.C\n\nval LIMIT = listOf(1)\n\n@a\nfun load(x: Int) {\n    val loaded = 1\n    g(x) // g\n"
        "    if (x) {\n        h()\n    }\n}\n"
    ),
    "swift": (
        "import b\n\nlet LIMIT = [1]\n\n@a\nfunc load(x: Int) {\n    let loaded = 1\n    g(x) // g\n"
        "    if x {\n        h()\n    }\n}\n"
    ),
    "php": (
        "<?php\nuse B\\C;\n\nconst LIMIT = [1];\n\n#[a]\nfunction load($x)\n{\n    $loaded = 1;\n    g($x); // g\n"
        "    if ($x) {\n        h();\n    }\n}\n"
    ),
    "ruby": "LIMIT = [1]\n\ndef load(x)\n  g(x) # g\n  if x\n    h()\n  end\nend\n",
    "c": "#include <b.h>\n\nint LIMIT[] = {1};\n\nint load(int x)\n{\n  g(x); // g\n  if (x) {\n    h();\n  }\n}\n",
    "cpp": "#include <b.h>\n\nint LIMIT[] = {1};\n\nint load(int x)\n{\n  g(x); // g\n  if (x) {\n    h();\n  }\n}\n",
}
IMPORTED = {
    "python": {"module": "os"},
    "go": {"module": "b"},
    "rust": {"module": "b", "member": "c"},
    "java": {"module": "b", "member": "C"},
    "csharp": {"module": "B.C"},
    "kotlin": {"module": "b", "member": "C"},
    "php": {"module": "B", "member": "C"},
    "c": {"module": "<b.h>"},
    "cpp": {"module": "<b.h>"},
}
STATEMENTS = {"python": "h()", "go": "h()", "kotlin": "h()", "swift": "h()", "ruby": "h()"}


RENAMED = {"cpp": "load.x", "csharp": "loaded", "kotlin": "loaded", "swift": "loaded", "php": "$loaded"}
MODIFIERS = {"java": "static", "csharp": "static", "rust": "pub", "c": "static", "cpp": "static"}
MODIFIERS |= {"kotlin": "private", "swift": "private", "php": "static"}
CALLS = {
    "python": "g(x)  # g",
    "go": "g(x) // g",
    "kotlin": "g(x) // g",
    "swift": "g(x) // g",
    "php": "g($x); // g",
    "ruby": "g(x) # g",
}


def wanted(name: str, language: str) -> dict[str, object]:
    function = "load.f" if language in ("java", "csharp") else "load"
    kind = "implements" if language in ("java", "typescript", "tsx", "php") else None
    based = "Based" if language != "rust" else "Trait"
    marked = "Marked" if language in SCRIPTS else function
    call = CALLS.get(language, "g(x); // g")
    condition = "if (x) {" if language in SCRIPTS | {"java", "c", "cpp", "kotlin"} else "if x {"
    condition = "if (x)" if language == "csharp" else condition
    condition = "if x:" if language == "python" else condition
    condition = {"php": "if ($x) {", "ruby": "if x"}.get(language, condition)
    fields = {
        "rename": {"target": RENAMED.get(language, "load"), "new": "$read" if language == "php" else "read"},
        "delete": {"target": "load"},
        "replace": {"old": "x", "new": "y", "target": "load", "every": True},
        "add-import": {"module": "<z.h>" if language in ("c", "cpp") else "z"},
        "remove-import": IMPORTED.get(language, {"module": "b"}),
        "insert": {"function": function, "code": STATEMENTS.get(language, "h();"), "where": "first"},
        "remove-statement": {"anchor": call, "function": function},
        "wrap": {"code": condition, "anchor": call, "function": function},
        "negate": {"anchor": condition, "function": function},
        "guard": {"function": function, "condition": "x", "code": "return 0"},
        "set-value": {"target": "LIMIT", "value": "y"},
        "annotate": {"target": "LIMIT", "type": "U"},
        "add-modifier": {"target": "LIMIT", "modifier": MODIFIERS.get(language, "const")},
        "remove-modifier": {
            "target": "$more" if language == "php" else "MORE",
            "modifier": MODIFIERS.get(language, "export"),
        },
        "add": {
            "code": "int q = 1;"
            if language in ("java", "csharp", "c", "cpp")
            else re.sub(r"\b(MORE|[Mm]ore|unused|Marked|Trait|Based)\b", r"\1s", MORE[language]),
            "anchor": None,
        },
        "move": {"target": "LIMIT", "where": "after", "anchor": function},
        "add-comment": {"text": "why", "target": function},
        "remove-comment": {"anchor": call, "target": function},
        "set-docstring": {"target": function, "text": "Load."},
        "add-decorator": {"target": marked, "decorator": "b"},
        "remove-decorator": {"target": marked, "decorator": "a"},
        "add-parameter": {"function": "load", "code": "y=2"},
        "remove-parameter": {"function": "unused", "parameter": "x"},
        "reorder-parameters": {"function": "load", "order": "*, x"},
        "add-base": {"target": "Marked" if language in SCRIPTS else based, "base": "Other", "kind": kind},
        "remove-base": {"target": based, "base": "Base"},
        "extract-function": {"function": function, "anchor": call, "last": call, "new": "y"},
        "set-default": {"function": "load", "parameter": "x", "default": "2"},
        "set-type": {"function": "load", "parameter": "x", "type": "int"},
        "set-return-type": {"function": "load", "type": "int"},
    }
    return {"op": name, **fields[name]}


# What some operations need beside that.
MORE = {
    "python": "def unused(x): pass\n\n\nclass Based(Base): pass\n",
    "javascript": "export const MORE = 1;\n@a class Marked {}\nclass Based extends Base {}\n",
    "typescript": "export const MORE = 1;\n@a class Marked {}\nclass Based extends Base {}\n",
    "tsx": "export const MORE = 1;\n@a class Marked {}\nclass Based extends Base {}\n",
    "go": "func more() {}\n",
    "rust": "pub const MORE: T = 1;\ntrait Trait: Base {}\n",
    "java": "class More { static int MORE = 1; }\nclass Based extends Base {}\n",
    "csharp": "class More { static int MORE = 1; }\nclass Based : Base {}\n",
    "kotlin": "private val MORE = 1\n",
    "swift": "private let MORE = 1\n",
    "ruby": "def more; end\n",
    "php": "class More { public static $more = 1; }\nclass Based extends Base {}\n",
    "c": "static int MORE = 1;\n",
    "cpp": "static int MORE = 1;\nclass Based : Base {};\n",
}


CODE = [operation for operation in operations() if operation.languages & LANGUAGES]
PAIRS = [(operation, language) for operation in CODE for language in sorted(LANGUAGES)]


@pytest.mark.parametrize(
    ("operation", "language"), PAIRS, ids=[f"{operation.name}-{language}" for operation, language in PAIRS]
)
def test_an_operation_works_in_its_languages_and_is_refused_in_others(operation, language):
    text = FUNCTIONS[language] + MORE.get(language, "")
    if language in operation.languages:
        assert carried(text, wanted(operation.name, language), language=language) != text
    else:
        with pytest.raises(OperationRefused, match=f"{operation.name}: does not exist in {language}"):
            carried(text, wanted(operation.name, language), language=language)


def test_all_languages_with_a_grammar_are_asked_for():
    assert set(FUNCTIONS) == set(MORE) == LANGUAGES
    assert all(operation.languages and operation.languages <= set(names()) for operation in operations())


@pytest.mark.parametrize("operation", operations(), ids=lambda operation: operation.name)
def test_examples_are_operations(operation):
    name, _, *words = shlex.split(operation.example)
    assert to_json(parse_fields(name, words))["op"] == operation.name


# What has an attribute of Rust's above it, each with what is left without it.
ATTACHED = {
    "a statement": (
        "fn f() {\n    #[cfg(a)]\n    // why\n    g();\n    h();\n}\n",
        {"op": "remove-statement", "anchor": "g();", "function": "f"},
        "fn f() {\n    h();\n}\n",
    ),
    "a constant": (
        "#[cfg(a)]\nconst A: u8 = 1;\nconst B: u8 = 2;\n",
        {"op": "delete", "target": "A"},
        "const B: u8 = 2;\n",
    ),
    "an import": (
        "use a::b;\n#[cfg(a)]\nuse c::d;\nuse e::f;\n",
        {"op": "remove-import", "module": "c", "member": "d"},
        "use a::b;\nuse e::f;\n",
    ),
    "a field": (
        "struct S {\n    /// A.\n    #[a]\n    a: u8,\n    b: u8,\n}\n",
        {"op": "replace", "old": "a: u8", "target": "S"},
        "struct S {\n    b: u8,\n}\n",
    ),
    "a variant on a line with others": (
        "enum E { #[a] A, #[b] B, C }\n",
        {"op": "replace", "old": "A", "target": "E"},
        "enum E { #[b] B, C }\n",
    ),
}


@pytest.mark.parametrize(("text", "operation", "left"), ATTACHED.values(), ids=ATTACHED)
def test_what_is_attached_above_goes_with_it(text, operation, left):
    assert carried(text, operation, language="rust") == left


# The text around, what stays as it is below the new code, and what brings that.
BESIDE = {
    "a statement": (
        "fn f() {{\n{}}}\n",
        "    #[cfg(a)]\n    g();\n",
        {"op": "insert", "function": "f", "code": "h();", "where": "before", "anchor": "g();"},
    ),
    "an import": ("{}", "#[cfg(a)]\nuse c::d;\n", {"op": "add-import", "module": "c", "member": "a"}),
}


@pytest.mark.parametrize(("form", "kept", "operation"), BESIDE.values(), ids=BESIDE)
def test_nothing_comes_between_what_is_attached_and_what_it_is_attached_to(form, kept, operation):
    text = form.format(kept)
    new = carried(text, operation, language="rust")
    assert new != text
    assert kept in new


def test_an_entry_goes_with_the_comment_that_documents_it_and_leaves_others():
    text = "enum E {\n  // group\n  A,\n  /** B. */\n  B,\n}\n"
    without = {"op": "replace", "target": "E"}
    kept = "enum E {\n  // group\n  A,\n}\n"
    assert carried(text, {**without, "old": "B"}, language="typescript") == kept
    assert carried(text, {**without, "old": "A"}, language="typescript") == text.replace("  A,\n", "")
