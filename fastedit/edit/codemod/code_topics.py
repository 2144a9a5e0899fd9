"""Code that a sentence hands over at its end, and the line or definition that it goes next to or in place
of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from fastedit.edit.codemod.gist import GONE, Gist, Topic, lexicon, stem
from fastedit.edit.codemod.going import takes_out
from fastedit.edit.codemod.insert import next_to
from fastedit.edit.codemod.roundabout import one_way
from fastedit.edit.codemod.source import Codemod, Source, dedented
from fastedit.edit.hunks import Hunk
from fastedit.edit.instruction import Instruction
from fastedit.edit.outline import indentation

_CODE = " line lines statement statements code function definition method helper block namely own"
_AFTER = lexicon(
    "after below behind beneath under underneath follow followed following subsequent succeeding"
)
_BEFORE = lexicon("before above front ahead prior precede preceding preceded top prepend")
# "Where it ends" is behind it.
_ENDS = lexicon("end ends past")
_NEXT = Topic(
    _AFTER | _BEFORE | _ENDS | lexicon("append next lead"),
    may=_CODE
    + """ append enough there end ends once right-after next one new not missing directly stays leave keep body extra
        additional companion second only comes own something same level separate past whatever on continue skip
        between stands until first and nothing look whatever start write stay shown underneath alone but find then
        insertion drop in as last thing lead leads leading lacks lack push down over with staying prepares prepare
        come have put it thing paste go make room immediately follow up
        this at open early part like where begin begins space wrote goes throw
        pull room define supplement""",
    never="only until done replace replacement substitute correct change move place's",
)
_REPLACE = lexicon(
    """replace replaced replacing replacement instead-of change changed become becomes turn substitute exchange
    exchanged rewrite swap overwrite convert trade superseded update modify alter stead switch prefer
    no-longer redo like old correct instead"""
)
# "A function below it" speaks of what was named before.
_BACK = (("it",), ("that",), ("thi",))
_INSTEAD = Topic(
    _REPLACE | lexicon("be read reads say place make not into way where version right"),
    may=_CODE
    + """ there with by for but delete drop get rid of remove take out and its place where it says no longer no-longer
        not old is was stands anymore ditch rip off outdated version mistake doesn't line rather give way over from
        now on same gets get meant spot prefer over want have that would version correct like look looks this taken
        into turns turn any following put make should new reading new I'd rewrite redo such so following in right
        fix""",
    never="add append insert inside within sit under also too",
)
_GIVES_WAY = frozenset(
    {(stem("make"), "it"), (stem("give"), "way"), (stem("given"), "way"), ("version", "is"), ("right", "one")}
)
_TURNS = lexicon("turn convert change transform")
_BETTER = lexicon("but instead instead-of rather anymore")
_ADDS = lexicon("add append insert put write")
_ONWARDS = frozenset({("append", "to"), ("next", "lin")})
_USED_TO_BE = (stem("used"), "to", "be")
_EXCEPTION = re.compile(r"\w*(?:Error|Exception)\(")


def code_topics(text: str, source: Source) -> Codemod | None:
    """None where no code is handed over, or it is not told by one line or definition where it goes."""
    said = Instruction(text)
    if len(said.blocks) > 1:
        return None
    block = dedented(said.blocks[0].split("\n")) if said.blocks else []
    # In a sentence the block is one thing that is handed over, whatever stands in it.
    sentence = f"{said.sentence.strip().removesuffix(':')}: `{_BLOCK}`" if block else text

    def placed(gist: Gist, source: Source) -> Iterator[Codemod | None]:
        anchor, new = gist.mentions
        if gist.places[1] != len(gist.stems) - 1 or not new.quote or not anchor.text:
            return
        yield from _placed(gist, source, anchor.text, block or [new.text])

    def replaced(gist: Gist, source: Source) -> Iterator[Codemod | None]:
        return _replaced(gist, source, block)

    return _NEXT.read(one_way(sentence), source, placed, 2) or _INSTEAD.read(sentence, source, replaced, 2)


_BLOCK = "\u2026"


def _placed(gist: Gist, source: Source, anchor: str, new: list[str]) -> Iterator[Codemod | None]:
    behind, ahead = gist.has((_AFTER | _ENDS) - lexicon("following")), gist.has(_BEFORE)
    if not behind and not ahead:
        behind = not _ONWARDS.isdisjoint(pairwise(gist.stems))
        ahead = "lead" in gist.stems
    if not behind and not ahead:
        behind = "follow" in gist.before(1, 5) or _after_following(gist.before(0, 4))
    forbidden = gist.negates(_AFTER | _BEFORE | _ADDS) or gist.forbids
    if behind == ahead or forbidden or takes_out(gist, but="leave off out"):
        return
    there = all(source.lines_like(line, source.scope) for line in new)
    # "Add after it: b" hands over what stands last. "a belongs below b": what stands last is what it goes next to.
    near, sides = gist.before(1), _AFTER | _BEFORE - lexicon("precede")
    last = (
        gist.stems[-2] != ":"
        and not sides.isdisjoint(near)
        and near[-1:] not in _BACK
        and not gist.has(lexicon("follow precede"))
    )
    if not last and (not there or gist.has(lexicon("add insert append"))):
        yield next_to(source, anchor, new, behind)


def _after_following(before: tuple[str, ...]) -> bool:
    """Whether it says "following the line a", not "the following for a"."""
    return "follow" in before and ("the", "follow") not in pairwise(before)


def _puts_into(gist: Gist) -> bool:
    """Whether it goes into what is there, other than what is turned into it."""
    return "into" in gist.stems and not gist.has(_TURNS)


def _is_kept(gist: Gist, before: tuple[str, ...]) -> bool:
    """Whether the line stays, by the words before the code: "a instead of b" hands over the other one, "a should
    not be b", "a used to be b", "a should be in b".
    """
    put_in = before[-2:] == ("put", "in")
    if (
        before[-1:] in (("instead-of",), ("not",), ("in",), ("into",))
        and not gist.has(_TURNS)
        and not (put_in and gist.has(GONE))
    ):
        return True
    if "not" in before[-2:] or before[-3:] == _USED_TO_BE or ("no-longer", "need") in pairwise(before):
        return True
    refused = gist.negates(_ADDS | lexicon("replace use change")) and "but" not in gist.stems
    return refused or (gist.forbids and not gist.has(_BETTER))


def _takes_place(gist: Gist) -> bool:
    """ "Put in its place", "gives way to", "make it", "not a but b" say that the line goes."""
    pairs = set(pairwise(gist.stems))
    made = not _GIVES_WAY.isdisjoint(pairs) or (gist.has(GONE) and gist.has(_ADDS))
    # "With a in place" says that it stays.
    place = (
        gist.has(lexicon("place"))
        and gist.has(lexicon("take taken put its"))
        and ("in", stem("place")) not in pairs
    )
    return made or place or stem("where") in gist.before(0) or ("not" in gist.stems and "but" in gist.stems)


def _replaced(gist: Gist, source: Source, block: list[str]) -> Iterator[Codemod | None]:
    old, new = gist.mentions
    rows = source.lines_like(old.text, source.scope) if old.quote else []
    last = gist.places[1] == len(gist.stems) - 1 and new.quote != ""
    put = block or [new.text]
    beside = gist.has((_AFTER | _BEFORE) - lexicon("following"))
    if len(rows) != 1 or not last or beside or _puts_into(gist) or source.lines_like(put[0], source.scope):
        return
    said = tuple(word for word in gist.before(1, 5) if word != ":")
    replaces = gist.has(_REPLACE) or _takes_place(gist) or not lexicon("be read say").isdisjoint(said[-2:])
    if not replaces or _is_kept(gist, said):
        return
    row = rows[0]
    margin = indentation(source.lines[row])
    # What names the old line without its semicolon may have left out the new one's as well.
    bare = source.lines[row].rstrip().endswith(";") and not old.text.rstrip().endswith(";")
    if bare and put[-1].rstrip()[-1:] not in (";", "{", "}", ":"):
        put = [*put[:-1], f"{put[-1].rstrip()};"]
    placed = tuple(margin + line if line else "" for line in put)
    reasons: tuple[str, ...] = (
        ("the line has a block below it",)
        if source.opens(row) and not placed[-1].rstrip().endswith((":", "{"))
        else ()
    )
    if _EXCEPTION.match(put[0]) and not source.lines[row].strip().startswith("raise"):
        reasons += ("it may be meant to be raised",)
    yield Codemod((Hunk(row, row + 1, placed),), reasons)
