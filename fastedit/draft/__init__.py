"""Proposals of the tokens that come next. Drafters know nothing of the model, the tree or each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastedit.draft.base import Branch, Drafter
from fastedit.draft.lookup.ngram import NgramDrafter
from fastedit.draft.lookup.original import OriginalDrafter
from fastedit.draft.lookup.suffix import SuffixDrafter

if TYPE_CHECKING:
    from fastedit.model.target import Target
    from fastedit.prompt.base import Prompt

__all__ = ["Branch", "Drafter", "drafters_for"]


class Lookup:
    """The source of what every model has: the drafters that look text up."""

    def __init__(self, target: Target, argument: str) -> None:
        pass

    def drafters(self, prompt: Prompt) -> tuple[Drafter, ...]:
        return drafters_for(prompt)


def drafters_for(prompt: Prompt) -> tuple[Drafter, ...]:
    """All drafters for one edit, the most trusted first: where two disagree, the first is asked first.

    The original is not in the automaton. Its drafter finds the longest matches there by itself, and leaving it out
    saves a third of all drafting time for one pass in a hundred.
    """
    drafters: tuple[Drafter, ...] = (
        OriginalDrafter(prompt.original, substitute=True),
        SuffixDrafter((prompt.update, prompt.removal)),
        NgramDrafter((prompt.update, prompt.original)),
    )
    if prompt.prediction is None:
        return drafters
    return (OriginalDrafter(prompt.prediction, "prediction"), *drafters)
