"""``comment out the line `x = 1` ``."""

from __future__ import annotations

import re

from fastedit.edit.codemod.sentence import Sentences, Told
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.definitions import Definition
from fastedit.edit.hunks import Hunk
from fastedit.edit.outline import indentation

_SENTENCES = Sentences(
    "comment out {the}{line:code}{in}",
    "comment {the}{line:code} out{in}",
    "[disable|deactivate] {the}line {line:code}{in}",
    "{the}{line:code} should be commented out",
)
# In Python what documents a definition is no comment.
_COMMENT = "[comment|doc comment|line comment|godoc]"
_ABOVE = Sentences(
    f"[add|put|write|] {{the}}{_COMMENT} [on|to|for|above|over] {{the}}{{item}}[:|] {{new:code}}",
    f"[add|put|write] {{the}}{_COMMENT} {{new:code}} [on|to|above|over] {{the}}{{item}}",
    "document {the}{item} [with|as|by][:|] {new:code}",
)
_VERB = "[delete|remove|drop|erase|strip|get rid of|take out]"
_TAG = "{tag=todo|fixme|hack|xxx}"
_TAGGED = Sentences(
    f"{_VERB} {{the}}{_TAG} [comment|note|line|]{{in}}",
    f"{{the}}{_TAG} [comment|note|line|]{{in}} [can go|should go|is done|is obsolete]",
)
_ALL_TAGGED = Sentences(
    f"{_VERB} [all|every] {{the}}[{_TAG}|{{tag=todos|fixmes|hacks}}] [comments|comment|notes|]{{in}}"
)
SIGNS = {"python": "#", "shell": "#", "yaml": "#", "toml": "#", "sql": "--"} | dict.fromkeys(
    ("javascript", "typescript", "tsx", "go", "rust", "java", "c", "cpp"), "//"
)


def comment(text: str, source: Source) -> Codemod | None:
    """None where no one line is meant, or the language has no comments to the end of a line."""
    sign = SIGNS.get(source.language)
    for told in _SENTENCES.read(text):
        place = source.place(told.get("place"))
        if sign is None or place is None or "line" not in told.quoted:
            continue
        found = source.lines_like(told["line"], place)
        if len(found) == 1:
            line = source.lines[found[0]]
            reasons = ("the line has a block below it",) if source.opens(found[0]) else ()
            put = f"{indentation(line)}{sign} {line.lstrip()}"
            return Codemod((Hunk(found[0], found[0] + 1, (put,)),), reasons)
    for told in _TAGGED.read(text):
        return _untagged(source, told, every=False)
    for told in _ALL_TAGGED.read(text):
        return _untagged(source, told, every=True)
    for told in _ABOVE.read(text):
        item = source.only(told["item"])
        if sign is not None and item is not None and told.is_code("new") and source.language != "python":
            said = re.sub(r"\A(?://|#) ", "", told["new"]).strip()
            return _above(source, item, f"{sign} {said}")
    return None


def _above(source: Source, item: Definition, new: str) -> Codemod | None:
    """None where a comment stands above it already."""
    if item.start != item.header:
        return None
    commented = item.start and re.match(r"\s*(?://|/\*|\*|#|--)", source.lines[item.start - 1])
    put = indentation(source.lines[item.header]) + new
    return None if commented else Codemod((Hunk(item.start, item.start, (put,)),))


def _untagged(source: Source, told: Told, *, every: bool) -> Codemod | None:
    """None where the tag also stands behind code or further within a comment, or in several where one is said."""
    place, sign = source.place(told.get("place")), SIGNS.get(source.language)
    if place is None or sign is None:
        return None
    word = re.compile(rf"(?<!\w){told['tag'].removesuffix('s')}(?!\w)", re.IGNORECASE)
    first = re.compile(rf"\s*{re.escape(sign)}+\s*{word.pattern}", re.IGNORECASE)
    rows = [n for n in range(place.start, place.stop) for _ in word.findall(source.lines[n])]
    if not rows or not (every or len(rows) == 1) or not all(first.match(source.lines[n]) for n in rows):
        return None
    goes_on = any(
        source.lines[n + 1 : n + 2] and source.lines[n + 1].lstrip().startswith(sign)
        for n in rows
        if n + 1 not in rows
    )
    reasons = ("the comment may go on below it",) if goes_on else ()
    return Codemod(tuple(Hunk(n, n + 1, ()) for n in rows), reasons)
