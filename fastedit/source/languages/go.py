"""Go."""

from __future__ import annotations

import re
from posixpath import dirname
from typing import TYPE_CHECKING

from fastedit.source.languages.base import Language, Taken
from fastedit.source.languages.scopes import ScopeKinds, kinds, pairs

if TYPE_CHECKING:
    from tree_sitter import Node

    from fastedit.source.syntax import Syntax

_VERSION = re.compile(r"/v[0-9]+$")  # of a module, which its packages are not called by


def _imported(syntax: Syntax, node: Node) -> list[str]:
    name, path = node.child_by_field_name("name"), node.child_by_field_name("path")
    if name is not None:
        return [syntax.text(name)]
    return ["" if path is None else _VERSION.sub("", syntax.text(path).strip('"`')).rsplit("/", 1)[-1]]


def _taken(syntax: Syntax, path: str) -> list[Taken]:
    found = [Taken((dirname(path),), via="", whole=True, open=True, folder=True)]
    for node in syntax.find("(import_spec) @found"):
        place = node.child_by_field_name("path")
        text = "" if place is None else syntax.text(place).strip('"`')
        found += (Taken((text,), via=name, open=True, folder=True) for name in _imported(syntax, node))
    return found


# How packages are called by convention ("Effective Go"), and variables that other files of this one see hardly ever.
_PACKAGE = re.compile(rb"[a-z][a-z0-9]*")


def _own(node: Node) -> bool:
    """Whether it is a package, of which only its own imports give a file one: what stands before an exported name."""
    holder = node.parent
    if holder is None or not _PACKAGE.fullmatch(node.text or b""):
        return False
    behind = holder.child_by_field_name("field") if holder.type == "selector_expression" else None
    exported = behind is not None and behind != node and (behind.text or b"")[:1].isupper()
    return exported or node.type == "package_identifier"


_SCOPES = ScopeKinds(
    functions=kinds("function_declaration method_declaration func_literal"),
    blocks=kinds(
        "block if_statement for_statement expression_switch_statement type_switch_statement "
        "expression_case type_case communication_case default_case function_type method_elem"
    ),
    classes=kinds("struct_type interface_type"),
    binders=pairs(
        "function_declaration var_spec const_spec import_spec parameter_declaration type_spec", "name"
    )
    | pairs("variadic_parameter_declaration type_parameter_declaration type_alias", "name")
    | pairs("short_var_declaration range_clause receive_statement", "left")
    | pairs("type_switch_statement", "alias"),
    patterns=kinds("expression_list"),
    members=pairs("selector_expression", "field"),
    declares=pairs("field_declaration method_declaration method_elem", "name"),
    foreign=pairs("qualified_type", "name") | pairs("package_clause", None),
    statements=kinds("short_var_declaration var_spec const_spec receive_statement"),
    embeds=True,
    shapes=kinds("interface_type"),
)
LANGUAGE = Language(
    name="go",
    suffixes=(".go",),
    grammar=("tree_sitter_go", "language"),
    repeats=re.compile(r"func\s+init\b"),
    definitions={"function_declaration": "function", "method_declaration": "method", "type_spec": "type"},
    bodies={"type_spec": "type"},
    fields={("struct_type", "body"): "field_declaration_list"},
    wrappers=kinds("type_declaration"),
    order="any",
    only_declares=True,
    import_kinds=("import_spec",),
    imported=_imported,
    taken=_taken,
    own=_own,
    import_writer="groups:Groups",
    heads=kinds("import_declaration package_clause"),
    doc_comment="//",
    blocks="braces",
    indent="\t",
    raw_quotes=("`",),
    scopes=_SCOPES,
    declaration="package p\nvar {} = 0\n",
    variables={
        "var_spec": ("name", "value"),
        "const_spec": ("name", "value"),
        "short_var_declaration": ("left", "right"),
        "assignment_statement": ("left", "right"),
        "keyed_element": ("key", "value"),
        "field_declaration": ("name", "value"),
    },
    types="after",
    type_mark=" ",
    bare_conditions=True,
    conditional_for=True,
    special=re.compile(r"(?:main|init|\.(?:String|Error))\(\)"),
    corpus_share=2.0,
)
