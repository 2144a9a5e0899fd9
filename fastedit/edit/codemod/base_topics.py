"""Base classes, in whatever order it is said which class is the parent of which."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from fastedit.edit.codemod.gist import GONE, NEGATIONS, Gist, Topic, first_read, first_spelled, lexicon, stem
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.codemod.ticks import with_capitals_ticked
from fastedit.edit.hunks import Hunk

_PARENT = lexicon(
    """base bases parent parents superclass superclasses supertype supertypes ancestor ancestors header mixin
    mixins"""
)
_CHILD = lexicon(
    """inherit inherits inheriting subclass subclasses derive derived derives deriving extend extends extending child
    descend descends descendant descending extended subclassed hierarchy
    mix mixes mixed subtype derivative build built"""
)
_DERIVED = Topic(
    _PARENT | _CHILD,
    may="""function method def class signature definition header line body kind classes specialisation hierarchy under
    yet not inheritance going by as becomes become hook hang declaration name names add of above like below beneath
    own also too another additional missing lacks and from now has have needs need on to list its there would
    right top but so that let turn make change rather then""",
    never="replace remove replacement",
)
_EXCEPTION = re.compile(r"(?:\w+\.)*\w*(?:Error|Exception|Warning)")
# The sentence begins with a capital, but so do classes.
_SUBJECT = re.compile(
    r"(?:(?<=\A)|(?<=\A- ))(?!(?:This|That|These|Those|There|The|It|What|Which|He|She|They|We|You)\b)([A-Z]\w+)"
    r"(?= (?:is|becomes|should|must|extends|inherits|needs)\b)"
)
# "`Store` must be a `Model`"
_KIND = Topic(
    "be become becomes is let make", "a an", may="should class kind sort type too also as well make sure of"
)
# A base beside what there is.
_MORE = lexicon("missing lacks also too another additional additionally add bases list")
_BELONGS = lexicon("of for to on")
_BASE_NAME = re.compile(r"_*[A-Z][\w.]*|_\w+|[a-z_]\w*\.[\w.]+")


def base_topics(text: str, source: Source) -> Codemod | None:
    """None where it is left open what is meant, or of what."""
    named = with_capitals_ticked(_SUBJECT.sub(r"`\1`", text))
    return first_spelled(_read, source, text, named)


def _read(text: str, source: Source) -> Codemod | None:
    return first_read(text, source, (_DERIVED, _derived, (2,)), (_KIND, _of_kind, (2,)))


def _derived(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    missing = "yet" in gist.stems and ("should", "not") not in pairwise(gist.stems)
    if gist.has(GONE) or (gist.has(NEGATIONS) and not missing):
        return
    item, base = reversed(gist.mentions) if _base_first(gist) else gist.mentions
    found = source.only(item.text)
    if found is None or found.kind != "class" or not _BASE_NAME.fullmatch(base.text):
        return
    line = source.lines[found.header]
    reasons: tuple[str, ...] = ()
    if source.language == "python":
        head = re.fullmatch(r"(\s*class \w+)(?:\(([\w., ]*)\))?:", line)
        known = head and head[2] and not _gives_way(head[2], base.text)
        bases = f"{head[2]}, {base.text}" if head and known else base.text
        put = head and f"{head[1]}({bases}):"
        if known and not gist.has(_MORE):
            reasons = ("it has a base class, which may be meant to go",)
    else:
        head = re.fullmatch(r"(\s*(?:[a-z]+ )*class \w+) \{", line)
        put = head and f"{head[1]} extends {base.text} {{"
    if any(other.start >= found.start for other in source.named(base.text)):
        reasons = (*reasons, f"{base.text} is defined further down")
    if put:
        yield Codemod((Hunk(found.header, found.header + 1, (put,)),), reasons)


def _of_kind(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    """That it "is" one may tell how things are."""
    between = gist.stems[gist.places[0] + 1 : gist.places[1]]
    let = gist.stems[0] in ("let", stem("make"))
    wanted = (let or between[:1] in (("should",), (stem("becomes"),))) and between[-1:] in (
        ("a",),
        ("an",),
        ("of",),
    )
    if wanted and gist.places[0] == int(let):
        yield from _derived(gist, source)


def _base_first(gist: Gist) -> bool:
    """Whether the first of both is the base: "a becomes the parent of b", "a is extended by b", "subclass a with b"."""
    between = gist.stems[gist.places[0] + 1 : gist.places[1]]
    before = gist.before(0)[-1:]
    if before == ("with",) and between[:1] == ("as",):
        return True
    # "`Store` is based on `Model`", "base `Store` on `Model`"
    founded = between[-1:] in (("on",), ("upon",)) and (*before, *between[:-1])[-1:] == (stem("base"),)
    if founded and (before == (stem("base"),) or between[-3:-2] in (("be",), ("is",), ("become",))):
        return False
    if gist.has(_PARENT):
        # "Into the bases of it", "into its owner's bases"
        owned = gist.stems[gist.places[1] + 1 :][:1] == ("'s",) and between[-1:] in (("into",), ("among",))
        told = between[-1:] != () and between[-1] in _BELONGS and not _BELONGS.intersection(before)
        return told or owned
    told = before == (stem("subclass"),) and between in (("with",), ("as",), ("in",))
    mixed = stem("mix") in gist.stems[: gist.places[0]] and between[-1:] in (("in",), ("into",), ("to",))
    return told or mixed or between[-1:] == ("by",) or before == ("from",) or "above" in between


def _gives_way(old: str, new: str) -> bool:
    """Whether the new base class inherits from the old ones itself, so that both could not stand side by side."""
    return old == "object" or (old in ("Exception", "BaseException") and bool(_EXCEPTION.fullmatch(new)))
