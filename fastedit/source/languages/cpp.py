"""C++."""

from __future__ import annotations

import re
from dataclasses import replace

from fastedit.source.languages import c
from fastedit.source.languages.base import Bases
from fastedit.source.languages.scopes import kinds, pairs

_C = c.LANGUAGE
_SCOPES = replace(
    _C.scopes,
    functions=_C.scopes.functions | {"lambda_expression"},
    blocks=_C.scopes.blocks
    | kinds(
        "for_range_loop if_statement while_statement catch_clause namespace_definition template_declaration"
    ),
    classes=_C.scopes.classes | {"class_specifier"},
    binders=_C.scopes.binders
    | pairs("for_range_loop optional_parameter_declaration variadic_parameter_declaration", "declarator")
    | pairs("lambda_capture_initializer", "left")
    | pairs("class_specifier namespace_definition alias_declaration", "name")
    | pairs("type_parameter_declaration", None),
    patterns=_C.scopes.patterns | {"reference_declarator", "structured_binding_declarator"},
    declares=frozenset(),
    labels=_C.scopes.labels | pairs("field_declaration", "declarator"),
    unsure=_C.scopes.unsure | pairs("qualified_identifier", "name"),
    tags=frozenset(),
)
LANGUAGE = replace(
    _C,
    name="cpp",
    suffixes=(".cc", ".cpp", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".ipp", ".inl", ".h"),
    signs=re.compile(
        r"^[^\S\n]*+(?:class\s+\w|namespace\b|template\s*<|using\s+\w|public:|private:|protected:)|\w::\w",
        re.M,
    ),
    grammar=("tree_sitter_cpp", "language"),
    leading=re.compile(r"template\s*<.*>$|\[\[.*\]\]$"),
    extends=_C.name,
    definitions={**_C.definitions, "class_specifier": "class", "namespace_definition": "namespace"},
    needs_body=_C.needs_body | {"class_specifier"},
    wrappers=kinds("template_declaration"),
    overloads=True,
    overloads_elsewhere=True,
    overloads_operators=True,
    import_kinds=("preproc_include", "using_declaration"),
    scopes=_SCOPES,
    variables={**_C.variables, "optional_parameter_declaration": ("declarator", "default_value")},
    modifiers=f"virtual explicit, {_C.modifiers}",
    bases=Bases(clauses={"base_class_clause": ":"}, mark=" :", access="public "),
)
