"""Negations that reach a verb over helpers: "no need to delete a", "nobody should delete it"."""

from __future__ import annotations

from fastedit.edit.codemod.gist import NEGATIONS, Gist, lexicon

_HELPERS = lexicon(
    "want need to should can could may must be go you we i just only a the have simply really ever reason"
)


def denies(gist: Gist, verbs: frozenset[str]) -> bool:
    """Whether a negation stands before one of these words, with nothing but helpers between."""
    denied = False
    for word in gist.stems:
        if denied and word in verbs:
            return True
        denied = word in NEGATIONS - {"nothing"} or (denied and word in _HELPERS)
    return False
