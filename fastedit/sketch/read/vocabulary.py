"""Which lines of a file hold a word, without going over its words one by one.

All words of all lines are numbered at once, over an array of the text's bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_KEY = np.uint64(48)  # bits of a number to the right of its key
_EIGHT = 8  # bytes that are read at once
_LINE_END = ord("\n")
_SIGN = re.compile(r"[^\w\x00-\x7f]")
# By byte of UTF-8 whether it belongs to a word, and whether a letter or digit begins with it.
_WORD = bytes(code > 127 or chr(code).isalnum() or chr(code) == "_" for code in range(256))
_LETTER = bytes(code > 0xBF or (code < 128 and chr(code).isalnum()) for code in range(256))
# By a word's length the bytes of eight that are its own.
_OWN = np.array([(1 << 8 * size) - 1 for size in range(_EIGHT + 1)], dtype=np.uint64)


class WordIndex:
    """The words (as `\\w+` finds them) and letters of some lines without line ends, and what each begins and ends
    with."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines

    def lines_with(self, words: Iterable[str], among: Any = None) -> dict[str, list[int]]:
        """The lines that hold each of these words, rising: those alone that the flags `among` [lines] tell, if any."""
        asked = list(words)
        wanted, _ = _numbers(_bytes("\n".join(asked)))
        order = np.argsort(wanted)
        wanted = wanted[order]
        numbers, rows = self._numbered
        known = np.zeros(1 << 16, dtype=bool)
        known[_keys(wanted)] = True
        may_be = np.nonzero(known[self._keys])[0]
        may_be = may_be if among is None else may_be[among[rows[may_be]]]
        at = np.searchsorted(wanted, numbers[may_be])
        held = at < len(wanted)
        held[held] = wanted[at[held]] == numbers[may_be[held]]
        which, rows = at[held], rows[may_be[held]]
        grouped = np.argsort(which, kind="stable")
        which, rows = which[grouped], rows[grouped]
        first = np.ones(len(which), dtype=bool)
        first[1:] = (which[1:] != which[:-1]) | (rows[1:] != rows[:-1])
        which, rows = which[first], rows[first]
        bounds = np.searchsorted(which, np.arange(len(asked) + 1)).tolist()
        places = {int(word): at for at, word in enumerate(order)}
        return {
            word: rows[bounds[places[at]] : bounds[places[at] + 1]].tolist() for at, word in enumerate(asked)
        }

    @cached_property
    def letters(self) -> Any:
        """[lines]: how many letters and digits each holds."""
        flags = np.frombuffer(self._text.tobytes().translate(_LETTER), dtype=np.uint8)
        return np.add.reduceat(flags, self._begins, dtype=np.intp)

    def beginning(self, characters: Iterable[str]) -> list[int]:
        """The lines that begin with one of these ASCII characters."""
        return np.nonzero(_one_of(characters)[self._text[self._begins]])[0].tolist()

    def ending(self, characters: Iterable[str]) -> Any:
        """[lines]: whether each ends with one of these ASCII characters."""
        return _one_of(characters)[self._text[self._ends - 2]] & (self._ends - 1 > self._begins)

    def holding(self, characters: str) -> Any:
        """[lines]: whether each holds these ASCII characters, one behind the other."""
        found = np.ones(max(len(self._text) - len(characters) + 1, 0), dtype=bool)
        for at, character in enumerate(characters):
            found &= self._text[at : at + len(found)] == ord(character)
        rows = np.searchsorted(self._ends, np.nonzero(found)[0], side="right")
        return np.bincount(rows, minlength=len(self._lines)).astype(bool)

    @cached_property
    def _numbered(self) -> tuple[Any, Any]:
        """[words] twice: the number of each word, and its line."""
        numbers, starts = _numbers(self._text)
        above = np.searchsorted(starts, self._ends)
        return numbers, np.repeat(np.arange(len(self._lines)), np.diff(above, prepend=0))

    @cached_property
    def _keys(self) -> Any:
        return _keys(self._numbered[0])

    @cached_property
    def _text(self) -> Any:
        return _bytes("\n".join((*self._lines, "")))

    @cached_property
    def _ends(self) -> Any:
        """[lines]: where in the text each ends, its line end included."""
        return np.nonzero(self._text == _LINE_END)[0] + 1

    @cached_property
    def _begins(self) -> Any:
        """[lines]: where in the text each begins."""
        begins = np.zeros_like(self._ends)
        begins[1:] = self._ends[:-1]
        return begins


def _bytes(text: str) -> Any:
    """The text's bytes, of which all beyond ASCII belong to words."""
    plain = text if text.isascii() else _SIGN.sub(" ", text)
    return np.frombuffer(plain.encode(), dtype=np.uint8)


def _numbers(text: Any) -> tuple[Any, Any]:
    """[words] twice: a hash of each word of these bytes, and where it begins."""
    inside = np.zeros(len(text) + 2, dtype=bool)
    inside[1:-1] = np.frombuffer(text.tobytes().translate(_WORD), dtype=bool)
    edges = np.nonzero(inside[1:] != inside[:-1])[0]
    starts, lengths = edges[::2], edges[1::2] - edges[::2]
    padded = np.concatenate((text, np.zeros(_EIGHT, dtype=np.uint8)))
    eights = np.ndarray(len(text) + 1, "<u8", padded, strides=(1,))  # those that begin at each byte
    numbers = (eights[starts] & _OWN[np.minimum(lengths, _EIGHT)]) * _FACTOR
    long = np.nonzero(lengths > _EIGHT)[0]
    done = _EIGHT
    while len(long):
        more = eights[starts[long] + done] & _OWN[np.minimum(lengths[long] - done, _EIGHT)]
        numbers[long] = (numbers[long] ^ more) * _FACTOR
        done += _EIGHT
        long = long[lengths[long] > done]
    return numbers, starts


def _keys(numbers: Any) -> Any:
    """What tells most numbers apart."""
    return (numbers >> _KEY).astype(np.uint16)


def _one_of(characters: Iterable[str]) -> Any:
    """[256]: whether each byte is one of these."""
    found = np.zeros(256, dtype=bool)
    found[[ord(character) for character in characters]] = True
    return found
