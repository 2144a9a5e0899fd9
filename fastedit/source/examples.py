"""The parts of a prose text that show something: code, output, another text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from fastedit.source.fences import fences
from fastedit.source.outline import indentation


def examples(lines: Sequence[str]) -> Iterator[range]:
    """The rows of each fenced or indented part of a prose text."""
    yield from (fence.lines for fence in fences(lines) if fence.closed)
    yield from _indented(lines)


def _indented(lines: Sequence[str]) -> Iterator[range]:
    """The rows of each part that is indented below a blank line, without a last line that may be about what goes on in
    the file there: nothing is below it, and it is no deeper than the first one."""
    at_margin = [bool(line.strip()) and indentation(line) == "" for line in lines]
    for margin, group in groupby(range(len(lines)), at_margin.__getitem__):
        rows = list(group)
        inked = [row for row in rows if lines[row].strip()]
        if margin or not inked or inked[0] == rows[0]:
            continue
        first, last = inked[0], inked[-1]
        goes_on = rows[-1] == len(lines) - 1 and len(indentation(lines[last])) <= len(
            indentation(lines[first])
        )
        yield range(first, last if goes_on else last + 1)
