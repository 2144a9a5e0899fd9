"""The keys of JSON, with or without comments and trailing commas, read as the JavaScript expression that it is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from tree_sitter import Node

from fastedit.ops.keys.entry import KeyEntry, Kind
from fastedit.ops.keys.notation import Hunks, Literal, New, Notation
from fastedit.ops.lists import items_of
from fastedit.ops.source import ByteEdit, Source

# One without an end is taken whole: the search would begin again at each of its characters.
_STRING = r'"(?:[^"\\]|\\.)*+"?'
_COMMENT = re.compile(rf"//[^\n]*+|/\*.*?\*/|({_STRING}|/\*.*)", re.DOTALL)
_TRAILING = re.compile(rf"({_STRING})|(?<=[^\s\[{{,])\s*+,(?=\s*+[\]}}])", re.DOTALL)
_KINDS: dict[str, Kind] = {"object": "map", "array": "list"}


class Json(Notation):
    """`source` has the text in parentheses, which make an expression of it: its rows are those of the file."""

    def framed(self, file: Source) -> Source:
        first, *rest = file.lines or ("",)
        lines = (f"({first}", *rest, ")")
        return Source(lines, file.language.name, (*file.origins, None), file.operation)

    def bare(self, hunks: Hunks) -> Hunks:
        return tuple(
            each if each.start else replace(each, lines=(each.lines[0][1:], *each.lines[1:]))
            for each in hunks
        )

    def read(self) -> KeyEntry:
        node = self.source.syntax.root
        try:
            for _ in range(3):  # a program, its statement, the parentheses
                (node,) = items_of(node)
        except ValueError:
            raise self.refused("the file has JSON that is not understood; edit it as text") from None
        return self._entry((), node)

    @staticmethod
    def data(text: str) -> Any:
        try:
            return json.loads(text)
        except ValueError as error:
            bare = _TRAILING.sub(r"\1", _COMMENT.sub(r"\1 ", text))
            try:
                return json.loads(bare)
            except ValueError:
                raise error from None

    def value(self, literal: str) -> Any:
        return json.loads(literal)

    def copied(self, entry: KeyEntry) -> New:
        """As it is written: a number may have more digits than its value."""
        text, indent = self.source.text(_node(entry)), self.source.indent(entry.row)
        return New(super().copied(entry).data, Literal(text.replace(f"\n{indent}", "\n")))

    def replaced(self, entry: KeyEntry, new: New) -> Hunks:
        old = _node(entry)
        flat = self._is_flat(entry) or (entry.children and old.start_point.row == old.end_point.row)
        text = self._written(new, self.source.indent(entry.row), bool(flat))
        return self.over(old.start_byte, old.end_byte, text)

    def spelled(self, key: str, entry: KeyEntry, old: Node) -> str:
        return json.dumps(key, ensure_ascii=False)

    def put(self, parent: KeyEntry, key: str | None, index: int, new: New) -> Hunks:
        beside = parent.children[min(index, len(parent.children) - 1)] if parent.children else parent
        indent, flat = self.source.indent(beside.row), self._is_flat(beside)
        head = "" if key is None else json.dumps(key, ensure_ascii=False) + self._colon
        if parent.children or flat:
            text = head + self._written(new, indent, flat)
        else:
            inner = indent + self.source.unit
            text = f"\n{inner}{head}{self._written(new, inner, flat)}\n{indent}"
        return self.bracketed_put(_node(parent), index, text, self._gap)

    def removed(self, entry: KeyEntry) -> Hunks:
        assert entry.parent is not None
        edits = self.bracketed_removed(_node(entry.parent), entry)
        top, end = self.comments_above(entry.row), self.source.start(entry.row) - 1
        # Where its line goes, so do the comments above a key.
        if entry.parent.kind == "map" and top < entry.row and any(edit.start == end for edit in edits):
            edits.append(ByteEdit(self.source.start(top) - 1, end, ""))
        return self.source.hunks(edits)

    def _entry(self, path: tuple[str, ...], member: Node, key: Node | None = None) -> KeyEntry:
        value = member if key is None else member.child_by_field_name("value")
        assert value is not None
        kind = _KINDS.get(value.type, "value")
        entry = KeyEntry(path, member.start_point.row, kind, member, value, [] if key is None else [key])
        if kind != "value":
            entry.unread = partial(self._inside, entry)
        return entry

    def _inside(self, entry: KeyEntry) -> Iterator[KeyEntry]:
        for index, child in enumerate(items_of(_node(entry))):
            name = child.child_by_field_name("key") if entry.kind == "map" else None
            yield self._entry((*entry.path, str(index) if name is None else self._said(name)), child, name)

    def _said(self, key: Node) -> str:
        text = self.source.text(key)
        return json.loads(text) if "\\" in text else text[1:-1]

    def _is_flat(self, entry: KeyEntry) -> bool:
        """Whether an entry shares its line with others, or is all of the file on one line."""
        node = entry.whole
        if entry.parent is None:
            return node.start_point.row == node.end_point.row
        return bool(self.source.beside(node)[0].removeprefix(b"("))

    def _written(self, new: New, indent: str, flat: bool) -> str:
        """A value for a line of this indentation, `flat` where that is to hold all of it."""
        if new.literal is not None:
            return new.literal.replace("\n", f"\n{indent}")
        flat = flat or not isinstance(new.data, dict | list)
        step, comma = (None, f",{self._gap}") if flat else (self.source.unit, ",")
        text = json.dumps(new.data, ensure_ascii=False, indent=step, separators=(comma, self._colon))
        return text.replace("\n", f"\n{indent}")

    @cached_property
    def _colon(self) -> str:
        """What stands between a key and its value."""
        for entry in self.root.walk():
            for name in entry.names:
                text = self.source.data[name.end_byte : _node(entry).start_byte]
                return text.decode() if text.strip(b" \t") == b":" else ": "
        return ": "

    @property
    def _gap(self) -> str:
        """What stands after a comma within a line."""
        return "" if self._colon == ":" else " "


def _node(entry: KeyEntry) -> Node:
    assert isinstance(entry.value, Node)
    return entry.value
