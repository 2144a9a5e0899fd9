"""Lines that go because a sentence shows them on lines of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fastedit.edit.codemod.denial import denies
from fastedit.edit.codemod.gist import GONE, Gist, Topic, lexicon
from fastedit.edit.codemod.source import Codemod, Source, dedented
from fastedit.edit.hunks import Hunk
from fastedit.edit.instruction import Instruction
from fastedit.edit.outline import indent_width

_SHOWN = Topic(
    GONE | lexicon("no not omit no-longer go without dead nobody"),
    may="""line lines statement statements function block part bit piece snippet code section this these
        following below shown here exactly all whole what says reads reading so that which not any anymore
        needed no-longer longer used and nothing else everything dead useless only for testing test
        debugging again mistake left someone reason see to keep from there do should belong become isn't
        need serves by where it nobody uses use weight be without such be obsolete same superfluous unused
        toss testing forgot forget mistake purpose present
        contain have must stay want don't with I unneeded""",
    never="around above before after behind next other but except unless if instead-of replace add insert",
)
_THIS = r"(?:this|these lines|the following)"
_BUT = r"(?: else)? (?:but|except(?: for)?|apart from|besides) "
_ALL_BUT = re.compile(
    rf"\b(?:keep|leave) (?:everything|all|the rest){_BUT}{_THIS}\b"
    rf"|\b(?:everything|all){_BUT}{_THIS} (?:can|may|should|must|is to) (?:stay|remain|be kept)\b"
    rf"|\b(?:everything|all) (?:can|may|should|must|is to) (?:stay|remain|be kept){_BUT}{_THIS}\b",
    re.IGNORECASE,
)
_FOR_TESTING = re.compile(r"\b(?:only |just )?(?:for|because of) (?:testing|debugging)\b", re.IGNORECASE)
_SHOWN_WORD = "\u2026"


def shown_topics(text: str, source: Source) -> Codemod | None:
    """None where no code is shown on lines of its own, or the file has it in no one place."""
    said = Instruction(text)
    block = said.blocks[0].split("\n") if len(said.blocks) == 1 else []
    inked = [n for n, line in enumerate(block) if line.strip()]
    if not inked:
        return None
    lines = block[inked[0] : inked[-1] + 1]

    def gone(gist: Gist, source: Source) -> Iterator[Codemod | None]:
        last = gist.places[0] == len(gist.stems) - 1
        # "what stands below this"
        beside = gist.stems[-3:-1] == ("below", "thi")
        if (
            last
            and not beside
            and not denies(gist, GONE | lexicon("go without"))
            and _unwanted(gist)
            and (not gist.has(lexicon("keep")) or "reason" in gist.stems)
        ):
            yield _without(source, lines)

    sentence = _FOR_TESTING.sub("unneeded", said.sentence)
    sentence = _ALL_BUT.sub("delete this", sentence.strip().removesuffix(":"))
    return _SHOWN.read(f"{sentence}: `{_SHOWN_WORD}`", source, gone, 1)


def _unwanted(gist: Gist) -> bool:
    """Whether it says that what is shown goes, or that it is not wanted: not "is this dead", nor just "not this"."""
    if gist.has(GONE | lexicon("no omit no-longer go without dead")):
        return gist.stems[0] != "is"
    return gist.has(lexicon("want need needed see have anymore contain use used"))


def _without(source: Source, block: list[str]) -> Codemod | None:
    wanted, size = _shape(block), len(block)
    rows = range(source.scope.start, source.scope.stop - size + 1)
    found = [n for n in rows if _shape(source.lines[n : n + size]) == wanted]
    if len(found) != 1:
        return None
    start, stop = found[0], found[0] + size
    inside = [line for line in source.lines[start:stop] if line.strip()]
    width = indent_width(inside[0])
    torn = source.opens(stop - 1) or any(indent_width(line) < width for line in inside)
    return Codemod((Hunk(start, stop, ()),), ("it ends inside of a block",) if torn else ())


def _shape(lines: list[str] | tuple[str, ...]) -> list[str]:
    """The lines but for what all of them are indented by."""
    return dedented(lines) if lines[0].strip() and lines[-1].strip() else []
