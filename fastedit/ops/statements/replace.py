"""Replaces a piece of code by another, or the words of strings and comments."""

from __future__ import annotations

import re
from collections import Counter
from typing import Literal

from fastedit.errors import TargetUnresolved
from fastedit.ops.base import Operation, Outcome, option
from fastedit.ops.lists import items_of, removed
from fastedit.ops.names.resolve import listed, place
from fastedit.ops.source import ByteEdit, Source
from fastedit.ops.structure.anchors import rows_of
from fastedit.ops.structure.fragments import fitted, fragments, texts
from fastedit.source.names.site import Role

_ROLES = {"strings": Role.STRING, "comments": Role.COMMENT, "text": None}
_CLOSING = re.compile(r"\s*(?:[\"']{3}|\*/)?")


class Replace(Operation, example="settings.py 'timeout > 30' 'timeout > 60' load"):
    """Replace a piece of code, or words of strings or comments, where it stands once, or everywhere."""

    old: str = option("an expression, statement, name or literal as it stands; white space does not matter")
    new: str | None = option("what takes its place; leave it out to take the code away", None)
    target: str | None = option("the definition to look in: load, Store.load; by default the file", None)
    anchor: str | None = option("the line on which it begins, or @LINE", None)
    every: bool = option("all the places, not one alone", False)
    inside: Literal["code", "strings", "comments", "text"] = option(
        "where to look: whole nodes of code, words of strings or comments, or any text with its white space",
        "code",
    )

    def carry_out(self, source: Source) -> Outcome:
        spans = self._places(source)
        if self.new is None:
            return Outcome(source.hunks([edit for span in spans for edit in _without(source, *span)]))
        if self.inside != "code":
            return Outcome(source.hunks([ByteEdit(start, stop, self.new) for start, stop in spans]))
        return Outcome(source.hunks(fitted(source, spans, self.new, self.old)))

    def _places(self, source: Source) -> list[tuple[int, int]]:
        """The bytes of the place that is meant, or of `every` one. Raises TargetUnresolved."""
        rows = rows_of(source, self.target, self.anchor)
        start, stop = source.start(rows.start), source.start(rows.stop)
        if self.inside == "code":
            found = [*fragments(source, self.old, start, stop)]
        else:
            found = [*texts(source, self.old, _ROLES[self.inside], start, stop)]
        spans = [span for span in found if self.anchor is None or source.row(span[0]) == rows.start]
        if not spans:
            problem = _elsewhere(source, self.old, self.inside, start, stop)
            raise TargetUnresolved(f"{self.name}: {self.old!r} {problem}")
        spans = [span for span in spans if source.may_change(source.row(span[0]))] or spans
        if len(spans) > 1 and not self.every:
            counted = Counter(source.row(start) for start, _ in spans)
            places = tuple(
                place(source, row, f"{n} times" if n > 1 else "once") for row, n in counted.items()
            )
            raise TargetUnresolved(
                f"{self.name}: {self.old!r} stands there {len(spans)} times ({listed(source, places)}); "
                "name the definition or the `anchor`, or take `every` one",
                places,
            )
        return spans


def _elsewhere(source: Source, code: str, inside: str, start: int, stop: int) -> str:
    """What is wrong with what was not found, and the way out."""
    for name in ("comments", "strings") if inside == "code" else ():
        for first, _ in texts(source, code, _ROLES[name], start, stop):
            return f"stands in {name} alone, at line {source.row(first) + 1}; set `inside` to {name}"
    return "does not stand there; copy it from the file"


def _without(source: Source, start: int, stop: int) -> list[ByteEdit]:
    """Takes the bytes away, with the comma, the white space and the lines that were theirs alone."""
    for node in source.spanning(start, stop):
        beside = {child.type for child in (node.prev_sibling, node.next_sibling) if child is not None}
        items = [] if node.parent is None else items_of(node.parent)
        items = [item for item in items if item.type not in source.language.attached]
        if "," in beside and node in items:
            return removed(source, items, node)
    first, last = source.row(start), source.row(stop)
    if not source.data[source.start(first) : start].strip() and source.tail(stop) is not None:
        below = source.lines[last + 1] if last + 1 < len(source.lines) else ""
        first -= first > 0 and not source.lines[first - 1].strip() and _CLOSING.fullmatch(below) is not None
        end = last + 1 == len(source.lines)  # whose line end is the one before
        return [ByteEdit(source.start(first) - (end and first > 0), source.start(last + 1), "")]
    if source.data[stop : stop + 1] in (b" ", b"\t"):
        return [ByteEdit(start, source.non_blank(stop), "")]
    while source.data[start - 1 : start] in (b" ", b"\t"):
        start -= 1
    return [ByteEdit(start, stop, "")]
