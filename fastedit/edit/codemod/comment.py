"""``comment out the line `x = 1` ``."""

from __future__ import annotations

import re

from fastedit.edit.codemod.sentence import Sentences
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
    for told in _ABOVE.read(text):
        item = source.only(told["item"])
        if sign is not None and item is not None and told.is_code("new") and source.language != "python":
            said = told["new"].removeprefix(sign).strip()
            return _above(source, item, f"{sign} {said}")
    return None


def _above(source: Source, item: Definition, new: str) -> Codemod | None:
    """None where a comment stands above it already."""
    if item.start != item.header:
        return None
    commented = item.start and re.match(r"\s*(?://|/\*|\*|#|--)", source.lines[item.start - 1])
    put = indentation(source.lines[item.header]) + new
    return None if commented else Codemod((Hunk(item.start, item.start, (put,)),))
