"""Whether a line of the file was taken for a marker."""

from __future__ import annotations

from collections.abc import Iterator

from fastedit.check.base import Rule
from fastedit.check.change import Change, non_blank, short
from fastedit.source.markers import looks_like_marker


def _own_markers_stay(change: Change) -> Iterator[str]:
    """No line of the file that looks like a marker goes where an update has markers: it was taken for one of those."""
    if change.update is None:
        return
    markers = {line.text.strip() for line in change.update.lines if line.marker}
    for hunk in change.hunks:
        for text in non_blank(change.old[hunk.start : hunk.stop]):
            # Python's `...` is a statement that goes like any other, unless the update has it for a marker.
            if text == "..." and text not in markers:
                continue
            if looks_like_marker(text) and change.count_after(text) < change.count_before(text):
                yield f"the file's own line {short(text)}, which looks like a marker, vanishes"
                return


RULE = Rule(
    code="FE111",
    name="own marker",
    sentence="No line of the file that looks like a marker vanishes where an update has markers.",
    why="The update's marker stands for lines of the file, so the file's own line is to stay.",
    example=("-# ...\n x = 1"),
    severity="doubt",
    applies_to=("merge",),
    check=_own_markers_stay,
)
