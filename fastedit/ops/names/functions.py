"""Python's scopes: what an identifier does where it stands (Language Reference, 4.2 "Naming and binding")."""

from __future__ import annotations

from itertools import pairwise

from tree_sitter import Node

from fastedit.ops.names.site import Role, Scope, Site, Step, text_role

_PATTERNS = frozenset(
    {"pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "dictionary_splat_pattern"}
    | {"tuple", "list", "expression_list"}
)
_COMPREHENSIONS = frozenset(
    {"list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"}
)
_SCOPES = {
    "function_definition": "function",
    "lambda": "function",
    "class_definition": "class",
} | dict.fromkeys(_COMPREHENSIONS, "block")
_BINDING_FIELDS = frozenset(
    {
        ("assignment", "left"),
        ("augmented_assignment", "left"),
        ("for_statement", "left"),
        ("for_in_clause", "left"),
    }
    | {("named_expression", "name"), ("function_definition", "name"), ("class_definition", "name")}
    | {("aliased_import", "alias")}
)
_BINDERS = frozenset({"as_pattern_target", "delete_statement", "splat_pattern"})
_PARAMETERS = frozenset(
    {"parameters", "lambda_parameters", "typed_parameter", "default_parameter", "typed_default_parameter"}
)
_DECLARATIONS = {"global_statement": "global", "nonlocal_statement": "nonlocal"}
_NO_ANNOTATIONS = frozenset({"Literal", "Annotated"})


def read(root: Node, data: bytes, at: int, name: str, steps: tuple[Step, ...]) -> Site:
    """What the word `name` at byte `at` is."""
    stop = at + len(name.encode())
    role = text_role(steps)
    if role is Role.STRING and (scope := _quoted(root, data, steps, name)) is not None:
        return Site(at, stop, Role.NAME, scope, steps)
    if role is not None or steps[-1].kind != "identifier":
        return Site(at, stop, role or Role.LABEL, _scopes(root, data, steps), steps)
    return _identifier(root, data, at, stop, steps)


def _identifier(root: Node, data: bytes, at: int, stop: int, steps: tuple[Step, ...]) -> Site:
    depth = len(steps) - 1  # of the outermost pattern that the identifier alone is a target of
    while depth and steps[depth - 1].kind in _PATTERNS:
        depth -= 1
    holder = steps[depth - 1].node if depth else root
    field = steps[depth].field
    scopes = _scopes(root, data, steps)
    role, binds, template = (
        _dotted(steps, holder) if holder.type == "dotted_name" else (Role.NAME, False, "{new}")
    )
    if holder.type == "attribute" and field == "attribute":
        role = Role.MEMBER
    elif holder.type == "keyword_argument" and field == "name":
        role = Role.KEYWORD
    elif holder.type == "keyword_pattern" or _type_parameter(steps):
        role = Role.UNSURE
    binds = binds or (holder.type, field) in _BINDING_FIELDS or holder.type in _BINDERS
    binds = binds or (holder.type == "as_pattern" and field is None and _captures(steps, depth))
    binds = binds or (holder.type == "type" and _alias_left(steps))
    parameter = holder.type in _PARAMETERS and field in (None, "name")
    if parameter:
        scopes = _scopes(root, data, steps, _function_of(steps))
    elif holder.type == "named_expression" and field == "name":
        scopes = tuple(scope for scope in scopes if scope.kind != "block")
    declares = _DECLARATIONS.get(holder.type, "")
    visible = _statement_end(steps) if binds else 0
    return Site(at, stop, role, scopes, steps, binds or parameter, parameter, declares, visible, template)


def _dotted(steps: tuple[Step, ...], dotted: Node) -> tuple[Role, bool, str]:
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


def _captures(steps: tuple[Step, ...], depth: int) -> bool:
    """Whether it is the name behind `as` in a `case`."""
    holder = steps[depth - 1].node
    return (
        depth > 1
        and steps[depth - 2].kind == "case_pattern"
        and holder.named_children[-1] == steps[depth].node
    )


def _type_parameter(steps: tuple[Step, ...]) -> bool:
    if len(steps) < 2 or not steps[-2].kind.endswith("type"):
        return False
    if any(step.field == "type_parameters" for step in steps):
        return True
    left = any(step.field == "left" and step.kind == "type" for step in steps)
    return left and any(step.kind == "type_parameter" for step in steps)


def _alias_left(steps: tuple[Step, ...]) -> bool:
    return len(steps) > 2 and steps[-3].kind == "type_alias_statement" and steps[-2].field == "left"


def _function_of(steps: tuple[Step, ...]) -> int:
    """The depth of the function whose parameter the identifier is."""
    kinds = ("parameters", "lambda_parameters")
    return max(depth for depth, step in enumerate(steps) if step.kind in kinds) - 1


def _statement_end(steps: tuple[Step, ...]) -> int:
    for depth in range(len(steps) - 1, 0, -1):
        if steps[depth - 1].kind in ("block", "module"):
            return steps[depth].node.end_byte
    return steps[0].node.end_byte


def _scopes(root: Node, data: bytes, steps: tuple[Step, ...], parameter_of: int = -1) -> tuple[Scope, ...]:
    found = [Scope(0, "file", (), root.start_byte, root.end_byte)]
    for depth, (step, inner) in enumerate(pairwise(steps)):
        kind = _SCOPES.get(step.kind)
        if kind is None:
            continue
        node = step.node
        names: tuple[str, ...] = ()
        if kind == "block":
            if _first_iterable(node, steps, depth):
                continue
        elif inner.field != "body" and (kind == "class" or depth != parameter_of):
            continue
        if (name := node.child_by_field_name("name")) is not None:
            names = (data[name.start_byte : name.end_byte].decode(),)
        in_class = kind == "class"
        found.append(Scope(node.id, kind, names, node.start_byte, node.end_byte, in_class, in_class))
    return tuple(found)


def _first_iterable(comprehension: Node, steps: tuple[Step, ...], depth: int) -> bool:
    """Whether it stands in what the comprehension goes over, which is evaluated outside."""
    clause = next((child for child in comprehension.named_children if child.type == "for_in_clause"), None)
    return depth + 2 < len(steps) and steps[depth + 1].node == clause and steps[depth + 2].field == "right"


def _quoted(root: Node, data: bytes, steps: tuple[Step, ...], name: str) -> tuple[Scope, ...] | None:
    """The scopes from which a name in quotes is seen: in an annotation or in `__all__`. None in any other string."""
    depth = next((depth for depth, step in enumerate(steps) if step.kind == "string"), None)
    if depth is None:  # what a file with a syntax error leaves of a string
        return None
    if any(step.kind == "type" for step in steps[:depth]):
        generics = (step.node for step in steps[:depth] if step.kind in ("generic_type", "subscript"))
        heads = {_first_text(data, node).rsplit(".", 1)[-1] for node in generics}
        return None if heads & _NO_ANNOTATIONS else _scopes(root, data, steps)
    content = steps[-1].node
    if data[content.start_byte : content.end_byte].decode() == name and _exports(data, steps):
        return _scopes(root, data, ())
    return None


def _exports(data: bytes, steps: tuple[Step, ...]) -> bool:
    """Whether it stands in what is assigned to `__all__` or added to it."""
    for step in steps:
        if step.kind in ("assignment", "augmented_assignment", "call"):
            return _first_text(data, step.node).split(".")[0] == "__all__"
        if step.kind in ("function_definition", "class_definition"):
            return False
    return False


def _first_text(data: bytes, node: Node) -> str:
    first = node.children[0]
    return data[first.start_byte : first.end_byte].decode()
