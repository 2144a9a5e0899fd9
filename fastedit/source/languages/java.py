"""Java."""

from __future__ import annotations

import re
from posixpath import dirname
from typing import TYPE_CHECKING

from fastedit.source.languages.base import Bases, Language, Taken
from fastedit.source.languages.imported import last
from fastedit.source.languages.scopes import ScopeKinds, kinds, pairs

if TYPE_CHECKING:
    from fastedit.source.syntax import Syntax


def _taken(syntax: Syntax, path: str) -> list[Taken]:
    found = [Taken((dirname(path),), via="", whole=True, open=True, folder=True)]
    for node in syntax.find("(import_declaration) @found"):
        kinds_of = {child.type for child in node.children}
        name = next((child for child in node.named_children if "identifier" in child.type), None)
        if name is None or "static" in kinds_of:
            continue
        *inner, last_name = syntax.text(name).split(".")
        if "asterisk" in kinds_of:
            found.append(Taken(("/".join([*inner, last_name]),), via="", open=True, folder=True))
        else:
            found.append(Taken(("/".join(inner),), frozenset({last_name}), open=True, folder=True))
    return found


_TYPES = kinds(
    "class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration"
)
_SCOPES = ScopeKinds(
    functions=kinds("method_declaration constructor_declaration lambda_expression"),
    blocks=kinds(
        "block for_statement enhanced_for_statement try_with_resources_statement catch_clause "
        "switch_block_statement_group switch_rule"
    ),
    classes=_TYPES | kinds("object_creation_expression"),
    binders=pairs(
        "variable_declarator formal_parameter catch_formal_parameter enhanced_for_statement", "name"
    )
    | pairs("resource enum_constant class_declaration interface_declaration enum_declaration", "name")
    | pairs("record_declaration annotation_type_declaration", "name")
    | pairs("inferred_parameters type_parameter", None)
    | pairs("lambda_expression", "parameters"),
    members=pairs("field_access", "field")
    | pairs("scoped_identifier method_invocation", "name")
    | pairs("scoped_type_identifier", None),
    declares=pairs("method_declaration", "name"),
    methods=pairs("method_declaration method_invocation", "name") | pairs("method_reference", None),
    labels=pairs("labeled_statement break_statement continue_statement", None)
    | pairs("element_value_pair", "key"),
    unsure=pairs("instanceof_expression", "name") | pairs("type_pattern record_pattern_component", None),
    foreign_statements=kinds("import_declaration"),
    types=kinds("type_identifier"),
    typing=_TYPES | kinds("type_parameter"),
    bare=True,
)
LANGUAGE = Language(
    name="java",
    suffixes=(".java",),
    grammar=("tree_sitter_java", "language"),
    definitions={
        "class_declaration": "class",
        "interface_declaration": "interface",
        "enum_declaration": "enum",
        "record_declaration": "record",
        "annotation_type_declaration": "interface",
        "method_declaration": "method",
        "constructor_declaration": "method",
    },
    annotations=kinds("annotation marker_annotation"),
    order="variables",
    overloads=True,
    unshadowed=True,
    only_declares=True,
    import_kinds=("import_declaration",),
    imported=last,
    taken=_taken,
    import_writer="lines:JavaImports",
    import_line="import {};",
    imports_members=True,
    heads=kinds("import_declaration package_declaration"),
    blocks="braces",
    semicolons="required",
    scopes=_SCOPES,
    declaration="class A {{ void f() {{ int {0} = 0; {0}; }} }}\n",
    variables={
        "assignment_expression": ("left", "right"),
        "variable_declarator": ("name", "value"),
        "element_value_pair": ("key", "value"),
    },
    types="before",
    decorator="@{}",
    special=re.compile(r"\.(?:main|toString|equals|hashCode|clone|finalize)\(\)"),
    modifiers="public protected private, abstract, static, final, transient, volatile, synchronized, native",
    bases=Bases(
        clauses={
            "superclass": "extends",
            "extends_interfaces": "extends",
            "super_interfaces": "implements",
        },
        words=("extends", "implements"),
    ),
    corpus_share=2.0,
)
