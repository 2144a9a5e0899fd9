"""``comment out the line `x = 1` ``."""

from __future__ import annotations

from fastedit.edit.codemod.sentence import Sentences
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.hunks import Hunk
from fastedit.edit.outline import indentation

_SENTENCES = Sentences(
    "comment out {the}{line:code}{in}",
    "comment {the}{line:code} out{in}",
    "[disable|deactivate] {the}line {line:code}{in}",
    "{the}{line:code} should be commented out",
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
    return None
