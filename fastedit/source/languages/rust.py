"""Rust."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from fastedit.source.languages.base import Bases, Language, Taken
from fastedit.source.languages.built_in import is_built_in
from fastedit.source.languages.imported import leaves
from fastedit.source.languages.scopes import ScopeKinds, kinds, pairs

if TYPE_CHECKING:
    from tree_sitter import Node

    from fastedit.source.syntax import Syntax

_ROOTS = ("lib", "main")
_OF_MACROS = frozenset({"token_tree", "macro_invocation", "attribute"})
_TRY = re.compile(r"\btry!")


def _respelled(text: str) -> str:
    """`try` was a name that a macro had before it became a keyword."""
    return _TRY.sub("r#try!", text)


def _imported(syntax: Syntax, node: Node) -> list[str] | None:
    """Nothing for all names of what is around a module within the file, which the file has."""
    inner = node.parent is not None and node.parent.type == "declaration_list"
    return None if inner and "super::*" in syntax.text(node) else leaves(syntax, node)


def _own(node: Node) -> bool:
    """Whether it is neither of the prelude nor a crate, and no macro gets it, which may make anything of it."""
    name, holder = (node.text or b"").decode(), node.parent
    if holder is None or holder.type in _OF_MACROS or is_built_in("rust", name):
        return False
    if holder.type == "type_binding" and holder.child_by_field_name("name") == node:
        return False
    return name[:1].isupper() or holder.type == "call_expression"


def _taken(syntax: Syntax, path: str) -> list[Taken]:
    file = _module_of(path)
    found = list[Taken]()
    for node in syntax.find("(mod_item !body) @found"):
        name = syntax.text(node.child_by_field_name("name") or node)
        found.append(Taken(_places([*file, *_around(syntax, node), name]), via=name, whole=True))
    for node in syntax.find("(use_declaration argument: (_) @found)"):
        here = [*file, *_around(syntax, node)]
        for said, called in _leaves(syntax, node, ()):
            place = _place(here, said)
            if place is None:
                continue
            *module, name = place
            whole, is_root = module[:1] != [""], said[:-1] == ("crate",)
            if name == "*":
                found.append(Taken(_places(module), via="", whole=whole, open=True))
                continue
            # A program and a library beside it have one root each.
            found.append(Taken(_places(module), frozenset({name}), whole=whole, open=is_root))
            found.append(Taken(_places(place), via=called, whole=whole, open=True))
    return found


def _module_of(path: str) -> list[str]:
    """The folder of a module's own modules."""
    *folder, name = PurePosixPath(path).with_suffix("").parts
    return folder if name in ("mod", *_ROOTS) else [*folder, name]


def _around(syntax: Syntax, node: Node) -> list[str]:
    """The modules within its file that a node stands in."""
    found = list[str]()
    while node.parent is not None:
        node = node.parent
        if node.type == "mod_item":
            found.append(syntax.text(node.child_by_field_name("name") or node))
    return found[::-1]


def _place(here: list[str], said: Sequence[str]) -> list[str] | None:
    """Where a path leads that begins in this crate: the parts below its root, or after an empty part where nobody
    knows that root."""
    first, *rest = said
    if first == "crate":
        root = here[: len(here) - here[::-1].index("src")] if "src" in here else [""]
        return [*root, *rest]
    if first == "self":
        return [*here, *rest]
    if first != "super":
        return None
    while rest[:1] == ["super"]:
        here, rest = here[:-1], rest[1:]
    return [*here[:-1], *rest]


def _places(module: Sequence[str]) -> tuple[str, ...]:
    """The files that a module may have."""
    inside = list(filter(None, module))
    return tuple(
        "/".join([*inside, *end]) for end in ([], ["mod"], *([root] for root in _ROOTS)) if inside or end
    )


