"""Where a name stands in code, and as what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from tree_sitter import Node

from fastedit.edit.syntax import Syntax

_BEHIND_DOT = re.compile(r"(?P<owner>[\w$]+|[)\]\"'])?\s*(?:\?\.|\.|::)\s*#?\Z")
# Elsewhere the arrow stands before what a function returns.
_BEHIND_ARROW = re.compile(r"(?P<owner>[\w$]+|[)\]])?\s*->\s*\Z")
_WRAPPERS = frozenset(
    {"pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "dictionary_splat_pattern"}
    | {"as_pattern_target", "expression_list", "parenthesized_expression", "pointer_declarator"}
)
_BINDING_FIELDS = frozenset({"left", "name", "alias", "pattern", "declarator", "parameter"})
_BINDERS = re.compile(
    r"parameter|declarat|assignment|named_expression|^for_|_for_|range_clause|as_pattern|spec$|catch|closure|arrow_function|^preproc_def$"
)
_KEYS = re.compile(r"keyword_argument|pair|field_initializer|keyed_element|element_value_pair")
_IMPORTS = re.compile(r"import|use_declaration|preproc_include|package_clause")
_FUNCTIONS = re.compile(
    r"(?:function|method|constructor)_(?:definition|declaration|item)|lambda|arrow_function|closure"
)
_PARAMETERS = re.compile(r"(?:\w+_)?parameters|parameter_list")
_CLASSES = re.compile(r"class|struct|interface|impl_item|trait|enum")


class Role(StrEnum):
    USE = "use"
    BINDING = "binding"  # a parameter, or a variable that is assigned
    DEFINITION = "definition"
    MEMBER = "member"  # of what stands before its dot
    KEY = "key"  # names a parameter in a call, or a field
    IMPORT = "import"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """Characters `start` up to but not including `stop` of a line.

    `owner` is what stands before a member's dot, and the last name of what is called with a keyword argument. `scope`
    tells the innermost function apart from others, 0 outside of all; `in_class` where a class is nearer. `shorthand`:
    it names a field and the variable that the field is given.
    """

    line: int
    start: int
    stop: int
    role: Role
    owner: str
    scope: int
    in_class: bool
    shorthand: bool = False
    parameter: bool = False


def occurrences(syntax: Syntax, name: str) -> Iterator[Occurrence]:
    """Every place where the code has the name as an identifier, in order."""
    for node in syntax.identifier_nodes(name):
        row, column = node.start_point
        before = syntax.lines[row].encode()[:column].decode(errors="replace")
        dot = _BEHIND_DOT.search(before)
        if dot is None and syntax.language in ("c", "cpp"):
            dot = _BEHIND_ARROW.search(before)
        scope, in_class = _scope(node)
        # A private name's node begins with its #.
        start = len(before) + syntax.text(node).index(name)
        owner = (dot["owner"] or "") if dot else _called(syntax, node)
        role = _role(node, dot is not None)
        short = _names_field(node) and not _exported(syntax, node)
        yield Occurrence(
            row,
            start,
            start + len(name),
            role,
            owner,
            scope,
            in_class or _is_field(node),
            short,
            _in_parameters(node),
        )


def _names_field(node: Node) -> bool:
    return "shorthand" in node.type or (node.parent is not None and "shorthand" in node.parent.type)


def _exported(syntax: Syntax, node: Node) -> bool:
    """Whether it stands in what CommonJS exports, where others would look for the new name."""
    assigned = node.parent.parent if node.parent is not None else None
    left = None if assigned is None else assigned.child_by_field_name("left")
    return left is not None and syntax.text(left) in ("module.exports", "exports")


def _called(syntax: Syntax, node: Node) -> str:
    """The last name of what is called with this keyword, empty for all else."""
    argument = node.parent
    if argument is None or argument.type != "keyword_argument" or argument.parent is None:
        return ""
    call = argument.parent.parent
    function = None if call is None else call.child_by_field_name("function")
    return "" if function is None else re.split(r"\W", syntax.text(function))[-1]


def _is_field(node: Node) -> bool:
    """Whether it is a parameter that is a field of its class at once, as TypeScript has them."""
    above = node.parent
    return above is not None and any(child.type == "accessibility_modifier" for child in above.children)


def _in_parameters(node: Node) -> bool:
    above = node.parent
    while above is not None and not _FUNCTIONS.match(above.type):
        if _PARAMETERS.fullmatch(above.type):
            return True
        above = above.parent
    return False


def still_used(syntax: Syntax, name: str, gone: range, *roles: Role) -> list[str]:
    """A reason against taking a name away with the lines `gone`, where others have it in one of these roles."""
    kept = [o for o in occurrences(syntax, name) if o.role in roles and o.line not in gone]
    if not kept:
        kept = [o for o in exports(syntax, name) if Role.USE in roles]
    return [f"`{name}` is still there on line {kept[0].line + 1}"] if kept else []


def exports(syntax: Syntax, name: str) -> Iterator[Occurrence]:
    """Where Python's `__all__` has the name."""
    for node in (
        syntax.find("(assignment left: (identifier) right: (_)) @found")
        if syntax.language == "python"
        else ()
    ):
        left = node.child_by_field_name("left")
        if left is None or syntax.text(left) != "__all__":
            continue
        first, last = syntax.rows(node)
        for row in range(first, last):
            for found in re.finditer(rf"(?<=[\"']){re.escape(name)}(?=[\"'])", syntax.lines[row]):
                yield Occurrence(row, *found.span(), Role.USE, "", 0, False)


