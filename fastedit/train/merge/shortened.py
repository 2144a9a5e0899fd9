"""Sketches for short files: cases for long ones, whose files lose some of what neither changes nor is shown.

Hardly any training sketch is for a file of ten lines, of which a piece may show most; many users' files are.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from fastedit.sketch.entries import Entries, matched
from fastedit.sketch.read.reading import BARE, Outline
from fastedit.train.merge.cases import LONGEST, Case, non_blank

_LEFT = (0, 1, 1, 2, 3, 5)  # entries of a block that are neither changed nor shown
_WITHIN = 0.5  # of the entries that change, those of which only what changes within is sent


def shortened(case: Case, rng: random.Random) -> Iterator[Case]:
    """Two shorter files: one with the sketch, one with the entries that change alone, and both with all of the new text
    as the sketch. Nothing where the file is too long, or nothing changes."""
    lines, new = case.lines, tuple(case.new.removesuffix("\n").split("\n"))
    if len(lines) > LONGEST or _said(lines) == _said(new):
        return
    for sketch in (case.sketch, None):
        shown = set() if sketch is None else {line.strip() for line in sketch.split("\n")}
        short, wanted = _shorter(case, lines, new, shown, rng)
        if not _said(short) or not _said(wanted):
            continue
        made = replace(case, old="\n".join(short), new="\n".join(wanted), sketch="\n".join(wanted))
        yield made
        part = _changed(case, short, wanted, rng) if sketch is None else sketch.split("\n")
        if part and _said(part) not in (_said(new), _said(wanted)):
            yield replace(made, sketch="\n".join(part))


def _shorter(
    case: Case, lines: tuple[str, ...], wanted: tuple[str, ...], shown: set[str], rng: random.Random
) -> tuple[list[str], list[str]]:
    """Both texts without some of the entries that are the same in them, and of which no line is shown."""
    old, new = (Entries(Outline(texts, language=case.language)) for texts in (lines, wanted))
    gone, gone_too = set[int](), set[int]()
    waiting: list[tuple[int | None, int | None]] = [(None, None)]
    for row, other in waiting:  # grows meanwhile
        here = matched(old, row, new, other)
        seen = [pair for pair in here.same if not shown.isdisjoint(_telling(old, pair[0]))]
        free = [pair for pair in here.same if pair not in seen]
        for one, same in rng.sample(free, max(len(free) - rng.choice(_LEFT), 0)):
            gone.update(old.lines(one))
            gone_too.update(new.lines(same))
        waiting += (*here.changed, *(pair for pair in seen if old.within(pair[0])))
    return (
        [line for at, line in enumerate(lines) if at not in gone],
        [line for at, line in enumerate(wanted) if at not in gone_too],
    )


def _telling(entries: Entries, row: int) -> set[str]:
    text = entries.text
    return {text.stripped[each] for each in entries.lines(row) if text.ink[each] > BARE}


def _changed(case: Case, lines: list[str], wanted: list[str], rng: random.Random) -> list[str] | None:
    """The lines of the entries that change or come, some whole and of others what changes within; None where an entry
    goes, which such lines do not say."""
    old, new = (Entries(Outline(texts, language=case.language)) for texts in (lines, wanted))
    rows = set[int]()
    waiting: list[tuple[int | None, int | None]] = [(None, None)]
    for row, other in waiting:  # grows meanwhile
        here = matched(old, row, new, other)
        if len(here.gone) > len(here.added):
            return None
        rows.update(each for entry in here.added for each in new.lines(entry))
        for pair in here.changed:
            one, same = pair
            alone = len(new.within(other)) == 1
            if old.within(one) and new.within(same) and (alone or rng.random() < _WITHIN):
                rows.update(new.ends(same))
                waiting.append(pair)
            else:
                rows.update(new.lines(same))
    return [wanted[row] for row in sorted(rows) if wanted[row].strip()]


def _said(lines: Sequence[str]) -> list[str]:
    return [line.rstrip(",") for line in non_blank(lines)]
