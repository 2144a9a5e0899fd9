"""What became of each hunk, in words that its author can act on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from fastedit.request import LineRange

_LONGEST = 100  # characters of a quoted line
_MOST = 8  # candidates that are listed


class PlacementStep(StrEnum):
    """How a hunk was placed, or why not: the matching steps from the strictest on, then the other ways."""

    EXACT = "exact"
    WHITE_SPACE = "white space"
    INDENTATION = "indentation"
    LOOK_ALIKES = "look-alikes"
    ESCAPES = "escapes"
    DRIFT = "drift"
    TAG = "tag"
    LINE = "line"
    ALREADY = "already"
    MODEL = "model"
    UNPLACED = "unplaced"
    AMBIGUOUS = "ambiguous"

    @property
    def placed(self) -> bool:
        return self not in (PlacementStep.UNPLACED, PlacementStep.AMBIGUOUS)


_BY = {
    PlacementStep.LINE: "by its line number",
    PlacementStep.TAG: "by its hash",
    PlacementStep.MODEL: "by a model",
}


class Unplaced(Exception):
    """A hunk has no place, or several. `problem` says why and names the way out."""

    def __init__(
        self,
        problem: str,
        lines: tuple[range, ...] = (),
        nearest: tuple[str, ...] = (),
        step: PlacementStep = PlacementStep.UNPLACED,
    ) -> None:
        super().__init__(problem)
        self.problem, self.lines, self.nearest, self.step = problem, lines, nearest, step


class Report(NamedTuple):
    """One hunk, counted from 1.

    `lines` are the document's lines, from 0, that it went to, or all candidates of an ambiguous one. `problem` is one
    line, empty for a placed hunk. `nearest` are the lines of the file, numbered, that are most like its old text.
    `remarks` say where the file does not get what its author wrote.
    """

    number: int
    step: PlacementStep
    lines: tuple[range, ...] = ()
    problem: str = ""
    nearest: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """For programs. Lines count from 0, their ends exclusive."""
        return {
            "number": self.number,
            "step": self.step.value,
            "lines": [{"start": rows.start, "stop": rows.stop} for rows in self.lines],
            "problem": self.problem,
            "nearest": list(self.nearest),
        }

    def __str__(self) -> str:
        if self.problem:
            return f"hunk {self.number}: {self.problem}"
        where = f" at {spans(self.lines)}" if self.lines else ""
        return f"hunk {self.number}: {_BY.get(self.step, self.step)}{where}"


def told(name: str, reports: Iterable[Report]) -> Iterator[str]:
    """The hunks of a file that have no place, line by line, with the lines that are nearest."""
    for report in reports:
        if not report.step.placed:
            yield f"{name}: {report}"
            yield from (f"    {line}" for line in report.nearest)


def spans(found: Sequence[range | LineRange]) -> str:
    """Lines in words, counted from 1: "lines 3-4, 9 and 12"."""
    places = list(dict.fromkeys(map(_span, found)))
    many = len(places) > 1 or "-" in places[0]
    if len(places) > _MOST:
        places = [*places[: _MOST - 1], f"{len(places) - _MOST + 1} more places"]
    return f"line{'s' * many} {' and '.join(filter(None, (', '.join(places[:-1]), places[-1])))}"


def _span(rows: range | LineRange) -> str:
    if len(rows) < 2:
        return str(rows.start + 1)
    return f"{rows.start + 1}-{rows.stop}"


def quoted(line: str) -> str:
    text = line.strip()
    return f"`{text[:_LONGEST]}…`" if len(text) > _LONGEST else f"`{text}`"


def numbered(lines: Sequence[str], rows: range) -> tuple[str, ...]:
    return tuple(f"{row + 1} | {lines[row]}" for row in rows)
