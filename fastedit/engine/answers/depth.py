"""How deep a region stands that a model wrote anew: one that is shown a region alone may write it at the margin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fastedit.source.hunks import diff_lines
from fastedit.source.outline import indentation


def at_depth(old: Sequence[str], new: Sequence[str]) -> list[str] | None:
    """The new lines of a region at its depth: as they are, or moved by what their first one differs. None where they
    stand at another depth, and not as a whole."""
    head, at = _head(old), _head(new)
    if head is None or at is None:
        return list(new)
    was, now = indentation(old[head]), indentation(new[at])
    if was == now:
        return list(new)
    rest = _depth(new[at + 1 :])
    if rest is not None and rest != now and rest == _depth(old[head + 1 :]):
        # The blanks that an answer begins with are easily lost.
        return [*new[:at], f"{was}{new[at].lstrip()}", *new[at + 1 :]]
    pairs = list(_alike(old, new))
    stay = [row for one, row in pairs if old[one] == new[row]]
    if stay:
        first_moves = any(row == at for _, row in pairs) and at not in stay
        return None if first_moves or all(indentation(new[row]) != now for row in stay) else list(new)
    if not all(line.startswith(now) for line in new if line.strip()):
        return None
    moved = [f"{was}{line[len(now) :]}" if line.strip() else line for line in new]
    return moved if all(old[one] == moved[row] for one, row in pairs) else None


def _head(lines: Sequence[str]) -> int | None:
    return next((row for row, line in enumerate(lines) if line.strip()), None)


def _depth(lines: Sequence[str]) -> str | None:
    """The blanks of the line that stands furthest left."""
    return min((indentation(line) for line in lines if line.strip()), key=len, default=None)


def _alike(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The rows of the lines that are the same but for their depth."""
    hunks = diff_lines([line.strip() for line in old], [line.strip() for line in new])
    row = shift = 0
    for start, stop, grown in [
        *((hunk.start, hunk.stop, len(hunk.lines) - (hunk.stop - hunk.start)) for hunk in hunks),
        (len(old), len(old), 0),
    ]:
        yield from ((same, same + shift) for same in range(row, start) if old[same].strip())
        row, shift = stop, shift + grown