def closing_comments(syntax: Syntax, name: str) -> Iterator[Occurrence]:
    """Where a comment behind a closing brace says what ends there, as `}  // namespace geo`."""
    kind = r"(?:end\s+)?(?:of\s+)?(?:(?:namespace|class|struct|enum|interface|function)\s+)?"
    closing = re.compile(rf"\s*\}}[;)]*\s*(?://|/\*)\s*{kind}(?P<name>{re.escape(name)})\s*(?:\*/)?\s*")
    for row, line in enumerate(syntax.lines):
        if found := closing.fullmatch(line):
            yield Occurrence(row, *found.span("name"), Role.USE, "", 0, False)


def _role(node: Node, behind_dot: bool) -> Role:
    parent = node.parent
    if parent is None:
        return Role.USE
    if _defines(parent, node):
        return Role.DEFINITION
    if _within(node, _IMPORTS):
        return Role.IMPORT
    if behind_dot:
        return Role.MEMBER
    if "shorthand" in node.type or "shorthand" in parent.type:
        return Role.BINDING if node.type.endswith("pattern") else Role.USE
    if _KEYS.fullmatch(parent.type) and parent.children[0] == node:
        return Role.KEY
    if "property" in node.type or "field" in node.type:
        return Role.MEMBER
    return Role.BINDING if _binds(node) else Role.USE


def _defines(parent: Node, node: Node) -> bool:
    named = parent.child_by_field_name("name") == node or parent.child_by_field_name("declarator") == node
    value = parent.child_by_field_name("value")
    holds = value is not None and _FUNCTIONS.match(value.type) is not None
    return named and (
        holds
        or parent.type in ("type_spec", "type_alias_declaration")
        or parent.type == "function_declarator"
        or (parent.child_by_field_name("body") is not None and not _KEYS.fullmatch(parent.type))
    )


def _binds(node: Node) -> bool:
    inner, parent = node, node.parent
    while parent is not None and parent.type in _WRAPPERS:
        inner, parent = parent, parent.parent
    if parent is None or not _BINDERS.search(parent.type):
        return False
    field = parent.field_name_for_child(parent.children.index(inner))
    alone = field is None and "parameter" in parent.type and inner == parent.named_children[0]
    return (
        alone
        or field in _BINDING_FIELDS
        or parent.type in ("parameters", "formal_parameters", "lambda_parameters")
    )


def _within(node: Node, pattern: re.Pattern[str]) -> bool:
    above = node.parent
    while above is not None and above.parent is not None:
        if pattern.match(above.type):
            return True
        above = above.parent
    return False


def _scope(node: Node) -> tuple[int, bool]:
    """The innermost function that the name is used in, and whether a class stands between."""
    inner, above, in_class = node, node.parent, False
    while above is not None:
        if _FUNCTIONS.match(above.type) and above.child_by_field_name("name") != inner:
            return above.id, in_class
        in_class = in_class or _CLASSES.match(above.type) is not None
        inner, above = above, above.parent
    return 0, in_class
