"""Lines that move, come twice or change places, in whatever order it is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from fastedit.edit.codemod.gist import NEGATIONS, Gist, Topic, first_read, lexicon, stem
from fastedit.edit.codemod.sentence import Sentences
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.codemod.words import Word
from fastedit.edit.codemod.wrap import statement
from fastedit.edit.hunks import Hunk
from fastedit.edit.outline import indent_width

LINE = " line lines statement statements"
_SWAPPED = Topic(
    """swap swapped swapping exchange exchanged exchanging switch switched interchange interchanged transpose permute
    flip
    reverse"""
    " invert trade trades vice opposite order round around back where mix-up mixed reorder change place each sit",
    may=LINE
    + """ between and order position positions place places spot spots two other another before after above below vice
        versa opposite mixed mix-up accidentally wrong backwards runs run first second sequence then earlier up down
        else where each around got off everything nothing stays back was every these now sits sit should take change
        of for like the put someone reorder whatever other's that switch want what please here goes go frees free""",
    never="fine matter matters keep",
)
_MOVED = Topic(
    "before above after below behind",
    may=LINE
    + """ move moved moving relocate shift reposition rearrange reorder transfer drag slide belongs goes cut send go
        get let find order place places spot misplaced wrong position old stand stands sit sits located directly
        immediately paste its place put stand sit comes position bring pull pick stick drop and remove not where
        better off away so ends fits belongs one must without instead-of same indentation drop leave but down up
        only too early late to just over there rather than than before it is now else that next instead want keep
        new change moves right""",
)
_TWICE = Topic(
    """dup twin repetition twice duplicate duplicated duplicating double doubled doubling copy clone repeat
    repeated repeats copies two
    second again"""
    " once x2 replicate twin identical ditto another copy-paste same more single onto itself",
    may=LINE
    + """ where beneath behind produce directly below after under underneath immediately next one first other another
        row times succession same identical consecutive back in in-a-row second time once more again over straight
        lines original there not enough paste stands itself follow followed occurs occur one's appear repetition
        identical and instead-of single cleanup keep find very should executed onto copy-paste for testing test two
        of them turn these exist existing we want that so right please into each""",
)
_DOUBLES = lexicon(
    """dup twin repetition twice duplicate duplicated duplicating double doubled doubling copy clone repeat repeated
    repeats copies two second again once x2 replicate identical ditto copy-paste"""
)
_SWAPS = lexicon(
    """swap swapped swapping exchange exchanged exchanging switch switched interchange interchanged transpose permute
    flip
    reverse invert trade vice opposite round <-> back mix-up order"""
)
_SIDES = lexicon("before above after below behind")
# "Not where it is now", "remove a from where it is", "a to below b"
_THERE = re.compile(
    r"\bwher it (?:is|stand)|\bnot be ther but\b|\b(?:new|wrong) (?:posit\w*|plac|spot)"
    r"|\b(?:right|proper) (?:plac|spot|posit\w*) (?:for|of)|\bchang (?:the )?(?:posit\w*|plac)|\border"
    r"|^ to (?:right |just )?(?:befor|abov|aft|below|behind)|^want  (?:directly |right |immediately )?(?:befor|abov"
    r"|after|below|behind)"
    r"|^(?:befor|abov|after|below|behind)  is wher  (?:should|belong)"
)
_STAYS = re.compile(r"\bin (?:the |its )?(?:right|proper|correct|own) (?:plac|spot)")
_MUTUAL = re.compile(
    r"\b(?:chang|trad|switch|tak)\w* (?:their )?(?:plac|spot|position)|\beach\b|\bother|around\b|\bmix"
)
_MOVES = lexicon(
    """move moved moving relocate shift reposition rearrange reorder transfer drag slide belongs misplaced goes cut
    send"""
)
_PUTS = lexicon("put pick bring let go get drop stand stands place sit set comes come pull order stick take")
_BOTH = Sentences(
    "[swap|exchange|flip|reverse] {the}[two|both|2] [lines|statements] [in|of|inside] {the}{place}",
    "[swap|exchange|flip|reverse] [lines|statements] [in|of|inside] {the}{place}",
)


