"""Whether the change stays within the regions that were asked for."""

from __future__ import annotations

from collections.abc import Iterator

from fastedit.check.base import Rule
from fastedit.check.change import Change, non_blank


def _within(change: Change) -> Iterator[str]:
    """Nothing outside the regions changes, and none of them is lost whole: an empty answer is no deletion."""
    for hunk in change.hunks:
        if not any(region.holds(hunk.start, hunk.stop) for region in change.regions):
            yield f"file line {hunk.start + 1} changes, which is outside the requested region"
        elif not change.predicted and not non_blank(hunk.lines):
            for region in change.regions:
                if hunk.start <= region.start < region.stop <= hunk.stop:
                    yield f"nothing is left of file lines {region.start + 1}:{region.stop}"


RULE = Rule(
    code="FE121",
    name="region",
    sentence="Nothing outside of the located regions changes, and none of them is emptied.",
    why="An empty answer is no deletion, and the model saw no more than the regions.",
    example=("-def load(path):\n-    return open(path).read()"),
    severity="wrong",
    applies_to=("embedded",),
    check=_within,
)
