"""Whether an assignment is overwritten by the next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fastedit.check.base import Reason, Rule
from fastedit.check.change import WORD, Change
from fastedit.source.outline import along_block, is_closer

_NAMES = r"[\w$.]+(?:\s*,\s*[\w$.]+)*"
_ASSIGNED = re.compile(
    r"\s*(?:(?:const|let|var|final|auto)\s+)?(?P<open>[\[({]\s*)?"
    rf"(?P<names>{_NAMES})\s*(?(open)[\])}}]\s*)(?::[^=:]+)?(?::=|=)(?![=>])(?P<value>.*)"
)
_COMMA = re.compile(r"\s*,\s*")
_OPEN = ("(", "[", "{", "\\")  # at the end of a value that goes on below


def _stores_last(change: Change) -> Iterator[Reason]:
    """No new assignment stands next to an old one of the same name, unless the update shows that one too."""
    shown = {text.strip() for text in change.update.texts} if change.update is not None else set()
    rows = change.new_rows
    # What is no assignment has its neighbours anywhere: a blank line's are at the margin.
    for row in (row for row in sorted(rows) if _ASSIGNED.match(change.new[row])):
        above, below = _statement(change.new, row, -1), _statement(change.new, row, 1)
        for kept in (above, below):
            if kept is None or kept in rows or change.new[kept].strip() in shown:
                continue
            first, second = sorted((row, kept))
            if name := _overwritten(change.new[first], change.new[second]):
                phrase = f"{name} is assigned at result line {first + 1} and again at line {second + 1}"
                yield Reason(phrase, doubled=change.old_rows([kept]))


def _overwritten(first: str, second: str) -> str | None:
    """What the first statement assigns in vain, as the second one does so again without using it: all its names, or
    some of them the same value."""
    one, other = _ASSIGNED.match(first), _ASSIGNED.match(second)
    if not one or not other:
        return None
    value = other["value"].strip()
    if one["names"] == other["names"]:
        names: str = one["names"]
    elif value == one["value"].strip() and not value.endswith(_OPEN):
        others = _COMMA.split(other["names"])
        # What nobody wants is called `_`.
        names = ", ".join(name for name in _COMMA.split(one["names"]) if name in others and name.strip("_"))
    else:
        return None
    return None if not names or set(WORD.findall(names)) & set(WORD.findall(value)) else names


def _statement(lines: Sequence[str], row: int, step: int) -> int | None:
    """The next line of the same indentation that is neither blank nor a closing bracket, unless a block ends before."""
    return next((at for at in along_block(lines, row, step) if not is_closer(lines[at])), None)


RULE = Rule(
    code="FE113",
    name="store",
    sentence=(
        "No new assignment stands next to an old one of the same name, unless the update shows that one too."
    ),
    why="A changed line was inserted next to the one that it was to replace.",
    example=(" b = g(a)\n+b = h(a)"),
    severity="wrong",
    applies_to=("merge",),
    check=_stores_last,
)
