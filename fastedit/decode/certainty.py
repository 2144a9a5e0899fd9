"""How sure the model was of an answer, whatever was drafted."""

from __future__ import annotations

from collections.abc import Sequence

LENGTHS = (8, 4, 2)  # of the runs that are looked up, the longest first


def least_margin(
    texts: Sequence[Sequence[int]], answer: Sequence[int], margins: Sequence[float]
) -> float | None:
    """The least margin among the tokens of an answer that no copying predicts; None where copying predicts all.

    A margin is how far the best logit was ahead of the second; `margins` has one for each token of the answer, and one
    more where a stop token ended it. Nearly all of an answer goes on as the update or the region does, and there the
    model may waver between two ways to say the same and be right. Where the answer goes its own way, a small margin
    tells a wrong answer. Copying is looked up in `texts` alone, the first one first, and not in what was drafted: the
    same answer is as sure with any drafts as with none.
    """
    following: dict[tuple[int, ...], int] = {}
    for text in texts:
        for length in LENGTHS:
            for at in range(length, len(text)):
                following.setdefault(tuple(text[at - length : at]), text[at])
    least: float | None = None
    for at, margin in enumerate(margins):
        runs = (tuple(answer[at - length : at]) for length in LENGTHS if length <= at)
        predicted = next((following[run] for run in runs if run in following), None)
        copied = predicted is not None and at < len(answer) and answer[at] == predicted
        if not copied and (least is None or margin < least):
            least = margin
    return least
