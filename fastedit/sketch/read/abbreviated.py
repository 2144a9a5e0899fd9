"""Whether a marker says that the lines which it stands for change too: `# ... same for stop() and restart()`.

Nothing says how they would, so that what can be written of such a sketch is a part of the edit. A log-linear model of
words, fitted on markers (`fastedit.train.merge.abbreviated`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from json import loads
from pathlib import Path
from typing import Final

from fastedit.sketch.read.wording import pairs_of_signs
from fastedit.source.markers import said_in_comment

WEIGHTS: Final = Path(__file__).with_suffix(".json")
BIAS: Final = "any marker"
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def abbreviates(marker: str) -> float:
    """The logarithm of the odds that a marker says so."""
    weights = _fitted()
    return weights[BIAS] + sum(weights.get(trait, 0.0) * value for trait, value in traits(marker).items())


@cache
def _fitted() -> dict[str, float]:
    found: dict[str, float] = loads(WEIGHTS.read_text("utf-8"))
    return found


def traits(marker: str) -> dict[str, float]:
    """By name what a marker has of each trait of its words."""
    found = _WORD.findall((said_in_comment(marker) or marker).lower())
    return traits_of([part for word in found for part in pairs_of_signs(word) or (word,)])


def traits_of(words: Sequence[str]) -> dict[str, float]:
    """Which words there are, which is first and last, and which follow one another, also with one in between (`same
    runner for`)."""
    ends = (f"first word: {words[0]}", f"last word: {words[-1]}") if words else ()
    pairs = (f"words: {one} {other}" for one, other in pairwise(words))
    around = (f"words around another: {one} {other}" for one, other in zip(words, words[2:], strict=False))
    return dict.fromkeys((*(f"word: {word}" for word in words), *ends, *pairs, *around), 1.0)
