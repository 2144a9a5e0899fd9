"""The reading of a sketch by which nothing goes: new lines between two of the file that follow each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from fastedit.edit.scoring import Scorer, tells, words
from fastedit.edit.update import Update, stretches

_LONGEST = 400  # lines of a sketch between two markers
_ONE_CHANGED = 4  # so many lines in a row are no new ones where they equal the file's but for one


def settle_insertions(
    lines: Sequence[str], update: Update, targets: list[int | None], compared: Scorer
) -> None:
    """Have lines between two markers be new where by `targets` they would replace some and need not.

    If they begin with lines of the file and end with those right behind, what stands between is new: only where the
    file repeats itself does that happen by chance. Entries alike are so told from versions of one entry, but not where
    hardly a line of the entry changes.
    """
    for stretch in stretches(update.lines):
        gone = _gone(lines, update, targets, stretch)
        if len(stretch) > _LONGEST or not gone:
            continue
        if any(_extends(lines, update, targets[index], index) for index in stretch):
            continue
        found = _insertion(lines, update, targets, stretch)
        if (
            found is None
            or gone * _ONE_CHANGED <= found.count(None)
            or any(
                place is None
                and _stands_there(lines, update.lines[index].text, compared.names[index], compared)
                for index, place in zip(stretch, found, strict=True)
            )
        ):
            continue
        for index, place in zip(stretch, found, strict=True):
            targets[index] = place


def _extends(lines: Sequence[str], update: Update, place: int | None, index: int) -> bool:
    """Whether a line that changes says all that the file's line says and more, or less of the same."""
    if place is None or lines[place].strip() == (text := update.lines[index].text.strip()):
        return False
    old, new = words(lines[place]), words(text)
    return bool(old and new) and (old <= new or new <= old)


def _stands_there(lines: Sequence[str], text: str, name: str | None, compared: Scorer) -> bool:
    """Whether a line, which may begin to define `name`, would stand or be defined twice where it did once.

    At another depth it is another line.
    """
    if name is not None and compared.defining(name):
        return True
    return tells(text) and compared.unique(text) and lines[compared.equal(text)[0]] == text


def _gone(lines: Sequence[str], update: Update, targets: Sequence[int | None], stretch: Sequence[int]) -> int:
    """How many lines of the file that hold ink go, or get another text or depth."""
    placed = [(index, place) for index in stretch if (place := targets[index]) is not None]
    if not placed:
        return 0
    shown = lines[placed[0][1] : placed[-1][1] + 1]
    same = sum(lines[place] == update.lines[index].text for index, place in placed)
    return sum(bool(line.strip()) for line in shown) - same


def _insertion(
    lines: Sequence[str], update: Update, targets: Sequence[int | None], stretch: Sequence[int]
) -> list[int | None] | None:
    """Targets of the stretch by which all its lines but the first and the last ones are new, if there are such.

    One end stays where it is, and the other comes nearer to it.
    """
    texts = [update.lines[index].text for index in stretch]
    first, last = targets[stretch[0]], targets[stretch[-1]]
    if first is None:
        return None
    # Where the last line has no place, it may have one right behind the first ones.
    after = next((place for place in targets[stretch[-1] + 1 :] if place is not None), len(lines))
    stop = after if last is None else last + 1
    inked = [place for place in range(first, stop) if lines[place].strip()]
    shown = [lines[place] for place in inked]
    head = _split(texts, shown)
    if head is not None:
        kept, moved = head
        return [*inked[:kept], *[None] * (len(texts) - kept - moved), *inked[kept : kept + moved]]
    tail = None if last is None else _split(texts[::-1], shown[::-1])
    if tail is not None:
        kept, moved = tail
        stop = len(inked) - kept
        return [*inked[stop - moved : stop], *[None] * (len(texts) - kept - moved), *inked[stop:]]
    return None


def _split(texts: Sequence[str], shown: Sequence[str]) -> tuple[int, int] | None:
    """How many of `texts` stand first in `shown`, and how many of the last ones right behind those: the most.

    None where no line of both says where it stands.
    """
    telling = [index for index, text in enumerate(texts) if tells(text)]
    if not telling:
        return None
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(texts, shown, strict=False)))
    for size in range(min(same, len(texts) - 2, len(shown) - 1), 0, -1):
        for start in range(size + 1, len(texts)):
            rest = len(texts) - start
            if (
                texts[start] == shown[size]  # of most it need not be asked whether the rest is the same
                and (telling[0] < size or start <= telling[-1])
                and texts[start:] == shown[size : size + rest]
            ):
                return size, rest
    return None
