"""Items between brackets: one more, one less, in the form that the list has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tree_sitter import Node

from fastedit.ops.source import ByteEdit, Source


def items_of(holder: Node) -> list[Node]:
    return [child for child in holder.named_children if "comment" not in child.type]


def put(source: Source, holder: Node, index: int, text: str) -> list[ByteEdit]:
    """A new item between the brackets of a list that may be empty."""
    if items := items_of(holder):
        return inserted(source, items, index, text)
    return [ByteEdit(holder.start_byte + 1, holder.end_byte - 1, text)]


def taken(source: Source, holder: Node, gone: Node) -> list[ByteEdit]:
    """An item between the brackets of a list goes."""
    return removed(source, items_of(holder), gone)


def inserted(source: Source, items: Sequence[Node], index: int, text: str, gap: str = " ") -> list[ByteEdit]:
    """A new item before the one at `index`, or after the last; `gap` stands after a comma within a line."""
    beside = items[min(index, len(items) - 1)]
    apart = _apart(source, beside)
    between = "," + ("\n" + source.indent(beside.start_point.row) if apart else gap)
    if index < len(items):
        at = source.begin(beside, documented=True)
        return [ByteEdit(at, at, text + between)]
    if not apart:
        return [ByteEdit(beside.end_byte, beside.end_byte, between + text)]
    comma = _comma(beside)
    end = comma or beside.end_byte
    at = source.tail(end) or end
    line = between[1:] + text
    if comma is not None:
        return [ByteEdit(at, at, line + ",")]
    if at == end:
        return [ByteEdit(at, at, "," + line)]
    return [ByteEdit(end, end, ","), ByteEdit(at, at, line)]


def removed(source: Source, items: Sequence[Node], gone: Node) -> list[ByteEdit]:
    """The item goes with its comma, and with its line where it has one of its own."""
    index = [item.start_byte for item in items].index(gone.start_byte)
    comma = _comma(gone)
    if _lined(source, gone) and len(items) > 1:
        start = source.data.rfind(b"\n", 0, source.begin(gone, documented=True))
        end = comma or gone.end_byte
        edits = [ByteEdit(start, source.tail(end) or end, "")]
        before = _comma(items[index - 1]) if index and comma is None else None
        return [ByteEdit(before - 1, before, ""), *edits] if before is not None and before <= start else edits
    if index + 1 < len(items):
        following = items[index + 1]
        # What stands on later lines, or right before the next item, is about that.
        kept = [
            comment.start_byte
            for comment in _comments(gone, following)
            if comment.start_point.row > gone.end_point.row
            or comment.end_point.row == following.start_point.row
        ]
        stop = min([*kept, source.begin(following, documented=True)])
        return [ByteEdit(source.begin(gone, documented=True), stop, "")]
    if index and not _comments(items[index - 1], gone):
        return [ByteEdit(items[index - 1].end_byte, gone.end_byte, "")]
    return [ByteEdit(gone.start_byte, comma or gone.end_byte, "")]


def _comments(first: Node, second: Node) -> list[Node]:
    """Those between two items."""
    assert first.parent is not None
    inside = range(first.end_byte, second.start_byte)
    return [
        child for child in first.parent.children if "comment" in child.type and child.start_byte in inside
    ]


def _comma(item: Node) -> int | None:
    """The byte after the comma that follows an item."""
    after = item.next_sibling
    while after is not None and "comment" in after.type:
        after = after.next_sibling
    return after.end_byte if after is not None and after.type == "," else None


def _apart(source: Source, item: Node) -> bool:
    """Whether the item has lines of its own."""
    return item.start_point.row > 0 and source.alone(item)


def _lined(source: Source, item: Node) -> bool:
    """Whether the item has lines of its own, but for comments before it."""
    first, above = item, item.prev_sibling
    while above is not None and "comment" in above.type and above.start_point.row == item.start_point.row:
        first, above = above, above.prev_sibling
    own = item.start_point.row > 0 and not source.beside(first)[0]
    return own and source.tail(item.end_byte) is not None


def positional(arguments: Sequence[Node]) -> list[Node]:
    """The arguments of a call that are passed by position."""
    return [item for item in arguments if item.type not in ("keyword_argument", "dictionary_splat")]


def sorted_index(keys: Sequence[Any], new: Any) -> int:
    """The index at which `new` goes among others: in order where they are, else last."""
    if list(keys) == sorted(keys):
        return next((index for index, key in enumerate(keys) if key > new), len(keys))
    return len(keys)
