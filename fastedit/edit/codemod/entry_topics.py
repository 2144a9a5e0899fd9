"""Entries that lists, mappings, sections, rules and types get or lose, in whatever order it is said."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, permutations

from fastedit.edit.codemod.denial import denies
from fastedit.edit.codemod.entries import added, keyed, removed
from fastedit.edit.codemod.gist import GONE, NEGATIONS, Gist, Topic, lexicon
from fastedit.edit.codemod.sentence import Sentences
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.codemod.words import Word

_THING = """ list lists array tuple mapping dict dictionary object table section block item items element
    elements entry entries line key keys values value member members field fields property properties
    setting declaration declarations definition rule selector style styles styling css body type struct
    interface called"""
_END = """end ends ending last final finally bottom tail append finish close closing below after behind under follow
    followed conclude trailing very"""
_ADDED = Topic(
    """ensure add append insert put stick tack extend include contain need needs missing lack lacks get gets have
    has should want forgot forgotten new another one also too + give let expand grow enlarge define declare
    set apply introduce wire drop throw push += yet register record enlarge increase join stuff enrol enroll
    enlist slip sneak supplement augment concatenate
    concat populate slot list finish equip complete incorporate hold carry store use
    more additional extra with without specify write place follow followed comes goes end belongs part as
    for on style below after behind under member at""",
    may=_THING
    + _END
    + """ other others before brace rest how when existing everything track keep leave all no not store yet of drop
        throw at matching and but else position change it called pair pairs fine among new be listed alone""",
    never="replace replacement change instead rename call calls move",
)
_REMOVED = Topic(
    GONE
    | lexicon("""no not without no-longer stop except apart skip obsolete minus exclude go omit superfluous mistake
    many nuke kick shorten lose -= unlist unregister deregister delist"""),
    may=_THING
    + """ among any anymore contain everything except apart list lists many skip stays supposed when why why's other
        but keep leave part hold stop stopped rest and fine can go stay has have do""",
    never="replace replacement change instead rename call calls move instead-of",
)
# "- x from y", as notes have it.
_TAKEN = Topic("from", may=_THING)
_NOTED = lexicon(_THING) | lexicon("from the") | {""}
_LAST = lexicon(_END)
# Without one of these, a list may be given something else as a whole.
_MORE = _LAST | lexicon(
    """add append insert put stick tack extend include contain needs missing lacks forgot another additional extra also
    too well + += push yet register enlarge supplement augment increase enrol enroll enlist concatenate
    concat more grow expand list part drop throw incorporate item element entry"""
)

_PUTS = lexicon("add append insert put push extend register list")
_DROPS = lexicon("drop throw")
_CONTAINS = lexicon("include contain have has list hold get store carry")
_WISHES = lexicon("yet add append put insert it but")
_WITHIN = lexicon("in into inside among within onto")
_OTHERS = lexicon("everything all anything rest other others")
_EXCEPT = lexicon("except apart")
_STAYS = lexicon("keep leave stay stays hold fine")
_GOES = (GONE - _STAYS) | NEGATIONS | lexicon("go skip")


_TO = "[to|in|into] {the}{name}"
_VALUED = "[with {the}value|with value|set to|with|=|:|->]"
_KEYED = Sentences(
    f"[add|put|insert] {{the}}{{key}} [key|entry|field|setting|] {_TO} {_VALUED} {{value:code}}",
    f"[add|put|insert] {{the}}[key|entry|] {{key}} {_VALUED} {{value:code}} {_TO}",
    f"[add|put|insert] {{the}}{{key}} [key|entry|field|setting] {_VALUED} {{value:code}} {_TO}",
)


def entry_topics(text: str, source: Source) -> Codemod | None:
    """None where nothing in the file is a collection of that name, or it is left open what it gets."""
    text = text.replace(" `+=` ", " += ").replace(" `-=` ", " -= ")
    for told in _KEYED.read(text):
        value = told.literals.get("value", told["value"])
        new = keyed(source, told["name"], told["key"], value) if told.is_code("value") else None
        if new is not None:
            made = set(added(source, told["name"], Word(new, "", "`"), more=True, last=False)) - {None}
            return made.pop() if len(made) == 1 else None
    return (
        _ADDED.read(text, source, _added, 2)
        or _REMOVED.read(text, source, _removed, 2)
        or _TAKEN.read(text, source, _taken, 2)
    )


def _added(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if "yet" not in gist.stems and denies(gist, _PUTS):
        return
    if gist.has(_DROPS) and "from" in gist.stems:
        return
    if gist.has(GONE - lexicon("drop throw leave off out")) or gist.forbids:
        return
    # "Make a not include b", but "a does not include b yet" and "a does not include b, add it".
    refused = gist.negates(_CONTAINS) and not gist.has(_WISHES)
    unwanted = refused or ("be", "no") in pairwise(gist.stems)
    if unwanted or (gist.has(NEGATIONS) and not gist.has(_MORE | lexicon("yet it"))):
        return
    for name, new in permutations(gist.mentions):
        if new.quote:
            within = not _WITHIN.isdisjoint(gist.before(gist.mentions.index(name)))
            yield from added(source, name.text, new, more=within or gist.has(_MORE), last=gist.has(_LAST))


def _spares(gist: Gist) -> bool:
    """Whether what is named is what stays: "everything except a can go", "keep a, drop the rest"."""
    exception = _exception(gist)
    if exception is not None and not _STAYS.isdisjoint(gist.stems[:exception]):
        return False
    if exception is not None and gist.has(_GOES - NEGATIONS):
        return True
    return any(_goes(gist, at) for at, word in enumerate(gist.stems) if word in _OTHERS)


def _exception(gist: Gist) -> int | None:
    """Where what is excepted begins: behind "everything stays" it is what goes."""
    return next((n for n, word in enumerate(gist.stems) if word in _EXCEPT), None)


def _goes(gist: Gist, at: int) -> bool:
    """Whether all the others, of which the word there speaks, are said to go."""
    verbs = [n for n, word in enumerate(gist.stems) if word in _GOES | _STAYS]
    before, behind = [n for n in verbs if n < at], [n for n in verbs if n > at]
    if before and "" not in gist.stems[before[-1] : at]:
        return gist.stems[before[-1]] in _GOES
    if behind and gist.stems[behind[0]] in _STAYS:
        return False
    return any(gist.stems[n] in _GOES for n in (before[-1:] or behind[:1]))


def _removed(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if gist.negates(GONE - lexicon("leave")) or _spares(gist):
        return
    out = gist.has(lexicon("out off"))
    for name, gone in permutations(gist.mentions):
        before = gist.before(gist.mentions.index(gone))
        if out or _STAYS.isdisjoint(before) or not _EXCEPT.isdisjoint(before):
            yield from removed(source, name.text, gone)


def _taken(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if _NOTED.issuperset(gist.stems) and gist.before(1, 1) != ():
        yield from removed(source, gist.mentions[1].text, gist.mentions[0])
