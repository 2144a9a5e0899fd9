"""The answers for the stretches of a file, joined into one edit of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from math import prod

from fastedit.engine.answers.answered import AnswerHunks
from fastedit.formats.report import spans
from fastedit.locate.filemap import file_map
from fastedit.request import LineRange
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, trim


def joined(document: Document, reads: Sequence[tuple[LineRange, AnswerHunks]]) -> AnswerHunks:
    """The edit that answers make, each read for the stretch next to it, in the order of the file.

    Of what lies outside of its stretch only imports are taken. What two answers make differently of the same lines is
    left out and a doubt.
    """
    head = file_map(document).import_block
    doubts = list(chain.from_iterable(read.open for _, read in reads))
    own, imports = list[Hunk](), list[Hunk]()
    for stretch, read in reads:
        for hunk in read.hunks:
            if head.holds(hunk.start, hunk.stop):
                imports += filter(None, [trim(hunk, document.lines)])
            elif stretch.holds(hunk.start, hunk.stop):
                own.append(hunk)
            else:
                doubts.append(
                    f"the answer for {spans([stretch])} changes line {hunk.start + 1} too, which was left out"
                )
    hunks = list[Hunk]()
    for hunk in sorted((*_merged(imports), *own), key=lambda hunk: (hunk.start, hunk.stop)):
        if hunks and hunk.start < hunks[-1].stop:
            doubts.append(
                f"two answers change line {hunk.start + 1} in different ways; the second was left out"
            )
        else:
            hunks.append(hunk)
    return AnswerHunks(
        tuple(hunks),
        tuple(doubts),
        posterior=prod(posteriors) if (posteriors := _posteriors(reads)) else None,
        leaves_out=any(read.leaves_out for _, read in reads),
        drops_final_newline=any(read.drops_final_newline for _, read in reads),
        notes=tuple(chain.from_iterable(read.notes for _, read in reads)),
        left=tuple(chain.from_iterable(read.left for _, read in reads)),
    )


def _merged(hunks: Sequence[Hunk]) -> Iterator[Hunk]:
    """The same change once, and what several add at one place together, each line once."""
    places: dict[tuple[int, int], list[Hunk]] = {}
    for hunk in dict.fromkeys(hunks):
        places.setdefault((hunk.start, hunk.stop), []).append(hunk)
    for (start, stop), group in places.items():
        if start == stop:
            yield Hunk(start, stop, tuple(dict.fromkeys(chain.from_iterable(hunk.lines for hunk in group))))
        else:
            yield from group


def _posteriors(reads: Sequence[tuple[LineRange, AnswerHunks]]) -> list[float]:
    return [read.posterior for _, read in reads if read.posterior is not None]
