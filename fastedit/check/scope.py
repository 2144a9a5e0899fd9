"""Whether the change stays within `--symbol` and `--lines`."""

from __future__ import annotations

from collections.abc import Iterator

from fastedit.check.base import Rule
from fastedit.check.change import Change


def _outside(change: Change) -> Iterator[str]:
    scope = change.scope
    for hunk in change.hunks:
        if scope is not None and not (scope.start <= hunk.start and hunk.stop <= scope.stop):
            yield f"line {hunk.start + 1} changes, which is outside of what --symbol or --lines name"
            return


RULE = Rule(
    code="FE106",
    name="scope",
    sentence="Nothing changes outside of `--symbol` or `--lines`.",
    why="What the request left out was not to be touched.",
    example="fastedit apply store.py --lines 10:20 ...    # and line 31 changes",
    severity="wrong",
    applies_to=("strong",),
    check=_outside,
)
