"""Where a string begins or ends within a word of the file, of which its author saw another one."""

from __future__ import annotations

import re

from fastedit.formats.base import Replacement
from fastedit.formats.resolution.ladder import HunkPlace
from fastedit.formats.text.views import WORD, ViewedText

NAME = re.compile(r"(?!\d)\w+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")  # of a word like `get_itemsById2`


def divided(text: ViewedText, hunk: Replacement, place: HunkPlace) -> str | None:
    """The word of the file that a string divides and changes, as `x = 5` divides the number of `x = 50`.

    A word may be divided between its parts, and a string that is a part of a word and nothing else means that part.
    """
    if hunk.whole_lines or place.rows or WORD.fullmatch(hunk.old):
        return None
    first, last = place.start, place.stop
    if _around(_PART, text, first) and _first_part(hunk.old) != _first_part(hunk.new):
        return _around(WORD, text, first)
    if _around(_PART, text, last) and _last_part(hunk.old) != _last_part(hunk.new):
        return _around(WORD, text, last)
    return None


def stands_apart(text: ViewedText, place: HunkPlace) -> bool:
    """Whether a text neither begins nor ends within a word."""
    return not (_around(WORD, text, place.start) or _around(WORD, text, place.stop))


def names_beside(text: ViewedText, place: HunkPlace) -> frozenset[str]:
    """The names that its lines have before and behind a place."""
    rows = text.rows(place.start, place.stop)
    before, behind = (
        text.whole[text.starts[rows.start] : place.start],
        text.whole[place.stop : text.starts[rows.stop]],
    )
    return frozenset(NAME.findall(before) + NAME.findall(behind))


def _around(pattern: re.Pattern[str], text: ViewedText, at: int) -> str:
    """What a character of a text is in the midst of; empty where it begins one."""
    row = text.row(at)
    found = pattern.finditer(text.lines[row]) if row < len(text.lines) else ()
    begin = at - text.starts[row]
    return next((each[0] for each in found if each.start() < begin < each.end()), "")


def _first_part(text: str) -> str:
    found = _PART.match(text)
    return found[0] if found else ""


def _last_part(text: str) -> str:
    *_, found = None, *_PART.finditer(text.rpartition("\n")[2])
    return found[0] if found and found.end() == found.endpos else ""
