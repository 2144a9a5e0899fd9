"""What a long update without markers shares with the file above and below all changes, which need not be aligned."""

from __future__ import annotations

from collections.abc import Sequence

from fastedit.source.hunks import common_ends
from fastedit.source.outline import is_closer

CONTEXT = 40  # equal lines that stay with the changes on either side, at least


def shared_ends(file: Sequence[str], sketch: Sequence[str]) -> tuple[int, int]:
    """How many lines at the top of both are the same and can be left out, and how many at the bottom: up to a line at
    the margin, so that what is left begins and ends between blocks."""
    head, tail = common_ends(file, sketch)
    above = next((row for row in range(head - CONTEXT, 0, -1) if _begins_block(file[row])), 0)
    below = next((row for row in range(tail - CONTEXT, 0, -1) if _begins_block(file[len(file) - row])), 0)
    return above, below


def _begins_block(line: str) -> bool:
    return bool(line[:1].strip()) and not is_closer(line)
