"""`use let for items instead of var`: the word that declares a variable in scripts."""

from __future__ import annotations

import re

from fastedit.edit.codemod.names import Role, occurrences
from fastedit.edit.codemod.sentence import Sentences
from fastedit.edit.codemod.source import Codemod, Source, holding
from fastedit.edit.definitions import definitions
from fastedit.edit.hunks import Hunk
from fastedit.edit.outline import indent_width

_LANGUAGES = frozenset({"javascript", "typescript", "tsx"})
_NEW = "{new=let|const|var}"
_INSTEAD = "[instead of|rather than|not]"
_SENTENCES = Sentences(
    f"use {_NEW} for {{the}}{{name}}",
    f"use {_NEW} for {{the}}{{name}} {_INSTEAD} {{old=let|const|var}}",
    f"use {_NEW} {_INSTEAD} {{old=let|const|var}} for {{the}}{{name}}",
    f"[make|declare] {{the}}{{name}} [as|a|with|] {_NEW}",
    f"{{the}}{{name}} should be [a|] {_NEW}",
)
_WORD = "let|const|var"
_INSIDE = Sentences(
    f"{{old={_WORD}}} [->|to] {_NEW} [in|inside|within] {{the}}{{place}}",
    f"[change|turn|replace] {{the}}{{old={_WORD}}} [->|to|into|with|by] [a|] {_NEW} [in|inside] {{the}}{{place}}",
    f"use {_NEW} {_INSTEAD} {{old={_WORD}}} [in|inside|within] {{the}}{{place}}",
)


def declared(text: str, source: Source) -> Codemod | None:
    """None where several lines declare the name, or none does."""
    if source.language not in _LANGUAGES or source.syntax is None:
        return None
    for told in _SENTENCES.read(text):
        return _declared(source, told["name"], told["new"].lower(), told.get("old"))
    for told in _INSIDE.read(text):
        place = source.place(told["place"])
        head = re.compile(rf"\s*{told['old'].lower()} (?P<name>[\w$]+)\b")
        rows = range(0) if place is None else range(place.start, place.stop)
        found = [match["name"] for n in rows if (match := head.match(source.lines[n]))]
        return _declared(source, found[0], told["new"].lower(), told["old"]) if len(found) == 1 else None
    return None


def _declared(source: Source, name: str, new: str, old: str | None) -> Codemod | None:
    assert source.syntax is not None
    head = re.compile(rf"(\s*(?:export )?)(let|const|var)( {re.escape(name)}\b(?:: [^=]+)? = )")
    rows = [(n, m) for n, line in enumerate(source.lines) if (m := head.match(line))]
    if len(rows) != 1 or rows[0][1][2] == new or (old or rows[0][1][2]).lower() != rows[0][1][2]:
        return None
    row, match = rows[0]
    set_again = re.compile(rf"(?<![\w.$]){re.escape(name)}\s*(?:[-+*/%|&]?=(?![=>])|\+\+|--)")
    uses = {o.line for o in occurrences(source.syntax, name) if o.role is not Role.MEMBER} - {row}
    again = [n for n in sorted(uses) if set_again.search(source.lines[n])]
    indented = match[1].strip(" ") == "" and match[1]
    doubts = {
        "it is given a value again": new == "const" and again,
        "`var` is known outside of its block": match[2] == "var" and indented and _in_block(source, row),
    }
    put = f"{match[1]}{new}{source.lines[row][match.end(2) :]}"
    reasons = holding(doubts)
    return Codemod((Hunk(row, row + 1, (put,)),), reasons)


def _in_block(source: Source, row: int) -> bool:
    """Whether the line stands deeper than the body of the function around it."""
    assert source.syntax is not None
    around = [
        d for d in definitions(source.syntax) if d.start <= row < d.stop and d.kind in ("function", "method")
    ]
    inner = min(around, key=lambda d: d.stop - d.start, default=None)
    first = (
        next((n for n in range(inner.body, inner.stop) if source.lines[n].strip()), None) if inner else None
    )
    return first is None or indent_width(source.lines[row]) > indent_width(source.lines[first])
