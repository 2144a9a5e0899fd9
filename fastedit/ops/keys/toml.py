"""The keys of TOML, which stand in sections, after dots and between brackets."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from typing import Any

from tree_sitter import Node

from fastedit.ops import lists
from fastedit.ops.keys.entry import KeyEntry, Kind
from fastedit.ops.keys.notation import Hunks, Literal, New, Notation
from fastedit.source.hunks import Hunk

# With a line end after three, which is no part of the text.
_MARKS = re.compile(r"(?P<mark>\"{3}|'{3}|[\"'])\n?")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_HEADERS = ("table", "table_array_element")
_KINDS: dict[str, Kind] = {"inline_table": "map", "array": "list"}


class Toml(Notation):
    def read(self) -> KeyEntry:
        if self.source.syntax.has_error:
            raise self.refused("the file has TOML that is not understood; edit it as text")
        root = KeyEntry((), 0, "map")
        for node in self.source.syntax.root.named_children:
            if node.type == "pair":
                self._pair(root, node)
            elif node.type in _HEADERS:
                self._section(root, node)
        return root

    @staticmethod
    def data(text: str) -> Any:
        return tomllib.loads(text)

    def value(self, literal: str) -> Any:
        (value,) = tomllib.loads(f"value = {literal}").values()
        return value

    def implied(self, entry: KeyEntry) -> bool:
        return bool(entry.path) and entry.node is None and not entry.sections

    def replaced(self, entry: KeyEntry, new: New) -> Hunks:
        old = entry.value
        if not isinstance(old, Node):
            raise self.refused(f"`{entry.dotted}` is a table; set its keys one by one")
        return self.over(old.start_byte, old.end_byte, self._written(new.value, old))

    def spelled(self, key: str, entry: KeyEntry, old: Node) -> str:
        return _key(key, self.source.text(old)[0])

    def removed(self, entry: KeyEntry) -> Hunks:
        assert entry.parent is not None
        holder = self._brackets(entry.parent)
        if holder is not None:
            return self.source.hunks(self.bracketed_removed(holder, entry))
        spans: list[tuple[int, int]] = []
        for node in sorted(_nodes(entry), key=lambda node: node.start_byte):
            start, stop = self.comments_above(node.start_point.row), self._stop(node)
            if spans and not "".join(self.source.lines[spans[-1][1] : start]).strip():
                start, stop = spans[-1][0], max(spans.pop()[1], stop)
            spans.append((start, stop))
        return tuple(self.lines_removed(*span) for span in spans)

    def put(self, parent: KeyEntry, key: str | None, index: int, new: New) -> Hunks:
        holder = self._brackets(parent)
        if holder is not None:
            pair = "" if key is None else f"{_key(key)} = "
            return self.bracketed_put(holder, index, pair + self._inline(new.value))
        keys = [at.key for at in reversed([*parent.above()]) if at.parent and at.parent.kind != "list"]
        if key is None:
            if not isinstance(new.data, dict):
                raise self.refused(f"`{parent.dotted}` is a list of tables; give an object")
            return self._set_apart(parent, self._written_section(keys, new.data, "[[", "]]"))
        pairs, prefix = self._pairs(parent)
        # A table gets a section, unless it is among inline tables or keys with dots.
        inline = prefix or any(at.kind == "map" and at.value is not None for at in parent.children)
        if isinstance(new.value, dict) and new.value and not inline:
            return self._set_apart(parent, self._written_section([*keys, key], new.value))
        line = f"{prefix}{_key(key)} = {self._inline(new.value)}"
        if pairs:
            before = parent.children[index - 1].node if index else None
            first = pairs[0].start_point.row
            row = self._stop(before if before in pairs else pairs[-1])
            if not index and parent.children:
                row = self.comments_above(first)
            return (Hunk(row, row, (self.source.indent(first) + line,)),)
        if parent.sections:
            row = parent.sections[0].start_point.row + 1
            return (Hunk(row, row, (self.source.indent(row - 1) + line,)),)
        lines = [f"[{'.'.join(map(_key, keys))}]", line] if keys else [line]
        if not parent.children:
            return self._set_apart(parent, lines)
        top = min(node.start_point.row for node in _nodes(parent))
        row = self.comments_above(top)
        return (Hunk(row, row, (*lines, "")),)

    def _set_apart(self, parent: KeyEntry, lines: Sequence[str]) -> Hunks:
        """With new lines below all that a table has."""
        old = self.source.lines
        row = max(map(self._stop, _nodes(parent)), default=len(old)) if parent.path else len(old)
        while row and not old[row - 1].strip():
            row -= 1
        above, below = [""] * (row > 0), [""] * (row < len(old) and old[row].strip() != "")
        return (Hunk(row, row, (*above, *lines, *below)),)

    def _pairs(self, entry: KeyEntry) -> tuple[list[Node], str]:
        """The lines that give keys to a table in one place, and what stands before the key where it has dots."""
        block = entry.sections[0] if entry.sections else self.source.syntax.root
        if entry.sections or not entry.path:
            return [node for node in block.named_children if node.type == "pair"], ""
        pairs = [node for node in _nodes(entry) if node.type == "pair"]
        ends = [(node, name.end_byte) for node in pairs for name in entry.names if _is_in(name, node)]
        prefix = self.source.data[ends[-1][0].start_byte : ends[-1][1]].decode() + "." if ends else ""
        return [node for node, _ in ends], prefix

    def _stop(self, node: Node) -> int:
        """The line after a pair, or after a section with the comments right below it, unless the next one has them."""
        if node.type == "pair":
            return node.end_point.row + 1
        pairs = [child.end_point.row for child in node.named_children if child.type == "pair"]
        row = stop = max(pairs, default=node.start_point.row) + 1
        while stop < len(self.source.lines) and self.source.syntax.in_comment(stop):
            stop += 1
        return row if stop < len(self.source.lines) and self.source.lines[stop].strip() else stop

    def _brackets(self, entry: KeyEntry) -> Node | None:
        """The brackets that hold what is in an entry, None where it has lines."""
        if entry.value is None and any(at.value is not None for at in entry.above()):
            raise self.refused(f"`{entry.dotted}` stands after dots in brackets; edit it as text")
        return entry.value if isinstance(entry.value, Node) else None

    def _section(self, entry: KeyEntry, section: Node) -> None:
        *upper, last = _name(section)
        for part in upper:
            entry = self._down(entry, part)
        if section.type == "table":
            entry = self._down(entry, last)
        else:
            tables = self._down(entry, last, "list")
            entry = tables.add(KeyEntry((*tables.path, str(len(tables.children))), 0, "map"))
        entry.row = section.start_point.row
        entry.sections.append(section)
        for pair in section.named_children:
            if pair.type == "pair":
                self._pair(entry, pair)

    def _down(self, entry: KeyEntry, part: Node, kind: Kind = "map") -> KeyEntry:
        """The table that a part of a key means, in the last item of a list."""
        key = _text(part)
        found = entry.child(key) or entry.add(KeyEntry((*entry.path, key), part.start_point.row, kind))
        found.names.append(part)
        return found.children[-1] if found.kind == "list" and kind == "map" else found

    def _pair(self, entry: KeyEntry, pair: Node) -> None:
        *upper, last = _name(pair)
        for part in upper:
            entry = self._down(entry, part)
        value = [node for node in pair.named_children if node.type != "comment"][-1]
        self._value(entry, _text(last), pair, value).names.append(last)

    def _value(self, parent: KeyEntry, key: str, node: Node, value: Node) -> KeyEntry:
        kind = _KINDS.get(value.type, "value")
        entry = parent.add(KeyEntry((*parent.path, key), node.start_point.row, kind, node, value))
        for item in value.named_children if kind != "value" else ():
            if item.type == "pair":
                self._pair(entry, item)
            elif item.type != "comment":
                self._value(entry, str(len(entry.children)), item, item)
        return entry

    def _written_section(
        self, keys: Sequence[str], table: dict[str, Any], start: str = "[", stop: str = "]"
    ) -> list[str]:
        """The lines of a section, with sections for the tables in it."""
        inner = {key: value for key, value in table.items() if isinstance(value, dict) and value}
        lines = [f"{_key(key)} = {self._inline(value)}" for key, value in table.items() if key not in inner]
        if lines or not inner or start == "[[":
            lines.insert(0, start + ".".join(map(_key, keys)) + stop)
        for key, value in inner.items():
            lines += [""] * bool(lines) + self._written_section([*keys, key], value)
        return lines

    def _written(self, value: Any, old: Node) -> str:
        """A value in the style of the one that it replaces."""
        items = lists.items_of(old) if isinstance(value, list) and value else []
        if items and items[0].start_point.row > old.start_point.row:
            inner, outer = (self.source.indent(row) for row in (items[0].start_point.row, old.end_point.row))
            return "".join(["[\n", *(f"{inner}{self._inline(item)},\n" for item in value), f"{outer}]"])
        marks = _MARKS.match(self.source.text(old)) if type(value) is str else None
        if marks is None or ("\n" in value) != (len(marks["mark"]) == 3):
            return self._inline(value)
        lines = value.split("\n")
        if marks["mark"][0] == '"':
            lines = [json.dumps(line, ensure_ascii=False)[1:-1] for line in lines]
        elif marks["mark"] in value or value[-1:] == "'" or not all(map(str.isprintable, lines)):
            return self._inline(value)
        opening = marks["mark"] + "\n" if value.startswith("\n") else marks[0]
        return opening + "\n".join(lines) + marks["mark"]

    def _inline(self, value: Any) -> str:
        if value is None:
            raise self.refused("TOML has no null; delete the key instead")
        if isinstance(value, Literal):
            return value
        if isinstance(value, list):
            return f"[{', '.join(map(self._inline, value))}]"
        if isinstance(value, dict):
            pairs = ", ".join(f"{_key(key)} = {self._inline(item)}" for key, item in value.items())
            return f"{{ {pairs} }}" if pairs else "{}"
        return json.dumps(value, ensure_ascii=False)


def _key(key: str, quote: str = "") -> str:
    """A key in the quotes that it had, or in none where that is possible."""
    if quote == "'" and key.isprintable() and "'" not in key:
        return f"'{key}'"
    return key if quote not in ("'", '"') and _BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False)


def _text(part: Node) -> str:
    """The key that a part of a name spells."""
    assert part.text is not None
    text = part.text.decode()
    if _BARE.fullmatch(text):
        return text
    (key,) = tomllib.loads(f"{text} = 0")
    return key


def _name(node: Node) -> list[Node]:
    """The parts of the key of a pair or header."""
    if node.type == "dotted_key":
        return [part for child in node.named_children for part in _name(child)]
    return _name(node.named_children[0]) if node.type in ("pair", *_HEADERS) else [node]


def _is_in(inner: Node, outer: Node) -> bool:
    return outer.start_byte <= inner.start_byte < outer.end_byte


def _nodes(entry: KeyEntry) -> Iterator[Node]:
    """All pairs and sections that an entry is made of."""
    if entry.node is not None:
        yield entry.node
        return
    yield from entry.sections
    for child in entry.children:
        yield from _nodes(child)
