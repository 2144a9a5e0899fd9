"""Lines and definitions that go, move, come twice or change places, in whatever order it is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from fastedit.edit.codemod.delete import without_definition, without_line
from fastedit.edit.codemod.gist import GONE, NEGATIONS, Gist, Topic, first_read, lexicon, stem
from fastedit.edit.codemod.sentence import Sentences
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.codemod.words import Word
from fastedit.edit.codemod.wrap import statement
from fastedit.edit.hunks import Hunk
from fastedit.edit.outline import indent_width
from fastedit.edit.request import LineRange

_DEFINED = " function functions method def class definition helper"
_LINE = " line lines statement statements"
_UNUSED = """ and where became altogether any anymore nobody nothing nowhere no not no-longer never stop
    without callers calls call called dead long unused leftover legacy debugging only its uses use anywhere
    referenced body signature including everything weight bug business accident junk few purpose served
    those but rest alone else same everyone depends on define defining doing replaced been moved elsewhere
    useless service one those disappear unwanted deprecated superseded redundant unreachable reached
    vestigial cruft stray mistake hanging around worthless pointless purposeless"""
_GONE = Topic(
    GONE | lexicon("no not without no-longer stop omit strike"),
    may=_DEFINED + _LINE + _UNUSED,
    never="replacement",
)
_SWAPPED = Topic(
    """swap swapped swapping exchange exchanged exchanging switch switched interchange interchanged transpose flip
    reverse"""
    " invert trade trades vice opposite order round <-> back where mix-up",
    may=_LINE
    + """ between and order position positions place places spot spots two other another before after above
        below vice versa opposite mixed mix-up accidentally wrong backwards runs run first second sequence
        then earlier up down else where each around got off everything nothing stays back was every these
        now""",
)
_MOVED = Topic(
    "before above after below behind",
    may=_LINE
    + """ move moved moving relocate shift reposition rearrange reorder transfer drag slide belongs goes cut
        send go get let find order place places spot misplaced wrong position old stand stands sit sits
        located directly immediately paste its place put stand sit comes position bring pull pick stick drop
        and remove not where better off away so ends fits belongs one must without instead-of same
        indentation drop""",
)
_TWICE = Topic(
    """dup twin repetition twice duplicate duplicated duplicating double doubled doubling copy clone repeat
    repeated repeats copies two
    second again"""
    " once x2 replicate twin identical ditto",
    may=_LINE
    + """ where beneath behind produce directly below after under underneath immediately next one first
        other another row times succession same identical consecutive back in in-a-row second time once more
        again over straight lines original there not enough paste stands itself follow followed occurs occur
        one's appear repetition identical""",
)
_BLOCK = Topic(
    GONE | lexicon("no not no-longer without go nothing"),
    "from through until between to up start begin starting beginning",
    may=_LINE
    + """ and block part code everything all both included inclusive including include everything stretch
        range passage section chunk together starting ending start end starts ends with themselves first
        last few select snippet run needed any anymore beginning begins begin stop way down up these those
        which no-longer not between them nothing left dead anything opening closing last sequence two
        themselves finish go uses use be""",
)


_OWN = (("of",), ("to",), ("in",), ("from",))
_PARTS = lexicon(
    "callers calls uses references referenced users body signature everything anything rest others all"
)
_ALL = stem("everything")
_SWAPS = lexicon(
    """swap swapped swapping exchange exchanged exchanging switch switched interchange interchanged transpose flip
    reverse invert trade vice opposite round <-> back mix-up order"""
)
_SAME = GONE | lexicon(
    "its body signature everything in it nothing else of the source that line one now completely entirely"
)
_MOVES = lexicon(
    """move moved moving relocate shift reposition rearrange reorder transfer drag slide belongs misplaced goes cut
    send"""
)
_PUTS = lexicon("put pick bring let go get drop stand stands place sit set comes come pull order stick take")

_IN = lexicon("in inside within")


_BOTH = Sentences(
    "[swap|exchange|flip|reverse] {the}[two|both|2] [lines|statements] [in|of|inside] {the}{place}",
    "[swap|exchange|flip|reverse] [lines|statements] [in|of|inside] {the}{place}",
)


def line_topics(text: str, source: Source) -> Codemod | None:
    """None where it is left open what is meant, or no one line is."""
    for told in _BOTH.read(text):
        if (rows := _only_two(source, told["place"])) is not None:
            return _exchanged(source, *rows)
    return first_read(
        text,
        source,
        (_GONE, _gone, (1, 2)),
        (_SWAPPED, _swapped, (2, 4)),
        (_MOVED, _moved, (2,)),
        (_TWICE, _twice, (1, 2)),
        (_BLOCK, _without_block, (2,)),
    )


def _line(source: Source, word: Word) -> int | None:
    found = source.lines_like(word.text, source.scope) if word.quote else []
    return found[0] if len(found) == 1 else None


def places(gist: Gist, source: Source) -> Iterator[tuple[tuple[Word, ...], LineRange]]:
    """What is mentioned but for the definition that it is in, where one is named, with its lines."""
    yield gist.mentions, source.scope
    for at, word in enumerate(gist.mentions):
        inside = not _IN.isdisjoint(gist.before(at))
        if inside and (place := source.place(word.text.removesuffix("()"))) is not None:
            yield (*gist.mentions[:at], *gist.mentions[at + 1 :]), place


