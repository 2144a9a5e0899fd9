"""`add CANCELLED to State`: one more member of an enumeration."""

from __future__ import annotations

import re

from fastedit.edit.codemod.brackets import bracketed, with_last
from fastedit.edit.codemod.sentence import Sentences, Told
from fastedit.edit.codemod.source import Codemod, Source, holding
from fastedit.edit.definitions import Definition
from fastedit.edit.hunks import Hunk
from fastedit.edit.outline import indentation

_MEMBER = "[member|variant|value|case|constant|option|entry]"
_TO = "[to|in|into] {the}{name}[ enum|]"
_SENTENCES = Sentences(
    f"[add|append|put|insert] {{the}}{{new:code}} {_TO}",
    f"[add|append|put|insert] {{the}}{{new:code}} {_MEMBER} {_TO}",
    f"[add|append|put|insert] {{the}}{_MEMBER} {{new:code}} {_TO}",
    f"[add|append|put|insert] {{the}}{{new:code}} {{noun}} {_TO}",
    f"{{the}}{{name}}[ enum|] [needs|should have|should get|gets|lacks] {{the}}{{new:code}}[ {_MEMBER}|]",
)
_PYTHON = re.compile(r"(?P<name>[A-Za-z]\w*) = (?P<value>\S.*)")
_BRACED = re.compile(r"(?P<name>[A-Za-z_]\w*)(?: = (?P<value>[^,;{}()]+))?")
_BASE = re.compile(r"\((?:.*\W)?(?:Int|Str)?(?:Enum|Flag)\)")
_LANGUAGES = frozenset({"typescript", "tsx", "java", "rust", "c", "cpp"})


def member(text: str, source: Source) -> Codemod | None:
    """None where the file has no enumeration of the name, or it has such a member."""
    for told in _SENTENCES.read(text):
        found = [d for d in source.named(told["name"]) if _is_enum(source, d)]
        if len(found) == 1 and _speaks_of(told):
            add = _below_others if source.language == "python" else _between_braces
            return add(source, found[0], told["new"])
    return None


def _is_enum(source: Source, found: Definition) -> bool:
    head = source.lines[found.header]
    if source.language == "python":
        return _BASE.search(head) is not None
    return source.language in _LANGUAGES and re.search(r"\benum\b", head) is not None


def _speaks_of(told: Told) -> bool:
    """Whether a word for the member is one of the enumeration's own: "a `GUEST` role to Role"."""
    noun = told.get("noun")
    return noun is None or told["name"].lower().endswith(noun.lower())


def _below_others(source: Source, found: Definition, new: str) -> Codemod | None:
    added, rows = _PYTHON.fullmatch(new), range(found.body, found.stop)
    margin = next((indentation(source.lines[n]) for n in rows if source.lines[n].strip()), "")
    members = {
        n: match for n in rows if (match := re.fullmatch(rf"{margin}{_PYTHON.pattern}", source.lines[n]))
    }
    if added is None or not members or added["name"] in {match["name"] for match in members.values()}:
        return None
    last = max(members)
    if source.opens(last) or source.in_text(last) or not source.holds(last, last + 1):
        return None
    values = {match["value"] for match in members.values()}
    reasons = (
        ("another member has the value",) if added["value"] in values and added["value"] != "auto()" else ()
    )
    return Codemod((Hunk(last + 1, last + 1, (margin + new,)),), reasons)


def _between_braces(source: Source, found: Definition, new: str) -> Codemod | None:
    head = source.lines[found.header]
    listed = bracketed(source, found.header, head.index("{")) if head.count("{") == 1 else None
    added = _BRACED.fullmatch(new)
    members = (
        [match for entry in listed.entries if (match := _BRACED.fullmatch(entry.text))] if listed else []
    )
    # What has a body or arguments of its own, or methods behind it, may need more.
    if listed is None or added is None or not members or len(members) != len(listed.entries):
        return None
    if added["name"] in {match["name"] for match in members}:
        return None
    made = with_last(source, listed, new)
    valued = {match["value"] is not None for match in members}
    doubts = {
        "it has a value unlike the others": valued != {added["value"] is not None},
        "what matches its members may have to know it": _matched(source, found),
    }
    reasons = holding(doubts)
    return Codemod(made.hunks, (*made.reasons, *reasons)) if made else None


def _matched(source: Source, found: Definition) -> bool:
    """Rust wants each member to be matched."""
    used = re.compile(rf"\b(?:{re.escape(found.name)}|Self)::\w+(?:\([^)]*\))?\s*(?:\||=>)")
    return source.language == "rust" and any(used.search(line) for line in source.lines)
