"""What the parser sees of an instruction: each word's number in its vocabulary, and what the file says of it.

Names are seen by what they are in the file, not by how they are spelled: what holds of one holds of another.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from fastedit.english.names import Names
from fastedit.english.words import Word

# The first numbers of a vocabulary.
UNKNOWN, NAME, NUMBER, QUOTED, SIGN, RESERVED = range(6)
_SLIP, _LEAST = 0.8, 4  # of a misspelled English word: how much of it is right, and its characters
_ARROW = "->"
_CAMEL = re.compile(r"[a-z0-9][A-Z]")
_DATA = frozenset({"json", "toml", "yaml", "css", "shell", "text"})
TRAITS = (
    *("ticked", "double", "single", "curly", "number", "arrow", "sign", "link"),
    *("version", "capitals", "capital", "snake", "camel", "dotted", "called", "path", "dashed"),
    *("in_file", "function", "type", "in_heads", "imported", "key", "alike", "line", "inside"),
    *("slip", "in_its_head", "again", "first", "last", "nested", "tight", "python", "data"),
)


class Vocabulary:
    """The words that the parser knows, by their numbers."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self.numbers = {word: number for number, word in enumerate(words, RESERVED)}
        self.nearest = lru_cache(maxsize=4096)(self._nearest)

    def __len__(self) -> int:
        return RESERVED + len(self.words)

    @cached_property
    def _by_letter(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for word in self.words:
            found.setdefault(word[0], []).append(word)
        return found

    def _nearest(self, text: str) -> str | None:
        """The known word that this one misspells: nothing but its first letter need be right."""
        if len(text) < _LEAST or not text.isalpha():
            return None
        near = [word for word in self._by_letter.get(text[0], ()) if abs(len(word) - len(text)) < 3]
        return next(iter(get_close_matches(text, near, 1, _SLIP)), None)


@dataclass(frozen=True, slots=True)
class Seen:
    """`numbers` has one of the vocabulary for each word, `traits` a row of 0 and 1 in the order of TRAITS."""

    numbers: NDArray[np.int64]
    traits: NDArray[np.float32]


def spelled(word: Word) -> str:
    """What a word is looked up by."""
    return _ARROW if word.kind == "arrow" else word.text.lower().replace("’", "'")


def bare(word: Word) -> str:
    """A name as the file spells it: the last of its parts, without a call's brackets."""
    return re.split(r"::|[.#]", word.text.removesuffix("()").removeprefix("@"))[-1]


def see(words: Sequence[Word], names: Names, vocabulary: Vocabulary) -> Seen:
    mentioned = [names.heads[bare(word)] for word in words if bare(word) in names.heads]
    heads: frozenset[str] = frozenset().union(*mentioned)
    before, depth = set[str](), 0
    numbers, rows = list[int](), list[list[bool]]()
    for place, word in enumerate(words):
        number, slip = _number(word, names, vocabulary)
        if word.kind == "sign":
            depth = max(0, depth + (word.text in "([{") - (word.text in ")]}"))
        traits = _of_word(word) | _of_file(word, names)
        traits |= {
            "slip": slip,
            "in_its_head": bare(word) in heads,
            "again": word.text in before,
            "first": place == 0,
            "last": place == len(words) - 1,
            "nested": depth > 0,
            "tight": place > 0 and words[place - 1].stop == word.start,
        }
        before.add(word.text)
        numbers.append(number)
        rows.append([traits.get(name, False) for name in TRAITS])
    return Seen(np.array(numbers, np.int64), np.array(rows, np.float32).reshape(len(rows), len(TRAITS)))


def _number(word: Word, names: Names, vocabulary: Vocabulary) -> tuple[int, bool]:
    """The word's number, and whether it is that of a word that this one misspells."""
    text = spelled(word)
    if word.quoted:
        return QUOTED, False
    if word.kind == "number":
        return NUMBER, False
    if text in vocabulary.numbers:
        return vocabulary.numbers[text], False
    if word.kind != "name":
        return (NAME if word.kind == "link" else SIGN), False
    if not text.isalpha() or _CAMEL.search(word.text) or names.meant(bare(word)) is not None:
        return NAME, False
    near = vocabulary.nearest(text)
    return (UNKNOWN, False) if near is None else (vocabulary.numbers[near], True)


def _of_word(word: Word) -> dict[str, bool]:
    text = word.text
    return {
        word.kind: True,
        "version": word.kind == "number" and not text.isdecimal(),
        "capitals": len(text) > 1 and text.isupper(),
        "capital": text[:1].isupper(),
        "snake": "_" in text,
        "camel": _CAMEL.search(text) is not None,
        "dotted": "." in text[:-1],
        "called": text.endswith("()"),
        "path": "/" in text,
        "dashed": "-" in text,
    }


def _of_file(word: Word, names: Names) -> dict[str, bool]:
    name = bare(word)
    exact = name in names.words
    return {
        "in_file": exact,
        "function": name in names.functions,
        "type": name in names.types,
        "in_heads": name in names.in_heads,
        "imported": name in names.imported,
        "key": name in names.keys or word.text in names.keys,
        "alike": not exact and word.kind == "name" and names.meant(name) is not None,
        "line": word.text in names.stripped,
        "inside": word.quoted and not exact and word.text in names.text,
        "python": names.language == "python",
        "data": names.language in _DATA,
    }
