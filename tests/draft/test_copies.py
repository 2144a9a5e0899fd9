"""Drafters that can be copied: a copy goes on by itself."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from fastedit.draft.base import Copyable, Drafter
from fastedit.draft.lookup.ngram import NgramDrafter
from fastedit.draft.lookup.original import OriginalDrafter
from fastedit.draft.lookup.retrieval import RetrievalDrafter, RetrievalIndex
from fastedit.draft.lookup.suffix import SuffixDrafter

LINE = 16  # tokens, of which one has the name that is replaced
OLD, NEW, OTHER = 1, [2, 3], [4]

DRAFTERS: dict[str, Callable[[Sequence[int]], Drafter]] = {
    "original": lambda text: OriginalDrafter(text, substitute=True),
    "suffix": lambda text: SuffixDrafter([text[:60], text[90:]]),
    "ngram": lambda text: NgramDrafter([text]),
    "rest": lambda text: RetrievalDrafter(RetrievalIndex([text])),
}


def text_of(rng: random.Random) -> list[int]:
    lines = [[*rng.choices(range(10, 60), k=LINE - 2), OLD, 5] for _ in range(12)]
    return [token for line in lines for token in line]


def renamed(text: Sequence[int], new: Sequence[int]) -> list[int]:
    return [one for token in text for one in (new if token == OLD else [token])]


def proposed(drafter: Drafter) -> list[tuple[list[int], list[float], str]]:
    return [(list(found.tokens), list(found.survival), found.source) for found in drafter.propose(8)]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", DRAFTERS)
def test_a_copy_proposes_as_the_drafter_does_that_observes_the_same_and_leaves_it_alone(name, seed):
    rng = random.Random(seed)
    text = text_of(rng)
    written, elsewhere = renamed(text, NEW), [*text, *renamed(text, OTHER)]
    alone, copied = DRAFTERS[name](text), DRAFTERS[name](text)
    at = 0
    while at < len(written):
        count = rng.choice([1, 3, 8, 30])
        tokens = written[at : at + count]
        assert isinstance(copied, Copyable)
        astray, along = copied.copy(), copied.copy()
        for start in (at, rng.randrange(len(elsewhere) - 8), rng.randrange(len(elsewhere) - 8)):
            astray.observe(elsewhere[start : start + count])
            astray.propose(8)
        along.observe(tokens)
        alone.observe(tokens)
        copied.observe(tokens)
        expected = proposed(alone)
        assert proposed(copied) == expected
        assert proposed(along) == expected
        copied = rng.choice([copied, along])
        at += count


@pytest.mark.parametrize("name", ["suffix", "ngram"])
def test_texts_are_read_at_the_first_token_observed_before_which_nothing_is_proposed(name):
    drafter, early = (DRAFTERS[name](list(range(100))) for _ in range(2))
    assert isinstance(early, Copyable)
    copied = early.copy()
    assert proposed(early) == []
    for one in (drafter, early, copied):
        one.observe([7, 8, 9])
    assert proposed(drafter) == proposed(early) == proposed(copied) != []
