"""What a kind of rivals is: texts that may be meant in place of a path's, the paths that write them, and the signs that
tell of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import NamedTuple

from fastedit.sketch.paths.lattice import Layer, PathStep
from fastedit.sketch.paths.relaid import Relaid
from fastedit.sketch.read.reading import BLANK, Outline

Path = Sequence[PathStep]
# Of one path that are looked at: each is worth a lattice.
MOST = 4


class Sign(NamedTuple):
    """What tells of a rival, by name. `weight` is set by hand, None where it is fitted; `contests` tells whether there
    is another text to look at, however sure one is; `said` is what a user reads, if not the name."""

    name: str
    weight: float | None = None
    contests: bool = True
    said: str | None = None


@dataclass(frozen=True)
class Laid:
    """A path that lays a sketch onto a file. `leading` are the comments of the sketch that may be of new code."""

    file: Outline
    sketch: Outline
    path: Path
    leading: frozenset[int] = frozenset()

    @cached_property
    def inked(self) -> list[PathStep]:
        """The steps over lines that are not blank."""
        return inked_steps(self.file, self.sketch, self.path)


def _none(laid: Laid) -> Iterator[int]:
    return iter(())


def no_others(laid: Laid, relaid: Relaid) -> Iterator[Path]:
    """Of a kind of which there are signs alone."""
    return iter(())


@dataclass(frozen=True)
class Kind:
    """One kind of rivals. `question` is what it leaves open, `told` gives the signs of a path with their counts,
    `others` the paths that mean something else (None for one that no lattice has), `lines` the lines of the sketch that
    the signs are told of. `of_best`: others are looked for in the likeliest path alone."""

    question: str
    signs: tuple[Sign, ...]
    told: Callable[[Laid], Mapping[str, float]]
    others: Callable[[Laid, Relaid], Iterable[Path | None]] = no_others
    lines: Callable[[Laid], Iterator[int]] = _none
    of_best: bool = False


def once(sign: Sign, found: Iterable[object]) -> dict[str, float]:
    """The sign, where anything was found."""
    return {sign.name: 1.0} if any(True for _ in found) else {}


def inked_steps(file: Outline, sketch: Outline, path: Path) -> list[PathStep]:
    """Those over lines that are not blank."""
    return [
        step
        for step in path
        if is_inked(file, step) or (step.sketch is not None and sketch.ink[step.sketch] != BLANK)
    ]


def is_inked(file: Outline, step: PathStep) -> bool:
    """Whether a line of the file that it is over is not blank."""
    return any(file.ink[row] != BLANK for row in step.lines)


def idle_markers(file: Outline, path: Path) -> Iterator[int]:
    """The lines of the sketch that are taken for markers and keep no line that says something."""
    for step, below in zip_longest(path, path[1:]):
        keeps = below is not None and below.layer is Layer.KEEP and is_inked(file, below)
        if step.layer is Layer.MARK and step.sketch is not None and not keeps:
            yield step.sketch
