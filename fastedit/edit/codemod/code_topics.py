"""Code that a sentence hands over at its end, and the line or definition that it goes next to or in place
of."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fastedit.edit.codemod.gist import GONE, Gist, Topic, lexicon, stem
from fastedit.edit.codemod.insert import next_to
from fastedit.edit.codemod.source import Codemod, Source, dedented
from fastedit.edit.hunks import Hunk
from fastedit.edit.instruction import Instruction
from fastedit.edit.outline import indentation

_CODE = " line lines statement statements code function definition method helper block namely own"
_AFTER = lexicon(
    "after below behind beneath under underneath follow followed following subsequent succeeding"
)
_BEFORE = lexicon("before above front ahead prior precede preceding preceded top prepend")
_NEXT = Topic(
    _AFTER | _BEFORE,
    may=_CODE
    + """ append enough there end ends once right-after next one new not missing directly stays leave keep
        body extra additional companion second only comes own something same level separate past whatever on
        continue skip between stands until first and nothing look whatever start write stay shown underneath
        """,
    never="only until done replace replacement correct change move place's",
)
_REPLACE = lexicon(
    """replace replaced replacing replacement instead-of change changed become becomes turn substitute exchange
    exchanged rewrite"""
    " swap overwrite convert trade superseded update modify alter stead switch prefer no-longer"
)
_INSTEAD = Topic(
    _REPLACE | lexicon("be read reads say"),
    may=_CODE
    + """ there with by for but delete drop get rid of remove take out and its place where it says no longer
        no-longer not old is was stands anymore ditch rip off outdated version mistake doesn't line rather
        give way over from now on same gets get meant spot prefer over want have that would version correct
        """,
    never="add append insert into inside within sit under also too",
)
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

    return _NEXT.read(sentence, source, placed, 2) or _INSTEAD.read(sentence, source, replaced, 2)


_BLOCK = "\u2026"


def _placed(gist: Gist, source: Source, anchor: str, new: list[str]) -> Iterator[Codemod | None]:
    behind, ahead = gist.has(_AFTER - lexicon("following")), gist.has(_BEFORE)
    if not behind and not ahead:
        behind = gist.before(0)[-1:] == ("follow",) or "follow" in gist.before(1, 5)
    if behind == ahead or gist.has(GONE - lexicon("drop leave off out")) or gist.negates(_AFTER | _BEFORE):
        return
    there = all(source.lines_like(line, source.scope) for line in new)
    # "a belongs below b": what stands last is what it goes next to.
    last = not (_AFTER | _BEFORE - lexicon("precede")).isdisjoint(gist.before(1)) and not gist.has(
        lexicon("follow precede")
    )
    if not last and (not there or gist.has(lexicon("add insert append"))):
        yield next_to(source, anchor, new, behind)


def _replaced(gist: Gist, source: Source, block: list[str]) -> Iterator[Codemod | None]:
    old, new = gist.mentions
    rows = source.lines_like(old.text, source.scope) if old.quote else []
    last = gist.places[1] == len(gist.stems) - 1 and new.quote != ""
    put = block or [new.text]
    if len(rows) != 1 or not last or gist.has(_AFTER | _BEFORE) or source.lines_like(put[0], source.scope):
        return
    if not gist.has(_REPLACE) and lexicon("be read say").isdisjoint(gist.before(1)[-2:]):
        return
    # "a instead of b" hands over the other one.
    if gist.before(1)[-1:] == ("instead-of",) or gist.before(1)[-1:] == ("not",):
        return
    # "a should not be b", "a used to be b"
    if "not" in gist.before(1, 2) or gist.before(1)[-3:] == _USED_TO_BE:
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
        if source.opens(row) and not source.in_text(row) and not placed[-1].rstrip().endswith((":", "{"))
        else ()
    )
    if _EXCEPTION.match(put[0]) and not source.lines[row].strip().startswith("raise"):
        reasons += ("it may be meant to be raised",)
    yield Codemod((Hunk(row, row + 1, placed),), reasons)
