"""C."""

from __future__ import annotations

import re

from fastedit.source.languages.base import Language
from fastedit.source.languages.imported import whole
from fastedit.source.languages.scopes import ScopeKinds, kinds, pairs

_TAGS = kinds("struct_specifier union_specifier enum_specifier")
_SCOPES = ScopeKinds(
    functions=kinds("function_definition"),
    blocks=kinds("compound_statement for_statement function_declarator"),
    classes=kinds("struct_specifier union_specifier"),
    binders=pairs("declaration parameter_declaration function_definition type_definition", "declarator")
    | pairs("preproc_def preproc_function_def enumerator", "name")
    | pairs("struct_specifier union_specifier enum_specifier", "name"),
    patterns=kinds(
        "pointer_declarator array_declarator function_declarator init_declarator parenthesized_declarator "
        "attributed_declarator"
    ),
    used=kinds("value size parameters"),
    members=pairs("field_expression", "field") | pairs("field_designator", None),
    declares=pairs("field_declaration", "declarator"),
    labels=pairs("attribute", "name") | pairs("preproc_params", None),
    unsure=pairs("preproc_function_def", "name"),
    outside=kinds("declarator type"),
    statements=kinds("init_declarator declaration"),
    tags=_TAGS,
)


def _respelled(text: str) -> str:
    # Not above: every edit imports this module, and few are of C.
    from fastedit.source.macros import respelled

    return respelled(text)


LANGUAGE = Language(
    name="c",
    suffixes=(".c", ".h"),
    grammar=("tree_sitter_c", "language"),
    respelled=_respelled,
    definitions={
        "function_definition": "function",
        "struct_specifier": "struct",
        "union_specifier": "union",
        "enum_specifier": "enum",
        "type_definition": "type",
        "preproc_function_def": "macro",
    },
    needs_body=_TAGS,
    order="declared",
    only_declares=True,
    conditional_lines=True,
    macros=True,
    import_kinds=("preproc_include",),
    imported=whole,
    import_writer="includes:Includes",
    heads=kinds("preproc_include"),
    blocks="braces",
    semicolons="required",
    open_parameters=True,
    scopes=_SCOPES,
    declaration="void f(void) {{ int {0} = 0; {0}; }}\n",
    variables={
        "assignment_expression": ("left", "right"),
        "init_declarator": ("declarator", "value"),
        "declaration": ("declarator", "value"),
        "preproc_def": ("name", "value"),
        "enumerator": ("name", "value"),
        "field_declaration": ("declarator", "default_value"),
        "initializer_pair": ("designator", "value"),
    },
    types="before",
    special=re.compile(r"main\(\)"),
    modifiers="extern static, inline, constexpr const",
    corpus_share=2.0,
)
