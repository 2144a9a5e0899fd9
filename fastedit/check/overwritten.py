"""Whether an assignment is overwritten by the next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from fastedit.check.base import Reason, Rule
from fastedit.check.change import Change
from fastedit.source.outline import along_block, block_end, is_closer

_DECLARING = r"(?:(?:const|let|var|final|auto)\s+)?"
_BEGUN = re.compile(rf"\s*+(?:{_DECLARING}[\[({{]\s*$|[^=]*=)")
_ASSIGNED = re.compile(
    rf"{_DECLARING}"
    r"(?:[\[({](?P<pattern>[^\[\](){}]*)[\])}]|(?P<names>[\w$.]+(?:\s*,\s*[\w$.]+)*))\s*"
    r"(?::[^=:]+)?(?::=|=)(?![=>])(?P<value>.*)"
)
# `name`, `key: name`, `name = default`, `...rest`
_ITEM = re.compile(r"\s*(?:\.{3}|\*)?(?:[\w$]+\s*:\s*)?(?P<name>[\w$.]+)\s*(?:=.*)?")
_USED = re.compile(r"(?<![\w$])(?<![\w$?)\]]\.)[\w$]+")  # not as a member of something else


class _Assigned(NamedTuple):
    """The names that a statement assigns, without those that nobody wants, and the value."""

    names: tuple[str, ...]
    value: str


def _stores_last(change: Change) -> Iterator[Reason]:
    """No new assignment stands next to an old one of the same names, unless the update shows that one too. Others that
    are new may stand between."""
    shown = {text.strip() for text in change.update.texts} if change.update is not None else set()
    for kept, step in _next_to_new(change):
        old = _assigned(change.new, kept)
        if old is None or change.new[kept].strip() in shown:
            continue
        used = set[str]()  # between both
        for row, new in _new_ones(change, kept, step):
            first, second = (old, new) if step > 0 else (new, old)
            if name := _overwritten(first, second, used):
                one, other = sorted((row, kept))
                phrase = f"{name} is assigned at result line {one + 1} and again at line {other + 1}"
                yield Reason(phrase, doubled=change.old_rows([kept]))
            used.update(_USED.findall(new.value))


def _next_to_new(change: Change) -> Iterator[tuple[int, int]]:
    """The old lines right above (1) and below (-1) new assignments."""
    for row in sorted(change.new_rows):
        # What is no assignment has its neighbours anywhere: a blank line's are at the margin.
        for step in (-1, 1) if _assigned(change.new, row) else ():
            rows = along_block(change.new, row, step)
            at = next((at for at in rows if not is_closer(change.new[at])), None)
            if at is not None and at not in change.new_rows:
                yield at, -step


def _new_ones(change: Change, kept: int, step: int) -> Iterator[tuple[int, _Assigned]]:
    """The new assignments from an old line on, up to anything else of its block."""
    for row in along_block(change.new, kept, step):
        if is_closer(change.new[row]):
            continue
        found = _assigned(change.new, row) if row in change.new_rows else None
        if found is None:
            return
        yield row, found


def _assigned(lines: Sequence[str], row: int) -> _Assigned | None:
    """What a statement that begins on this line assigns."""
    if is_closer(lines[row]) or not _BEGUN.match(lines[row]):
        return None
    found = _ASSIGNED.match(" ".join(map(str.strip, lines[row : block_end(lines, row)])))
    if found is None:
        return None
    inner = found["names"] if found["pattern"] is None else found["pattern"].strip().rstrip(",")
    items = [_ITEM.fullmatch(item) for item in inner.split(",")]
    names = tuple(item["name"] for item in items if item is not None)
    wanted = tuple(name for name in names if name.strip("_"))
    return _Assigned(wanted, found["value"].strip()) if len(names) == len(items) else None


def _overwritten(one: _Assigned, other: _Assigned, used: Set[str]) -> str | None:
    """What the first statement assigns in vain, as the second one does so again and nothing uses it before: all its
    names, or some of them the same value."""
    names = [name for name in one.names if name in other.names]
    if len(names) < len(one.names) and one.value != other.value:
        return None
    mine = set(_USED.findall(" ".join(names)))
    return ", ".join(names) if mine.isdisjoint(used) and mine.isdisjoint(_USED.findall(other.value)) else None


RULE = Rule(
    code="FE113",
    name="store",
    sentence=(
        "No new assignment stands next to an old one of the same names, unless the update shows that one too."
    ),
    why="A changed line was inserted next to the one that it was to replace.",
    example=(" b = g(a)\n+b = h(a)"),
    severity="wrong",
    applies_to=("merge",),
    check=_stores_last,
)
