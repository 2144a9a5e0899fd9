"""Definitions that a sketch shows without what is around them, of a name that the file has several of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fastedit.sketch.lattice import Layer, PathStep
from fastedit.sketch.reading import FULL, Outline


class Twin(NamedTuple):
    """Where a definition that the sketch begins on line `head` begins in the file, and where others of its name do."""

    head: int
    row: int
    others: tuple[int, ...]


def twins(file: Outline, sketch: Outline, path: Sequence[PathStep]) -> Iterator[Twin]:
    """The definitions of which no line that the file has once tells which is meant."""
    places = {step.sketch: step.lines.start for step in path if step.layer is Layer.MATCH}
    telling = {
        row
        for line, row in places.items()
        if line is not None and sketch.stripped[line] == file.stripped[row]
    }
    for head, name in sketch.heads.items():
        row = places.get(head)
        if row is None or file.heads.get(row) != name or len(sketch.chains[head]) > 1:
            continue
        others = tuple(other for other, known in file.heads.items() if known == name and other != row)
        block = range(row, file.block_end(row)) if others else ()
        if others and not any(
            at in telling and file.ink[at] == FULL and file.counts[file.stripped[at]] == 1 for at in block
        ):
            yield Twin(head, row, others)
