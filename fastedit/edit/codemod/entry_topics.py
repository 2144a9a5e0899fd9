"""Entries that lists, mappings, sections, rules and types get or lose, in whatever order it is said."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, permutations

from fastedit.edit.codemod.entries import added, removed
from fastedit.edit.codemod.gist import FORBIDS, GONE, NEGATIONS, Gist, Topic, lexicon
from fastedit.edit.codemod.source import Codemod, Source

_THING = """ list lists array tuple mapping dict dictionary object table section block item items element elements entry
    entries line key keys values value member members field fields property properties setting declaration declarations
    definition rule selector style styles styling css body type struct interface called"""
_END = """end ends ending last final finally bottom tail append finish close closing below after behind under follow
    followed conclude trailing very"""
_ADDED = Topic(
    """add append insert put stick tack extend include contain need needs missing lack lacks get gets have has
    should want
    forgot forgotten new another one also too + give let expand grow enlarge define declare set apply introduce wire
    drop throw slot list finish equip complete incorporate hold carry store use more additional extra with without
    specify write place follow followed comes goes end belongs part as for on style below after behind under member
    at""",
    may=_THING
    + _END
    + """ other others before brace rest how when existing everything track keep leave all no not store yet of drop
    throw at matching and but else position change it""",
    never="replace replacement change instead rename call calls move",
)
_REMOVED = Topic(
    GONE
    | lexicon("""no not without no-longer stop except apart skip obsolete minus exclude go omit superfluous mistake
    many nuke kick shorten lose"""),
    may=_THING
    + """ among any anymore contain everything except apart list lists many skip stays supposed when why why's other but
    keep leave part any hold stop stopped rest and""",
    never="replace replacement change instead rename call calls move instead-of",
)
_LAST = lexicon(_END)
# Without one of these, a list may be given something else as a whole.
_MORE = _LAST | lexicon(
    """add append insert put stick tack extend include contain needs missing lacks forgot another additional extra also
    too + more grow expand list part drop throw incorporate item element entry"""
)


def entry_topics(text: str, source: Source) -> Codemod | None:
    """None where nothing in the file is a collection of that name, or it is left open what it gets."""
    return _ADDED.read(text, source, _added, 2) or _REMOVED.read(text, source, _removed, 2)


def _added(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if gist.has(GONE - lexicon("drop throw leave off out")) or not FORBIDS.isdisjoint(pairwise(gist.stems)):
        return
    if not NEGATIONS.isdisjoint(gist.stems) and not gist.has(_MORE | lexicon("yet it")):
        return
    for name, new in permutations(gist.mentions):
        if new.quote:
            yield from added(source, name.text, new, more=gist.has(_MORE), last=gist.has(_LAST))


def _removed(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if gist.negates(GONE - lexicon("leave")):
        return
    for name, gone in permutations(gist.mentions):
        yield from removed(source, name.text, gone)
