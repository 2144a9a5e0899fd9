"""What the words of a comment tell: whether it speaks of the sketch, of lines that stay or go, or belongs to the code.

A log-linear model of words, fitted on comments of sketches that are in the text meant and such that are not
(`fastedit.train.merge.wording`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from fastedit.source.markers import said_in_comment

BIAS: Final = "any comment"
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?\b(?!_)")
_MANY, _FEW = 20, 4  # words
_MOST = 5.0  # beyond it, words that are rare would outweigh all that lines tell


@dataclass(frozen=True, slots=True)
class Wording:
    """The weight of each trait of a comment, as `traits` names them."""

    weights: Mapping[str, float] = field(default_factory=dict)

    def of(self, comment: str) -> float:
        """The logarithm of the odds that a comment speaks of the sketch, within bounds."""
        score = self.weights.get(BIAS, 0.0) + sum(
            self.weights.get(trait, 0.0) * value for trait, value in traits(comment).items()
        )
        return max(-_MOST, min(score, _MOST))


def traits(comment: str) -> dict[str, float]:
    """By name what a comment has of each trait: its words, which is first and last, how many, how it is written."""
    said = (said_in_comment(comment) or comment).strip()
    words = [word.lower() for word in _WORD.findall(said)]
    found = dict.fromkeys((f"word: {word}" for word in words), 1.0)
    if words:
        found[f"first word: {words[0]}"] = found[f"last word: {words[-1]}"] = 1.0
    found["words"] = min(len(words), _MANY) / _MANY
    holds = {
        "few words": len(words) <= _FEW,
        "at most one word": len(words) <= 1,
        "begins with a capital": said[:1].isupper(),
        "ends with a full stop": said.endswith("."),
        "backticks": "`" in said,
        "brackets": "(" in said,
    }
    return found | {trait: 1.0 for trait, held in holds.items() if held}
