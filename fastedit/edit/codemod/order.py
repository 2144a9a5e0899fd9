"""Which of two things that a sentence mentions goes, and which takes its place."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from fastedit.edit.codemod.gist import Gist, lexicon, stem
from fastedit.edit.codemod.source import Source
from fastedit.edit.codemod.words import Word
from fastedit.edit.request import LineRange

# Before the first mention: it goes.
_GOES = lexicon("instead-of than not no never no-longer where what find currently old")
_DROPPED = lexicon("drop rid ditch stop abandon")
# Between both: the second takes the place of the first, or the other way round.
_BECOMES = lexicon("to into be become becomes -> with by should read reads but =>")
_BE = lexicon("be become say read")
_INSTEAD = lexicon("than instead-of what")
_TOLD = frozenset((stem(verb), "it") for verb in ("call", "name", "make"))
_WHERE = lexicon("where when currently")
_TRADED = lexicon("swap exchange trade switch replace change turn")
_IN_PLACE = (stem("place"), "of")
_RIGHT = lexicon("correct right proper")
_MENDS = lexicon("fix change replace edit mend")
_NAME_FOR = frozenset({(stem("name"), "for"), (stem("name"), "of")})
_TAKES = lexicon("take cut rip pull")
_WRITES = lexicon("rewrite rephrase reword phrase write express reformulate")
_TESTS = lexicon("check test condition one")
_MAKES = lexicon("make let have")
_IN = lexicon("in inside within")
_TYPOS = lexicon("typo misspelling misspelt misspelled mistyped")
_HAS = lexicon("has have says uses")
_NEEDS = lexicon("need want")
_WANTED = lexicon("needed should wanted belongs expected meant right correct")


def exchanged(gist: Gist, source: Source) -> Iterator[tuple[Word, Word, LineRange]]:
    """What goes and what comes, as far as the order of the words allows it, with the lines that it is said of."""
    for first, second, place in _pairs(gist, source):
        for old, new in ordered(gist, first, second):
            yield gist.mentions[old], gist.mentions[new], place


def ordered(gist: Gist, first: int, second: int) -> Iterator[tuple[int, int]]:
    """Of two mentions the one that goes and the one that comes; both ways where the words leave it to the file."""
    lead = gist.stems[: gist.places[first]]
    between = gist.stems[gist.places[first] + 1 : gist.places[second]]
    behind = gist.stems[gist.places[second] + 1 :]
    goes = True if _misplaced(lead, between, behind) else _goes_first(lead, between)
    if goes is not False:
        yield first, second
    if goes is not True:
        yield second, first


def _misplaced(lead: tuple[str, ...], between: tuple[str, ...], behind: tuple[str, ...]) -> bool:
    """Whether it says "it has a where b is needed"."""
    where = not _HAS.isdisjoint(lead[-2:]) and stem("where") in between
    there = where and not (_WANTED.isdisjoint(behind) and _NEEDS.isdisjoint(between))
    return there and "not" not in (*between, *behind)


def contradicts(gist: Gist, old: Word, new: Word) -> bool:
    """Whether the words say that `new` goes, as "a, not b" does where the file has a."""
    first, second = gist.mentions.index(old), gist.mentions.index(new)
    return (first, second) not in ordered(gist, min(first, second), max(first, second))


def _goes_first(lead: tuple[str, ...], between: tuple[str, ...]) -> bool | None:
    """None where the words leave it to the file."""
    if not _DROPPED.isdisjoint(lead):
        return True
    if not _WHERE.isdisjoint(between) and "should" in between:
        # "a stands where b should be", not "a should be where b stands".
        return between.index("should") > min(between.index(word) for word in _WHERE if word in between)
    if not (_WHERE | _INSTEAD).isdisjoint(between) or between[-1:] in (("not",), ("no-longer",)):
        return False
    if any(before == "not" and word in _BE for before, word in pairwise(between)):
        return False
    if "instead-of" in lead or "wrong" in between:
        return True
    # "b must take the place of a", "b takes over from a", "the right one is b, so fix a"
    if (
        between[-2:] == _IN_PLACE
        or between[-2:] == ("over", "from")
        or ("over" in between and "prefer" in lead)
    ):
        return False
    if not _RIGHT.isdisjoint(lead) and not _MENDS.isdisjoint(between):
        return False
    # "b as the name for a"
    if not _NAME_FOR.isdisjoint(pairwise(between)):
        return "by" in between
    # "take a out and put b there", "I wrote a but meant b", "rewrite a as b"
    out, reworded = not _TAKES.isdisjoint(lead) and "put" in between, not _WRITES.isdisjoint(lead)
    if out or "mean" in between or "meant" in between or (reworded and between[:1] == ("as",)):
        return True
    if {"be", stem("become")} & {*between} and not _TESTS.isdisjoint(between):
        # "the check for a should be one for b"
        return True
    if not _TESTS.isdisjoint(between[:1]) and not _MAKES.isdisjoint(lead):
        return True
    if not _TYPOS.isdisjoint(between):
        return True
    if between[-1:] == ("for",):
        return not _TRADED.isdisjoint((*lead, *between))
    if not _TOLD.isdisjoint(pairwise(between)):
        return True
    return True if not _GOES.isdisjoint(lead) or not _BECOMES.isdisjoint(between) else None


def _pairs(gist: Gist, source: Source) -> Iterator[tuple[int, int, LineRange]]:
    """Two mentions; a third one says in which definition they are."""
    numbers = range(len(gist.mentions))
    if len(numbers) == 2:
        yield 0, 1, source.scope
    elif len(numbers) == 3:
        for at in numbers:
            if _IN.isdisjoint(gist.before(at)):
                continue
            place = source.place(gist.mentions[at].name)
            first, second = (n for n in numbers if n != at)
            if place is not None:
                yield first, second, place
