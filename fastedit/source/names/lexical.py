"""What a name does where it stands, by a table a language. Members of classes are told apart, but not followed."""

from __future__ import annotations

import re
from functools import partial

from tree_sitter import Node

from fastedit.source.definitions import declared, name_parts, receiver
from fastedit.source.languages.scopes import TAGS, ScopeKinds
from fastedit.source.names import functions, paths
from fastedit.source.names.site import PathNode, Role, Scope, Site

_SHORTHAND = "{old}: {new}"
_DOTS = (".", "?.", "::")
_SPACES = ("mod_item", "namespace_definition", "internal_module")
_TAGS = ("struct_specifier", "union_specifier", "enum_specifier")
_MATCHING = ("let_declaration", "parameter", "for_expression", "let_condition", "match_arm")
_ANONYMOUS = ("object_creation_expression",)
_LABELS = ("statement_identifier", "label_name", "property_identifier", "field_identifier")
_NAMED = re.compile(r"[~#\w$]")  # how what is called by a name of its own begins
_NAMING = ("variable_declarator", "pair", "public_field_definition", "field_definition")


def read(
    table: ScopeKinds,
    root: Node,
    data: bytes,
    at: int,
    name: str,
    steps: tuple[PathNode, ...],
    opened: dict[int, Scope],
) -> Site:
    """What the word `name` at byte `at` is. `opened` remembers the scopes that nodes open, by their ids."""
    stop = at + len(name.encode())
    role = steps[-1].text if steps else Role.UNSURE
    scopes = _scopes(table, root, data, steps, opened)
    named = bool(steps) and (
        steps[-1].kind.endswith(("identifier", "identifier_pattern", "label_name"))
        or steps[-1].kind in table.leaves
    )
    if role is not None or not named:
        kind = steps[-1].kind if steps else ""
        if role is Role.STRING:
            role = _quoted(table, data, at, stop, steps) or role
        unsure = kind in ("preproc_arg", "namespace_name")
        return Site(at, stop, role or (Role.UNSURE if unsure else Role.LABEL), scopes, steps)
    depth = _pattern(table, steps)
    holder, field = (steps[depth - 1].node if depth else root), steps[depth].field
    pair = holder.type, field
    found = _untabled(table, steps, depth)
    role, binds, template = found or (_role(table, data, holder, field, steps), False, "{new}")
    if found is None:
        binds = pair in table.binders and _really_binds(data, holder, steps, depth)
        if "shorthand" in steps[-1].kind or holder.type.startswith("shorthand"):
            template = _SHORTHAND
    parameter = binds and holder.type not in table.hoisted and _in_parameters(table, steps)
    if parameter and "parameters" in table.outside:
        of = max(depth for depth, step in enumerate(steps) if step.field == "parameters") - 1
        scopes = _scopes(table, root, data, steps, opened, of)
    if binds and role is Role.NAME:
        scopes = _binding_scopes(table, steps, scopes, depth)
    if holder.type in table.tags:
        scopes = (scopes[0]._replace(key=TAGS),)
    if pair in table.declares:
        scopes += _receiver(data, holder)
        if scopes[-1].kind == "class" and not _is_nested(holder):
            return Site(at, stop, Role.MEMBER, scopes, steps, binds=True)
    visible = _visible(table, steps) if binds and not parameter else 0
    declares = holder.type.split("_")[0] if holder.type in table.outer else ""
    return Site(at, stop, role, scopes, steps, binds, parameter, declares, visible, template)


def _quoted(table: ScopeKinds, data: bytes, at: int, stop: int, steps: tuple[PathNode, ...]) -> Role | None:
    """The role of a word in a string that is a name."""
    if table.rules == "functions":
        return functions.quoted(data, at, stop, steps)
    if table.sigil:
        named = data[at - 1 : at] == table.sigil and data[at - 2 : at - 1] != b"\\"
    else:
        named = table.paths and paths.captured(data, at, stop, steps)
    return Role.NAME if named else None


