"""Changes of a JSON text that keep its bytes: only what changes is written, in the style of what stands around it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cached_property

from tree_sitter import Node

from fastedit.source.json_document import CONTAINERS, JsonDocument, key_of, members, value_of, walk

# A value as text, whose lines after the first begin with the given indentation; None asks for a single line.
Rendering = Callable[[str | None], str]
Splice = tuple[int, int, str]


class JsonLayout:
    """Every change is given as the whole new text."""

    def __init__(self, document: JsonDocument) -> None:
        self._document = document
        self._source = document.source
        self._newline = "\r\n" if b"\r\n" in self._source else "\n"

    def rendering(self, value: object) -> Rendering:
        """A new value."""

        def render(indent: str | None) -> str:
            if indent is None:
                return json.dumps(value, ensure_ascii=False, separators=("," + self._gap, self._colon))
            text = json.dumps(value, ensure_ascii=False, indent=self._unit, separators=(",", self._colon))
            return text.replace("\n", self._newline + indent)

        return render

    def rendering_of(self, member: Node) -> Rendering:
        """The value of a member as it is written."""
        node = value_of(member)
        text, own = self._document.text(node), self._indent(node)
        if "\n" not in text:
            return lambda indent: text
        on_one_line = self.rendering(self._document.value(node))
        return lambda indent: on_one_line(None) if indent is None else text.replace(f"\n{own}", f"\n{indent}")

    def replaced(self, member: Node, new: Rendering) -> str:
        node = value_of(member)
        on_one_line = node.type in CONTAINERS and members(node) and "\n" not in self._document.text(node)
        indent = None if on_one_line or self._is_inline(member) else self._indent(node)
        return self._spliced((node.start_byte, node.end_byte, new(indent)))

    def renamed(self, pair: Node, key: str) -> str:
        old = key_of(pair)
        return self._spliced((old.start_byte, old.end_byte, json.dumps(key, ensure_ascii=False)))

    def inserted(self, holder: Node, index: int, key: str | None, new: Rendering) -> str:
        """With a member before the one at `index` of the container that `holder` holds; `key` for an object."""
        container = value_of(holder)
        inside = members(container)
        prefix = "" if key is None else json.dumps(key, ensure_ascii=False) + self._colon
        if not inside:
            return self._filled(holder, prefix, new)
        beside = inside[min(index, len(inside) - 1)]
        if not self._starts_line(beside):
            return self._inserted_inline(inside, index, prefix + new(None))
        before = inside[index - 1] if index else container.children[0]
        indent, at = self._indent(beside), _tail(before)
        line = self._newline + indent + prefix + new(indent)
        if index and _comma(before) is None:
            return self._spliced((before.end_byte, before.end_byte, ","), (at, at, line))
        return self._spliced((at, at, f"{line},"))

    def removed(self, container: Node, index: int) -> str:
        inside = members(container)
        member, comma = inside[index], _comma(inside[index])
        if len(inside) == 1 and not _has_comment(container):
            return self._spliced((container.start_byte + 1, container.end_byte - 1, ""))
        splices: list[Splice] = []
        if index == len(inside) - 1 and comma is None and index > 0:
            before = _comma(inside[index - 1])
            assert before is not None
            splices.append((before.start_byte, before.end_byte, ""))
        start, stop = member.start_byte, member.end_byte if comma is None else comma.end_byte
        line = self._line_start(member), self._line_end(_tail(member))
        if self._starts_line(member) and not self._source[_tail(member) : line[1]].strip():
            start, stop = line
        elif index < len(inside) - 1:
            stop = self._after_blanks(stop)
        else:
            start = self._before_blanks(start)
        return self._spliced(*splices, (start, stop, ""))

    def _filled(self, holder: Node, prefix: str, new: Rendering) -> str:
        """With the first member of an empty container."""
        container = value_of(holder)
        start, stop = container.start_byte + 1, container.end_byte - 1
        base = self._indent(container)
        line = self._newline + base + self._unit + prefix
        if _has_comment(container):
            at = _tail(container.children[0])
            return self._spliced((at, at, line + new(base + self._unit)))
        if self._is_inline(holder):
            return self._spliced((start, stop, prefix + new(None)))
        return self._spliced((start, stop, line + new(base + self._unit) + self._newline + base))

    def _inserted_inline(self, inside: list[Node], index: int, text: str) -> str:
        gap = self._gap
        if len(inside) > 1 and (comma := _comma(inside[0])) is not None:
            between = self._source[comma.end_byte : inside[1].start_byte]
            gap = between.decode() if not between.strip(b" \t") else gap
        if index < len(inside):
            at = inside[index].start_byte
            return self._spliced((at, at, f"{text},{gap}"))
        comma = _comma(inside[-1])
        at = inside[-1].end_byte if comma is None else comma.end_byte
        return self._spliced((at, at, f",{gap}{text}" if comma is None else f"{gap}{text},"))

    @cached_property
    def _colon(self) -> str:
        """What stands between a key and its value."""
        for node in walk(self._document.root):
            if node.type == "object" and (pairs := members(node)):
                text = self._source[key_of(pairs[0]).end_byte : value_of(pairs[0]).start_byte]
                return text.decode() if text.strip(b" \t") == b":" else ": "
        return ": "

    @cached_property
    def _gap(self) -> str:
        """What stands after a comma within a line."""
        return "" if self._colon == ":" else " "

    @cached_property
    def _unit(self) -> str:
        """What a level is indented by."""
        for node in walk(self._document.root):
            if node.type in CONTAINERS and (inside := members(node)) and self._starts_line(inside[0]):
                inner, outer = self._indent(inside[0]), self._indent(node)
                if inner != outer and inner.startswith(outer):
                    return inner.removeprefix(outer)
        return "  "

    def _is_inline(self, member: Node) -> bool:
        """Whether a member stands in one line with others, or the document in a single line."""
        if member == self._document.root:
            return "\n" not in self._document.text(member)
        return not self._starts_line(member)

    def _starts_line(self, node: Node) -> bool:
        return not self._source[self._line_start(node) : node.start_byte].strip()

    def _line_start(self, node: Node) -> int:
        # The parenthesis in front of the text is no part of its first line.
        return max(self._source.rfind(b"\n", 0, node.start_byte) + 1, 1)

    def _line_end(self, at: int) -> int:
        return self._source.index(b"\n", at) + 1

    def _indent(self, node: Node) -> str:
        start = self._line_start(node)
        return self._source[start : self._after_blanks(start)].decode()

    def _after_blanks(self, at: int) -> int:
        rest = self._source[at : self._line_end(at)]
        return at + len(rest) - len(rest.lstrip(b" \t"))

    def _before_blanks(self, at: int) -> int:
        return len(self._source[:at].rstrip(b" \t"))

    def _spliced(self, *splices: Splice) -> str:
        """The text after ordered, disjoint splices."""
        source = self._source
        for start, stop, text in reversed(splices):
            source = source[:start] + text.encode() + source[stop:]
        return source[1:-2].decode()


def _comma(member: Node) -> Node | None:
    after = member.next_sibling
    while after is not None and after.type == "comment":
        after = after.next_sibling
    return after if after is not None and after.type == "," else None


def _tail(node: Node) -> int:
    """Where a member ends together with its comma and the comments after it in the line."""
    last = _comma(node) or node
    while (after := last.next_sibling) is not None and after.type == "comment":
        if after.start_point.row != last.end_point.row:
            break
        last = after
    return last.end_byte


def _has_comment(container: Node) -> bool:
    return any(child.type == "comment" for child in container.children)
