"""Whether the change stays within the symbol and the lines that the request names."""

from __future__ import annotations

from collections.abc import Iterator

from fastedit.check.base import Rule
from fastedit.check.change import Change


def _outside(change: Change) -> Iterator[str]:
    scope = change.scope
    for hunk in change.hunks:
        if scope is not None and not scope.holds(hunk.start, hunk.stop):
            yield f"file line {hunk.start + 1} changes, which is outside of the lines that may"
            return


RULE = Rule(
    code="FE106",
    name="scope",
    sentence="Nothing changes outside of the symbol or lines that the request names.",
    why="What the request left out was not to be touched.",
    example="fastedit apply store.py --lines 10:20 ...    # and line 31 changes",
    severity="wrong",
    applies_to=("strong",),
    check=_outside,
)
