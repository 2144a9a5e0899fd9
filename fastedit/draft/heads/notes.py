"""What an answer leaves to learn from: the hidden states around the tokens that no draft had."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from fastedit.draft.heads.guesses import DEPTH
from fastedit.draft.seam import Computed
from fastedit.model.heads.lesson import Answer, Lesson

KEPT = 512  # rows of an answer
BEFORE = 24  # rows before a token: what the head attends to when it learns it
BEHIND = 2  # rows after it, for later steps
LONGEST = 96  # rows of a lesson


class Notes:
    """Of one answer: its newest rows, and which of its tokens are `novel` and which were `wrong`.

    Every pass ends with a token that no draft had: it was got wrong. A pass of few tokens found no long draft to copy
    from: all of them are novel.
    """

    def __init__(self, layers: Sequence[int], last: int) -> None:
        """`layers` are those that the head reads; `last` is what the output matrix is asked with."""
        self._layers, self._last = layers, last
        self._rows: list[Computed] = []
        self._count = 0
        self._wrong: set[int] = set()  # positions
        self._novel: set[int] = set()

    def read(self, computed: Computed) -> None:
        self._rows.append(computed)
        self._count += len(computed.tokens)
        while self._count > KEPT and len(self._rows) > 1:
            self._count -= len(self._rows.pop(0).tokens)

    def observe(self, tokens: Sequence[int]) -> None:
        """Those of the pass whose rows were read last."""
        if not self._rows or len(tokens) > DEPTH + 1:
            return
        end = self._rows[-1].start + len(self._rows[-1].tokens)  # the position of the last of them
        self._wrong.add(end)
        self._novel.update(range(end + 1 - len(tokens), end + 1))

    def lessons(self, *, wrong: bool) -> Iterator[Lesson]:
        """Around the wrong tokens, or around all that were novel. In bfloat16, in memory of their own."""
        if not self._rows:
            return
        marks = self._wrong if wrong else self._novel
        first = self._rows[0].start
        ids = [token for computed in self._rows for token in computed.tokens] + [self._rows[-1].following]
        layers = [torch.cat([c.states[layer] for c in self._rows]) for layer in (*self._layers, self._last)]
        states, final = torch.cat(layers[:-1], dim=-1), layers[-1]
        for begin, learned, end in _windows(sorted(m - first for m in marks if m - first >= 2), len(ids)):
            novel = tuple(at >= learned and first + at in marks for at in range(begin + 1, end))
            rows = slice(begin, end - 1)
            yield Lesson(Answer(tuple(ids[begin:end]), 1, novel), _own(states[rows]), _own(final[rows]))


def _windows(places: Sequence[int], length: int) -> Iterator[tuple[int, int, int]]:
    """Begin and end of spans of ids that hold the places with what stands around them, and where in between the first
    place is that no span before has."""
    begin = first = end = -1
    for place in places:
        wanted = min(length, place + 1 + BEHIND)
        if begin >= 0 and place - BEFORE <= end and wanted - begin <= LONGEST:
            end = wanted
            continue
        if begin >= 0:
            yield begin, first, end
        begin, first, end = max(0, place - 1 - BEFORE), place, wanted
    if begin >= 0:
        yield begin, first, end


def _own(rows: Tensor) -> Tensor:
    return rows.detach().to("cpu", torch.bfloat16, copy=True)


def size(lesson: Lesson) -> int:
    """Bytes of its states."""
    return lesson.states.nbytes + lesson.final.nbytes
