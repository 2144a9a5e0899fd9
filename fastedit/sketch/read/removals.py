"""Comments of a sketch that say what is gone, such as `# removed: old_function`."""

from __future__ import annotations

import re

from fastedit.source.markers import said_in_comment

_GONE = r"(?:removed|deleted|dropped)"
_TOLD = re.compile(
    rf"(?:{_GONE}\b|(?:remove|delete|drop)(?=\s*[:`'\"]))\s*(?P<colon>:)?\s*(?P<what>.*)", re.IGNORECASE
)
_TOLD_BEHIND = re.compile(
    rf"(?P<what>\S(?:.*?\S)??)\s++(?P<bracket>\()?(?:(?:is|was|are|were|has\s+been|have\s+been)\s+)?(?:now\s+)?{_GONE}"
    r"(?(bracket)\)|(?::\s.*)?)",
    re.IGNORECASE,
)
_KIND = (
    r"(?:function|method|class|struct|enum|interface|trait|type|module|import|include|variable|constant|field|property"
    r"|helper|key|entry|option|setting|section|line|statement|definition|test)s?"
)
_THING = re.compile(
    rf"(?:(?:the|old|unused|obsolete|redundant|dead|now|no|longer|needed)\s+)*(?:{_KIND}\s+)?"
    rf"(?:(?P<quote>[`'\"])(?P<quoted>[^`'\"]+?)(?:\(\))?(?P=quote)|(?P<bare>[\w$@~][\w$.:#/-]*?)(?:\(\))?)(?:\s+{_KIND})?",
    re.IGNORECASE,
)
_REASON = re.compile(r"(?<!\s)\s++(?:(?P<bracket>\()|[-–—]\s)")
_BETWEEN = re.compile(r"(?:(?<!\s)\s*+)?,\s*(?:and\s+)?|(?<!\s)\s++(?:and|&)\s+")


def removal_note(line: str) -> str | None:
    """What a comment says is gone, "" where it does not say what; None for a line that says nothing of the kind."""
    said = said_in_comment(line)
    if said is None:
        return None
    if told := _TOLD.fullmatch(said):
        what: str = told["what"].strip()
        return what if told["colon"] or not what or _names(what) else None
    said = said.rstrip(".!")
    behind = _TOLD_BEHIND.fullmatch(said) or _TOLD_BEHIND.fullmatch(_without_reason(said))
    return behind["what"] if behind and _names(behind["what"]) else None


def removed_names(line: str) -> list[str]:
    """What a comment says by name is gone; nothing for a line that says nothing of the kind."""
    note = removal_note(line)
    return _names(note) if note else []


def _names(what: str) -> list[str]:
    """The names in words such as "the old method `load`" or "load and save"; none where there is more to it."""
    found = [_THING.fullmatch(_without_reason(piece)) for piece in _BETWEEN.split(what)]
    return [thing["quoted"] or thing["bare"] for thing in found if thing] if all(found) else []


def _without_reason(words: str) -> str:
    """Without what stands behind them in brackets or after a dash."""
    for found in _REASON.finditer(words):
        if not found["bracket"] or words.endswith(")"):
            return words[: found.start()]
    return words
