"""Sentences that say one thing: how they are spelled here, and how what a user sent is held against them.

A template is a sentence with places: `{old}` a name, `{old:code}` code in quotes or a plain name, `{side=before|after}`
one of these, `{the}` articles and words such as "function", `{in}` optionally where it is to happen; `[a|b|]` stands
for any one of the alternatives. A sentence matches only as a whole. What stands around it may be courtesy and
reassurance, nothing that asks for more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fastedit.edit.instruction import KIND

_WORD = "".join(KIND.split())
_ARTICLE = r"(?:the|a|an|this|that|following|existing|whole|entire|unused|new)"
_THE = rf"(?:(?:{_ARTICLE}|{_WORD})\s+)*"
_NAME = r"(?P<{0}_quote>[`'\"])?(?P<{0}>[\w$]+(?:(?:\.|::|\#)[\w$]+)*)(?:\(\))?(?({0}_quote)(?P={0}_quote))"
_CODE = (
    r"(?:(?P<{0}_ticks>`+)(?P<{0}>(?:(?!(?P={0}_ticks)).)+)(?P={0}_ticks)|(?P<{0}_quote>[\"'])(?P<{0}_within>[^\"'\n]+)(?P={0}_quote)"
    r"|(?P<{0}_bare>[\w$.@][\w$.@()]*))"
)
_IN = (
    rf"(?:\s+(?:in|inside|within|of|from)\s+(?:{_THE}{_NAME.format('place')}(?:\s+{_WORD})?"
    r"|(?:this|the)\s+(?:file|module))|(?P<everywhere>\s+(?:everywhere|throughout)(?:\s+(?:in\s+)?the\s+(?:file|module))?))?"
)
_CODED = re.compile(r"\d|.*[\w][._(]|(?:True|False|None|true|false|null|nil)\Z")
_PIECE = re.compile(r"\{(\w+)(:code)?(?:=([^}]*))?\}|\[([^\]]*)\]|(\s+)")
# Beside an update: what is said of the update itself.
_AS_SHOWN = (
    r"(?:apply|make|take)\s+(?:the|this|these)\s+(?:update|change|edit)s?|edit\s+as\s+shown"
    r"|(?:besides|apart\s+from)\s+(?:that|this|what\s+is\s+shown|the\s+update)"
)
_LEAD = re.compile(
    r"\s*(?:(?:please|kindly|now|next|also|just|hi|hey|can\s+you|could\s+you|would\s+you|let's|let\s+us|you\s+should|we\s+should"
    r"|i\s+want\s+you\s+to|i\s+want\s+to|i'd\s+like\s+you\s+to|we\s+need\s+to|todo|as\s+discussed|besides|in\s+addition"
    rf"|{_AS_SHOWN})\b[:,.;]?\s+(?:(?:and|then|also)\b,?\s+)*|[-*]\s+)+",
    re.IGNORECASE,
)
_REMARK = re.compile(r"[A-Za-z][A-Za-z ,']{2,60}:\s+(?=\w)")
_NOTHING_ELSE = (
    rf"(?:keep|leave)\s+(?:everything\s+else|all\s+else|the\s+(?:rest|others?)|{_NAME.format('other')})"
    r"(?:\s+(?:alone|as\s+(?:it\s+is|is)|unchanged))?"
    r"|(?:do\s+not|don't)\s+(?:touch|change)\s+anything\s+else|(?:nothing\s+else|no\s+other)\s+changes?"
    r"|thanks|thank\s+you|that\s+is\s+all|that's\s+all|please|(?:because|since|so\s+that)\s+[^.;]+"
)
_TRAIL = re.compile(
    rf"(?:(?:\s*[.;,!]|\s+-|(?=\s+please|\s+because))\s*(?:and\s+)?(?:{_NOTHING_ELSE}))*\s*[.!?]*\s*\Z",
    re.IGNORECASE,
)
_FIRST_PLACE = re.compile(
    rf"(?:in|inside|within)\s+({_THE}{_NAME.format('place')}),\s+(?P<rest>.+)", re.IGNORECASE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Told:
    """What a sentence says in its places."""

    parts: dict[str, str]
    quoted: frozenset[str]
    kinds: str

    def __getitem__(self, name: str) -> str:
        return self.parts[name]

    def is_code(self, name: str) -> bool:
        """Whether what is said there surely is code and no word of the sentence."""
        return name in self.quoted or _CODED.match(self.parts[name]) is not None

    def get(self, name: str) -> str | None:
        return self.parts.get(name)


class Sentences:
    """All templates of one kind of change."""

    def __init__(self, *templates: str) -> None:
        self._patterns = tuple(
            re.compile(_pattern(template), re.IGNORECASE | re.DOTALL) for template in templates
        )

    def read(self, text: str) -> Iterator[Told]:
        """Every way in which the text is one of these sentences."""
        for said in _bare(text):
            for pattern in self._patterns:
                if found := pattern.fullmatch(said):
                    yield _told(found)


def _pattern(template: str) -> str:
    made, done = "", 0
    for piece in _PIECE.finditer(template):
        made += re.escape(template[done : piece.start()])
        done = piece.end()
        name, code, named_choice, choice, blank = piece.groups()
        if name == "the":
            made += _THE if "(?P<kinds>" in made else f"(?P<kinds>{_THE})"
        elif name == "in":
            made += _IN
        elif named_choice is not None:
            made += f"(?P<{name}>{_choice(named_choice)})"
        elif name:
            made += (_CODE if code else _NAME).format(name)
        else:
            made += r"\s+" if blank else f"(?:{_choice(choice)})"
    return made + re.escape(template[done:])


def _choice(alternatives: str) -> str:
    return "|".join(re.sub(r"\\?\s", r"\\s+", re.escape(words)) for words in alternatives.split("|"))


def _bare(text: str) -> Iterator[str]:
    """The text without what courtesy puts around it; again without a remark before it; a place put last."""
    lead = _LEAD.match(text)
    said = text[lead.end() if lead else 0 :]
    trail = _TRAIL.search(said)
    said = said[: trail.start()].strip() if trail and "\n" not in said.strip() else said.strip()
    yield said
    if remark := _REMARK.match(said):
        yield from _bare(said[remark.end() :])
    if first := _FIRST_PLACE.fullmatch(said):
        yield f"{first['rest']} in {first[1]}"


def _told(found: re.Match[str]) -> Told:
    parts, quoted = dict[str, str](), set[str]()
    groups = found.groupdict()
    for group, text in groups.items():
        name = re.sub(r"_(?:within|bare)\Z", "", group)
        if text is None or group.endswith(("_ticks", "_quote")) or group == "kinds":
            continue
        parts[name] = text
        if groups.get(f"{name}_ticks") or groups.get(f"{name}_quote"):
            quoted.add(name)
    return Told(parts, frozenset(quoted), groups.get("kinds") or "")
