"""Whether definitions vanish or double."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from fastedit.check.base import Reason, Rule
from fastedit.check.change import Change, ChangedPart
from fastedit.source.definitions import (
    DISTINCT,
    REOPENING,
    Definition,
    bound,
    declared,
    defining,
    definitions,
    whole_statement,
)
from fastedit.source.languages import named
from fastedit.source.outline import definition_at, is_decorator
from fastedit.source.syntax import Syntax

if TYPE_CHECKING:
    from tree_sitter import Node

_NAMED = 5  # of those that vanish


def _definitions_stay(change: Change) -> Iterator[str | Reason]:
    """No definition vanishes that nobody asked to lose, and none is there twice that was there once."""
    if not change.hunks:
        return
    differ = Counter[tuple[str, ...]]()
    for part in change.parts:
        differ.update(path for _, path in defining(part.new, part.after))
        differ.subtract(path for _, path in defining(part.old, part.before))
    if not any(differ.values()):
        return
    # All of one path stand in a definition of its first name; how often its last one stands is asked of a strong model.
    ends = (0, -1) if change.author == "strong" else (0,)
    parts = change.parts_with(path[end] for path, count in differ.items() if count for end in ends)
    before, after = _before(parts), _after(parts)
    yield from _doubled(change, before, after)
    if _are_renamed(change, before, after):
        return
    kept, lost = {(), *(placed.item.path for placed in after)}, set[tuple[str, ...]]()
    wrapped = _wrapped(parts, before) - kept
    # What stands as it did in something else now has not gone, be it deeper where the update shows it.
    moved = {(change.old_row(placed.row), placed.item.name) for placed in after}
    shown = {text.strip() for text in change.update.texts} if change.update is not None else set[str]()
    whole = {placed.said for placed in after if change.new[placed.row].strip() in shown}
    unasked = list[_Placed]()
    for placed in before:
        item = placed.item
        # What stands in a wrapped function stands in what is around that now.
        now = tuple(name for at, name in enumerate(item.path, 1) if item.path[:at] not in wrapped)
        stays = (placed.row, item.name) in moved or placed.said in whole
        if now in kept or item.path[:-1] in lost or stays:
            lost |= {item.path} if now not in kept else set()
            continue
        lost.add(item.path)
        if change.asks_for(item.name):
            line = None if len(item.path) > 1 else _used(change, parts, item.name)
            if line is not None:
                yield f"the {item.kind} {item.dotted} vanishes, but is still used at result line {line + 1}"
        elif not _goes_on_purpose(change, parts, placed):
            unasked.append(placed)
    if unasked:
        yield Reason(
            f"{_named(unasked)}, and nobody asked for that",
            lost=tuple((placed.row, placed.item.name) for placed in unasked),
        )


def _named(gone: Sequence[_Placed]) -> str:
    """That these vanish, by name."""
    names = list(dict.fromkeys(placed.item.dotted for placed in gone))
    if len(names) == 1:
        return f"the {gone[0].item.kind} {names[0]} vanishes"
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more} vanish"


class _Placed(NamedTuple):
    """A definition of the file or the result, its node, the line of its name, which attributes may stand above, and the
    block that it stands in; None at the top level."""

    item: Definition
    node: Node
    row: int
    block: tuple[int, int] | None

    @property
    def said(self) -> bytes:
        """All of it, at whatever depth."""
        return b"".join((self.node.text or b"").split())


def _before(parts: Sequence[ChangedPart]) -> list[_Placed]:
    return [placed for at, part in enumerate(parts) for placed in _placed(part.old, at, part.old_start)]


def _after(parts: Sequence[ChangedPart]) -> list[_Placed]:
    return [placed for at, part in enumerate(parts) for placed in _placed(part.new, at, part.new_start)]


def _placed(syntax: Syntax, part: int, start: int) -> Iterator[_Placed]:
    for item, (node, _) in zip(definitions(syntax), defining(syntax), strict=True):
        around = whole_statement(syntax, node).parent
        block = None if around is None or around.parent is None else (part, around.id)
        name = node.child_by_field_name("name") or declared(node)
        row = item.header if name is None else name.start_point.row
        yield _Placed(item.moved(start), node, row + start, block)


def _wrapped(parts: Sequence[ChangedPart], before: Sequence[_Placed]) -> set[tuple[str, ...]]:
    """The paths of functions that the result binds as the file does, be it to something else, such as a call around the
    function."""
    values = {value for part in parts for value in bound(part.new)}
    return {placed.item.path for placed in before if (placed.node.type, placed.item.path) in values}


def _goes_on_purpose(change: Change, parts: Sequence[ChangedPart], placed: _Placed) -> bool:
    """Whether a definition that the instruction does not name was meant to go.

    An update leaves it out plainly. A strong model that means it takes the definition's uses with it; where it forgets
    one, they stay as they were.
    """
    if change.author != "strong":
        return change.leaves_out_line(placed.row)
    item = placed.item
    named = (line for part in parts for line in part.old_rows_of(item.name))
    before = sum(not item.start <= line < item.stop for line in named)
    return sum(1 for part in parts for _ in part.new_rows_of(item.name)) < before


def _used(change: Change, parts: Sequence[ChangedPart], name: str) -> int | None:
    """A line of the result that has this name, and not as someone's attribute."""
    own = re.compile(rf"(?<![\w$.]){re.escape(name)}(?![\w$])")
    named = (line for part in parts for line in part.new_rows_of(name))
    return next((line for line in named if own.search(change.new[line])), None)


