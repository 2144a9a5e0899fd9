"""PHP."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastedit.source.languages.base import Bases, Language
from fastedit.source.languages.scopes import ScopeKinds, kinds, pairs

if TYPE_CHECKING:
    from tree_sitter import Node

    from fastedit.source.syntax import Syntax


def _imported(syntax: Syntax, node: Node) -> list[str]:
    """What clauses bind, in braces too: an alias, else the last name of a path."""
    if node.type == "namespace_use_clause":
        alias = node.child_by_field_name("alias")
        return [syntax.text(alias or node).rpartition("\\")[2].split()[-1]]
    return [name for child in node.named_children for name in _imported(syntax, child)]


_LAST_COMMA = re.compile(r"^([^\S\n]*+use\s[^;{}\n]*\{[^;{}]*?),(?=\s*+\})", re.MULTILINE)


def _respelled(text: str) -> str:
    """The grammar lacks a comma after the last name of a group."""
    return _LAST_COMMA.sub(r"\1 ", text)


_SCOPES = ScopeKinds(
    # Functions without a name share the variables that they use, so those of a scope are taken together.
    functions=kinds("function_definition method_declaration"),
    classes=kinds(
        "class_declaration interface_declaration trait_declaration enum_declaration anonymous_class"
    ),
    binders=pairs(
        "assignment_expression augmented_assignment_expression reference_assignment_expression", "left"
    )
    | pairs("simple_parameter variadic_parameter catch_clause static_variable_declaration", "name")
    | pairs("class_declaration interface_declaration trait_declaration enum_declaration", "name")
    | pairs("property_promotion_parameter function_definition const_element", "name")
    | pairs("foreach_statement pair global_declaration", None),
    patterns=kinds("list_literal by_ref"),
    members=pairs(
        "scoped_property_access_expression scoped_call_expression member_access_expression "
        "nullsafe_member_access_expression member_call_expression nullsafe_member_call_expression",
        "name",
    ),
    computed=pairs(
        "scoped_call_expression member_access_expression nullsafe_member_access_expression "
        "member_call_expression nullsafe_member_call_expression",
        "variable_name",
    ),
    declares=pairs("property_element method_declaration enum_case const_element", "name"),
    labels=pairs("argument", "name"),
    foreign=pairs("qualified_name namespace_name", None),
    foreign_statements=kinds("namespace_use_declaration"),
    unsure=pairs("property_promotion_parameter", "name"),
    outer=kinds("global_declaration"),
    dotted=kinds("class_constant_access_expression"),
    leaves=kinds("variable_name name"),
    opaque=kinds("function_definition method_declaration"),
    by_text=re.compile(rb"\$[${]|\b(?:compact|extract|get_defined_vars|parse_str|include|require|eval)\b"),
)
LANGUAGE = Language(
    name="php",
    suffixes=(".php", ".phtml"),
    interpreters=("php",),
    grammar=("tree_sitter_php", "language_php"),
    respelled=_respelled,
    told_by_text=False,  # to it, any text is HTML
    alike={
        "attribute_group": "attribute_item",
        "colon_block": "block",
        "enum_declaration_list": "enum_body",
        "function_call_expression": "call_expression",
        "member_access_expression": "member_expression",
        "member_call_expression": "call_expression",
        "scoped_call_expression": "call_expression",
        "property_declaration": "field_declaration",
        "unary_op_expression": "unary_expression",
        "variable_name": "identifier",
    },
    definitions={
        "class_declaration": "class",
        "interface_declaration": "interface",
        "trait_declaration": "trait",
        "enum_declaration": "enum",
        "namespace_definition": "namespace",
        "function_definition": "function",
        "method_declaration": "method",
    },
    annotations=kinds("attribute_group"),
    fields={("const_element", "name"): "name"},
    needs_body=kinds("namespace_definition"),
    identifiers=kinds("name"),
    parted=False,
    overloads_elsewhere=True,
    named_arguments=True,
    import_kinds=("namespace_use_declaration",),
    imported=_imported,
    import_writer="lines:LineImports",
    import_line="use {};",
    import_alias="{0} as {1}",
    import_separator="\\",
    imports_members=True,
    heads=kinds("php_tag declare_statement namespace_definition namespace_use_declaration"),
    beside_code=kinds("text text_interpolation"),
    data_below=re.compile(r"\s*__halt_compiler\b"),
    heredoc=re.compile(r"""<<<\s*(?P<quote>["']?)(?P<end>[A-Za-z_]\w*)(?P=quote)"""),
    blocks="braces",
    semicolons="required",
    scopes=_SCOPES,
    declaration="<?php\n{0} = 0;\nf({0});\n",
    name_of_variable="$x",
    variables={
        "assignment_expression": ("left", "right"),
        "property_element": ("name", "default_value"),
        "const_element": ("name", "="),
        "enum_case": ("name", "value"),
    },
    decorator="#[{}]",
    modifiers="final abstract, public protected private, static, readonly",
    bases=Bases(
        clauses={"base_clause": "extends", "class_interface_clause": "implements"},
        words=("extends", "implements"),
        holders=frozenset({"class", "interface", "enum"}),
    ),
)
