"""Characters that look like those of ASCII: models and chats put one in the place of the other."""

from __future__ import annotations

import unicodedata

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
