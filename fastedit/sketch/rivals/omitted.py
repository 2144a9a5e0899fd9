"""Lines of the file between two entries that a sketch shows next to each other, where it says nothing else from one
marker to the next: why would it show both, unless what stands between them is to go?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from fastedit.sketch.paths.lattice import Layer, PathStep
from fastedit.sketch.paths.relaid import Relaid
from fastedit.sketch.read.reading import BLANK, FULL, Outline
from fastedit.sketch.rivals.base import MOST, Kind, Laid, Sign, once
from fastedit.sketch.rivals.siblings import entry_at
from fastedit.source.outline import is_closer

OMITTED: Final = Sign("lines stay unmarked where the update says nothing else")


def _told(laid: Laid) -> dict[str, float]:
    return once(OMITTED, _without(laid))


def _others(laid: Laid, _: Relaid) -> Iterator[list[PathStep]]:
    return islice(_without(laid), MOST)


def _without(laid: Laid) -> Iterator[list[PathStep]]:
    """For each run of entries that stay so a path in which they go."""
    path, inked = laid.path, laid.inked
    for place, step in enumerate(inked):
        if step.layer is Layer.LEAP and _is_omitted(laid.file, laid.sketch, inked, place):
            at = path.index(step)
            gone = (PathStep(Layer.GONE, None, range(row, row + 1)) for row in step.lines)
            yield [*path[:at], *gone, *path[at + 1 :]]


def left_as_they_are(laid: Laid) -> Iterator[range]:
    """The lines of the file that a path keeps though the sketch shows all else of their definition, and no marker, or
    nothing but the heads above and below them: they may be to go."""
    yield from _between_heads(laid)
    file, path = laid.file, laid.path
    shown = {step.lines.start for step in path if step.layer is Layer.MATCH}
    for above, step, below in zip(path, path[1:], path[2:], strict=False):
        if step.layer is not Layer.LEAP or {above.layer, below.layer} != {Layer.MATCH}:
            continue
        around = [head for head in file.chains[above.lines.start] if head in file.chains[below.lines.start]]
        if not around or around[-1] == above.lines.start or file.language.is_data:
            continue
        rows = [row for row in range(around[-1], file.block_end(around[-1])) if file.stripped[row]]
        hidden = [row for row in rows if row not in shown]
        if hidden and {hidden[0], hidden[-1]} <= set(step.lines) and 2 * len(hidden) < len(rows):
            yield range(hidden[0], hidden[-1] + 1)


def _between_heads(laid: Laid) -> Iterator[range]:
    """Lines beyond the end of an entry that the marker below its head keeps, up to the next head that is shown, where
    the update shows nothing else."""
    file, sketch, inked = laid.file, laid.sketch, laid.inked
    quads = [inked[at : at + 4] for at in range(len(inked))]
    if any(not _leads(sketch, *quad[:2]) for quad in quads if quad[0].layer is Layer.MATCH):
        return
    for head, *between in quads:
        if [step.layer for step in between] == [Layer.MARK, Layer.KEEP, Layer.MATCH]:
            above, below = head.lines.start, between[2].lines.start
            rows = [row for row in range(file.block_end(above), below) if file.stripped[row]]
            if rows and file.parents[above] == file.parents[below]:
                yield range(rows[0], rows[-1] + 1)


def _leads(sketch: Outline, step: PathStep, below: PathStep | None = None) -> bool:
    """Whether the line of a step is followed by one of the sketch that stands deeper."""
    rows = (one.sketch for one in (step, below) if one is not None and one.sketch is not None)
    widths = [sketch.widths[row] for row in rows]
    return len(widths) > 1 and widths[0] < widths[1]


def _is_omitted(file: Outline, sketch: Outline, inked: Sequence[PathStep], at: int) -> bool:
    """Whether a leap is over whole entries between two of their block, and the sketch changes neither these nor what it
    shows next to them, up to a marker. `inked` are a path's steps over lines that are not blank."""
    around = inked[max(at - 1, 0) : at + 2]
    if [step.layer for step in around] != [Layer.MATCH, Layer.LEAP, Layer.MATCH]:
        return False
    last, below = around[0].lines.start, around[2].lines.start
    above = file.parents[last] if is_closer(file.texts[last]) else last
    if above is None or file.ink[below] != FULL or file.parents[above] != file.parents[below]:
        return False
    rows = [row for row in inked[at].lines if file.ink[row] != BLANK]
    shallowest = min(file.widths[row] for row in rows)
    if len({shallowest, *(file.widths[row] for row in (above, below, rows[0]))}) > 1:
        return False
    ends = (
        _is_marked(file, sketch, reversed(inked[:at]), range(above, last + 1)),
        _is_marked(file, sketch, inked[at + 1 :], entry_at(file, below)),
    )
    return None not in ends and any(ends)


def _is_marked(file: Outline, sketch: Outline, steps: Iterable[PathStep], entry: range) -> bool | None:
    """Whether a marker is the first of these steps that is not over lines of an entry or others that are shown as they
    are; None where it is something else."""
    for step in steps:
        row = step.lines.start
        match step.layer:
            case Layer.KEEP if row not in entry:
                return True
            case Layer.MARK | Layer.KEEP:
                continue
            case Layer.MATCH if (
                step.sketch is not None and sketch.stripped[step.sketch] == file.stripped[row]
            ):
                continue
            case _:
                return None
    return False


# One that is not the likeliest leaves lines out already.
OMISSIONS: Final = Kind(
    "Do entries stay, or go, that are left out between two that are shown, where the update says nothing else?",
    (OMITTED,),
    _told,
    _others,
    of_best=True,
)
