"""Where lines come and go: of places that give the same text, the one that a reader would name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from fastedit.sketch.text.writings import LineChange
from fastedit.source.outline import indent_width, is_closer, parents


def changes_between(old: Sequence[str], new: Sequence[str]) -> list[LineChange]:
    """Of lines that are not blank, indentation aside."""
    before, after = ([line.strip() for line in lines] for lines in (old, new))
    opcodes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    found = [LineChange(*spans) for kind, *spans in opcodes if kind != "equal"]
    return _settled(found, old, new, before, after)


class _Side:
    """The lines before or after, and which of them change."""

    def __init__(self, lines: Sequence[str], changes: Iterable[range]) -> None:
        self.lines, self._parents = lines, parents(lines)
        self._changes = {row for rows in changes for row in rows}

    def oddness(self, start: int, stop: int) -> tuple[int, bool, int]:
        """How odd these lines would be as a change: closers of blocks that stay, and a closer at its head."""
        changes = self._changes | set(range(start, stop))
        rows = (row for row in range(start, stop) if is_closer(self.lines[row]))
        head = self.lines[start]
        return sum(self._parents[row] not in changes for row in rows), is_closer(head), indent_width(head)


def _settled(
    changes: Sequence[LineChange],
    old: Sequence[str],
    new: Sequence[str],
    before: Sequence[str],
    after: Sequence[str],
) -> list[LineChange]:
    """Each change at its least odd place between those beside it; `before` and `after` tell which lines are equal."""
    one = _Side(old, (range(change.start, change.stop) for change in changes))
    other = _Side(new, (range(change.first, change.last) for change in changes))
    found: list[LineChange] = []
    for number, change in enumerate(changes):
        start, stop, first, last = change
        if (start < stop) == (first < last):
            found.append(change)
            continue
        side, texts, begin, end = (other, after, first, last) if start == stop else (one, before, start, stop)
        up = start - (found[-1].stop if found else 0)
        down = (changes[number + 1].start if number + 1 < len(changes) else len(old)) - stop
        up = next((k for k in range(up) if texts[begin - 1 - k] != texts[end - 1 - k]), up)
        down = next((k for k in range(down) if texts[begin + k] != texts[end + k]), down)
        steps = range(down, -up - 1, -1)
        k = min(steps, key=lambda k: side.oddness(begin + k, end + k))
        found.append(LineChange(start + k, stop + k, first + k, last + k))
    return found
