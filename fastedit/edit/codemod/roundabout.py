"""Sides that a sentence tells in a roundabout way: "below what stands above it now" is right before it."""

from __future__ import annotations

import re

# "have it come after this", "below what stands above it now", "between a and whatever comes next"
_ROUNDABOUT = tuple(
    (re.compile(pattern, re.IGNORECASE), put)
    for pattern, put in (
        (
            r"\b(?:can |should |must |has to )?(?:only )?come (?:only )?(?:after|behind|below) this"
            r"(?: has been done| is done|, which is new)?",
            "needs this before it",
        ),
        (
            r"\b(?:and )?(?:below|after|behind) what(?:ever)? (?:now )?(?:stands|is|comes) (?:above|before) it"
            r"(?: now)?\b",
            "",
        ),
        (
            r"\bbetween (?P<line>.+?) and what(?:ever)? (?:comes|stands|follows|is)"
            r" (?:next|after|behind|below)(?: it)?\b",
            r"after \g<line>",
        ),
        (
            r"\b(?:has to |must |should )?wait until (?:after )?this(?: new (?:part|line|code))?"
            r"(?: is (?:done|there))?",
            "needs this before it",
        ),
        (
            r"\bwith (?P<line>.+?) in place, the next (?:step|line|thing) (?:has to|must|should|is to) be\b",
            r"after \g<line>",
        ),
        (r",? not (?:above|before|below|after|behind)\b,?", ""),
        (
            r"\bonce (?P<line>.+?) is done,? (?:do|run|write|add|insert|append|put|go on with|continue with)\b",
            r"after \g<line> add",
        ),
        (r"\b(?:previous|anterior) to\b", "before"),
        (r"\b(?:subsequent to|following on from|on the heels of)\b", "after"),
        (r"\buntil now,? ", ""),
    )
)


def one_way(sentence: str) -> str:
    """The sentence with what says the same as "before" and "after" the other way round, or from both sides."""
    for pattern, put in _ROUNDABOUT:
        sentence = pattern.sub(put, sentence)
    return sentence
