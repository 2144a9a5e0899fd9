"""Ways to suggest, ask or wish for a change that say no more than telling to make it."""

from __future__ import annotations

import re

# What is asked of "us" is a wish where the verb is one of changes: not "can we call it twice?".
CHANGES = tuple(
    """add append await change comment convert delete drop duplicate exchange extend extract flip hoist include insert
    introduce invert kill lose make move negate pass pull put remove rename replace reword rewrite set simplify swap
    switch thread turn uncomment use wrap""".split()  # noqa: SIM905
)
WE_ASK = rf"(?:can|could)\s+we(?=\s+(?:(?:please|just|also|maybe)\s+)*(?:{'|'.join(CHANGES)})\b)"
TO_DO = (
    r"(?:you|we|i)\s+(?:want|need|have|ought)(?:\s+you)?\s+to|you\s+must|we\s+must|(?:i'd"
    r"|i\s+would)\s+like\s+(?:you\s+)?to"
    r"|(?:the|our|my|your)\s+(?:plan|idea|task|goal|job)\s+(?:here\s+)?is\s+to|(?:it\s+is|it's)\s+time\s+to"
    r"|all\s+(?:you|we)\s+(?:need|have)\s+to\s+do\s+is(?:\s+to)?|(?:do\s+not|don't)\s+forget\s+to|remember\s+to"
    r"|(?:be|make)\s+sure\s+(?:you|to)|go\s+ahead\s+and|be\s+so\s+kind\s+(?:as\s+)?to"
    r"|would\s+it\s+be\s+(?:possible|ok|okay)\s+to|is\s+it\s+possible\s+to\s+please|any\s+chance\s+(?:you\s+could|to)"
    r"|this\s+(?:commit|pr|change|patch|mr|edit)\s+(?:should|needs\s+to|has\s+to|must|will|is\s+to)"
    r"|do\s+you\s+think\s+you\s+could|i\s+was\s+wondering\s+if\s+you\s+could|(?:perhaps|maybe)\s+you\s+could"
    r"|(?:it\s*(?:would|'d)|would)\s+be\s+(?:good|great|nice|better|best|helpful|lovely)\s+if\s+you\s+(?:could|would)"
    r"|if\s+you\s+(?:could|can|would)(?=\s+(?:please|just|kindly)\b)"
)
# Whose wish it is, and what for, limits nothing.
_LIMITING = "but|except|only|unless|if|when|while|until|otherwise|instead|without|also|and|then|or|not"
_ASIDE_WORDS = rf"(?:(?!\b(?:{_LIMITING})\b)[^.;:,?`'\"\n])"
_TO_REACH = (
    r"(?:in\s+order\s+)?to\s+(?:keep|make|get|fix|satisfy|silence|please|appease|unblock|comply|follow|avoid"
    r"|address)\s"
)
_SO_THAT = (
    rf"so\s+(?:that\s+)?(?:the|our|all|ci|everything)\s{_ASIDE_WORDS}{{0,40}}?"
    r"(?:pass|passes|works?|compiles?|builds?|succeeds?|green|happy)\b"
)
PURPOSE = rf"{_TO_REACH}{_ASIDE_WORDS}{{2,60}}|{_SO_THAT}"
_ASKED_BY = (
    r"as\s+(?:requested|suggested|agreed|mentioned|noted|discussed|asked)(?:\s+(?:in|by|during|per)(?:\s+(?:the|our"
    r"|my|your))?\s+\w+){0,2}"
    r"|as\s+(?:the|our|my)\s+\w+\s+(?:pointed\s+out|suggested|noted|requested|said|asked|mentioned|noticed)"
)
BY_THE_WAY = (
    r"by\s+the\s+way|btw|fyi|for\s+starters|while\s+you(?:'re|\s+are)\s+(?:at\s+it|here|there)"
    r"|if\s+you\s+do(?:\s+not|n't)\s+mind"
    r"|if\s+possible|when\s+you\s+(?:get\s+a\s+(?:chance|minute|moment)|have\s+(?:time|a\s+(?:minute|moment|sec)))"
    r"|(?:alright|hmm+|oh(?:\s+and)?|furthermore|moreover|finally|lastly|first(?:ly)?|second(?:ly)?|third(?:ly)?"
    r"|first\s+of\s+all|to\s+(?:start|begin)\s+with|last\s+but\s+not\s+least)(?=,)|oh\s+and|furthermore|lastly"
    rf"|(?:{PURPOSE}|{_ASKED_BY})(?=,)|(?:for\s+the\s+sake\s+of|because\s+of|due\s+to|thanks\s+to|as\s+part\s+of|per"
    rf"|given)\s{_ASIDE_WORDS}{{2,50}}(?=,)"
    r"|(?:(?:step|task|item|point|part|no)\s+)?\#?\d{1,2}(?=[.):]\s)|@(?:bot|copilot|claude|assistant|agent|ai)"
)
AFTERTHOUGHT = (
    rf"{PURPOSE}|{_ASKED_BY}|see\s+(?:the\s+)?(?:ticket|issue|review|spec|docs|thread|discussion)"
    rf"|instead\s+of\s+leaving\s+it\s+(?:as\s+(?:it\s+)?is|alone)"
    r"|(?:the|our|my)\s+(?:reviewer|linter|team|boss|client|customer|spec)\s+(?:asked\s+for|wants|requires|demands"
    r"|needs)\s+(?:it|this|that)"
    r"|\((?:requested|suggested|agreed|as\s+agreed|see|per)\s[^()`'\"]{2,50}\)|\((?:as\s+)?(?:requested|suggested"
    r"|agreed)\)"
    r"|no\s+(?:other|further)\s+(?:changes?|edits?|modifications?)|(?:but\s+|and\s+)?(?:keep"
    r"|leave)\s+(?:everything\s+else|the\s+rest)"
    r"\s+(?:alone|untouched|unchanged|intact|as\s+(?:it\s+)?is)|without\s+(?:touching|changing|affecting"
    r"|modifying)\s+anything\s+else"
)
# Without a comma before it, what stands behind a sentence begins with one of these.
AFTERWARDS = (
    rf"\s+{_TO_REACH}|\s+{_SO_THAT}|\s+as\s+(?:requested|suggested|agreed|discussed)\b|\s+\((?=[a-z])|\s+without\s"
    r"|\s+instead\s+of\s+leaving\b|\s+[—–]\s"
)
# "Could a be dropped?" is a wish; "could a be empty?" is a question.
_REQUESTED = re.compile(
    r"\s*could\s(?:(?!\b(?:if|when|or|ever|still|already|twice|elsewhere|somewhere|here)\b).)+?\s"
    r"(?:(?:please\s+)?be\s+(?:please\s+)?(?:added|appended|commented|converted|deleted|dropped|duplicated|extended"
    r"|extracted"
    r"|factored|flipped|hoisted|inserted|inverted|lifted|moved|negated|pulled|removed|renamed|reordered|replaced"
    r"|rephrased|reworded|rewritten|split|swapped|turned|uncommented|weeded|wrapped)\b|become\s+an?\s"
    r"|get\s+(?:an?|another|one)\s)(?:(?!\b(?:if|when|ever|twice|elsewhere|somewhere)\b).)*\?\s*\Z",
    re.IGNORECASE | re.DOTALL,
)
# "It would be good if a was passed b" says what a should be.
_WISHED = re.compile(
    r"(?:(?:it|i|we|that)\s*(?:would|'d)\s+)?(?:would\s+)?(?:be\s+(?:good|great|nice|better|best|helpful|lovely"
    r"|cool|neat"
    r"|ideal|handy)|prefer\s+it|(?:like|love)\s+it|appreciate\s+it)\s+if\s+(?!(?:you|someone|somebody)\b)",
    re.IGNORECASE,
)
_WAS = re.compile(r"\b(?:was|were)\b(?!\s+to\b)", re.IGNORECASE)
# "How about removing a?" and "consider removing a" say what to do as "remove a" does.
_SUGGESTED = re.compile(
    r"\s*(?:(?:please\s+)?(?:(?:(?:would|do)\s+you\s+)?mind|(?:how|what)\s+about|consider|(?:i|i'd"
    r"|i\s+would)\s+(?:suggest|propose"
    r"|recommend))(?:\s+just)?)\s+(?P<verb>[a-z]+)ing\b",
    re.IGNORECASE,
)


def asks_for(text: str) -> bool:
    """Whether what is asked is no question; what is quoted in it has to be left out."""
    return _REQUESTED.match(text) is not None or _SUGGESTED.match(text) is not None


def directly(text: str) -> str:
    """What is suggested or wished for, as one tells to do it."""
    suggested = _SUGGESTED.match(text)
    roots = (suggested["verb"].lower(), f"{suggested['verb'].lower()}e") if suggested else ()
    for verb in (*roots, *(root[:-1] for root in roots if root[-1:] == root[-2:-1])):
        if suggested and verb in CHANGES:
            return f"{verb}{text[suggested.end() :]}"
    wished = _WISHED.match(text)
    return _WAS.sub("should be", text[wished.end() :], count=1) if wished else text
