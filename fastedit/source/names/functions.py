"""What Python does with names that no table says (Language Reference, 4.2 "Naming and binding")."""

from __future__ import annotations

from tree_sitter import Node

from fastedit.source.names.site import PathNode, Role

_GENERIC = ("function_definition", "class_definition")
_SEQUENCES = frozenset({"tuple", "list", "set", "string", "expression_list"})
_MEMBER_LISTS = ("__slots__", "__match_args__")
_NO_ANNOTATIONS = frozenset({"Literal", "Annotated"})


def read(steps: tuple[PathNode, ...], depth: int) -> tuple[Role, bool, str] | None:
    """The role of an identifier, whether it binds, and what a rename makes of it; None where the table tells."""
    holder, field = (steps[depth - 1].node, steps[depth].field) if depth else (None, None)
    if holder is None:
        return None
    if holder.type == "dotted_name":
        return _dotted(steps, holder)
    if (holder.type, field) == ("keyword_argument", "name"):
        return Role.KEYWORD, False, "{new}"
    captures = holder.type == "as_pattern" and field is None and _captures(steps, depth)
    binds = captures or _declares_type(steps) or _alias_left(steps)
    return (Role.NAME, True, "{new}") if binds else None


def _dotted(steps: tuple[PathNode, ...], dotted: Node) -> tuple[Role, bool, str]:
    """The role of an identifier in a dotted name, whether it binds, and what a rename makes of it."""
    outer = steps[-3] if len(steps) > 2 else None
    field = steps[-2].field
    first = dotted.children[0] == steps[-1].node
    if outer is None:
        return Role.UNSURE, False, "{new}"
    kind = outer.node.type
    if kind == "import_from_statement" and field == "name":
        return Role.NAME, True, "{old} as {new}"
    if kind == "import_statement" and first:
        return (Role.NAME if dotted.child_count == 1 else Role.UNSURE), True, "{old} as {new}"
    if kind in ("import_statement", "import_from_statement", "aliased_import", "relative_import") or (
        kind == "future_import_statement"
    ):
        return Role.FOREIGN, False, "{new}"
    if not first:
        return Role.MEMBER, False, "{new}"
    captures = kind in ("case_pattern", "keyword_pattern") and dotted.child_count == 1
    return Role.NAME, captures, "{new}"


def _captures(steps: tuple[PathNode, ...], depth: int) -> bool:
    """Whether it is the name after `as` in a `case`."""
    holder = steps[depth - 1].node
    return (
        depth > 1
        and steps[depth - 2].kind == "case_pattern"
        and holder.named_children[-1] == steps[depth].node
    )


def _declares_type(steps: tuple[PathNode, ...]) -> bool:
    """Whether it is the name of a type parameter (PEP 695), not in the bound of one."""
    depth = next((at for at in range(len(steps) - 1, 0, -1) if steps[at].kind == "type_parameter"), 0)
    if not depth or (steps[depth].field != "type_parameters" and not _in_alias(steps, depth - 2)):
        return False
    inside = [step.kind for step in steps[depth + 1 : -1]]
    if inside == ["type", "constrained_type", "type"]:
        return steps[-3].node.named_children[0] == steps[-2].node
    return inside in (["type"], ["type", "splat_type"])


def _alias_left(steps: tuple[PathNode, ...]) -> bool:
    """Whether it is the name that a `type` statement gives."""
    generic = len(steps) > 1 and steps[-2].kind == "generic_type" and steps[-1].field is None
    first = generic and steps[-2].node.named_children[0] == steps[-1].node
    return _in_alias(steps, len(steps) - (3 if first else 2))


def _in_alias(steps: tuple[PathNode, ...], depth: int) -> bool:
    """Whether what stands at a depth is what a `type` statement defines."""
    return depth > 0 and steps[depth - 1].kind == "type_alias_statement" and steps[depth].field == "left"


def generic(steps: tuple[PathNode, ...], depth: int) -> tuple[Node, Node] | None:
    """The name and the type parameters of what is defined at a depth, if the place sees these: all of it does but its
    name, and the defaults of its parameters."""
    node, kind, inner = steps[depth].node, steps[depth].kind, steps[depth + 1]
    if kind == "type_alias_statement":
        left = node.child_by_field_name("left")
        given = [each for child in left.named_children[:1] for each in child.named_children] if left else []
        is_name = inner.field == "left" and all(step.kind != "type_parameter" for step in steps[depth:])
        return None if is_name or len(given) < 2 else (given[0], given[1])
    found = node.child_by_field_name("type_parameters") if kind in _GENERIC else None
    name = node.child_by_field_name("name")
    default = inner.field == "parameters" and any(
        step.field == "value" for step in steps[depth + 2 : depth + 4]
    )
    return None if found is None or name is None or inner.field == "name" or default else (name, found)


def statement_end(steps: tuple[PathNode, ...]) -> int:
    """The byte after the statement that a name stands in, from which what it binds is seen in a class."""
    for depth in range(len(steps) - 1, 0, -1):
        if steps[depth - 1].kind in ("block", "module"):
            return steps[depth].node.end_byte
    return steps[0].node.end_byte


def is_first_iterable(steps: tuple[PathNode, ...], depth: int) -> bool:
    """Whether it stands in what the comprehension at a depth goes over, which is evaluated outside."""
    inside = steps[depth].node.named_children
    clause = next((child for child in inside if child.type == "for_in_clause"), None)
    return depth + 2 < len(steps) and steps[depth + 1].node == clause and steps[depth + 2].field == "right"


def quoted(data: bytes, at: int, stop: int, steps: tuple[PathNode, ...]) -> Role | None:
    """The role of a word in quotes that is a name: in an annotation, in `__all__` or in `__slots__`."""
    depth = next((depth for depth, step in enumerate(steps) if step.kind == "string"), None)
    if depth is None:  # what a file with a syntax error leaves of a string
        return None
    if any(step.kind == "type" for step in steps[:depth]):
        generics = (step.node for step in steps[:depth] if step.kind in ("generic_type", "subscript"))
        unread = {_first_text(data, node).rsplit(".", 1)[-1] for node in generics} & _NO_ANNOTATIONS
        # What a module or another value has is not followed in strings.
        return None if unread or data[at - 1 : at] == b"." else Role.NAME
    content = steps[-1].node
    if (content.start_byte, content.end_byte) != (at, stop):
        return None
    if _exports(data, steps):
        return Role.NAME
    return Role.MEMBER if _names_members(data, steps) else None


def _exports(data: bytes, steps: tuple[PathNode, ...]) -> bool:
    """Whether it stands in what is assigned to `__all__` or added to it."""
    for step in steps:
        if step.kind in ("assignment", "augmented_assignment", "call"):
            return _first_text(data, step.node).split(".")[0] == "__all__"
        if step.kind in ("function_definition", "class_definition"):
            return False
    return False


def _names_members(data: bytes, steps: tuple[PathNode, ...]) -> bool:
    """Whether it stands in a tuple or list of a class body in which names of members are given."""
    for depth in range(len(steps) - 1, 0, -1):
        outer, kind = steps[depth - 1], steps[depth].kind
        if kind == "assignment":
            named = _first_text(data, steps[depth].node) in _MEMBER_LISTS
            return named and depth > 2 and steps[depth - 3].kind == "class_definition"
        if outer.kind != "assignment" and outer.kind not in _SEQUENCES:
            return False
    return False


def _first_text(data: bytes, node: Node) -> str:
    first = node.children[0]
    return data[first.start_byte : first.end_byte].decode()
