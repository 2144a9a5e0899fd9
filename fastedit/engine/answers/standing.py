"""What of a first answer stands beside a second one: all that this is not about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from fastedit.source.hunks import Hunk, meets


def standing(
    lines: Sequence[str], first: Sequence[Hunk], said: str, second: Sequence[Hunk], again: str
) -> Iterator[Hunk]:
    """The hunks of a first answer, `said`, over a document's lines that the second one, `again`, neither changes, nor
    shows as they stay, nor writes elsewhere."""
    before, now = _inked(said.split("\n")), _inked(again.split("\n"))
    for hunk in chain.from_iterable(map(_by_lines, first)):
        if any(meets(hunk, other) for other in second):
            continue
        old = lines[hunk.start : hunk.stop]
        above = next((line for line in reversed(lines[: hunk.start]) if line.strip()), "")
        below = next((line for line in lines[hunk.stop :] if line.strip()), "")
        stays = [[above, *old], [*old, below]] if any(map(str.strip, old)) else [[above, below]]
        new = _inked(hunk.lines)
        moved = 0 < before.count(new) <= now.count(new)
        if not moved and not any(_inked(each) in now for each in stays):
            yield hunk


def _by_lines(hunk: Hunk) -> list[Hunk]:
    """The hunk as one for each of its lines, where it replaces as many."""
    lines = [Hunk(row, row + 1, (line,)) for row, line in enumerate(hunk.lines, hunk.start)]
    return lines if len(lines) == hunk.stop - hunk.start else [hunk]


def _inked(lines: Sequence[str]) -> str:
    """The lines that are not blank, without their indentation, each between line ends."""
    return "\n".join(["", *filter(None, map(str.strip, lines)), ""])
