"""What people write for what a file spells otherwise: `the batch size` for BATCH_SIZE, `port 8080` for "set port to
8080", typographic quotation marks.
"""

from __future__ import annotations

import re

from fastedit.edit.codemod.keys import DATA
from fastedit.edit.codemod.source import Source
from fastedit.edit.codemod.template import KINDS

_KEPT = re.compile(r"(`[^`]*`|\"[^\"]*\"|“[^”\"]{0,300}”|(?<!\w)‘[^’'\n]{0,300}’)")
_CURLY = {"“": '"', "‘": "'"}
_LEAD = re.compile(
    r"(?:please )?(?:(?:set|change|bump|raise|lower|increase|decrease|reduce|update|make) )?(?:the )?",
    re.IGNORECASE,
)
_BEHIND = re.compile(r" (?:should be|must be|has to be|is now|to|from|=|->)(?=\s)| -?\d")
_WORDS = re.compile(r"[A-Za-z]\w*(?:[ -][A-Za-z]\w*){0,2}(?![\w-])")
_PART = re.compile(r"[A-Z]?[a-z\d]+|[A-Z]+(?![a-z])|\d+")
# Words for parts of code: what they are joined to may be no name.
_STRUCTURE = KINDS | frozenset(
    "default return returns error exception message text new old first last exit status number type base".split()  # noqa: SIM905
)
_DASHED = re.compile(r"[A-Za-z]\w*(?:-\w+)+")
_VALUE = r"-?\d[\d_.]*|true|false|True|False|\"[^\"]*\""
_TERSE = re.compile(
    rf"(?P<name>[A-Za-z_$][\w$.-]*)(?: =|:|=)? (?P<value>{_VALUE})(?P<end>(?: please| pls)?[.!]?)"
)


def with_plain_quotes(text: str, source: Source) -> str:
    """Straight quotation marks around what typographic ones stand around, if the file has none of these itself."""
    if any(sign in line for line in source.lines for sign in _CURLY):
        return text
    pieces = _KEPT.split(text)
    return "".join(
        f"{_CURLY[piece[0]]}{piece[1:-1]}{_CURLY[piece[0]]}" if piece[:1] in _CURLY else piece
        for piece in pieces
    )


def with_names_joined(text: str, source: Source) -> str:
    """The sentence with the name that the file has for the words which it begins with, and a verb if it has none."""
    lead = _LEAD.match(text)
    start = lead.end() if lead else 0
    for stop in _phrase_ends(text, start):
        name = _name_of(text[start:stop], source) if _BEHIND.match(text, stop) else None
        if name is not None:
            text = text[:start] + name + text[stop:]
            break
    terse = _TERSE.fullmatch(text)
    known = terse is not None and _stands(source, terse["name"])
    return f"set {terse['name']} to {terse['value']}{terse['end']}" if terse and known else text


def _phrase_ends(text: str, start: int) -> list[int]:
    """Where one to three words end, the most first."""
    found = _WORDS.match(text, start)
    stop = start if found is None else found.end()
    gaps = [gap.start() for gap in re.finditer(r"[ -]", text[start:stop])]
    return [stop, *(start + gap for gap in reversed(gaps))] if found else []


def _name_of(phrase: str, source: Source) -> str | None:
    """The one name that is spelled by these words; of a single word, a constant's."""
    said = re.split(r"[ _-]", phrase.lower())
    if phrase in source.vocabulary or _STRUCTURE.issuperset(said):
        return None
    dashed = (
        {name for line in source.lines for name in _DASHED.findall(line)}
        if source.language in DATA
        else set()
    )
    alike = [
        name
        for name in source.vocabulary | dashed
        if _parts(name) == said and (len(said) > 1 or name.isupper())
    ]
    return alike[0] if len(alike) == 1 and not _defaulted(said, alike[0], source) else None


def _parts(name: str) -> list[str]:
    return [part.lower() for part in _PART.findall(name)]


def _defaulted(said: list[str], name: str, source: Source) -> bool:
    """Whether "the default size" may be that of a parameter, which is not this name itself."""
    if said[0] != "default":
        return False
    given = re.compile(
        rf"[(,]\s*{re.escape('_'.join(said[1:]))}\s*(?::[^=,()]*)?=(?!=)(?!\s*{re.escape(name)}\b)"
    )
    return any(given.search(line) for line in source.lines)


def _stands(source: Source, name: str) -> bool:
    return any(re.search(rf"(?<![\w$.-]){re.escape(name)}(?![\w$-])", line) for line in source.lines)
