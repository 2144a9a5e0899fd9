"""JavaScript, with JSX."""

from __future__ import annotations

import re
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING

from fastedit.source.languages.base import Bases, Language, NewFunction, Taken
from fastedit.source.languages.imported import leaves
from fastedit.source.languages.scopes import ScopeKinds, kinds, pairs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from fastedit.source.syntax import Syntax

_SUFFIX = re.compile(r"\.[cm]?[jt]sx?$")
_WHOLE_EXPORTS = frozenset({"module.exports", "exports.default"})


def _taken(syntax: Syntax, path: str) -> list[Taken]:
    found = list[Taken]()
    for node in syntax.find("(import_statement) @found (export_statement) @found"):
        if (source := node.child_by_field_name("source")) is not None:
            places = _places(syntax, source, path)
            found += (Taken(places, names, via, whole=True) for names, via in _bound(syntax, node))
    for node in syntax.find("(variable_declarator value: (call_expression)) @found"):
        name, call = node.child_by_field_name("name"), node.child_by_field_name("value")
        source = _required(syntax, call)
        if name is not None and source is not None:
            via = syntax.text(name) if name.type == "identifier" else None
            keys = frozenset(
                syntax.text(key.child_by_field_name("key") or key)
                for key in (name.named_children if via is None else ())
            )
            # What is put into an object later is its member too.
            found.append(Taken(_places(syntax, source, path), keys, via, whole=True, open=True))
    return found


def _bound(syntax: Syntax, statement: Node) -> Iterator[tuple[frozenset[str], str | None]]:
    """The names that a statement takes, and what it calls all of them."""
    names, waiting = set[str](), list(statement.named_children)
    while waiting:
        node = waiting.pop()
        if node.type in ("import_specifier", "export_specifier"):
            names.add(syntax.text(node.child_by_field_name("name") or node))
        elif node.type == "identifier":
            names.add("default")
        elif node.type == "namespace_import":
            yield frozenset(), syntax.text(node.named_children[0])
        elif node.type in ("import_clause", "named_imports", "export_clause"):
            waiting += node.named_children
    yield frozenset(names), None


def _required(syntax: Syntax, call: Node | None) -> Node | None:
    """The string that a call of `require` has."""
    function = call.child_by_field_name("function") if call is not None else None
    given = call.child_by_field_name("arguments") if call is not None else None
    if function is None or given is None or syntax.text(function) != "require":
        return None
    return next((each for each in given.named_children if each.type == "string"), None)


def _places(syntax: Syntax, source: Node, path: str) -> tuple[str, ...]:
    """Where a path beside this file may lead; nowhere for a package."""
    said = syntax.text(source)[1:-1]
    place = normpath(join(dirname(path), _SUFFIX.sub("", said)))
    if not said.startswith(".") or place.startswith(".."):
        return ()
    return place, normpath(join(place, "index"))


def _passed_on(syntax: Syntax) -> frozenset[str]:
    found = set[str]()
    for node in syntax.find("(export_statement) @found"):
        if any(child.type in ("default", "=") for child in node.children):
            found.add("default")
        inner = [child for clause in node.named_children for child in (clause, *clause.named_children)]
        for child in inner:
            if child.type == "namespace_export":
                found.add(syntax.text(child.named_children[0]))
            if child.type == "export_specifier":
                name = child.child_by_field_name("alias") or child.child_by_field_name("name")
                found.add(syntax.text(name or child))
        if any(child.type == "*" for child in node.children):
            found.add("*")
    members = syntax.find("(member_expression) @found")
    return frozenset(
        found | ({"default"} if any(syntax.text(m) in _WHOLE_EXPORTS for m in members) else set())
    )


def _respelled(text: str) -> str:
    """In JSX `&` is a character as any other, where the grammar knows but references that begin with it. Both operators
    stand where `|` may."""
    return text.replace("&", "|")


