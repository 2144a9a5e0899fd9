"""`sleep 2 seconds instead of 1`: a number in place of another, where all other words are those of its line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fastedit.edit.codemod.courtesy import bare
from fastedit.edit.codemod.gist import NEGATIONS, lexicon, stem
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.codemod.words import Word, words
from fastedit.edit.hunks import Hunk
from fastedit.edit.request import LineRange

_NUMBER = re.compile(r"-?\d+(?:_\d+)*(?:\.\d+)?")
_UNITS = lexicon("second sec minute min millisecond ms char character times")
# Of any wish for a value; each other word has to be one of the line.
_PLAIN = lexicon(
    """a an the it make use change set bump raise lower should be is have want now just at for of in with let us we
    default value code status"""
)
_BETWEEN = lexicon("instead-of not rather than to -> =>") | _UNITS
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_SHORTEST = 3


def number(text: str, source: Source) -> Codemod | None:
    """None where the old number stands in several places, or a word is neither its line's nor one of any such wish."""
    made = {found for plain in bare(text) for found in _exchanged(words(plain), source)}
    return made.pop() if len(made) == 1 else None


def _exchanged(said: Sequence[Word], source: Source) -> Iterator[Codemod]:
    numbers = [n for n, word in enumerate(said) if not word.quote and _NUMBER.fullmatch(word.text)]
    if len(numbers) != 2:
        return
    first, second = numbers
    between = [stem(word.plain) for word in said[first + 1 : second]]
    others = [*(word for word in said[:first] if word.plain != "from"), *said[second + 1 :]]
    if not _BETWEEN.issuperset(between) or any(word.quote or word.plain in NEGATIONS for word in others):
        return
    turned = not lexicon("instead-of not than").isdisjoint(between)
    # "1 to 2" alone may be a range.
    led = first > 0 and said[first - 1].plain == "from"
    arrow = not lexicon("-> =>").isdisjoint(between) or (led and "to" in between)
    if turned == arrow:
        return
    new, old = (said[first].text, said[second].text) if turned else (said[second].text, said[first].text)
    place, rest = _place(others, source)
    pattern = re.compile(rf"(?<![\w.$\"'-]){re.escape(old)}(?![\w.\"'])")
    there = [word for word in rest if stem(word.plain) not in _PLAIN | _UNITS]
    rows = [n for n in range(place.start, place.stop) for _ in pattern.findall(source.lines[n])]
    if there:
        rows = [n for n in rows if all(_said_of(word, source.lines[n]) for word in there)]
    # A single digit may be anything's, unless a word tells what it is.
    told = there or len(old.strip("-")) > 1
    if new != old and told and len(rows) == 1 and not source.in_text(rows[0]):
        yield Codemod((Hunk(rows[0], rows[0] + 1, (pattern.sub(new, source.lines[rows[0]]),)),))


def _place(others: Sequence[Word], source: Source) -> tuple[LineRange, Sequence[Word]]:
    """The definition that the sentence names, and the words besides."""
    for at, word in enumerate(others[1:], 1):
        if others[at - 1].plain in ("in", "inside", "within"):
            place = source.place(word.name)
            if place is not None:
                return place, [*others[: at - 1], *others[at + 1 :]]
    return source.scope, others


def _said_of(word: Word, line: str) -> bool:
    """Whether it is a word of the line, which may have it shortened."""
    root = stem(word.plain)
    there = [part.lower() for part in _WORDS.findall(line)]
    return any(
        part == word.plain
        or (len(part) >= _SHORTEST and (word.plain.startswith(part) or part.startswith(root)))
        for part in there
    )
