"""`use let for items instead of var`: the word that declares a variable in scripts."""

from __future__ import annotations

import re

from fastedit.edit.codemod.names import Role, occurrences
from fastedit.edit.codemod.sentence import Sentences
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.hunks import Hunk

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


def declared(text: str, source: Source) -> Codemod | None:
    """None where several lines declare the name, or none does."""
    if source.language not in _LANGUAGES or source.syntax is None:
        return None
    for told in _SENTENCES.read(text):
        name, new = told["name"], told["new"].lower()
        head = re.compile(rf"(\s*(?:export )?)(let|const|var)( {re.escape(name)}\b(?:: [^=]+)? = )")
        rows = [(n, m) for n, line in enumerate(source.lines) if (m := head.match(line))]
        if len(rows) != 1 or rows[0][1][2] in (
            new,
            *({"let", "const", "var"} - {told.get("old") or rows[0][1][2]}),
        ):
            return None
        row, match = rows[0]
        set_again = re.compile(rf"(?<![\w.$]){re.escape(name)}\s*(?:[-+*/%|&]?=(?![=>])|\+\+|--)")
        uses = {o.line for o in occurrences(source.syntax, name) if o.role is not Role.MEMBER} - {row}
        again = [n for n in sorted(uses) if set_again.search(source.lines[n])]
        doubts = {
            "it is given a value again": new == "const" and again,
            "`var` is known outside of its block": match[2] == "var"
            and match[1].strip(" ") == ""
            and match[1],
        }
        put = f"{match[1]}{new}{source.lines[row][match.end(2) :]}"
        reasons = tuple(reason for reason, holds in doubts.items() if holds)
        return Codemod((Hunk(row, row + 1, (put,)),), reasons)
    return None
