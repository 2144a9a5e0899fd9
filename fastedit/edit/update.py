"""An update sketch: changed code in which marker lines stand for what stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from fastedit.edit.request import LineRange


@dataclass(frozen=True, slots=True)
class UpdateLine:
    """One line of a sketch, without its line end. A marker stands for any number of original lines, none included."""

    text: str
    marker: bool = False


@dataclass(frozen=True, slots=True)
class Update:
    """`gone` are lines of the original that go by a comment that said so: rising, and shown by no line here."""

    lines: tuple[UpdateLine, ...]
    gone: tuple[LineRange, ...] = ()

    @property
    def has_markers(self) -> bool:
        return any(line.marker for line in self.lines)

    @property
    def texts(self) -> tuple[str, ...]:
        """All of its lines, the markers' too."""
        return tuple(line.text for line in self.lines)

    @property
    def shown(self) -> str:
        """All of its code as one text."""
        return "\n".join(line.text for line in self.lines if not line.marker)

    @property
    def gone_lines(self) -> frozenset[int]:
        return frozenset(index for lines in self.gone for index in range(lines.start, lines.stop))

    def within(self, start: int, stop: int) -> Update:
        """The same sketch for the original's lines [start, stop) alone, counted from there."""
        cut = ((max(lines.start, start) - start, min(lines.stop, stop) - start) for lines in self.gone)
        return replace(self, gone=tuple(LineRange(first, last) for first, last in cut if first < last))


class Match(StrEnum):
    EXACT = "exact"
    INDENT = "indent"  # equal but for leading and trailing blanks
    SIMILAR = "similar"  # a changed version of the original line


@dataclass(frozen=True, slots=True)
class Alignment:
    """For each update line the index of the original line it stands for, or None for markers and new lines.

    Targets rise strictly from line to line. `kinds` is None exactly where `targets` is.
    """

    targets: tuple[int | None, ...]
    kinds: tuple[Match | None, ...]


def stretches(sketch: Sequence[UpdateLine]) -> list[list[int]]:
    """The indices of the lines that hold ink, by what stands between markers; none of them is empty."""
    found: list[list[int]] = [[]]
    for index, line in enumerate(sketch):
        if line.marker:
            found.append([])
        elif line.text.strip():
            found[-1].append(index)
    return [stretch for stretch in found if stretch]
