"""C#."""

from __future__ import annotations

import re

from fastedit.source.languages.base import Bases, Language
from fastedit.source.languages.imported import last
from fastedit.source.languages.scopes import ScopeKinds, kinds, pairs

_TYPES = "class_declaration interface_declaration struct_declaration record_declaration enum_declaration"
_SCOPES = ScopeKinds(
    functions=kinds(
        "method_declaration constructor_declaration local_function_statement lambda_expression "
        "anonymous_method_expression accessor_declaration operator_declaration"
    ),
    blocks=kinds(
        "block for_statement foreach_statement using_statement fixed_statement catch_clause switch_section"
    ),
    classes=kinds(_TYPES),
    binders=pairs(
        "variable_declarator parameter catch_declaration declaration_pattern declaration_expression "
        "local_function_statement type_parameter",
        "name",
    )
    | pairs(_TYPES, "name")
    | pairs("foreach_statement", "left")
    | pairs("implicit_parameter lambda_expression", "parameters"),
    members=pairs("member_access_expression member_binding_expression qualified_name", "name"),
    declares=pairs(
        "method_declaration property_declaration event_declaration enum_member_declaration", "name"
    ),
    labels=pairs("argument name_colon attribute_argument", "name")
    | pairs("labeled_statement goto_statement", None),
    foreign=pairs("namespace_declaration file_scoped_namespace_declaration", "name"),
    foreign_statements=kinds("using_directive"),
    made=kinds("initializer_expression"),
    unsure=pairs("anonymous_object_creation_expression", None)
    | pairs("tuple_pattern from_clause join_clause let_clause", "name"),
    outside=kinds("name returns type type_parameters"),
    bare=True,
)
LANGUAGE = Language(
    name="csharp",
    suffixes=(".cs",),
    grammar=("tree_sitter_c_sharp", "language"),
    told_by_text=False,  # it reads much of what is Java
    alike={
        "attribute_list": "attribute_item",
        "compilation_unit": "program",
        "declaration_list": "class_body",
        "element_access_expression": "subscript_expression",
        "enum_member_declaration": "enumerator",
        "enum_member_declaration_list": "enum_body",
        "foreach_statement": "enhanced_for_statement",
        "initializer_expression": "array_initializer",
        "invocation_expression": "call_expression",
        "local_declaration_statement": "local_variable_declaration",
        "member_access_expression": "member_expression",
        "prefix_unary_expression": "unary_expression",
    },
    definitions={
        "class_declaration": "class",
        "interface_declaration": "interface",
        "struct_declaration": "struct",
        "record_declaration": "record",
        "enum_declaration": "enum",
        "delegate_declaration": "type",
        "namespace_declaration": "namespace",
        "method_declaration": "method",
        "constructor_declaration": "method",
        "property_declaration": "method",
        "local_function_statement": "function",
    },
    annotations=kinds("attribute_list"),
    leading=re.compile(r"\[[A-Za-z_].*\]$"),
    conditional_lines=True,
    order="variables",
    overloads=True,
    repeats=re.compile(r"[^{;]*\bpartial\b"),
    unshadowed=True,
    overloads_elsewhere=True,
    overloads_operators=True,
    named_arguments=True,
    import_kinds=("using_directive",),
    imported=last,
    import_writer="lines:LineImports",
    import_line="using {};",
    import_alias="{1} = {0}",
    heads=kinds("using_directive extern_alias_directive file_scoped_namespace_declaration"),
    doc_comment="///",
    blocks="braces",
    semicolons="required",
    raw_quotes=('"',),
    scopes=_SCOPES,
    declaration="class A {{ {0} y; void F() {{ int {0} = 0; {0} = 1; }} }}\n",
    variables={
        "assignment_expression": ("left", "right"),
        "variable_declarator": ("name", "="),
        "enum_member_declaration": ("name", "value"),
        "property_declaration": ("name", "value"),
    },
    types="before",
    decorator="[{}]",
    modifiers=(
        "public protected private internal, new, static, abstract virtual override, sealed, readonly const, "
        "unsafe, volatile, extern, partial, async"
    ),
    bases=Bases(clauses={"base_list": ":"}, mark=" :", holders=kinds("class interface struct")),
)
