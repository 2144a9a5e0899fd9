"""What is shown together and a path finds in several blocks of the file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fastedit.sketch.paths.lattice import Layer, PathStep
from fastedit.sketch.read.reading import Outline
from fastedit.sketch.rivals.base import Sign

FOUND_APART: Final = Sign("a line is found in another block than the one shown", -3.0)
TORN_APART: Final = Sign("no line is new, though what is shown together stands in several blocks", -5.0)


def is_torn_apart(file: Outline, sketch: Outline, inked: Sequence[PathStep]) -> bool:
    """Whether a path finds a line outside of the block that the line opens which is shown to open it, or in another
    block than the line above that is as deep, with no marker between."""
    place = {
        step.sketch: step.lines.start
        for step in inked
        if step.layer is Layer.MATCH and step.sketch is not None
    }
    above: dict[int, int] = {}  # by depth the last line of the file
    for step in inked:
        if step.sketch is None:
            continue
        depth, marker = sketch.depths[step.sketch], step.layer is Layer.MARK
        above = {at: row for at, row in above.items() if at < depth or (at == depth and not marker)}
        if (row := place.get(step.sketch)) is None:
            continue
        opener = place.get(-1 if (opener := sketch.parents[step.sketch]) is None else opener)
        if opener is not None and not _is_within(file, row, opener):
            return True
        around = file.parents[row]
        if around is not None and file.depths[around] >= file.depths[row]:
            continue  # the rest of a block, such as its closer
        if depth in above and file.parents[above[depth]] != around:
            return True
        above[depth] = row
    return False


def _is_within(file: Outline, row: int, opener: int) -> bool:
    around = file.parents[row]
    while around is not None and around != opener:
        around = file.parents[around]
    return around is not None
