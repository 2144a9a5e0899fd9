"""What a sketch shows below a marker and a path finds in another block, though that of the marker may have it too, with
a line changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from fastedit.sketch.features.likeness import QUITE_ALIKE
from fastedit.sketch.paths.lattice import HIDES, Layer, PathStep
from fastedit.sketch.paths.relaid import Relaid
from fastedit.sketch.read.ratio import ratio
from fastedit.sketch.read.reading import BLANK, FULL, Outline
from fastedit.sketch.rivals.base import Kind, Laid, Sign, once

STRAYED: Final = Sign("what is shown below a marker could be in its block, changed", -3.0)


class _Stray(NamedTuple):
    """A marker at this step of a path, the lines of the sketch below it up to what is hidden next, and the lines of
    the file in the marker's block that these may be, by line of the sketch."""

    at: int
    stop: int
    rows: dict[int, int]


def _told(laid: Laid) -> dict[str, float]:
    return once(STRAYED, _strays(laid.file, laid.sketch, laid.path))


def _in_their_blocks(laid: Laid, _: Relaid) -> Iterator[list[PathStep]]:
    """For each such piece a path that finds it in the marker's block."""
    path = laid.path
    for at, stop, rows in _strays(laid.file, laid.sketch, path):
        kept, piece, below = path[at + 1].lines, path[at + 2 : stop], list(path[stop:])
        first, last = min(rows.values()), max(rows.values()) + 1
        found = [path[at], PathStep(Layer.KEEP, None, range(kept.start, first))]
        place = first
        for step in piece:
            row = rows.get(step.sketch) if step.sketch is not None else None
            if row is None:
                if step.sketch is not None:
                    found.append(PathStep(Layer.NEW, step.sketch, range(place, place)))
                continue
            found += (PathStep(Layer.GONE, None, range(blank, blank + 1)) for blank in range(place, row))
            found.append(PathStep(Layer.MATCH, step.sketch, range(row, row + 1)))
            place = row + 1
        end = max(row + 1 for step in (path[at + 1], *piece) for row in step.lines)
        mark = [below.pop(0)] if below and below[0].layer is Layer.MARK else []
        hides = Layer.KEEP if mark else Layer.LEAP
        if below and below[0].layer in (Layer.KEEP, Layer.LEAP):
            hides, end = below[0].layer, below.pop(0).lines.stop
        yield [*path[:at], *found, *mark, PathStep(hides, None, range(last, end)), *below]


def _strays(file: Outline, sketch: Outline, path: Sequence[PathStep]) -> Iterator[_Stray]:
    above: PathStep | None = None
    for at, step in enumerate(path):
        if step.layer is Layer.MARK and above is not None and above.layer is Layer.MATCH:
            piece = list(takewhile(lambda one: one.layer not in HIDES, path[at + 2 :]))
            stop = at + 2 + len(piece)
            if path[at + 1 : at + 2] and path[at + 1].layer is Layer.KEEP:
                rows = _rows_in_block(file, sketch, above, step, path[at + 1].lines, piece)
                if rows:
                    yield _Stray(at, stop, rows)
        if step.layer in HIDES or step.sketch is None or sketch.ink[step.sketch] != BLANK:
            above = step


def _rows_in_block(
    file: Outline, sketch: Outline, above: PathStep, mark: PathStep, kept: range, piece: Sequence[PathStep]
) -> dict[int, int]:
    """The lines of the marker's block that those shown below it may be; none where they are in that block as it is, or
    cannot be."""
    shown = [step for step in piece if step.sketch is not None and sketch.ink[step.sketch] != BLANK]
    if not shown or any(step.layer is not Layer.MATCH for step in shown):
        return {}
    first = shown[0]
    assert first.sketch is not None
    assert mark.sketch is not None
    offset = file.widths[first.lines.start] - sketch.widths[first.sketch]
    width = min(
        file.widths[above.lines.start], file.widths[first.lines.start], sketch.widths[mark.sketch] + offset
    )
    inked = [row for row in kept if file.ink[row] != BLANK]
    within = sum(1 for _ in takewhile(lambda row: file.widths[row] >= width, inked))
    if within == len(inked):
        return {}
    for start in range(within):
        rows = inked[start : start + len(shown)]
        lines = [step.sketch for step in shown if step.sketch is not None]
        if len(rows) == len(lines) and _may_be(file, sketch, lines, rows):
            return dict(zip(lines, rows, strict=True))
    return {}


def _may_be(file: Outline, sketch: Outline, lines: Sequence[int], rows: Sequence[int]) -> bool:
    """Whether these lines are those of the file at the same depth, of which one says something, but for some that may
    be changed."""
    pairs = [(sketch.stripped[line], file.stripped[row]) for line, row in zip(lines, rows, strict=True)]
    offset = file.widths[rows[0]] - sketch.widths[lines[0]]
    return (
        any(new == old and file.ink[row] == FULL for (new, old), row in zip(pairs, rows, strict=True))
        and all(
            sketch.widths[line] + offset == file.widths[row] for line, row in zip(lines, rows, strict=True)
        )
        and all(new == old or ratio(new, old) > QUITE_ALIKE for new, old in pairs)
    )


STRAYS: Final = Kind(
    "Is what stands below a marker found in another block, or in the marker's own, with a line changed?",
    (STRAYED,),
    _told,
    _in_their_blocks,
)