def _doubled(change: Change, before: Sequence[_Placed], after: Sequence[_Placed]) -> Iterator[Reason]:
    """What a block defines more often than it did, or than the update has it: in blocks of their own are others."""
    language = named(change.language)
    overloading = language.overloading or language.definitions

    def told(item: Definition, node: Node, lines: Sequence[str]) -> tuple[str, str, str]:
        """What no two definitions have in common: by what heads say too where one name may have several."""
        if language.overloads and node.type in overloading:
            return item.kind, item.dotted, "".join("".join(lines[item.header : item.body]).split())
        return (
            item.kind,
            item.dotted,
            " ".join(child.type for child in node.children if child.type in DISTINCT),
        )

    def most(placed: Sequence[_Placed], lines: Sequence[str]) -> dict[tuple[str, str, str], list[Definition]]:
        """Those of each kind in the block that has the most of them."""
        found: dict[tuple[tuple[str, str, str], tuple[int, int] | None], list[Definition]] = {}
        for item, node, _, block in placed:
            # A decorator such as @overload or @x.setter makes a second definition of a name a matter of course.
            decorated = any(map(is_decorator, lines[item.start : item.header]))
            if not decorated and not any(child.type in REOPENING for child in node.children):
                found.setdefault((told(item, node, lines), block), []).append(item)
        by_size = sorted(found.items(), key=lambda each: len(each[1]))
        return {kind: items for (kind, _), items in by_size}

    old = most(before, change.old)
    sketch = change.update.texts if change.update is not None else ()
    given = Counter(definition_at(sketch, index) for index in range(len(sketch)))
    for key, items in most(after, change.new).items():
        kind, name, _ = key
        if len(items) > max(len(old.get(key, ())), given[name.rsplit(".", 1)[-1]], 1):
            phrase = f"the {kind} {name} is now defined {len(items)} times"
            yield Reason(phrase, doubled=change.old_rows(item.header for item in items))


def _are_renamed(change: Change, before: Sequence[_Placed], after: Sequence[_Placed]) -> bool:
    """Whether a strong model left as many definitions as before, so that one that goes has another name now. Where all
    are others, and none has a line that went, it is another file's text that took the place."""
    if change.author != "strong" or len(before) != len(after):
        return False
    (was, old), (now, new) = (
        ({placed.item.path for placed in each}, {line for placed in each for line in _inked(placed, text)})
        for each, text in ((before, change.old), (after, change.new))
    )
    return not was.isdisjoint(now) or not old.isdisjoint(new)


def _inked(placed: _Placed, text: Sequence[str]) -> Iterator[str]:
    """The lines of a definition that have a letter."""
    lines = text[placed.item.start : placed.item.stop]
    return (line.strip() for line in lines if any(map(str.isalpha, line)))


RULE = Rule(
    code="FE107",
    name="definition",
    sentence=(
        "No definition vanishes that nobody asked to lose, and none is there twice that was there once."
    ),
    why=(
        "A rewrite easily loses something, and what was to replace a definition may stand next to it. A strong model "
        "may lose one where uses of it went too, or where another has its place: then that was meant."
    ),
    example=(" class Store:\n-    def load(self): ...\n     def save(self): ..."),
    severity="wrong",
    applies_to=("merge", "strong"),
    check=_definitions_stay,
)
