"""The keys of JSON, with or without comments."""

from __future__ import annotations

import json
from typing import Any

from tree_sitter import Node

from fastedit.ops.keys_entry import Entry, Kind
from fastedit.ops.keys_notation import Hunks, New, Notation, comments_above
from fastedit.ops.source import Source
from fastedit.source.hunks import diff_lines
from fastedit.source.json_document import JsonDocument, NotJson, members, value_of
from fastedit.source.json_layout import JsonLayout, Rendering

_KINDS: dict[str, Kind] = {"object": "map", "array": "list"}


class Json(Notation):
    def __init__(self, source: Source) -> None:
        super().__init__(source)
        try:
            self._document = JsonDocument("\n".join(source.lines))
        except NotJson as error:
            raise self.refused(f"{error}; edit it as text") from None
        self._layout = JsonLayout(self._document)
        self.syntax = self._document.syntax
        self.root = self._entry((), self._document.root)

    @staticmethod
    def data(text: str) -> Any:
        try:
            return json.loads(text)
        except ValueError as error:
            try:
                document = JsonDocument(text)
            except NotJson:
                raise error from None
            return document.value(document.root)

    def value(self, literal: str) -> Any:
        return json.loads(literal)

    def replaced(self, entry: Entry, new: New) -> Hunks:
        node = entry.whole
        self.check_no_comment(node.start_byte, node.end_byte)
        return self._hunks(self._layout.replaced(node, self._rendering(new)))

    def renamed(self, entry: Entry, key: str) -> Hunks:
        return self._hunks(self._layout.renamed(entry.whole, key))

    def put(self, parent: Entry, key: str | None, index: int, new: New) -> Hunks:
        return self._hunks(self._layout.inserted(parent.whole, index, key, self._rendering(new)))

    def removed(self, entry: Entry) -> Hunks:
        assert entry.parent is not None
        container = value_of(entry.parent.whole)
        lines = self._layout.removed(container, entry.parent.children.index(entry)).split("\n")
        # Where its line goes, so do the comments above a key.
        if len(lines) < len(self.source.lines) and entry.parent.kind == "map":
            del lines[comments_above(self.syntax, self.source, entry.row) : entry.row]
        return diff_lines(self.source.lines, lines)

    def _entry(self, path: tuple[str, ...], member: Node) -> Entry:
        value = value_of(member)
        entry = Entry(path, member.start_point.row, _KINDS.get(value.type, "value"), member, value)
        for index, child in enumerate(members(value) if value.type in _KINDS else ()):
            key = self._document.key(child) if value.type == "object" else str(index)
            entry.add(self._entry((*path, key), child))
        return entry

    def _rendering(self, new: New) -> Rendering:
        literal = new.literal
        return self._layout.rendering(new.data) if literal is None else lambda _: literal

    def _hunks(self, text: str) -> Hunks:
        return diff_lines(self.source.lines, text.split("\n"))