def _untabled(table: ScopeKinds, steps: tuple[PathNode, ...], depth: int) -> tuple[Role, bool, str] | None:
    """The role of a name, whether it binds, and what a rename makes of it; None where the table tells."""
    if table.rules == "functions":
        return functions.read(steps, depth)
    return paths.read(steps) if table.paths else _port(steps, depth)


def _receiver(data: bytes, method: Node) -> tuple[Scope, ...]:
    """The type that a method of Go's belongs to, as the scope that declares it."""
    names = receiver(data, method)
    return (Scope(method.id, "class", names, method.start_byte, method.end_byte),) if names else ()


def _pattern(table: ScopeKinds, steps: tuple[PathNode, ...]) -> int:
    """The depth of the outermost pattern that the identifier is a target of."""
    depth = len(steps) - 1
    if depth and "shorthand" in steps[depth].kind:  # at the top of a text that is no program it is in nothing
        depth -= 1
    while depth and steps[depth - 1].kind in table.patterns and steps[depth].field not in table.used:
        depth -= 1
    return depth


def _really_binds(data: bytes, holder: Node, steps: tuple[PathNode, ...], depth: int) -> bool:
    """Whether a place that may bind does, by what else stands there."""
    kind = holder.type
    text = data[holder.start_byte : holder.end_byte]
    if kind in ("range_clause", "receive_statement"):
        return b":=" in text.split(b"range")[0].split(b"<-")[0]
    if kind == "for_in_statement":
        return any(child.type in ("const", "let", "var") for child in holder.children)
    if kind in _TAGS:
        return holder.child_by_field_name("body") is not None
    if kind == "import_clause":
        return steps[depth].kind == "identifier"
    if kind in _MATCHING:  # what begins with a capital is a constant, which a pattern of Rust's compares
        return not data[steps[-1].node.start_byte : steps[-1].node.end_byte][:1].isupper()
    return True


def _role(
    table: ScopeKinds, data: bytes, holder: Node, field: str | None, steps: tuple[PathNode, ...]
) -> Role:
    pair, kind, leaf = (holder.type, field), holder.type, steps[-1].kind
    before = steps[-1].node.prev_sibling if kind in table.dotted else None
    if before is not None and before.type in _DOTS:
        return Role.MEMBER
    following = steps[-1].node.next_sibling if kind in table.arguments else None
    if following is not None and following.type == "=":
        return Role.LABEL
    if (pair in table.members and (kind, leaf) not in table.computed) or (
        pair == ("assignment_expression", "left") and len(steps) > 2 and steps[-3].kind in table.made
    ):
        return Role.MEMBER
    if pair in table.foreign:
        return Role.FOREIGN
    if pair in table.labels or leaf in _LABELS:
        return Role.LABEL
    if leaf == "private_property_identifier":
        return Role.MEMBER  # it follows no dot before `in`
    if pair in table.unsure and leaf != "type_identifier":
        return Role.UNSURE
    if kind == "literal_element" and any(step.field == "key" for step in steps[-3:]):
        return Role.MEMBER if _of_struct(data, steps) else Role.UNSURE
    if (
        table.embeds
        and kind == "field_declaration"
        and field == "type"
        and holder.child_by_field_name("name") is None
    ):
        return Role.UNSURE  # an embedded type names its field
    if kind == "method_reference" and holder.named_children[0] != steps[-1].node:
        return Role.MEMBER
    if any(step.kind in table.foreign_statements for step in steps):
        return Role.FOREIGN
    if kind.startswith("jsx_") and leaf == "identifier" and field == "name" and _is_intrinsic(steps[-1].node):
        return Role.FOREIGN
    return Role.NAME


def _of_struct(data: bytes, steps: tuple[PathNode, ...]) -> bool:
    """Whether the key stands in a literal of a struct that the file defines, not of a map."""
    literal = next(step.node for step in reversed(steps) if step.kind == "composite_literal")
    made = literal.child_by_field_name("type")
    name = b"" if made is None or made.type != "type_identifier" else re.escape(made.text or b"")
    return bool(name) and re.search(rb"\b%s(?:\[[^]\n]*\])? struct\b" % name, data) is not None


