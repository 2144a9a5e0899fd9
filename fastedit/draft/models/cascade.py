"""A drafter that drafts for a drafter: what a draft model is to say is looked up first (Chen et al. 2024, CS Drafting).

The draft model then verifies a looked-up run in one pass of its own, as the target verifies the whole, and its chain
costs a pass a run where it would cost one a token.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from torch import Tensor

from fastedit.draft.base import Drafter
from fastedit.draft.lookup.index import TextIndex
from fastedit.draft.models.draft_model import ChainPlace, DraftModel, DraftModelDrafter, load_draft
from fastedit.model.target import Target

if TYPE_CHECKING:
    from fastedit.prompt.base import Prompt

DEPTH = 24  # tokens of a chain at most
RUN = 8  # tokens that are looked up at a time
MATCHED = 2  # tokens that must agree before
TAIL = 24


class Cascade(DraftModel):
    """A draft model whose drafters look up first."""

    def drafters(self, prompt: Prompt) -> tuple[Drafter, ...]:
        return (CascadeDrafter(self, prompt),)


def source(target: Target, argument: str) -> Cascade:
    """The draft model in folder `argument`. Raises ModelUnavailable where it is none, or has another tokenizer."""
    return Cascade("cascade", load_draft(target, Path(argument)), target, DEPTH)


class CascadeDrafter(DraftModelDrafter):
    """Of one answer."""

    def __init__(self, source: DraftModel, prompt: Prompt) -> None:
        super().__init__(source, prompt)
        self._index = TextIndex((*prompt.update, *(prompt.prediction or prompt.original)))
        self._tail: list[int] = []

    def observe(self, tokens: list[int]) -> None:
        super().observe(tokens)
        self._tail = [*self._tail, *tokens][-TAIL:]

    def chain(self, logits: Tensor, limit: int) -> Iterator[ChainPlace]:
        said: list[int] = []
        run: list[
            int
        ] = []  # looked up and read, not confirmed yet; `logits` has a row for what precedes each of them
        survival = 1.0
        while len(said) < limit:
            place = self.place(logits[:1])
            survival *= place.chances[0]
            said.append(place.tokens[0])
            yield place
            if len(said) == limit or not self._source.pays(survival, len(said), self._token_ms):
                break
            if run and run[0] == said[-1]:
                run, logits = run[1:], logits[1:]
            else:
                self._reading.back_to(self._reading.length - len(run))
                run = self._look_up(said)[: limit - len(said) - 1]
                logits = self._reading.read([said[-1], *run], 1 + len(run))
            self._ahead.append(said[-1])
        self._reading.back_to(self._reading.length - len(run))

    def _look_up(self, said: Sequence[int]) -> list[int]:
        tail = [*self._tail, *said][-TAIL:]
        places = self._index.places(tail, 0, 1)
        if not places or places[0].matched < MATCHED:
            return []
        return self._index.text[places[0].at : places[0].at + RUN]
