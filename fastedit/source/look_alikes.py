"""Characters that look like those of ASCII: models and chats put one in the place of the other."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

# Dashes, quotes and blanks that models replace by ASCII, and the ellipsis.
_LOOK_ALIKES = (
    dict.fromkeys((*range(0x2010, 0x2016), 0x2212), "-")
    | dict.fromkeys(range(0x2018, 0x201C), "'")
    | dict.fromkeys(range(0x201C, 0x2020), '"')
    | dict.fromkeys((0x00A0, *range(0x2002, 0x200B), 0x202F, 0x205F, 0x3000), " ")
    | {0x2026: "..."}
)


def in_ascii(text: str) -> str:
    """The text in NFC, its look-alikes as ASCII."""
    return text if text.isascii() else unicodedata.normalize("NFC", text).translate(_LOOK_ALIKES)


def in_plain(text: str) -> str:
    """The text with its look-alikes as ASCII, and all else as it is."""
    return text if text.isascii() else text.translate(_LOOK_ALIKES)


# Compatible signs that nobody can tell from plain ones, or type. One that is above, below or in a circle shows.
_ALIKE = {"<noBreak>", "<wide>", "<narrow>", "<compat>"}
_PLAIN = re.compile(r"[\t -~]*")


def as_seen(text: str) -> str:
    """The text without what nobody sees, which nobody repeats either: signs without width, how letters are composed,
    which blank or look-alike it is."""
    if _PLAIN.fullmatch(text):
        return text
    return in_ascii("".join(map(_as_seen, text)))


@cache
def _as_seen(character: str) -> str:
    if character == "\t":
        return character
    if unicodedata.category(character) in ("Cc", "Cf") or "VARIATION SELECTOR" in unicodedata.name(
        character, ""
    ):
        return ""
    if character.isspace():
        return " "
    decomposed = unicodedata.decomposition(character).split(" ")[0]
    return unicodedata.normalize("NFKC", character) if decomposed in _ALIKE else character