def placed_lines(text: str, source: Source) -> Codemod | None:
    """None where it is left open what is meant, or no one line is."""
    for told in _BOTH.read(text):
        if (rows := _only_two(source, told["place"])) is not None:
            return _exchanged(source, *rows)
    return first_read(
        text,
        source,
        (_SWAPPED, _swapped, (2, 3, 4)),
        (_MOVED, _moved, (2,)),
        (_TWICE, _twice, (1, 2)),
    )


def line_of(source: Source, word: Word) -> int | None:
    found = source.lines_like(word.text, source.scope) if word.quote else []
    return found[0] if len(found) == 1 else None


def pair_of(gist: Gist, source: Source) -> tuple[int, int] | None:
    first, second = (line_of(source, word) for word in gist.mentions[:2])
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
    pair = pair_of(gist, source)
    said = [word.text for word in gist.mentions]
    # "put a where b is and b where a is"
    where = gist.has(lexicon("where")) and not (gist.has(_SWAPS) or _MUTUAL.search(" ".join(gist.stems)))
    if said[2:] not in ([], said[1::-1], said[1:2]) or (said[2:] == [] and where):
        return
    replaced = gist.has(lexicon("for")) and not gist.has(
        lexicon("round vice lines two order places other reverse spots positions each")
    )
    # "The order should be a before b" tells which of them moves.
    ordered = (
        gist.has(lexicon("order reorder")) and gist.has(_SIDES) and not gist.has(_SWAPS - lexicon("order"))
    )
    if ordered or not _says_swap(gist):
        return
    if pair is None or replaced or gist.negates(lexicon("swap exchange switch")):
        return
    yield _exchanged(source, *sorted(pair))


def _says_swap(gist: Gist) -> bool:
    """Whether both go, or "a has to take the place of b, and b that of a"."""
    mutual = _MUTUAL.search(" ".join(gist.stems)) is not None
    return gist.has(_SWAPS) or mutual or len(gist.mentions) > 2


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
    pair, side = pair_of(gist, source), _side(gist)
    if pair is None or side is None or gist.negates(_SIDES) or not _says_move(gist):
        return
    said, beside = side
    anchor, moved = pair[beside], pair[1 - beside]
    at = anchor + (said in lexicon("after below behind"))
    if at in (moved, moved + 1):
        return
    line = source.lines[moved]
    hunks = sorted((Hunk(moved, moved + 1, ()), Hunk(at, at, (line,))), key=lambda hunk: hunk.start)
    yield Codemod(tuple(hunks), _unlike(source, moved, anchor))


def _side(gist: Gist) -> tuple[str, int] | None:
    """The one word for a side, and which mention it is said of: "leave a there and move b below it"."""
    stems = gist.stems
    said = [n for n, word in enumerate(stems) if word in _SIDES and stems[n - 1] != "instead-of"]
    if len(said) != 1:
        return None
    at = said[0]
    ahead = [n for n, place in enumerate(gist.places) if place > at]
    if not ahead:
        back = stems[at + 1 : at + 2] in (("it",), ("that",), ("thi",))
        return (stems[at], 0) if back else None
    return (stems[at], ahead[0]) if at in range(gist.places[ahead[0]] - 3, gist.places[ahead[0]]) else None


def _says_move(gist: Gist) -> bool:
    """Whether a line leaves its place for another; "put" alone may be said of a new one as well."""
    said = " ".join(gist.stems)
    if _STAYS.search(said):
        return False
    there = _THERE.search(said) is not None
    if gist.has(_MOVES) or there:
        return True
    return gist.has(_PUTS) and not gist.has(lexicon("add append insert write include"))


def _says_twice(gist: Gist) -> bool:
    """Whether it says so with more than a word that other wishes have as well: "a single a", "the same goes for a"."""
    if gist.has(_DOUBLES):
        return True
    if "follow" in gist.stems and not {("with", "itself"), ("by", "itself")}.isdisjoint(pairwise(gist.stems)):
        return True
    return gist.has(lexicon("another more")) or (stem("same"), stem("line")) in pairwise(gist.stems)


def _twice(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    line = line_of(source, gist.mentions[0])
    if len({word.text for word in gist.mentions}) > 1:
        return
    once = gist.negates(lexicon("dup duplicate double copy clone repeat twice two again another"))
    if once or not _says_twice(gist) or gist.forbids:
        return
    if line is not None and NEGATIONS.isdisjoint(set(gist.stems) - {"not"}):
        yield Codemod((Hunk(line + 1, line + 1, (source.lines[line],)),), _unlike(source, line))