def _is_nested(declaration: Node) -> bool:
    """Whether it declares a member of a type within another, which has no name."""
    body = declaration.parent
    around = body.parent if body is not None and body.type == "object_type" else None
    return around is not None and around.type != "type_alias_declaration"


def _is_intrinsic(node: Node) -> bool:
    return node.text is not None and node.text[:1].islower()


def _port(steps: tuple[PathNode, ...], depth: int) -> tuple[Role, bool, str] | None:
    """The same, of a name in the braces of an import or export."""
    if not depth:
        return None
    holder, field = steps[depth - 1].node, steps[depth].field
    aliased = holder.child_by_field_name("alias") is not None
    if holder.type == "import_specifier":
        if field == "alias":
            return Role.NAME, True, "{new}"
        return (Role.FOREIGN, False, "{new}") if aliased else (Role.NAME, True, "{old} as {new}")
    if holder.type == "export_specifier":
        if field == "alias" or _reexports(steps):
            return Role.FOREIGN, False, "{new}"
        return Role.NAME, False, "{new}" if aliased else "{new} as {old}"
    return None


def _reexports(steps: tuple[PathNode, ...]) -> bool:
    statement = next(step.node for step in steps if step.kind == "export_statement")
    return statement.child_by_field_name("source") is not None


def _in_parameters(table: ScopeKinds, steps: tuple[PathNode, ...]) -> bool:
    """Whether it is a parameter of a function, not something within one's body, or a comprehension in a default."""
    apart = table.blocks if table.rules == "functions" else frozenset()
    for step in reversed(steps):
        if step.field in ("parameters", "parameter", "receiver", "result") or step.kind == "parameter":
            return True
        if step.field == "body" or step.kind in apart:
            return False
    return False


def _binding_scopes(
    table: ScopeKinds, steps: tuple[PathNode, ...], scopes: tuple[Scope, ...], depth: int
) -> tuple[Scope, ...]:
    """Those around a binding, which is made in the last."""
    if any(step.kind in table.hoisted for step in steps[max(0, depth - 2) : depth]):
        while len(scopes) > 1 and scopes[-1].kind == "block":
            scopes = scopes[:-1]
    return scopes


def _visible(table: ScopeKinds, steps: tuple[PathNode, ...]) -> int:
    if table.rules == "functions":
        return functions.statement_end(steps)
    for step in reversed(steps):
        if step.kind in table.statements:
            # C sees what it declares in its initializer already.
            return (step.node.child_by_field_name("declarator") or step.node).end_byte
        if step.field == "body" or step.kind in table.opening:
            break
    return 0


def _scopes(
    table: ScopeKinds,
    root: Node,
    data: bytes,
    steps: tuple[PathNode, ...],
    opened: dict[int, Scope],
    parameter_of: int = -1,
) -> tuple[Scope, ...]:
    """The scopes around a name, which may be a parameter of the function at a depth."""
    found = [Scope(0, "file", (), root.start_byte, root.end_byte)]
    read_generic = functions.generic if table.rules == "functions" else partial(_generic, table)
    for depth in range(len(steps) - 1):
        if (generic := read_generic(steps, depth)) is not None:
            name, parameters = generic
            holder = steps[depth].node
            found.append(
                Scope(parameters.id, "types", _texts(data, name), holder.start_byte, holder.end_byte)
            )
        if steps[depth].kind in table.opening and _opens(table, steps, depth, parameter_of):
            node = steps[depth].node
            if node.id not in opened:
                opened[node.id] = _opened(table, data, node, steps[:depth])
            found.append(opened[node.id])
    return tuple(found)


def _generic(table: ScopeKinds, steps: tuple[PathNode, ...], depth: int) -> tuple[Node, Node] | None:
    """The name and the type parameters of a function at a depth, where these are seen outside of its own scope, too."""
    node, kind, inner = steps[depth].node, steps[depth].kind, steps[depth + 1]
    if kind not in table.functions or "type_parameters" not in table.outside or inner.field == "name":
        return None
    name, found = node.child_by_field_name("name"), node.child_by_field_name("type_parameters")
    return None if name is None or found is None else (name, found)


