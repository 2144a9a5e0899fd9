"""Lines and definitions that go, in whatever order it is said, and lines that get another place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from fastedit.edit.codemod.delete import without_definition, without_line
from fastedit.edit.codemod.denial import denies
from fastedit.edit.codemod.gist import GONE, NEGATIONS, Gist, Topic, lexicon, stem
from fastedit.edit.codemod.going import goes_away
from fastedit.edit.codemod.placed_lines import LINE, pair_of, placed_lines
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.codemod.words import Word
from fastedit.edit.hunks import Hunk
from fastedit.edit.outline import indent_width
from fastedit.edit.request import LineRange

_DEFINED = " function functions method def class definition helper"
_UNUSED = """ and where became altogether any anymore nobody nothing nowhere no not no-longer never stop without callers
        calls call called dead long unused leftover legacy debugging only its uses use anywhere referenced body
        signature including everything weight bug business accident junk few purpose served those but rest alone
        else same everyone depends on define defining doing replaced been moved elsewhere useless service one those
        anything doing useful has have for left only debug see want good what say says shouldn't test disappear
        unwanted deprecated superseded redundant unreachable reached vestigial cruft stray mistake hanging around
        worthless pointless purposeless necessary left thrown needless remain remains exist stay callers somebody"""
_POINTLESS = lexicon("dead useless leftover junk worthless bug")
_GONE = Topic(
    GONE | _POINTLESS | lexicon("no not without no-longer stop omit strike go goes"),
    may=_DEFINED + LINE + _UNUSED,
    never="replacement than another",
)
_BLOCK = Topic(
    GONE | lexicon("no not no-longer without go nothing chop unused dead"),
    "from through until between to up start begin starting beginning opening back closing",
    may=LINE
    + """ and block part code everything all both included inclusive including include everything stretch
        range passage section chunk together starting ending start end starts ends with themselves first
        last few select snippet run needed any anymore beginning begins begin stop way down up these those
        which no-longer not between them nothing left dead anything opening closing last sequence two
        themselves finish go uses use be chop out unused after above back piece closing along as too all these two
        below following themselves remove""",
)


_OWN = (("of",), ("to",), ("in",), ("from",))
_PARTS = lexicon(
    "callers calls uses references referenced users body signature everything anything rest others all"
)
_ALL = stem("everything")
_WHY = re.compile(
    r"\bwhy is (?P<line>.+?) still (?:there|here|around)\?\s+(?:please )?"
    r"(?P<verb>remove|delete|drop|kill) (?:it|that)\b",
    re.IGNORECASE,
)
_FOR_TESTING = re.compile(r"\bfor (?:testing|debugging)(?: purposes)?,? (?=[a-z])", re.IGNORECASE)
_SAME = GONE | lexicon(
    "its body signature everything in it nothing else of the source that line one now completely entirely should"
    " be has taken take so :"
)

_IN = lexicon("in inside within")
_BOTH_WAYS = re.compile(r"\s*(?:<-{1,2}>|⇄|↔)\s*")


def line_topics(text: str, source: Source) -> Codemod | None:
    """None where it is left open what is meant, or no one line is."""
    text = _plainly(text)
    return (
        _GONE.read(text, source, _gone, 1, 2)
        or placed_lines(text, source)
        or _BLOCK.read(text, source, _without_block, 2, 3)
    )


def _plainly(text: str) -> str:
    """The sentence without an arrow, a question that asks for what it goes on to say, and what it is good for."""
    text = _WHY.sub(r"\g<verb> \g<line>", _BOTH_WAYS.sub(" swapped with ", text))
    return _FOR_TESTING.sub("", text)


def places(gist: Gist, source: Source) -> Iterator[tuple[tuple[Word, ...], LineRange]]:
    """What is mentioned but for the definition that it is in, where one is named, with its lines."""
    yield gist.mentions, source.scope
    for at, word in enumerate(gist.mentions):
        inside = not _IN.isdisjoint(gist.before(at)) or gist.before(at, 1) in (("from",), ("of",))
        if inside and (place := source.place(word.name)) is not None:
            yield (*gist.mentions[:at], *gist.mentions[at + 1 :]), place


def _joins(gist: Gist) -> bool:
    """Whether what stands behind an "and" asks for nothing more."""
    behind = gist.stems[gist.stems.index("and") + 1 :] if "and" in gist.stems else ()
    whole = _ALL not in behind or (_ALL, "in") in pairwise(behind)
    return whole and (_SAME | {""} if len(gist.mentions) == 1 else _SAME).issuperset(behind)


def _gone(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    unused, pairs = gist.has(NEGATIONS), set(pairwise(gist.stems))
    # "A is not the same any more"
    if ("not", "the") in pairs and ("the", stem("same")) in pairs:
        return
    # "Don't forget that a is needed"
    if ("not", "forget") in pairs:
        return
    if not gist.has(GONE | NEGATIONS | _POINTLESS | lexicon("omit strike")) and not goes_away(gist):
        return
    if (
        denies(gist, GONE | _POINTLESS | lexicon("go"))
        or (gist.has(lexicon("call use")) and not unused)
        or not _joins(gist)
    ):
        return
    # "the lines around a", "nothing but a", "the callers of a"
    beside = any("around" in gist.before(n, 2) for n in range(len(gist.mentions)))
    spared = beside or ("but" in gist.stems and gist.has(lexicon("nothing everything all")))
    about = any(gist.before(n)[-1:] in _OWN and gist.has(_PARTS) for n in range(len(gist.mentions)))
    if spared or (about and not _PARTS.isdisjoint(gist.before(0))):
        return
    said = gist.has(lexicon(_DEFINED))
    for mentions, place in places(gist, source):
        if len(mentions) != 1:
            continue
        name = mentions[0].name
        found = [d for d in source.named(name) if place.start <= d.start and d.stop <= place.stop]
        emptied = gist.has(lexicon("clear")) and not gist.has(GONE - lexicon("clear"))
        gone = gist.has(GONE) or said or _not_to_be(gist) or goes_away(gist)
        if len(found) == 1 and not gist.has(lexicon(LINE)) and not emptied and gone:
            yield without_definition(source, found[0])
        elif not found and not said and mentions[0].quote and not _leaves_open(gist, mentions[0]):
            yield without_line(source, mentions[0].text, place)


def _not_to_be(gist: Gist) -> bool:
    """Whether a definition is said to be unwanted: "stop defining a", "a should not exist any longer"."""
    if gist.stems == ("no", stem("more"), ""):
        return True
    if ("do", "without") in pairwise(gist.stems):
        return "not" not in gist.stems
    return gist.negates(lexicon("define exist want need")) and not gist.has(lexicon("only call use"))


def _leaves_open(gist: Gist, line: Word) -> bool:
    """Whether it says how a function is not to be left, which leaves open how it is: "must not `return x`".

    That there should be no `return x` speaks of the line.
    """
    refused = not (NEGATIONS - {"no"}).isdisjoint(gist.before(gist.mentions.index(line), 1))
    return refused and re.match(r"(?:return|raise|throw)\b", line.text) is not None


def _without_block(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    pair = pair_of(gist, source)
    whole = gist.has(
        lexicon("from through until start starting begin to up inclusive include both opening")
    ) or (gist.has(lexicon("between")) and gist.has(lexicon("them these themselves along too all")))
    # "a and everything above it back to b, b too"
    upwards = pair is not None and pair[0] > pair[1] and gist.has(lexicon("above back"))
    pair = (pair[1], pair[0]) if pair is not None and upwards else pair
    again = [word.text for word in gist.mentions[2:]]
    said = {word.text for word in gist.mentions[:2]}
    if (
        pair is None
        or not whole
        or denies(gist, GONE | lexicon("go chop"))
        or pair[0] > pair[1]
        or not said.issuperset(again)
    ):
        return
    start, stop = pair[0], pair[1] + 1
    width = indent_width(source.lines[start])
    inside = [line for line in source.lines[start:stop] if line.strip()]
    uneven = any(indent_width(line) < width for line in inside) or source.opens(stop - 1)
    yield Codemod((Hunk(start, stop, ()),), ("it ends inside of a block",) if uneven else ())
