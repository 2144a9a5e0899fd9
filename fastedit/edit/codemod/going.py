"""Words that lead out in one sentence and in or elsewhere in another: "drop it", "drop it in", "it can go"."""

from __future__ import annotations

from itertools import pairwise

from fastedit.edit.codemod.gist import GONE, Gist, lexicon, stem

_GOES = lexicon("go goes")
_GOES_OUT = lexicon("from out away") | {""}
_FREE = stem("free")
_BRINGS = lexicon("drop throw pull toss chuck slap kick")
_IN = lexicon("in into onto at")
_THING = lexicon("it this that them line import function statement call") | {""}


def goes_away(gist: Gist) -> bool:
    """Whether something "can go", or goes "from" a place, but not "to" one."""
    return any(word in _GOES and behind in _GOES_OUT for word, behind in pairwise((*gist.stems, "")))


def frees(gist: Gist) -> bool:
    """Whether something is "freed of" or "from" something else; one may also "feel free" to do anything."""
    at = gist.stems.index(_FREE) if _FREE in gist.stems else len(gist.stems)
    return "feel" not in gist.stems and not {"of", "from"}.isdisjoint(gist.stems[at + 2 : at + 5])


def keeps(gist: Gist, *verbs: str) -> bool:
    """Whether it says that nothing is to go; `verbs` are others that say so."""
    return gist.negates(GONE | _GOES | {_FREE} | lexicon(" ".join(verbs)))


def takes_out(gist: Gist, but: str = "") -> bool:
    """Whether a word says that something goes, not "drop it in" or "throw in"; `but` are words that do not count."""
    said = GONE - lexicon(but)
    return gist.has(said - _BRINGS) or (gist.has(said & _BRINGS) and not brings_in(gist))


def brings_in(gist: Gist) -> bool:
    """Whether "drop", "throw" or "pull" leads "in" here."""
    for at, word in enumerate(gist.stems):
        if word in _BRINGS:
            behind = gist.stems[at + 1 : at + 6]
            step = next((n for n, other in enumerate(behind) if other not in _THING), len(behind))
            return step < len(behind) and behind[step] in _IN
    return False
