"""Definitions that a sketch shows without what is around them, of a name that the file has several of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from fastedit.sketch.paths.lattice import Layer, PathStep
from fastedit.sketch.paths.relaid import Relaid
from fastedit.sketch.read.reading import FULL, Outline
from fastedit.sketch.rivals.base import MOST, Kind, Laid, Sign

ANY_OF_SEVERAL: Final = Sign("a definition could be any of several")


class _Twin(NamedTuple):
    """Where a definition that the sketch begins on line `head` begins in the file, and where others of its name do."""

    head: int
    row: int
    others: tuple[int, ...]


def _twins(file: Outline, sketch: Outline, path: Sequence[PathStep]) -> Iterator[_Twin]:
    """The definitions of which no line that the file has once tells which is meant."""
    places = {step.sketch: step.lines.start for step in path if step.layer is Layer.MATCH}
    telling = {
        row
        for line, row in places.items()
        if line is not None and sketch.stripped[line] == file.stripped[row]
    }
    rows: dict[str, list[int]] = {}
    for row, name in file.heads.items():
        rows.setdefault(name, []).append(row)
    for head, name in sketch.heads.items():
        at = places.get(head)
        if at is None or file.heads.get(at) != name or len(rows[name]) < 2 or len(sketch.chains[head]) > 1:
            continue
        block = range(at, file.block_end(at))
        if not any(
            row in telling and file.ink[row] == FULL and file.counts[file.stripped[row]] == 1 for row in block
        ):
            yield _Twin(head, at, tuple(row for row in rows[name] if row != at))


def _told(laid: Laid) -> dict[str, float]:
    count = sum(1 for _ in _twins(laid.file, laid.sketch, laid.path))
    return {ANY_OF_SEVERAL.name: float(count)} if count else {}


def _lines(laid: Laid) -> Iterator[int]:
    return (twin.head for twin in _twins(laid.file, laid.sketch, laid.path))


def _at_others(laid: Laid, relaid: Relaid) -> Iterator[list[PathStep] | None]:
    """The likeliest paths in which such a definition is another one."""
    for twin in _twins(laid.file, laid.sketch, laid.path):
        shown = range(twin.head, laid.sketch.block_end(twin.head))
        for row in twin.others[:MOST]:
            yield relaid.laid_on(shown, range(row, laid.file.block_end(row)), {twin.head: row})


TWINS: Final = Kind(
    "Which of several definitions of a name is shown?",
    (ANY_OF_SEVERAL,),
    _told,
    _at_others,
    _lines,
    of_best=True,
)
