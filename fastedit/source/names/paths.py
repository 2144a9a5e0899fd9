"""What Rust does with names that no table says: paths, `use`, and what stands in macros."""

from __future__ import annotations

from tree_sitter import Node

from fastedit.source.names.site import PathNode, Role

_HERE = frozenset({"self", "super", "crate"})


def read(steps: tuple[PathNode, ...]) -> tuple[Role, bool, str] | None:
    """The role of an identifier, whether it binds, and what a rename makes of it; None where a table tells."""
    holder, field = (steps[-2].node, steps[-1].field) if len(steps) > 1 else (None, None)
    if holder is None:
        return None
    if any(step.kind == "use_declaration" for step in steps[:-1]):
        return _used(holder, field, any(step.field == "list" for step in steps))
    if holder.type == "token_tree":
        if any(step.kind == "macro_definition" for step in steps):
            return Role.UNSURE, False, "{new}"
        return _in_macro(steps[-1].node), False, "{new}"
    if field == "name" and holder.type == "scoped_identifier" and _here(holder):
        return Role.UNSURE, False, "{new}"
    return None


def _used(holder: Node, field: str | None, inner: bool) -> tuple[Role, bool, str]:
    """A name in a `use`: the last of a path is bound, under its own name or another, and the first looked up, unless
    it stands in the braces of another path."""
    if holder.type == "use_as_clause" and field == "alias":
        return Role.NAME, True, "{new}"
    if field == "path" or holder.type in ("use_as_clause", "use_wildcard"):
        return Role.FOREIGN if inner else Role.NAME, False, "{new}"
    if holder.type in ("use_declaration", "use_list"):
        return Role.NAME, True, "{old} as {new}"
    outer = holder.parent
    last = field == "name" and outer is not None and outer.type in ("use_declaration", "use_list")
    # What another module of this file has is the same thing under two paths.
    return (Role.UNSURE if _here(holder) else Role.NAME if last else Role.FOREIGN), last, "{old} as {new}"


def _here(path: Node) -> bool:
    """Whether a path begins in this file."""
    first: Node | None = path
    while first is not None and first.type == "scoped_identifier":
        first = first.child_by_field_name("path")
    return first is not None and first.type in _HERE


def _in_macro(leaf: Node) -> Role:
    """A word among the tokens that a macro is given: a name, but for what the tokens beside it say."""
    before, after = (node.type if node is not None else "" for node in (leaf.prev_sibling, leaf.next_sibling))
    if before in (".", "::"):
        return Role.MEMBER
    if _is_in_pattern(leaf):
        return Role.UNSURE
    braced = leaf.parent is not None and leaf.parent.children[0].type == "{"
    if after in (":", "!") or (braced and {before, after} <= {"{", ",", "}"}):
        return Role.UNSURE
    return Role.NAME


def _is_in_pattern(leaf: Node) -> bool:
    """Whether `mut` or `ref` right before a word says that it is bound there, in whichever way the macro means it."""
    word = leaf.prev_sibling
    before = word.prev_sibling if word is not None else None
    if word is None or word.text not in (b"mut", b"ref"):
        return False
    return before is None or before.type not in ("&", "*")  # of a reference or a pointer


def captured(data: bytes, at: int, stop: int, steps: tuple[PathNode, ...]) -> bool:
    """Whether a word in a string that a macro is given is a name between braces, as `{name:?}` is."""
    if not any(step.kind == "token_tree" for step in steps):
        return False
    return data[at - 1 : at] == b"{" and data[at - 2 : at] != b"{{" and data[stop : stop + 1] in (b"}", b":")
