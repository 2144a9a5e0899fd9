"""The reading of a sketch by which what it shows behind new lines is the file's own, and the new lines replace some."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from fastedit.edit.scoring import tells
from fastedit.edit.update import Update, stretches

_FEW = 8  # lines


def settle_replacements(lines: Sequence[str], update: Update, targets: list[int | None]) -> None:
    """Align the last lines before a marker where the file has them a few lines on from where the sketch is new.

    A new block hides nothing of the file, and what stands in it is none of the file's. But one that begins as an old
    one goes on is that one with another head.
    """
    for stretch in stretches(update.lines):
        placed = [(at, place) for at, index in enumerate(stretch) if (place := targets[index]) is not None]
        if not placed:
            continue
        at, place = placed[-1]
        tail = stretch[at + 1 :]
        stop = next((other for other in targets[stretch[-1] + 1 :] if other is not None), len(lines))
        inked = (other for other in range(place + 1, stop) if lines[other].strip())
        behind = list(islice(inked, _FEW + len(tail)))
        found = _again([update.lines[index].text for index in tail], [lines[other] for other in behind])
        if found is not None:
            new, gone = found
            for index, place in zip(tail[new:], behind[gone:], strict=False):
                targets[index] = place


def _again(texts: Sequence[str], shown: Sequence[str]) -> tuple[int, int] | None:
    """How many lines at the beginning of `texts` and of `shown` differ where the rest of `texts` is the same in both.

    The fewest; None where they differ throughout, or no line of the rest says where it stands.
    """
    for new in range(1, min(_FEW + 1, len(texts))):
        rest = texts[new:]
        if not any(map(tells, rest)):
            return None
        for gone in range(1, _FEW + 1):
            if shown[gone : gone + len(rest)] == rest:
                return new, gone
    return None
