"""What stands around what a sentence tells to do: politeness, remarks, reasons, reassurance."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fastedit.edit.codemod.statement import without_statement
from fastedit.edit.codemod.suggestion import (
    AFTERTHOUGHT,
    AFTERWARDS,
    BY_THE_WAY,
    QUOTED,
    TO_DO,
    WE_ASK,
    asks_for,
    directly,
)
from fastedit.edit.codemod.template import KINDS

_WORD = "(?:" + "|".join(sorted(KINDS, key=len, reverse=True)) + ")"
_ARTICLE = r"(?:the|a|an|this|that|existing|whole|entire|new|current)"
_NAME = r"(?P<{0}_quote>[`'\"])?(?P<{0}>[\w$]+(?:(?:\.|::|\#)[\w$]+)*)(?:\(\))?(?({0}_quote)(?P={0}_quote))"
# Beside an update: what is said of the update itself.
_AS_SHOWN = (
    r"(?:apply|make|take)\s+(?:the|this|these)\s+(?:update|change|edit)s?|edit\s+as\s+shown"
    r"|(?:besides|apart\s+from)\s+(?:that|this|what\s+is\s+shown|the\s+update)"
)
_LEAD = re.compile(
    rf"\s*(?:(?:please|pls|plz|kindly|ok|okay|now|next|also|just|hi|hey|(?:can|could|would)\s+(?:you|someone"
    rf"|somebody|anyone)|could\s+we(?=\s+(?:please\s+)?(?:have|get\s+an?)\b)|{WE_ASK}|let's|let\s+us|you\s+should"
    rf"|we\s+should"
    rf"|todo|as\s+discussed|besides|in\s+addition|{TO_DO}|{BY_THE_WAY}"
    rf"|{_AS_SHOWN})\b[:,.;)]?\s+(?:(?:and|then|also)\b,?\s+)*|[-*]\s+)+",
    re.IGNORECASE,
)
# Before a colon. Any other word there may be what the sentence hangs on ("only if it is safe: ...").
_REMARK_WORDS = frozenset(
    """a action and another as agreed because big btw bug bugfix build by change changes chore ci clarity cleaner
    cleanup
    comment comments config consistency correction cosmetic debug debugging discussed doc docs edit fail feat feedback
    feature first fix follow-up for formatting from fyi goal hi hint hotfix imo improvement instruction job issue it
    larger last lint linter
    little major minor more my naming next nit nitpick note of off on one our over part perf performance please polish
    ps pull quick readability refactor refactoring release remark request requested review reviewer rule same second
    security simple simplification small step style suggestion task team test tests the thing third this tidy tiny todo
    trivial tweak typing typo up version warning wip with work your""".split()  # noqa: SIM905
)
_REMARK = re.compile(r"([A-Za-z][A-Za-z ,'-]{1,60})!?:\s+(?=[\w`'\"])")
# "fix(api)!: " is how commits begin, which may have been taken for a call.
_SCOPED = re.compile(r"`?(?P<kind>[a-z]+)\([\w/.-]+\)`?!?:\s+")
# A reason that has one of these may ask for something else, or take back a part of what was said.
_LIMITS = (
    r"\b(?:but|except|only|unless|if|when|while|until|otherwise|instead|without|also|and|then|or|keep|leave|please"
    r"|delete|remove|drop|rename|change|set|add|insert|replace|make)\b"
)
_NOTHING_ELSE = (
    rf"(?:keep|leave)\s+(?:everything\s+else|all\s+else|the\s+(?:rest|others?)|{_NAME.format('other')})"
    r"(?:\s+(?:alone|as\s+(?:it\s+is|is)|unchanged))?"
    r"|(?:do\s+not|don't)\s+(?:touch|change)\s+anything\s+else|(?:nothing\s+else|no\s+other)\s+changes?"
    rf"|(?:do\s+not|don't)\s+(?:touch|change)\s+{_NAME.format('untouched')}"
    rf"|{_NAME.format('stays')}\s+stays\s+(?:as\s+it\s+is|as\s+is|the\s+same|unchanged)"
    rf"|this\s+has\s+nothing\s+to\s+do\s+with\s+{_NAME.format('unrelated')}"
    r"|the\s+tests\s+expect\s+(?:this|it)|the\s+linter\s+complains\s+otherwise"
    r"|(?:many\s+)?thanks(?:\s+(?:in\s+advance|a\s+lot|a\s+bunch|so\s+much))?|thank\s+you(?:\s+(?:very|so)\s+much)?"
    r"|thx|ty|cheers"
    r"|if\s+(?:possible|you\s+(?:can|could)|you\s+(?:do\s+not|don't)\s+mind)|when\s+you\s+get\s+a\s+chance|asap"
    r"|that\s+should\s+do(?:\s+it)?|that\s+is\s+all|that's\s+all|please|pls|plz|for\s+(?:clarity|consistency"
    r"|readability)"
    rf"|{AFTERTHOUGHT}"
    rf"|(?:because|since|so\s+that)\s+(?:(?!{_LIMITS})[^.;,?])+"
)
_TRAIL = re.compile(
    rf"(?:(?:\s*[.;,!]|\s+[-—–]|(?=\s+(?:please|pls|plz|thanks|thx|asap|if\s+possible)\b|{AFTERWARDS}|\s+because"
    rf"|\s+for\s|\s+if\s+you\b))\s*(?:and\s+)?(?:{_NOTHING_ELSE}))*\s*[.!?]*\s*\Z",
    re.IGNORECASE,
)
_FIRST_PLACE = re.compile(
    rf"(?:in|inside|within)\s+((?:(?:{_ARTICLE}|{_WORD})\s+)*{_NAME.format('place')})[,:]?\s+(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)


_ASKING = re.compile(
    r"\b(?:(?:can|could|would|will)\s+(?:you|someone|somebody|anyone)|could\s+we|can\s+we|possible\s+to|chance\s+to"
    r"|you\s+could)\b",
    re.IGNORECASE,
)
_KEPT = re.compile(
    r"(?:\b(?:keep|leave|touch|change|do\s+with)\s+(?!(?:the|all|everything|anything)\b))([`'\"\w$.:#]+)"
    r"|([`'\"\w$.:#]+)\s+stays\b",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[\w$]+")
_KEEPS = re.compile(
    rf"\s*(?:(?:keep|leave)\s+(?:everything\s+else|all\s+else|the\s+rest|{_NAME.format('first')})(?:\s+(?:alone|as\s+(?:it\s+is|is)|unchanged))"
    rf"|(?:do\s+not|don't)\s+(?:touch|change)\s+(?:anything\s+else|{_NAME.format('second')}))\s*[;,.:]\s+"
    r"(?:but\s+|just\s+|only\s+)?(?=\S)",
    re.IGNORECASE,
)
# A reason that names nothing, before a wish that does: "we want types everywhere, so annotate `a`". Its words may be
# any, since the wish says all of itself.
_CLAUSE = (
    rf"(?=[^,]*\b(?:is|are|was|were|has|have|had|do|does|can|will|would|\w*(?:want|need|use|expect|complain|require|say)s?)\b)"
    rf"(?:(?!{_LIMITS})[^`'\",.;:?])+"
)
_REASONED = re.compile(
    rf"\s*(?:(?:since|because|given\s+that|now\s+that|seeing\s+that|considering\s+that)\s+{_CLAUSE},\s+(?!so\b)"
    rf"|{_CLAUSE},\s+so\s+(?!that\b))(?P<wish>(?:please\s+)?[a-z`].*)",
    re.IGNORECASE | re.DOTALL,
)
_STANDING_FOR = re.compile(
    r"\b(?:it|its|them|they|their|that|this|these|those|there|one|both|he|she|we|not|never|no)\b",
    re.IGNORECASE,
)
# Whoever complains is no part of what is to be done.
_REPORTS = re.compile(
    r"\s*(?:(?:the\s+)?(?:linter|type\s+checker|ci|reviewer)|flake8|mypy|pyright|ruff|pylint|pyflakes|vulture|sonar|eslint)\s+"
    r"(?:says|said|complains|reports|warns|tells\s+(?:me|us)|notes|thinks|claims)(?:\s+that)?:?\s+(?=[`'\"\w])",
    re.IGNORECASE,
)
_DONE = (
    "(?:deleted|removed|dropped|added|inserted|appended|included|put|renamed|named|changed|set|made|moved|replaced"
    "|swapped|wrapped)"
)
_HAS = r"(?:(?:have|has|had|just|already|also|accidentally)\s+)*"
# What somebody did, or asks, is nothing to do.
_TOLD = re.compile(
    rf"(?:(?:i|we|you|he|she|they|someone|somebody)\s+{_HAS}{_DONE}(?!\s+an?\s+(?:mistake|typo|error))\b"
    r"(?!.*(?<!not )(?<!n't )\b(?:remove|delete|drop)\s+it\b)"
    rf"|\S+\s+(?:was|were|got|(?:has|have)\s+been)\s+{_HAS}{_DONE}\b(?!.*(?:[,;:]|\band\b|\bso\b))"
    r"|(?:i|we|you|he|she|they)\s+(?:tried|said|saw|wrote(?!.*\b(?:insert|add|put|place)\s+(?:it|that)\b))\b"
    r"(?!.*\bbut\s+(?:i\s+|we\s+)?meant\b)"
    r"|not\s+(?:now|yet|today|here|this\s+time)\b\s*[:,]"
    r"|(?:i|we|he|she|they|someone|somebody)(?:'ll|\s+will|(?:'m|'re|\s+(?:am|are|is|was|were))\s+going\s+to)\b(?!\s+(?:(?:also|then|now|just|probably)\s+)*(?:need|want|use|require)\b)"
    r"|let\s+me\b"
    r"|(?:later|tomorrow|next\s+(?:time|week|sprint|month))\b|.*\b(?:later|tomorrow)\s*[.!]?\Z"
    r"|why\s+(?:did|was|were|does|has|have)\b)",
    re.IGNORECASE | re.DOTALL,
)
_ASKED = re.compile(r"[\w)]\?\s+\w")
# What comes after the change, or takes it back.
_AFTERWARDS = re.compile(
    r"\b(?:delet|remov|drop)\w*\b.*\b(?:put|bring|get|give|add)\s+(?:it|them|that|this)\s+back\b"
    r"|\b(?:then|and)\s+(?:write|create|add|make|build)\s+(?:a|an|another)\s+(?:\w+\s+)?one\b",
    re.IGNORECASE | re.DOTALL,
)


def _without_keeping(text: str) -> str:
    """Without what stands before a wish and only says what is to stay: "do not touch `a`; delete `b`"."""
    kept = _KEEPS.match(text)
    if kept is None:
        return text
    names = set(_PARTS.findall(" ".join(map("".join, _KEPT.findall(kept[0])))))
    rest = text[kept.end() :]
    return rest if QUOTED.search(rest) and not names & set(_PARTS.findall(rest)) else text


def _wish(text: str) -> str:
    """What is to be done, of a text that gives its reason or tells who complains first."""
    if (reasoned := _REASONED.fullmatch(text)) and QUOTED.search(text):
        wish = reasoned["wish"]
        return text if _STANDING_FOR.search(QUOTED.sub("", wish)) else wish
    reported = _REPORTS.match(text)
    return text[reported.end() :] if reported else text


def told(text: str) -> str:
    """What is asked for politely without its question mark, which stands behind the last of several wishes."""
    text = _wish(_without_keeping(text))
    lead = _LEAD.match(text)
    return text.rstrip().removesuffix("?") if _politely(lead) or asks_for(text) else text


def _politely(lead: re.Match[str] | None) -> bool:
    """Whether what a sentence begins with makes a wish of a question."""
    return lead is not None and _ASKING.search(lead[0]) is not None


def bare(text: str) -> Iterator[str]:
    """The text without what courtesy puts around it; again without a remark before it; a place put last."""
    scoped = _SCOPED.match(text)
    text = text[scoped.end() :] if scoped and scoped["kind"] in _REMARK_WORDS else text
    lead = _LEAD.match(text)
    said = directly(text[lead.end() if lead else 0 :])
    # "We should not add a"
    said = text if re.match(r"not\b", said, re.IGNORECASE) else said
    asks = said.rstrip().endswith("?") or _ASKED.search(QUOTED.sub("``", said))
    if (asks and not _politely(lead)) or _TOLD.match(said.lstrip()) or _AFTERWARDS.search(said):
        return
    trail, whole = _trail(said), said.strip()
    if trail and "\n" not in said.strip():
        said, kept = said[: trail.start()], " ".join(map("".join, _KEPT.findall(trail[0])))
        # What is to stay must be something else than what the sentence is about.
        if set(_PARTS.findall(kept)) & set(_PARTS.findall(said)):
            return
    said = said.strip()
    yield said
    yield from without_statement(said)
    # A remark may have a word that reasons begin with, too.
    if (remark := _REMARK.match(whole)) and _REMARK_WORDS.issuperset(remark[1].lower().split()):
        yield from bare(whole[remark.end() :])
    if first := _FIRST_PLACE.fullmatch(said):
        yield f"{first['rest']} in {first[1]}"


def _trail(said: str) -> re.Match[str] | None:
    """What courtesy puts behind the rest, none of it within a quotation."""
    trail = _TRAIL.search(said)
    for code in QUOTED.finditer(said):
        if trail and code.start() < trail.start() < code.end():
            trail = _TRAIL.search(said, code.end())
    return trail
