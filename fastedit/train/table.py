"""Plain-text tables for terminals and documents."""

from __future__ import annotations

import re
from collections.abc import Sequence

_FIGURE = re.compile(r"[-+<]?\d|-?$")


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table: columns of figures to the right, the others to the left, every column as wide as it must be."""
    columns = list(zip(header, *rows, strict=True))
    right = [all(_FIGURE.match(cell) for cell in cells) for _, *cells in columns]
    widths = [max(2, *map(len, column)) for column in columns]
    rule = ["-" * (width - side) + ":" * side for width, side in zip(widths, right, strict=True)]
    return "\n".join(_line(row, widths, right) for row in (header, rule, *rows))


def _line(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    cells = [
        cell.rjust(width) if side else cell.ljust(width)
        for cell, width, side in zip(row, widths, right, strict=True)
    ]
    return f"| {' | '.join(cells)} |"
