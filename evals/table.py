"""Plain-text tables for terminals and documents."""

from __future__ import annotations

from collections.abc import Sequence


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table, first column to the left, the others to the right, every column as wide as it must be."""
    widths = [max(2, *(len(row[i]) for row in (header, *rows))) for i in range(len(header))]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(_line(row, widths) for row in (header, rule, *rows))


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = zip(row, widths, strict=True)
    cells = [first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in rest)]
    return f"| {' | '.join(cells)} |"
