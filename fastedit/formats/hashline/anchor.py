"""The hashes that hashline edits carry: of a line in an anchor such as "2:f1", of the file in a header.

Every dialect shortens an xxHash32 of normalized text. The definitions are those of can1357/oh-my-pi.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import partial
from itertools import product
from string import ascii_lowercase

import xxhash

from fastedit.formats.base import Tag, unreadable

NAME = "hashline"
NIBBLES = "ZPMQVRWSNKTXJBYH"
# The two-letter dialect numbers the pairs that are one token for a language model.
_NOT_ONE_TOKEN = "bq gk gq jv jz kq kz lq nq qf qg qj qk qv qz rj tq wq wz xg xj xk xq xv xw yq zj zq zv"
_PAIRS = [a + b for a, b in product(ascii_lowercase, repeat=2) if a + b not in _NOT_ONE_TOKEN]
# White space as JavaScript defines it; `str.isspace` differs.
_SPACES = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029"
    "\u202f\u205f\u3000\ufeff"
)
_SPACE = f"[{_SPACES}]+"

ANCHOR = re.compile(
    rf"[\s>+*-]*(?P<line>[1-9]\d*)\s*"
    rf"(?:: ?(?P<hex>[0-9A-Fa-f]{{2,3}})|# ?(?P<nibbles>[{NIBBLES}]{{2}})|(?P<pair>[a-z]{{2}}))"
    rf"(?:[:|\s].*)?",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Anchor:
    """A line, counted from 1, and the tag that verifies it."""

    line: int
    tag: Tag


def read_anchor(text: str, hunk: int) -> Anchor:
    """Reads an anchor of any dialect, with or without the line's text after it."""
    match = ANCHOR.fullmatch(text)
    if match is None:
        raise unreadable(
            NAME,
            hunk,
            f"the anchor {text[:40]!r} has no line hash of a known dialect, and a bare line number is a guess",
            'copy the anchor as the file was shown, such as "2:f1", "9#KT" or "42sr"',
        )
    line = int(match["line"])
    if match["hex"]:
        return Anchor(line, Tag(line - 1, match["hex"].lower(), partial(_hex_hash, len(match["hex"]))))
    if match["nibbles"]:
        return Anchor(line, Tag(line - 1, match["nibbles"], partial(_nibble_hash, line, match["nibbles"])))
    return Anchor(line, Tag(line - 1, match["pair"], partial(_pair_hash, line)))


def file_tag(value: str) -> Tag:
    """The tag of a whole file, four hex digits."""
    return Tag(None, value.upper(), _file_hash)


def _hex_hash(digits: int, line: str) -> str:
    text = re.sub(_SPACE, "", line)
    return f"{_xxh32(text) % 16**digits:0{digits}x}"


def _nibble_hash(number: int, value: str, line: str) -> str:
    # oh-my-pi hashes the line without white space, oh-my-openagent without trailing white space.
    texts = re.sub(_SPACE, "", line), line.rstrip(_SPACES)
    hashes = [_xxh32(text, _seed(number, text)) & 0xFF for text in texts]
    names = [NIBBLES[each >> 4] + NIBBLES[each & 0xF] for each in hashes]
    return value if value in names else names[0]


def _pair_hash(number: int, line: str) -> str:
    text = line.rstrip(_SPACES)
    return _PAIRS[_xxh32(text, _seed(number, text)) % len(_PAIRS)]


def _file_hash(text: str) -> str:
    trimmed = re.sub(r"(?<![ \t\r])[ \t\r]++(?=\n|\Z)", "", text.removeprefix("\ufeff"))
    return f"{_xxh32(trimmed) & 0xFFFF:04X}"


def _seed(number: int, text: str) -> int:
    """The line number where the text has no letter or digit: it keeps closing brackets apart."""
    return 0 if any(unicodedata.category(each)[0] in "LN" for each in text) else number


def _xxh32(text: str, seed: int = 0) -> int:
    return xxhash.xxh32_intdigest(text.encode("utf-8", "surrogatepass"), seed)