BINDINGS = {
    "variable_declarator": ("name", "value"),
    "assignment_expression": ("left", "right"),
    "pair": ("key", "value"),
    "field_definition": ("property", "value"),
    "public_field_definition": ("name", "value"),
}
# Those of TypeScript too, whose grammar has all kinds of nodes that this one has.
_SCOPES = ScopeKinds(
    functions=kinds(
        "function_declaration generator_function_declaration function_expression generator_function "
        "arrow_function method_definition function_signature method_signature function_type "
        "abstract_method_signature construct_signature call_signature constructor_type"
    ),
    blocks=kinds(
        "statement_block for_statement for_in_statement catch_clause switch_body class_static_block "
        "internal_module"
    ),
    classes=kinds(
        "class_declaration class abstract_class_declaration interface_declaration type_alias_declaration "
        "enum_declaration"
    ),
    binders=pairs("formal_parameters import_clause namespace_import", None)
    | pairs("required_parameter optional_parameter", "pattern")
    | pairs("catch_clause arrow_function", "parameter")
    | pairs(
        "variable_declarator function_declaration generator_function_declaration function_signature", "name"
    )
    | pairs(
        "class_declaration abstract_class_declaration interface_declaration type_alias_declaration", "name"
    )
    | pairs("enum_declaration internal_module type_parameter", "name")
    | pairs("for_in_statement", "left"),
    patterns=kinds(
        "object_pattern array_pattern rest_pattern assignment_pattern pair_pattern object_assignment_pattern"
    ),
    used=kinds("right key"),
    hoisted=kinds("variable_declaration"),
    members=pairs("member_expression nested_identifier", "property")
    | pairs("nested_type_identifier", "name")
    | pairs("pair pair_pattern", "key")
    | pairs("method_definition", "name")
    | pairs("jsx_attribute", None),
    declares=pairs("method_definition public_field_definition abstract_method_signature", "name")
    | pairs("method_signature property_signature enum_assignment enum_body", "name")
    | pairs("field_definition", "property"),
    labels=pairs("index_signature", "name")
    | pairs("labeled_statement break_statement continue_statement", "label")
    | pairs("meta_property", None),
    shapes=kinds("interface_declaration type_alias_declaration"),
    types=kinds("type_identifier"),
    typing=kinds(
        "class_declaration abstract_class_declaration interface_declaration type_alias_declaration "
        "enum_declaration type_parameter import_specifier import_clause"
    ),
    # These name themselves within, or bind types in ways of their own.
    unsure=pairs("function_expression generator_function class mapped_type_clause", "name")
    | pairs("infer_type", None),
)
LANGUAGE = Language(
    name="javascript",
    suffixes=(".js", ".jsx", ".mjs", ".cjs"),
    interpreters=("node",),
    editor_names=("javascriptreact",),
    grammar=("tree_sitter_javascript", "language"),
    respelled=_respelled,
    definitions={
        "function_declaration": "function",
        "generator_function_declaration": "function",
        "class_declaration": "class",
        "method_definition": "method",
        "variable_declarator": "function",
        "assignment_expression": "function",
        "pair": "function",
        "field_definition": "method",
    },
    bindings=BINDINGS,
    wrappers=kinds(
        "export_statement ambient_declaration lexical_declaration variable_declaration expression_statement"
    ),
    attached=kinds("decorator"),
    annotations=kinds("decorator"),
    import_kinds=("import_statement",),
    imported=leaves,
    taken=_taken,
    passed_on=_passed_on,
    import_writer="modules:Modules",
    heads=kinds("import_statement hash_bang_line"),
    blocks="braces",
    semicolons="optional",
    exclusive=frozenset({"**", "??"}),
    raw_quotes=("`",),
    scopes=_SCOPES,
    declaration="let {0} = 0;\nf({0});\n{0};\n",
    variables=BINDINGS | {"enum_assignment": ("name", "value"), "property_signature": ("name", "value")},
    decorator="@{}",
    modifiers=(
        "export, default, declare, public private protected, static, abstract, override, readonly, async, "
        "const let var"
    ),
    new_function=NewFunction("function {0}({1}) {{", ("}",), "{{ {} }}", "const {0} = {1}"),
    bases=Bases(
        clauses={
            "extends_clause": "extends",
            "class_heritage": "extends",
            "extends_type_clause": "extends",
            "implements_clause": "implements",
        },
        words=("extends",),
    ),
    constructor="constructor",
    special=re.compile(r"\.(?:toString|toLocaleString|valueOf|toJSON)\(\)"),
    corpus_share=2.0,
    compiled_to=True,
)