def _opens(table: ScopeKinds, steps: tuple[PathNode, ...], depth: int, parameter_of: int) -> bool:
    """Whether the step at this depth opens a scope for what is below it."""
    kind, inner = steps[depth].kind, steps[depth + 1]
    if kind in table.functions:
        outside = inner.field in table.outside and depth != parameter_of
        # What a function of Swift's gives back is a second name of it.
        outside = outside and inner.node == steps[depth].node.child_by_field_name(inner.field or "")
        return not outside or _in_declared_parameters(steps[depth:])
    if (kind, inner.field) in table.apart or inner.field == "name":
        return False
    if kind in table.classes:
        return kind not in _ANONYMOUS or inner.node.type == "class_body"
    if _is_body(table, steps, depth):
        return False
    if kind == "function_declarator" and (inner.field != "parameters" or _defines(steps[:depth])):
        return False
    return table.rules != "functions" or not functions.is_first_iterable(steps, depth)


def _opened(table: ScopeKinds, data: bytes, node: Node, above: tuple[PathNode, ...]) -> Scope:
    """The scope that a node opens."""
    kind = node.type
    names: tuple[str, ...] = ()
    scope = "block"
    if kind in table.functions:
        scope, names = "function", _function_names(data, node, above)
    elif kind in table.classes:
        scope, names = "class", class_names(data, node, above)
    elif kind in _SPACES:
        names = _texts(data, node.child_by_field_name("name"))
    opaque = kind in table.opaque and b"super::*" not in data[node.start_byte : node.end_byte]
    sealed = scope == "class" and table.rules == "functions"
    point = (table.point and scope != "class") or sealed
    return Scope(node.id, scope, names, node.start_byte, node.end_byte, point, sealed, opaque)


def _is_body(table: ScopeKinds, steps: tuple[PathNode, ...], depth: int) -> bool:
    """Whether a block is all of a function or a name space, which opens the scope already."""
    if table.rules == "functions" or not depth:
        return False
    around = steps[depth - 1].kind
    inside = around in table.functions or around in _SPACES or _is_body(table, steps, depth - 1)
    return steps[depth].field == "body" and inside


def _in_declared_parameters(steps: tuple[PathNode, ...]) -> bool:
    """Whether it stands among the parameters in C's declarator of a function that is defined."""
    if steps[0].kind != "function_definition" or steps[1].field != "declarator":
        return False
    return any(step.field == "parameters" for step in steps[1:])


def _defines(above: tuple[PathNode, ...]) -> bool:
    """Whether the innermost function around is the one that the declarator belongs to."""
    for step in reversed(above):
        if step.field == "body":
            return False
        if step.kind == "function_definition":
            return True
    return False


def _function_names(data: bytes, node: Node, above: tuple[PathNode, ...]) -> tuple[str, ...]:
    name = node.child_by_field_name("name")
    if name is None and above and above[-1].node.type in _NAMING:
        holder = above[-1].node
        name = holder.child_by_field_name("name") or holder.child_by_field_name("key")
    texts = _texts(data, name or declared(node))
    # Not what a pattern binds, nor a key that is computed or a string.
    parts = [part for text in texts if _NAMED.match(text) for part in name_parts(text)]
    return (*receiver(data, node), *parts)


def class_names(data: bytes, node: Node, above: tuple[PathNode, ...]) -> tuple[str, ...]:
    """What a class is called; `impl` and Go's types have their names elsewhere."""
    name = node.child_by_field_name("name" if node.type != "impl_item" else "type")
    if name is None and above and above[-1].node.type in (*_NAMING, "type_spec"):
        name = above[-1].node.child_by_field_name("name")
    return tuple(text.split("<")[0] for text in _texts(data, name))


def _texts(data: bytes, node: Node | None) -> tuple[str, ...]:
    return () if node is None else (data[node.start_byte : node.end_byte].decode(),)
