"""Whether a marker says that the lines which it stands for change too: `# ... same for stop() and restart()`.

Nothing says how they would, so that what can be written of such a sketch is a part of the edit. A log-linear model of
words, fitted on markers (`fastedit.train.merge.abbreviated`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from json import loads
from pathlib import Path
from typing import Final

from fastedit.source.markers import said_in_comment

WEIGHTS: Final = Path(__file__).with_suffix(".json")
BIAS: Final = "any marker"
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_WITHOUT_BLANKS = re.compile("[\u3040-\u30ff\u3400-\u9fff]")  # kana and Han


def abbreviates(marker: str) -> float:
    """The logarithm of the odds that a marker says so."""
    weights = _fitted()
    return weights[BIAS] + sum(weights.get(trait, 0.0) * value for trait, value in traits(marker).items())


@cache
def _fitted() -> dict[str, float]:
    found: dict[str, float] = loads(WEIGHTS.read_text("utf-8"))
    return found


def traits(marker: str) -> dict[str, float]:
    """By name what a marker has of each trait: its words, which is first and last, and which follow one another, also
    with one in between (`same runner for`)."""
    words = list(_words((said_in_comment(marker) or marker).lower()))
    ends = (f"first word: {words[0]}", f"last word: {words[-1]}") if words else ()
    pairs = (f"words: {one} {other}" for one, other in pairwise(words))
    around = (f"words around another: {one} {other}" for one, other in zip(words, words[2:], strict=False))
    return dict.fromkeys((*(f"word: {word}" for word in words), *ends, *pairs, *around), 1.0)


def _words(said: str) -> Iterator[str]:
    """Where words are written without blanks between them, two signs that follow one another are one."""
    for word in _WORD.findall(said):
        if _WITHOUT_BLANKS.match(word) and len(word) > 2:
            yield from map("".join, pairwise(word))
        else:
            yield word
