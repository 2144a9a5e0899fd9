"""TypeScript."""

from __future__ import annotations

from dataclasses import replace

from fastedit.source.languages import javascript

_JAVASCRIPT = javascript.LANGUAGE
assert _JAVASCRIPT.bases is not None
LANGUAGE = replace(
    _JAVASCRIPT,
    name="typescript",
    suffixes=(".ts", ".mts", ".cts"),
    interpreters=("deno", "bun"),
    editor_names=(),
    grammar=("tree_sitter_typescript", "language_typescript"),
    extends=_JAVASCRIPT.name,
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
    types="after",
    bases=replace(_JAVASCRIPT.bases, words=("extends", "implements")),
)
