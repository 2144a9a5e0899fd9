"""What each way of asking costs, and which costs least.

Tokens are those that the model is expected to write. They are weighed by time: a model of our own drafts what it
copies, so that copied tokens come almost for free (`docs/drafters.md`); behind an address each takes its turn.
"""

from __future__ import annotations

from dataclasses import dataclass

from fastedit.plan.base import Way, Wish, tokens_of
from fastedit.plan.rewrite import spans

# Of the edits that the people of evals.outside asked for (dev): 2.2 hunks each in the mean, as blocks 80 tokens a hunk.
_ANY, _PLACE = 100, 80
_OPERATION = 40
_TAGS = 20
_DRAFTED = 1 / 12  # of a token's time, that a copied one takes where the file drafts it


@dataclass(frozen=True, slots=True)
class Choice:
    """The way taken and the best one that was not, with the tokens that each is expected to take."""

    way: Way
    tokens: int
    other: Way | None = None
    other_tokens: int | None = None


def choose(wish: Wish, asked: Way | None, *, places: int, drafted: bool) -> Choice:
    """The cheapest way, or the one that was `asked` for, which alone can be operations.

    `places` is how many the instruction seems to concern; `drafted`: a model of our own writes, with drafts.
    """
    prices: dict[Way, int] = {
        "sketch": _ANY + _PLACE * places,
        "rewrite": _TAGS + sum(tokens_of(wish.text_of(span)) for span in spans(wish)),
    }
    costs = {
        way: tokens * (_DRAFTED if drafted and way == "rewrite" else 1.0) for way, tokens in prices.items()
    }
    ranked = sorted(costs, key=lambda way: costs[way])
    way = asked or ranked[0]
    other = next((each for each in ranked if each != way), None)
    return Choice(way, prices.get(way, _OPERATION), other, None if other is None else prices[other])
