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
from unicodedata import category

from fastedit.source.markers import said_in_comment

BIAS: Final = "any comment"
# Of a comment in a line of its own: whether the sketch has markers with words, as coding agents are told to write them.
WORDED: Final = "in a sketch with markers in words"
# Of a comment in a line of its own: whether the sketch says so again.
AGAIN: Final = "said again"
# Of one after code, where a sketch may have several.
EACH: Final = "each comment"
# What is denied is another word: "not removed".
_WORD = re.compile(r"(?:\b(?:not|never) )?[^\W\d_]+(?:'[^\W\d_]+)?\b(?!_)")
_OF_REMOVAL = re.compile(
    r"(?<!\bnot )(?<!\bnever )"
    r"\b(?:remov\w+|delet\w+|drop\w*|gone|no longer|not needed|unused|moved?|replaced?|obsolete)\b",
    re.I,
)
# Kana and Han, of which words are written so. Compiled where a text may have some: such ranges take milliseconds.
WITHOUT_BLANKS: Final = "[\u3040-\u30ff\u3400-\u9fff]"
_ARROW = re.compile("[-=]>|[→⇒]")
_LABEL = re.compile(r"[^\W\d_]+(?: \d+)?[:：] ")
_MANY, _FEW = 20, 4  # words
_MOST = 5.0  # beyond it, words that are rare would outweigh all that lines tell


@dataclass(frozen=True, slots=True)
class Wording:
    """The weights of each trait of a comment, as `traits` names them: for one that speaks of the sketch, of these for
    one that says that lines go, and for sketches whose comments after code speak of the edit."""

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

    def remarks(self, comments: Collection[str]) -> float:
        """The logarithm of the odds that the comments after code of a sketch are remarks about the edit, and not of the
        code, within bounds. What one says again tells nothing more."""
        each = (_summed(self.of_remark, traits_of_remark(comment)) for comment in dict.fromkeys(comments))
        return _within_bounds(self.of_remark.get(BIAS, 0.0) + sum(each))


def _scored(weights: Mapping[str, float], found: Mapping[str, float]) -> float:
    return _within_bounds(weights.get(BIAS, 0.0) + _summed(weights, found))


def _summed(weights: Mapping[str, float], found: Mapping[str, float]) -> float:
    return sum(weights.get(trait, 0.0) * value for trait, value in found.items())


def _within_bounds(score: float) -> float:
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


def traits_of_remark(comment: str) -> dict[str, float]:
    """The traits of a comment after code, and others that authors who speak of an edit share whatever their words are:
    signs for words, and what was done in the past tense."""
    found = traits(comment)
    said = (said_in_comment(comment) or comment).strip()
    holds = {
        EACH: True,
        "begins with a sign": category(said[:1] or " ") in ("So", "Sm", "Sk", "No"),
        "an arrow": _ARROW.search(said) is not None,
        "a word in -ed": any(
            _in_past(name.removeprefix("word: ")) for name in found if name.startswith("word: ")
        ),
        "first word in -ed": any(_in_past(name) for name in found if name.startswith("first word: ")),
    }
    return found | {trait: 1.0 for trait, held in holds.items() if held}


def _in_past(word: str) -> bool:
    return len(word) > 4 and word.endswith("ed")


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
    if len(word) <= 2 or word.isascii() or not re.match(WITHOUT_BLANKS, word):
        return []
    return list(map("".join, pairwise(word)))
