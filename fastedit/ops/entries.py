"""Adds and removes entries of lists, dicts and objects, members of enums and fields of classes, in their layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tree_sitter import Node

from fastedit.ops.anchors import check_anchor, own_rows
from fastedit.ops.base import Candidate, Operation, Outcome, option
from fastedit.ops.blocks import body_of, is_string
from fastedit.ops.delete import still_used
from fastedit.ops.layout import cleared, reindented
from fastedit.ops.lists import inserted, items_of, removed
from fastedit.ops.resolve import only, place
from fastedit.ops.source import Edit, Source
from fastedit.ops.variables import resolve_either
from fastedit.source.hunks import Hunk
from fastedit.source.languages.scopes import kinds

_TARGET = "what has the entries: PATHS, SIZES.small, Color, Store; add @LINE to choose among several"
_ENTRY = "its key, its name or its whole text"
_LISTS = frozenset({"list", "set", "tuple", "array", "array_expression", "array_initializer"})
_LITERALS = _LISTS | {"dictionary", "object", "literal_value", "field_initializer_list", "initializer_list"}
_ENUMS = frozenset({"enum_body", "enum_variant_list", "enumerator_list"})
_LINED = frozenset({"block", "class_body", "interface_body", "object_type", "field_declaration_list"})
# What counts as a field among the lines of a class.
_FIELDS = kinds(
    "expression_statement public_field_definition field_definition property_signature field_declaration"
)
_KEYS = ("key", "name", "property", "declarator", "designator", "field", "left")
_KEYED = tuple(
    kinds(
        "pair assignment element enumerator variant declaration definition signature constant initializer declarator"
    )
)


@dataclass(frozen=True)
class Holder:
    """What has entries: each on lines of its own where `lined`, else set apart by commas."""

    node: Node
    lined: bool
    items: list[Node]


class AddEntry(Operation, on="class", example="settings.py SIZES '\"large\": 3'"):
    """Add an entry to a list, dict or object, a member to an enum, or a field to a class."""

    target: str = option(_TARGET)
    code: str = option('the entry as it is written there: 3, "large": 3, LARGE = 3, size: int')
    where: Literal["first", "last", "before", "after"] = option(
        "at the start, at the end, or by the entry `anchor`", "last"
    )
    anchor: str | None = option(f"an entry: {_ENTRY}", None)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_anchor(self.name, self.where, self.anchor)

    def carry_out(self, source: Source) -> Outcome:
        holder = _holder(source, self.target)
        index = 0 if self.where == "first" else len(holder.items)
        if self.anchor is not None:
            found = _entry(source, self.anchor, holder)
            index = holder.items.index(found) + (self.where == "after")
        hunks = self._lined(source, holder, index) if holder.lined else self._listed(source, holder, index)
        self._check(source, holder, hunks, index)
        return Outcome(hunks)

    def _listed(self, source: Source, holder: Holder, index: int) -> tuple[Hunk, ...]:
        code = self.code.strip().rstrip(",")
        if holder.items:
            return source.hunks(inserted(source, holder.items, index, code))
        if "\n" not in source.text(holder.node):
            return source.hunks([Edit(holder.node.start_byte + 1, holder.node.end_byte - 1, code)])
        row = holder.node.end_point.row
        return (Hunk(row, row, (source.indent(row) + source.unit + code + ",",)),)

    def _lined(self, source: Source, holder: Holder, index: int) -> tuple[Hunk, ...]:
        """A line among the fields, which come before what else a class has."""
        if holder.items:
            beside = holder.items[min(index, len(holder.items) - 1)]
            start, stop = own_rows(source, beside)
            row = start if index < len(holder.items) else stop
            *above, end = reindented(source, self.code, source.indent(start))
            return (Hunk(row, row, (*above, _ended(source, end, beside))),)
        others = [item for item in items_of(holder.node) if not is_string(item)]
        first, last = holder.node.start_point.row, holder.node.end_point.row
        if not others:
            indent = source.indent(first)
            lines = reindented(source, self.code, indent + source.unit)
            if first < last:
                return (Hunk(last, last, tuple(lines)),)
            text = "\n".join(["", *lines, indent])
            return source.hunks([Edit(holder.node.start_byte + 1, holder.node.end_byte - 1, text)])
        start, stop = own_rows(source, others[0])
        lines = reindented(source, self.code, source.indent(start))
        if others[0].type == "pass_statement":
            return (Hunk(start, stop, tuple(lines)),)
        return (Hunk(start, start, (*lines, "")),)

    def _check(self, source: Source, holder: Holder, hunks: tuple[Hunk, ...], index: int) -> None:
        """Raises OperationRefused where the code is not one entry, or one of its key is there already."""
        new = source.changed(hunks)
        found = [
            n
            for n in new.syntax.find(f"({holder.node.type}) @found")
            if n.start_byte == holder.node.start_byte
        ]
        if new.syntax.damage > source.syntax.damage or not found:
            return  # which is refused elsewhere, by its line
        items = _opened(new, found[-1]).items
        if len(items) != len(holder.items) + 1:
            raise source.refused(f"{self.code!r} is not one entry of `{self.target}`; add one at a time")
        key = _names(new, items[index])[0]
        same = [item for item in holder.items if _names(source, item)[0] == key]
        if same and source.kind(holder.node) not in _LISTS:
            line = source.number(same[0].start_point.row)
            raise source.refused(f"`{self.target}` has `{key}` already, on line {line}")


class RemoveEntry(Operation, on="class", example="settings.py SIZES large"):
    """Remove an entry of a list, dict or object, a member of an enum, or a field of a class."""

    target: str = option(_TARGET)
    entry: str = option(_ENTRY)

    def carry_out(self, source: Source) -> Outcome:
        holder = _holder(source, self.target)
        gone = _entry(source, self.entry, holder)
        left: tuple[Candidate, ...] = ()
        if source.kind(holder.node) in _ENUMS | _LINED:
            name = "" if holder.lined else source.text(_key(gone))  # others may stand on its line
            first, last = gone.start_point.row, gone.end_point.row
            left = tuple(still_used(source, name, range(first, last + 1)))
        if not holder.lined:
            return Outcome(source.hunks(removed(source, holder.items, gone)), (), left)
        return Outcome((cleared(source, gone, *own_rows(source, gone)),), (), left)


def _holder(source: Source, target: str) -> Holder:
    """The brackets or the body that have the entries."""
    definition, variable = resolve_either(source, target)
    if variable is not None:
        found = _literals(source, variable.value) if variable.value is not None else []
    else:
        assert definition is not None
        node, _ = definition
        bodies = (body_of(node), *(node.child_by_field_name(field) for field in ("type", "value")))
        found = [body for body in bodies if body is not None][:1]
        found = found[0].named_children if found and found[0].type == "struct_type" else found
    if len(found) == 1 and source.kind(found[0]) in _LITERALS | _ENUMS | _LINED:
        return _opened(source, found[0])
    problem = "has several literals" if len(found) > 1 else "has no entries"
    raise source.refused(f"`{target}` {problem}; name what they stand in")


def _literals(source: Source, node: Node) -> list[Node]:
    """The outermost literals of an expression."""
    if source.kind(node) in _LITERALS:
        return [node]
    return [found for child in node.named_children for found in _literals(source, child)]


def _opened(source: Source, node: Node) -> Holder:
    items = items_of(node)
    lined = source.kind(node) in _LINED and not source.language.listed_fields
    if lined:
        items = [item for item in items if item.type in _FIELDS and not is_string(item)]
    apart = source.language.attached | {"enum_body_declarations"}
    return Holder(node, lined, [item for item in items if item.type not in apart])


def _entry(source: Source, said: str, holder: Holder) -> Node:
    """The one entry that is meant. Raises TargetUnresolved."""

    def at(item: Node) -> Candidate:
        return place(source, item.start_point.row, f"`{_names(source, item)[0]}`")

    found = [item for item in holder.items if said.strip() in _names(source, item)]
    return only(source, said.strip(), found, at, holder.items, way_out="name one of these")


def _ended(source: Source, line: str, beside: Node) -> str:
    """The last line of an entry with the mark that the one beside it ends with, where it has none itself."""
    after = beside.next_sibling
    marked = beside if source.text(beside).endswith((";", ",")) else after
    mark = source.text(marked)[-1:] if marked is not None else ""
    comment = source.language.comment
    told = line.endswith((";", ",")) or (comment is not None and comment[0] in line)
    return line if told or mark not in (";", ",") else line + mark


def _names(source: Source, item: Node) -> tuple[str, ...]:
    """What an entry can be called: its key or name, bare and as it is written, and its whole text."""
    key, text = source.text(_key(item)), source.text(item).strip().rstrip(",;")
    return key.strip("\"'`"), key, text, text.strip("\"'`")


def _key(item: Node) -> Node:
    """The name in an entry; the first item of one that is a literal itself."""
    if item.type.endswith(_KEYED):
        keys = (item.child_by_field_name(field) for field in _KEYS)
        # Fields of C# have theirs in a declaration of their own.
        parts = (child for child in item.named_children if child.type.endswith(_KEYED))
        found = next(filter(None, (*keys, *parts)), None)
        if found is not None:
            return _key(found)
    inner = item.type in ("expression_statement", "literal_element", *_LITERALS)
    return _key(item.named_children[0]) if inner and item.named_child_count else item
