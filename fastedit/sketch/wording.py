"""What the words of a comment tell: whether it speaks of the sketch or belongs to the code, and whether it says that
lines go or that they stay; of one after code whether it speaks of the edit.

Log-linear models of words, fitted on the comments of sketches (`fastedit.train.merge.wording`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from fastedit.source.markers import said_in_comment

BIAS: Final = "any comment"
# Of any comment: whether the sketch has markers with words, as coding agents are told to write them.
WORDED: Final = "in a sketch with markers in words"
# Of a comment in a line of its own: whether the sketch says so again.
AGAIN: Final = "said again"
# Of a comment after code: whether the file has that code alone, and no such comments.
KNOWN: Final = "after code that the file has"
UNUSUAL: Final = "in a file without comments after code"
# What is denied is another word: "not removed".
_WORD = re.compile(r"(?:\b(?:not|never) )?[^\W\d_]+(?:'[^\W\d_]+)?\b(?!_)")
_OF_REMOVAL = re.compile(
    r"(?<!\bnot )(?<!\bnever )"
    r"\b(?:remov\w+|delet\w+|drop\w*|gone|no longer|not needed|unused|moved?|replaced?|obsolete)\b",
    re.I,
)
WITHOUT_BLANKS: Final = "[\u3040-\u30ff\u3400-\u9fff]"  # kana and Han, of which words are written so
_BEGINS_WITHOUT = re.compile(WITHOUT_BLANKS)
_LABEL = re.compile(r"[^\W\d_]+(?: \d+)?[:：] ")
_MANY, _FEW = 20, 4  # words
_MOST = 5.0  # beyond it, words that are rare would outweigh all that lines tell


@dataclass(frozen=True, slots=True)
class Wording:
    """The weights of each trait of a comment, as `traits` names them: for one that speaks of the sketch, of these for
    one that says that lines go, and of those after code for one that speaks of the edit."""

    of_sketch: Mapping[str, float] = field(default_factory=dict)
    of_removal: Mapping[str, float] = field(default_factory=dict)
    of_remark: Mapping[str, float] = field(default_factory=dict)

    def speaks(self, comment: str, told: Collection[str] = ()) -> float:
        """The logarithm of the odds that a comment speaks of the sketch, within bounds. `told` is what
        the rest of the sketch tells of it, AGAIN and WORDED."""
        return _scored(self.of_sketch, traits(comment, told))

    def removes(self, comment: str, told: Collection[str] = (), names: Collection[str] = ()) -> float:
        """The logarithm of the odds that a comment which speaks of the sketch says that lines go, and not that they
        stay, within bounds. Names of definitions tell nothing of it: `# delete() unchanged`."""
        return _scored(self.of_removal, traits_of_removal(comment, told, names))

    def remarks(self, comment: str, told: Collection[str] = ()) -> float:
        """The logarithm of the odds that a comment after code is a remark about the edit, within bounds. `told` is what
        the file tells of it, KNOWN and UNUSUAL."""
        return _scored(self.of_remark, traits(comment, told))


def _scored(weights: Mapping[str, float], found: Mapping[str, float]) -> float:
    score = weights.get(BIAS, 0.0) + sum(weights.get(trait, 0.0) * value for trait, value in found.items())
    return max(-_MOST, min(score, _MOST))


def traits(comment: str, told: Collection[str] = (), names: Collection[str] = ()) -> dict[str, float]:
    """By name what a comment has of each trait: its words but for these names, which is first and last, how many, how
    it is written, and what is told of it beside that."""
    said = (said_in_comment(comment) or comment).strip()
    words = list(_words(said, names))
    found = dict.fromkeys((*told, *(f"word: {word}" for word in words)), 1.0)
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
        "begins with an arrow": said[:1] in "<^-←↑",
        "begins with a label": _LABEL.match(said) is not None,
        "in capitals": said.isupper(),
        "a number": any(map(str.isdigit, said)),
    }
    return found | {trait: 1.0 for trait, held in holds.items() if held}


def traits_of_removal(
    comment: str, told: Collection[str] = (), names: Collection[str] = ()
) -> dict[str, float]:
    """The traits, and whether there is a word of a removal: sketches have too few of each to learn it by itself."""
    removes = tells_of_removal(comment, names)
    return traits(comment, told, names) | ({"a word of a removal": 1.0} if removes else {})


def tells_of_removal(comment: str, names: Collection[str] = ()) -> bool:
    """Whether it has a word of a removal that is none of these names."""
    return any(found[0] not in names for found in _OF_REMOVAL.finditer(comment))


def has_words(comment: str) -> bool:
    return _WORD.search(comment) is not None


def _words(said: str, names: Collection[str]) -> Iterator[str]:
    """In small letters."""
    for word in _WORD.findall(said):
        if pairs := pairs_of_signs(word):
            yield from pairs
        elif word not in names:
            yield word.lower()


def pairs_of_signs(word: str) -> list[str]:
    """What counts as the words of one that is written without blanks: each two signs that follow one another. None for
    any other word."""
    return list(map("".join, pairwise(word))) if len(word) > 2 and _BEGINS_WITHOUT.match(word) else []
