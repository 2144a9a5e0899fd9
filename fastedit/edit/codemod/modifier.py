"""`make log final`, `getBalance should be public`: a word before what a class declares in one line."""

from __future__ import annotations

import re

from fastedit.edit.codemod.names import Role, occurrences
from fastedit.edit.codemod.sentence import Sentences
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.hunks import Hunk

_WORDS = {"java": ("public", "final"), "typescript": ("readonly",), "tsx": ("readonly",)}
_WORD = "{word=public|final|readonly}"
_SENTENCES = Sentences(
    f"[make|mark|declare] {{the}}{{name}} [as |]{_WORD}",
    f"{{the}}{{name}} should be {_WORD}",
    f"add {_WORD} to {{the}}{{name}}",
)
_ACCESS = (
    r"(?P<margin>\s+)(?P<access>(?:(?:public|private|protected) )?)"
    r"(?P<more>(?:(?:static|final|readonly|abstract) )*)"
)
_REST = {
    "java": r"(?P<rest>[\w<>\[\], ?]+ {name}(?P<sign>\(| =|;).*)",
    "typescript": r"(?P<rest>{name}[?!]?(?P<sign>:| =).*[;,]?)",
}


def modifier(text: str, source: Source) -> Codemod | None:
    """None where the language has no such word, or no one line of a class declares the name."""
    known = _WORDS.get(source.language, ())
    for told in _SENTENCES.read(text):
        if source.syntax is not None and told["word"].lower() in known:
            return _modified(source, told["name"].removesuffix("()"), told["word"].lower())
    return None


def _modified(source: Source, name: str, word: str) -> Codemod | None:
    rest = _REST["java" if source.language == "java" else "typescript"].replace("{name}", re.escape(name))
    lines = ((n, re.fullmatch(_ACCESS + rest, line)) for n, line in enumerate(source.lines) if name in line)
    found = [(n, m) for n, m in lines if m and not re.match(r"(?:return|throw|new|else)\b", m["rest"])]
    if len(found) != 1 or not source.holds(found[0][0], found[0][0] + 1):
        return None
    row, match = found[0]
    method = match["sign"] == "("
    if word in match[0].split() or (word == "public" and match["access"]) or (word != "public" and method):
        return None
    reasons = _set_again(source, name, row) if word in ("final", "readonly") else ()
    access = "public " if word == "public" else match["access"]
    more = match["more"] + ("" if word == "public" else f"{word} ")
    put = f"{match['margin']}{access}{more}{match['rest']}"
    return Codemod((Hunk(row, row + 1, (put,)),), reasons)


def _set_again(source: Source, name: str, row: int) -> tuple[str, ...]:
    """A reason where it is given a value in another line, be it a constructor's."""
    given = re.compile(rf"(?<![\w$]){re.escape(name)}\s*(?:[-+*/|&]?=(?!=)|\+\+|--)")
    assert source.syntax is not None
    rows = {o.line for o in occurrences(source.syntax, name) if o.role is not Role.DEFINITION} - {row}
    again = [n for n in sorted(rows) if given.search(source.lines[n])]
    return (f"`{name}` is set again on line {again[0] + 1}",) if again else ()
