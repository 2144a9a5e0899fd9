"""An update sketch: changed code in which marker lines stand for what stays."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class UpdateLine:
    """One line of a sketch, without its line end. A marker stands for any number of original lines, none included."""

    text: str
    marker: bool = False


@dataclass(frozen=True, slots=True)
class Update:
    lines: tuple[UpdateLine, ...]

    @property
    def has_markers(self) -> bool:
        return any(line.marker for line in self.lines)


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
