"""An update sketch: changed code in which marker lines stand for what stays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from fastedit.source.languages import TEXT


class UpdateLine(NamedTuple):
    """One line of a sketch, without its line end. A marker stands for any number of original lines, none included."""

    text: str
    marker: bool = False


REST = UpdateLine("# ... existing code ...", True)


@dataclass(frozen=True, slots=True)
class Update:
    """`language` is the name of the notation that its code is in."""

    lines: tuple[UpdateLine, ...]
    language: str = TEXT

    @property
    def texts(self) -> tuple[str, ...]:
        """All of its lines, the markers' too."""
        return tuple(line.text for line in self.lines)
