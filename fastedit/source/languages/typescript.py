"""TypeScript."""

from __future__ import annotations

import re
from dataclasses import replace

from fastedit.source.languages import javascript
from fastedit.source.languages.scopes import kinds

_JAVASCRIPT = javascript.LANGUAGE
assert _JAVASCRIPT.bases is not None
_GENERATOR = re.compile(r"\b(function\s*)\*")
_IMPORTED = re.compile(r"\bimport\s*\(\s*(?:\"[^\"\n]*\"|'[^'\n]*')\s*\)")
_TYPES_OF_TEMPLATE = re.compile(r"(?<=[\w)\]])<(?:=>|[^<>`]|<[^<>`]*+>)*+>(?=`)")


def _respelled(text: str) -> str:
    """The grammar lacks overloads of generators, types imported in place that have arguments or make arrays, and types
    of a tagged template. A function without the star may yield, too, and a name stands where such an import does."""
    assert _JAVASCRIPT.respelled is not None
    plain = _GENERATOR.sub(r"\1 ", _JAVASCRIPT.respelled(text))
    plain = _TYPES_OF_TEMPLATE.sub(lambda found: "\n" * found[0].count("\n"), plain)
    return _IMPORTED.sub(lambda found: "imported" + "\n" * found[0].count("\n"), plain)


LANGUAGE = replace(
    _JAVASCRIPT,
    name="typescript",
    suffixes=(".ts", ".mts", ".cts"),
    interpreters=("deno", "bun"),
    editor_names=(),
    grammar=("tree_sitter_typescript", "language_typescript"),
    extends=_JAVASCRIPT.name,
    respelled=_respelled,
    definitions={kind: word for kind, word in _JAVASCRIPT.definitions.items() if kind != "field_definition"}
    | {
        "public_field_definition": "method",
        "abstract_class_declaration": "class",
        "interface_declaration": "interface",
        "type_alias_declaration": "type",
        "enum_declaration": "enum",
        "internal_module": "namespace",
        "function_signature": "function",
        "method_signature": "method",
        "abstract_method_signature": "method",
    },
    overloads=True,
    overloading=kinds(
        "function_signature method_signature abstract_method_signature interface_declaration enum_declaration"
    ),
    repeats=re.compile(r"interface\b|enum\b"),
    types="after",
    bases=replace(_JAVASCRIPT.bases, words=("extends", "implements")),
)