def _joins(gist: Gist) -> bool:
    """Whether what stands behind an "and" asks for nothing more."""
    behind = gist.stems[gist.stems.index("and") + 1 :] if "and" in gist.stems else ()
    whole = _ALL not in behind or (_ALL, "in") in pairwise(behind)
    return whole and _SAME.issuperset(behind)


def _gone(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    unused = gist.has(NEGATIONS)
    if gist.negates(GONE) or (gist.has(lexicon("call use")) and not unused) or not _joins(gist):
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
        name = mentions[0].text.removesuffix("()")
        found = [d for d in source.named(name) if place.start <= d.start and d.stop <= place.stop]
        emptied = gist.has(lexicon("clear")) and not gist.has(GONE - lexicon("clear"))
        if len(found) == 1 and not gist.has(lexicon(_LINE)) and not emptied and (gist.has(GONE) or said):
            yield without_definition(source, found[0])
        elif not found and not said and mentions[0].quote and not _leaves_open(gist, mentions[0]):
            yield without_line(source, mentions[0].text, place)


def _leaves_open(gist: Gist, line: Word) -> bool:
    """Whether it says how a function is not to be left, which leaves open how it is: "must not `return x`".

    That there should be no `return x` speaks of the line.
    """
    refused = not (NEGATIONS - {"no"}).isdisjoint(gist.before(gist.mentions.index(line), 1))
    return refused and re.match(r"(?:return|raise|throw)\b", line.text) is not None


def _pair(gist: Gist, source: Source) -> tuple[int, int] | None:
    first, second = (_line(source, word) for word in gist.mentions[:2])
    return None if first is None or second is None or first == second else (first, second)


def _unlike(source: Source, *rows: int) -> tuple[str, ...]:
    """Why lines may not stand in each other's place."""
    widths = {indent_width(source.lines[row]) for row in rows}
    opened = any(source.opens(row) for row in rows)
    return (
        *(("they are indented differently",) if len(widths) > 1 else ()),
        *(("a block hangs on it",) if opened else ()),
    )


def _swapped(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    pair = _pair(gist, source)
    said = [word.text for word in gist.mentions]
    # "put a where b is and b where a is"
    if said[2:] not in ([], said[1::-1]) or (
        said[2:] == [] and gist.has(lexicon("where")) and not gist.has(_SWAPS)
    ):
        return
    replaced = gist.has(lexicon("for")) and not gist.has(
        lexicon("round vice lines two order places other reverse")
    )
    if pair is None or replaced or gist.negates(lexicon("swap exchange switch")):
        return
    yield _exchanged(source, *sorted(pair))


def _exchanged(source: Source, a: int, b: int) -> Codemod:
    hunks = (Hunk(a, a + 1, (source.lines[b],)), Hunk(b, b + 1, (source.lines[a],)))
    return Codemod(hunks, _unlike(source, a, b))


def _only_two(source: Source, name: str) -> tuple[int, int] | None:
    """The lines of a function that has two statements, each of one line."""
    found = source.only(name)
    if found is None or found.kind not in ("function", "method"):
        return None
    rows = [n for n in range(found.body, found.stop) if statement(source, n) is not None]
    inked = [n for n in range(found.body, found.stop) if source.lines[n].strip(" \t{}")]
    return (rows[0], rows[1]) if len(rows) == 2 and rows == inked else None


def _moved(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    pair, sides = _pair(gist, source), lexicon("before above after below behind")
    behind = [n for n in range(2) if not sides.isdisjoint(gist.before(n))]
    said = [word for word in gist.stems if word in sides]
    added = gist.has(lexicon("add append insert write include") - _MOVES) or not gist.has(_PUTS)
    if pair is None or len(behind) != 1 or len(said) != 1 or gist.negates(sides):
        return
    if added and not gist.has(_MOVES):
        return
    anchor, moved = pair[behind[0]], pair[1 - behind[0]]
    at = anchor + (said[0] in lexicon("after below behind"))
    if at in (moved, moved + 1):
        return
    line = source.lines[moved]
    hunks = sorted((Hunk(moved, moved + 1, ()), Hunk(at, at, (line,))), key=lambda hunk: hunk.start)
    yield Codemod(tuple(hunks), _unlike(source, moved, anchor))


def _twice(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    line = _line(source, gist.mentions[0])
    if len({word.text for word in gist.mentions}) > 1:
        return
    if line is not None and NEGATIONS.isdisjoint(set(gist.stems) - {"not"}):
        yield Codemod((Hunk(line + 1, line + 1, (source.lines[line],)),), _unlike(source, line))


def _without_block(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    pair = _pair(gist, source)
    whole = gist.has(lexicon("from through until start starting begin")) or (
        gist.has(lexicon("to up")) or gist.has(lexicon("inclusive include both"))
    )
    if pair is None or not whole or gist.negates(GONE) or pair[0] > pair[1]:
        return
    start, stop = pair[0], pair[1] + 1
    width = indent_width(source.lines[start])
    inside = [line for line in source.lines[start:stop] if line.strip()]
    uneven = any(indent_width(line) < width for line in inside) or source.opens(stop - 1)
    yield Codemod((Hunk(start, stop, ()),), ("it ends inside of a block",) if uneven else ())
