"""Kotlin."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastedit.source.languages.base import Language
from fastedit.source.languages.imported import last
from fastedit.source.languages.scopes import ScopeKinds, kinds, pairs

if TYPE_CHECKING:
    from tree_sitter import Node

    from fastedit.source.syntax import Syntax


def _imported(syntax: Syntax, node: Node) -> list[str]:
    return [name.rpartition(" as ")[2] for name in last(syntax, node)]


_SCOPES = ScopeKinds(
    functions=kinds(
        "function_declaration lambda_literal anonymous_function anonymous_initializer getter setter"
    ),
    # Calls in other files may name the parameters of a constructor.
    blocks=kinds("block for_statement catch_block when_expression when_entry secondary_constructor"),
    classes=kinds("class_declaration object_declaration companion_object object_literal"),
    binders=pairs(
        "variable_declaration class_parameter parameter type_parameter function_declaration "
        "class_declaration object_declaration companion_object",
        "name",
    )
    | pairs("type_alias", "type")
    | pairs("catch_block setter", "parameter"),
    declares=pairs("function_declaration enum_entry", "name"),
    foreign_statements=kinds("import package_header"),
    statements=kinds("property_declaration"),
    bare=True,
    dotted=kinds("navigation_expression user_type"),
    arguments=kinds("value_argument"),
    sigil=b"$",
)
LANGUAGE = Language(
    name="kotlin",
    suffixes=(".kt", ".kts"),
    grammar=("tree_sitter_kotlin", "language"),
    told_by_text=False,  # it reads much of what is Swift
    alike={
        "assignment": "assignment_expression",
        "enum_class_body": "enum_body",
        "lambda_literal": "block",
        "navigation_expression": "member_expression",
        "throw_expression": "throw_statement",
    },
    definitions={
        "class_declaration": "class",
        "object_declaration": "object",
        "companion_object": "object",
        "type_alias": "type",
        "function_declaration": "function",
        "secondary_constructor": "constructor",
        "anonymous_initializer": "initializer",
        "property_declaration": "property",
    },
    annotations=kinds("annotation"),
    names={"type_alias": "type"},
    fields={
        ("class_declaration", "body"): "class_body|enum_class_body",
        ("object_declaration", "body"): "class_body",
        ("companion_object", "body"): "class_body",
        ("function_declaration", "body"): "function_body block",
        ("secondary_constructor", "name"): "constructor",
        ("secondary_constructor", "body"): "block",
        ("anonymous_initializer", "name"): "init",
        ("anonymous_initializer", "body"): "block",
        ("property_declaration", "name"): "variable_declaration identifier",
        ("property_declaration", "body"): "getter function_body block",
        ("enum_entry", "name"): "identifier",
        ("class_parameter", "name"): "identifier",
        ("parameter", "name"): "identifier",
        ("setter", "parameter"): "identifier",
        ("catch_block", "parameter"): "identifier",
        ("type_parameter", "name"): "identifier",
        ("function_declaration", "parameters"): "function_value_parameters",
        ("secondary_constructor", "parameters"): "function_value_parameters",
        ("anonymous_function", "parameters"): "function_value_parameters",
    },
    needs_body=kinds("property_declaration"),
    order="variables",
    overloads=True,
    repeats=re.compile(r"init\b"),
    overloads_elsewhere=True,
    named_arguments=True,
    import_kinds=("import",),
    imported=_imported,
    import_writer="lines:LineImports",
    import_line="import {}",
    import_alias="{0} as {1}",
    imports_members=True,
    extensions=True,
    heads=kinds("import package_header file_annotation shebang"),
    blocks="braces",
    scopes=_SCOPES,
    declaration="fun f() {{ val {0} = 0; {0} }}\n",
    raw_quotes=('"""',),
    variables={"property_declaration": ("name", "="), "assignment": ("left", "right")},
    decorator="@{}",
    modifiers=(
        "public protected private internal, expect actual, final open abstract sealed, const, external, override, "
        "lateinit, tailrec, vararg, suspend, inner, enum annotation, companion, inline value, infix, operator, data"
    ),
)
