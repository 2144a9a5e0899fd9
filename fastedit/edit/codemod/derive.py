"""`derive PartialEq for Sample`: the traits that the compiler of Rust writes for a type."""

from __future__ import annotations

import re

from fastedit.edit.codemod.sentence import Sentences
from fastedit.edit.codemod.source import Codemod, Source, holding
from fastedit.edit.definitions import Definition
from fastedit.edit.hunks import Hunk
from fastedit.edit.outline import indentation

_SENTENCES = Sentences(
    "derive {new} [for|on] {the}{name}[ too| as well| also|]",
    "{the}{name} should [also |]derive {new}[ too| as well| also|]",
    "[make|let] {the}{name} derive {new}[ too| as well| also|]",
    "add {new} to the [derives|derive|derive list] [of|on|for] {the}{name}",
    "add {the}derive [of|for] {new} [to|on] {the}{name}",
    "add {the}{new} derive [to|on] {the}{name}",
)
_LIST = re.compile(r"(?P<head>\s*#\[derive\()(?P<names>[\w:, ]*)(?P<tail>\)\]\s*)")
# A trait that is derived needs these derived or written as well.
_NEEDS = {"Eq": ("PartialEq",), "Copy": ("Clone",), "PartialOrd": ("PartialEq",), "Ord": ("PartialOrd", "Eq")}
_BUILT_IN = frozenset({"Debug", "Clone", "Copy", "Default", "Hash", "PartialEq", "Eq", "PartialOrd", "Ord"})
_NO_FLOATS = frozenset({"Eq", "Ord", "Hash"})


def derive(text: str, source: Source) -> Codemod | None:
    """None where the file has no type of the name, or it derives the trait."""
    if source.language != "rust":
        return None
    for told in _SENTENCES.read(text):
        found = [
            d
            for d in source.named(told["name"])
            if re.search(r"\b(?:struct|enum|union)\b", source.lines[d.header])
        ]
        if len(found) == 1 and told["new"][:1].isupper():
            return _derived(source, found[0], told["new"])
    return None


def _derived(source: Source, found: Definition, new: str) -> Codemod | None:
    lists = [
        (n, match) for n in range(found.start, found.header) if (match := _LIST.fullmatch(source.lines[n]))
    ]
    known = [name.strip() for _, match in lists for name in match["names"].split(",") if name.strip()]
    if new in known or len(lists) > 1 or not source.holds(found.start, found.header + 1):
        return None
    reasons = _doubts(source, found, new, known)
    if not lists:
        put = f"{indentation(source.lines[found.header])}#[derive({new})]"
        return Codemod((Hunk(found.header, found.header, (put,)),), reasons)
    row, match = lists[0]
    return Codemod(
        (Hunk(row, row + 1, (f"{match['head']}{', '.join((*known, new))}{match['tail']}",)),), reasons
    )


def _doubts(source: Source, found: Definition, new: str, known: list[str]) -> tuple[str, ...]:
    """Why the compiler may refuse it."""
    body, text = "\n".join(source.lines[found.header : found.stop]), "\n".join(source.lines)
    name, kind = re.escape(new), re.escape(found.name)
    brought = new in _BUILT_IN or "::" in new or re.search(rf"^\s*use\b.*\b{name}\b", text, re.M) is not None
    written = re.search(rf"\bimpl(?:<[^>]*>)? (?:\w+::)*{name}\b.* for {kind}\b", text) is not None
    floats = new in _NO_FLOATS and re.search(r"\bf(?:32|64)\b", body) is not None
    owns = new == "Copy" and re.search(r"\b(?:String|Vec|Box|HashMap)\b", body) is not None
    doubts = {
        f"nothing here brings in what derives {new}": not brought,
        f"{new} needs another trait": not set(_NEEDS.get(new, ())) <= set(known),
        f"{new} is written out for it": written,
        f"a float has no {new}": floats,
        "what it owns is not copied": owns,
        "its default is left open": new == "Default" and re.search(r"\benum\b", body) is not None,
    }
    return holding(doubts)