def _leaves(syntax: Syntax, node: Node, before: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """What a tree of `use` brings in, as a path, `*` at its end for all, and what it is called here."""
    path = node.child_by_field_name("path")
    parts = (*before, *syntax.text(path).split("::")) if path is not None else before
    if node.type == "use_as_clause":
        alias = node.child_by_field_name("alias")
        yield parts, parts[-1] if alias is None else syntax.text(alias)
    elif node.type in ("scoped_use_list", "use_list"):
        inner = node.child_by_field_name("list") or node
        for child in inner.named_children:
            yield from _leaves(syntax, child, parts)
    elif node.type == "use_wildcard":
        yield (*before, *syntax.text(node).removesuffix("::*").split("::"), "*"), "*"
    elif node.type == "self":
        yield before, before[-1]
    elif path is not None or node.type == "identifier":
        name = syntax.text(node.child_by_field_name("name") or node)
        yield (*parts, name), name


_SCOPES = ScopeKinds(
    functions=kinds("function_item function_signature_item closure_expression"),
    blocks=kinds("block if_expression while_expression for_expression match_arm mod_item macro_rule"),
    classes=kinds("impl_item trait_item struct_item enum_item union_item type_item"),
    binders=pairs("let_declaration parameter for_expression let_condition match_arm", "pattern")
    | pairs("closure_parameters", None)
    | pairs("function_item function_signature_item struct_item enum_item union_item type_item", "name")
    | pairs("trait_item const_item static_item mod_item macro_definition", "name")
    | pairs("type_parameter const_parameter", "name")
    | pairs("use_as_clause", "alias"),
    patterns=kinds(
        "tuple_pattern tuple_struct_pattern struct_pattern field_pattern slice_pattern or_pattern "
        "ref_pattern mut_pattern reference_pattern captured_pattern match_pattern"
    ),
    used=kinds("type condition name"),
    members=pairs("field_expression field_initializer", "field")
    | pairs("scoped_identifier scoped_type_identifier field_pattern", "name"),
    declares=pairs("field_declaration enum_variant function_item function_signature_item const_item", "name")
    | pairs("type_item", "name"),
    methods=pairs("enum_variant function_item function_signature_item const_item type_item", "name")
    | pairs("scoped_identifier scoped_type_identifier", "name"),
    labels=pairs("lifetime label", None),
    apart=frozenset({("if_expression", "alternative"), ("for_expression", "value")}),
    statements=kinds("let_declaration let_condition"),
    opaque=frozenset({"mod_item"}),
    paths=True,
)
LANGUAGE = Language(
    name="rust",
    suffixes=(".rs",),
    grammar=("tree_sitter_rust", "language"),
    respelled=_respelled,
    definitions={
        "function_item": "function",
        "function_signature_item": "function",
        "struct_item": "struct",
        "enum_item": "enum",
        "union_item": "union",
        "trait_item": "trait",
        "impl_item": "impl",
        "mod_item": "module",
        "type_item": "type",
        "macro_definition": "macro",
    },
    names={"impl_item": "type"},
    attached=kinds("attribute_item"),
    annotations=kinds("attribute_item"),
    order="any",
    only_declares=True,
    import_kinds=("use_declaration", "extern_crate_declaration"),
    imported=_imported,
    taken=_taken,
    own=_own,
    import_writer="trees:Trees",
    heads=kinds("use_declaration inner_attribute_item"),
    doc_comment="///",
    blocks="braces",
    semicolons="required",
    scopes=_SCOPES,
    declaration="fn f() {{ let {0} = 0; {0}; }}\n",
    variables={
        "assignment_expression": ("left", "right"),
        "const_item": ("name", "value"),
        "static_item": ("name", "value"),
        "let_declaration": ("pattern", "value"),
        "field_initializer": ("field", "value"),
        "field_declaration": ("name", "value"),
        "enum_variant": ("name", "value"),
    },
    types="after",
    bare_conditions=True,
    decorator="#[{}]",
    special=re.compile(r"main\(\)"),
    modifiers="pub pub(crate) pub(super), const static, async, unsafe, mut",
    bases=Bases(clauses={"trait_bounds": ":"}, mark=":", separator=" + ", holders=kinds("trait")),
    corpus_share=2.0,
)
