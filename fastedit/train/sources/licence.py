"""What a package says about its licence, and whether that lets anybody train on it.

Only licences that ask for no more than a notice count as permissive; file-level copyleft (MPL, EPL, CDDL) does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

PERMISSIVE = re.compile(
    r"\b(mit|expat|x11|bsd|0bsd|apache|psf|python software foundation|python-2\.0|isc|unlicense|zlib|libpng|"
    r"bsl-1(\.0)?|boost|postgresql|curl|hpnd|cc0|public[ -]domain|blueoak)\b|\bbsd",
    re.I,
)
# What spoils an alternative even where a permissive word stands beside it.
RESTRICTED = re.compile(
    r"gpl|general public|\b(mpl|epl|eupl|cddl|cpl|osl|sspl|busl|artistic|cecill|ofl)\b|mozilla|eclipse|"
    r"proprietary|commercial|commons clause|cc-by|creative commons attr|unlicensed|restricted",
    re.I,
)
_AND = re.compile(r"\band\b|;|&", re.I)
_OR = re.compile(r"\bor\b|/|\|", re.I)


def permissive(licence: str) -> bool:
    """Whether every part of the licence offers a permissive alternative. Unknown words count as not permissive."""
    parts = [part for part in _AND.split(licence) if part.strip(" ,()")]
    return bool(parts) and all(any(map(_allowed, _OR.split(part))) for part in parts)


def _allowed(alternative: str) -> bool:
    return bool(PERMISSIVE.search(alternative)) and not RESTRICTED.search(alternative)


def debian_licences(text: str) -> Iterator[tuple[list[str], str]]:
    """Of a machine-readable debian/copyright file (DEP 5), patterns of paths with the licence of what they match.

    Nothing where the file is not in that format, so that no licence is known.
    """
    for stanza in re.split(r"\n[ \t]*\n", text):
        fields = dict(re.findall(r"^(Files|License):[ \t]*(.*(?:\n[ \t].*)*)", stanza, re.M))
        if "Files" in fields and "License" in fields:
            yield fields["Files"].replace(",", " ").split(), fields["License"].split("\n")[0].strip()


def licence_of(path: str, stanzas: Iterable[tuple[list[str], str]]) -> str:
    """The short name of a file's licence: the last stanza that matches decides. Empty where none does."""
    matching = [licence for patterns, licence in stanzas if any(fnmatchcase(path, p) for p in patterns)]
    return matching[-1] if matching else ""
