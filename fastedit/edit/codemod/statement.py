"""What a sentence states before it tells what to do about it, or beside that."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fastedit.edit.codemod.suggestion import CHANGES, QUOTED
from fastedit.edit.codemod.template import REASON_WORDS

# ", which nobody needs" tells why.
_UNWANTED = (
    r"(?:unused|unnecessary|unneeded|wrong|superfluous|redundant|pointless|useless|obsolete|deprecated|dead"
    r"|a\s+mistake|a\s+leftover"
    r"|(?:not|never|no\s+longer)\s+(?:needed|used|required|wanted|necessary)(?:\s+any\s*more|\s+anywhere)?)"
)
_ASIDE = re.compile(
    r",\s+(?:which|that)\s+(?:(?:it|we|nobody|no\s+one|one)\s+(?:(?:does\s+not|doesn't|do\s+not|don't|never"
    r"|no\s+longer)\s+)?"
    rf"(?:really\s+)?(?:needs?|uses?|wants?|requires?)(?:\s+any\s*more)?|is\s+{_UNWANTED})(?=\s*(?:[;,.]|\s(?:so|and"
    rf"|-)\s|\Z))",
    re.IGNORECASE,
)
_IT = "(?:it|that|this)"
_STATEMENT = re.compile(
    rf"(?P<stated>[^,;.]*?(?P<code>{QUOTED.pattern})[^,;.`'\"]*?)\s*(?:[,;.:]|\s-+|,?\s+so\b"
    r"|,?\s+and\s+therefore\b)\s*"
    r"(?:so\s+)?(?:please\s+|just\s+|let's\s+|we\s+should\s+|you\s+should\s+)*"
    rf"(?P<verb>{'|'.join((*CHANGES, 'take', 'get', 'give', 'call', 'name', 'write', 'leave', 'stick', 'place'))})"
    rf"(?:(?P<before>\s){_IT}(?P<behind>(?:\s+(?:from|to|into|in|out|off|away|with|by|above|below|before|after"
    rf"|behind)\b[^,;]*|\s+(?:`[^`]*`)[^,;]*)?)"
    rf"|(?P<before_end>\s[^,;]*\b(?:above|below|before|after|behind|over|under|from|to|in|into|of)\s){_IT})\s*",
    re.IGNORECASE,
)
_STATED = REASON_WORDS | frozenset(
    """support supports supported hard difficult tricky understand grasp explain unexplained cryptic currently misspelt
    fails fail deprecated gone upstream needed used slow there's isn't doesn't don't can't aren't wasn't we're it's
    still also name too also""".split()  # noqa: SIM905
)


def without_statement(said: str) -> Iterator[str]:
    """The wish alone, if there is more: "put b above a" for "`a` is hard to read, put b above it"; no aside in it."""
    plain = _ASIDE.sub("", said)
    if plain != said:
        yield plain
    found = _STATEMENT.fullmatch(said) if "\n" not in said else None
    mentions = QUOTED.findall(found["stated"]) if found else []
    # Other words might limit what is asked for, or ask for something themselves.
    if found and len(mentions) == 1 and _STATED.issuperset(QUOTED.sub(" ", found["stated"]).lower().split()):
        before = found["before"] or found["before_end"]
        yield f"{found['verb']}{before}{mentions[0]}{found['behind'] or ''}"
