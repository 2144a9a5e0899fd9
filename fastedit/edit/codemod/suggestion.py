"""Ways to suggest, ask or wish for a change that say no more than telling to make it."""

from __future__ import annotations

import re

QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|'[^']*'")
# What is asked of "us" is a wish where the verb is one of changes: not "can we call it twice?".
CHANGES = tuple(
    """add annotate append await change comment convert declare decorate delete document drop duplicate exchange extend
    extract flip hoist include insert introduce invert kill lose make mark move negate pass pull put remove
    rename replace reword rewrite set simplify spell swap switch thread turn uncomment use wrap""".split()  # noqa: SIM905
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
    r"if\s+i(?:'m|\s+am)\s+not\s+mistaken|if\s+i\s+(?:read|see|understand|remember)\s+(?:it|this|that)\s+(?:right|correctly|well)|"
    r"for\s+(?:clarity|consistency|readability|convenience|debugging|safety|speed|performance|now|simplicity)(?=,)|"
    r"by\s+the\s+way|btw|fyi|for\s+starters|while\s+you(?:'re|\s+are)\s+(?:at\s+it|here|there)"
    r"|if\s+you\s+do(?:\s+not|n't)\s+mind"
    r"|if\s+possible|when\s+you\s+(?:get\s+a\s+(?:chance|minute|moment)|have\s+(?:time|a\s+(?:minute|moment|sec)))"
    r"|(?:alright|hmm+|oh(?:\s+and)?|furthermore|moreover|lastly|first(?:ly)?|second(?:ly)?|third(?:ly)?"
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
# "Could `load` be made async?", "could `load` take another argument?" are wishes; "could it be empty?" is a question.
_COULD = re.compile(
    r"\s*(?:please\s+)?could\s+"
    r"(?P<what>(?!(?:you|we|it|this|that|i|they|one|there|someone|somebody)\b).+?)\s+(?:please\s+)?"
    r"(?P<done>be\s+(?:please\s+)?(?:added|annotated|appended|changed|commented|converted|cut|declared|decorated|deleted"
    r"|derived|ditched|dropped|duplicated|extended|extracted|factored|flipped|given|got|hoisted|imported|inserted|inverted"
    r"|lifted|lowered|made|marked|moved|negated|pulled|put|raised|removed|renamed|reordered|replaced|rephrased|reworded"
    r"|rewritten|split|stripped|swapped|switched|taken|thrown|tossed|turned|typed|uncommented|weeded|wrapped)\b[^?]*"
    r"|(?:get|take|accept|inherit|extend|start|begin|end|default|carry)\b[^?]*|become\s+an?\s[^?]*"
    r"|(?:return|raise|throw|use)\b[^?]*\b(?:instead|rather)\b[^?]*)\s*\??\s*",
    re.IGNORECASE | re.DOTALL,
)
_HANGS_ON = re.compile(r"\b(?:if|when|or|ever|still|already|twice|elsewhere|somewhere|here)\b", re.IGNORECASE)
# "It would be nice if `load` took ...", "it'd help to have ...": what follows is the wish.
_DREAM = re.compile(
    r"\s*(?:it(?:'d|\s+would)\s+(?:be\s+)?|would\s+be\s+|might\s+be\s+|i'd\s+|i\s+would\s+)"
    r"(?:really\s+|very\s+)?(?:nice|great|good|better|best|cool|lovely|helpful|handy|useful|ideal|wise|sensible|fitting|fine"
    r"|safer|cleaner|nicer|clearer|simpler|easier|tidier|neater|(?:more|less)\s+\w+|help|appreciate\s+it"
    r"|love\s+it|like\s+it|prefer\s+it)\s+(?P<how>if(?:\s+we\s+could)?|to)\s+(?P<wish>.+)",
    re.IGNORECASE | re.DOTALL,
)
# What somebody wishes for is said as if it were past.
_PAST = {
    "took": "takes",
    "got": "gets",
    "had": "has",
    "began": "begins",
    "gave": "gives",
    "were": "should be",
    "was": "should be",
    "ran": "runs",
    "threw": "throws",
    "we imported": "we import",
    "went": "goes",
    "came": "comes",
}
_IS_PAST = re.compile(rf"{QUOTED.pattern}|\b(?P<past>{'|'.join(_PAST)})\b(?!\s+to\b)")
# "How about removing a?" and "consider removing a" say what to do as "remove a" does.
_SUGGESTED = re.compile(
    r"\s*(?:(?:please\s+)?(?:(?:(?:would|do)\s+you\s+)?mind|(?:how|what)\s+about|consider|(?:i|i'd"
    r"|i\s+would)\s+(?:suggest|propose"
    r"|recommend))(?:\s+just)?)\s+(?P<verb>[a-z]+)ing\b",
    re.IGNORECASE,
)


def asks_for(text: str) -> bool:
    """Whether what is asked is no question."""
    return (
        _SUGGESTED.match(text) is not None
        or _requested(text) is not None
        or _DREAM.fullmatch(text) is not None
    )


def directly(text: str) -> str:
    """What is suggested, asked for or wished for, as one tells to do it or says what should be."""
    suggested = _SUGGESTED.match(text)
    roots = (suggested["verb"].lower(), f"{suggested['verb'].lower()}e") if suggested else ()
    for verb in (*roots, *(root[:-1] for root in roots if root[-1:] == root[-2:-1])):
        if suggested and verb in CHANGES:
            return f"{verb}{text[suggested.end() :]}"
    if requested := _requested(text):
        return f"{requested['what']} should {requested['done']}"
    if dream := _DREAM.fullmatch(text):
        return _in_present(dream["wish"]) if dream["how"].lower() == "if" else dream["wish"]
    return text


def _requested(text: str) -> re.Match[str] | None:
    return None if _HANGS_ON.search(QUOTED.sub("``", text)) else _COULD.fullmatch(text)


def _in_present(text: str) -> str:
    return _IS_PAST.sub(lambda found: _PAST[found["past"]] if found["past"] else found[0], text)
