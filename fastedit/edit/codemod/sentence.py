"""Sentences that say one thing: how they are spelled here, and how what a user sent is held against them.

A template is a sentence with places: `{old}` a name, `{old:code}` code in quotes or a plain name, `{side=before|after}`
one of these, `{the}` articles and words such as "function", `{in}` optionally where it is to happen; `[a|b|]` stands
for any one of the alternatives. A sentence matches only as a whole. What stands around it may be courtesy and
reassurance, nothing that asks for more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from fastedit.edit.instruction import KIND

_WORD = "(?:" + "".join(KIND.split()) + "|func|fn|component|annotation|private|public|nested|inner)"
_ARTICLE = r"(?:the|a|an|this|that|following|existing|whole|entire|unused|unneeded|new|current)"
_THE = rf"(?:(?:{_ARTICLE}|{_WORD})\s+)*"
_NAME = r"(?P<{0}_quote>[`'\"])?(?P<{0}>[\w$]+(?:(?:\.|::|\#)[\w$]+)*)(?:\(\))?(?({0}_quote)(?P={0}_quote))"
_CODE = (
    r"(?:(?P<{0}_ticks>`+)(?P<{0}>(?:(?!(?P={0}_ticks)).)+)(?P={0}_ticks)|(?P<{0}_quote>[\"'])(?P<{0}_within>[^\"'\n]+)(?P={0}_quote)"
    r"|(?P<{0}_bare>[\w$.@][\w$.@()=\[\]*+/%<>!-]*))"
)
_EVERYWHERE = r"(?:everywhere|throughout)(?:\s+(?:it\s+is\s+used|(?:in\s+)?the\s+(?:file|module)))?"
_IN = (
    rf"(?:\s+(?:in|inside|within|of|from)\s+(?:{_THE}{_NAME.format('place')}(?:\s+{_WORD})?"
    rf"|(?:this|the)\s+(?:whole\s+)?(?:file|module))|(?P<everywhere>\s+{_EVERYWHERE}))?"
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
# Before a colon. Any other word there may be what the sentence hangs on ("only if it is safe: ...").
_REMARK_WORDS = frozenset(
    """a and another as agreed because big bug bugfix change changes chore clarity cleaner cleanup comment comments
    consistency discussed edit fail feedback feature first fix follow-up for from hi hint improvement issue it larger
    last linter little major minor more my naming next nit note of on one our over part please pull quick readability
    refactor refactoring release remark request requested review rule same second simple small step style
    suggestion task team tests the thing third this tidy tiny todo trivial up version warning with work""".split()  # noqa: SIM905
)
_REMARK = re.compile(r"([A-Za-z][A-Za-z ,'-]{1,60}):\s+(?=\w)")
# A reason that has one of these may ask for something else, or take back a part of what was said.
_LIMITS = (
    r"\b(?:but|except|only|unless|if|when|while|until|otherwise|instead|without|also|and|then|or|keep|leave|please"
    r"|delete|remove|drop|rename|change|set|add|insert|replace|make)\b"
)
_NOTHING_ELSE = (
    rf"(?:keep|leave)\s+(?:everything\s+else|all\s+else|the\s+(?:rest|others?)|{_NAME.format('other')})"
    r"(?:\s+(?:alone|as\s+(?:it\s+is|is)|unchanged))?"
    r"|(?:do\s+not|don't)\s+(?:touch|change)\s+anything\s+else|(?:nothing\s+else|no\s+other)\s+changes?"
    r"|thanks|thank\s+you|that\s+is\s+all|that's\s+all|please|for\s+(?:clarity|consistency|readability)"
    rf"|(?:because|since|so\s+that)\s+(?:(?!{_LIMITS})[^.;,?])+"
)
_TRAIL = re.compile(
    rf"(?:(?:\s*[.;,!]|\s+-|(?=\s+please|\s+because|\s+for\s))\s*(?:and\s+)?(?:{_NOTHING_ELSE}))*\s*[.!?]*\s*\Z",
    re.IGNORECASE,
)
_FIRST_PLACE = re.compile(
    rf"(?:in|inside|within)\s+({_THE}{_NAME.format('place')})[,:]?\s+(?P<rest>.+)", re.IGNORECASE | re.DOTALL
)


_ASKING = re.compile(r"\b(?:can|could|would)\s+you\b", re.IGNORECASE)
_KEPT = re.compile(r"\b(?:keep|leave)\s+(?!(?:the|all|everything)\b)([`'\"\w$.:#]+)", re.IGNORECASE)
_PARTS = re.compile(r"[\w$]+")


_RENAMED = re.compile(r".*?\brename\s.*\sto\s+[`'\"]?(?P<new>[\w$]+)[`'\"]?\Z", re.IGNORECASE)
_IT = re.compile(r"(?:set|change)\s+it\s+to\s", re.IGNORECASE)
_PAIR = re.compile(r"[`'\"]?[\w$.]+[`'\"]?\s+(?:to|into|->)\s+\S+\Z", re.IGNORECASE)
_PAIR_VERB = re.compile(
    r"(?:please\s+)?(?:rename|set|change)(?=\s+\S+\s+(?:to|into|->)\s+\S+\Z)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Told:
    """What a sentence says in its places. `literals` are those in quotes that may be the code's own, with them."""

    parts: dict[str, str]
    quoted: frozenset[str]
    literals: dict[str, str]
    kinds: str

    @property
    def kind_words(self) -> frozenset[str]:
        """What the sentence calls the thing it is about ("method"), in lower case and the singular."""
        words = re.findall(r"[a-z]+", f"{self.kinds} {self.parts.get('kind', '')}".lower())
        return frozenset(word.removesuffix("s") if word != "class" else word for word in words)

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
        self._templates = templates

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], ...]:
        """Compiled for the first sentence: an update alone never needs them, and all of them take 0.2 s."""
        return tuple(
            re.compile(_pattern(template), re.IGNORECASE | re.DOTALL) for template in self._templates
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
    if said.rstrip().endswith("?") and not (lead and _ASKING.search(lead[0])):
        return
    trail = _TRAIL.search(said)
    if trail and "\n" not in said.strip():
        said, kept = said[: trail.start()], " ".join(_KEPT.findall(trail[0]))
        # What is to stay must be something else than what the sentence is about.
        if set(_PARTS.findall(kept)) & set(_PARTS.findall(said)):
            return
    said = said.strip()
    yield said
    if (remark := _REMARK.match(said)) and _REMARK_WORDS.issuperset(remark[1].lower().split()):
        yield from _bare(said[remark.end() :])
    if first := _FIRST_PLACE.fullmatch(said):
        yield f"{first['rest']} in {first[1]}"


def _told(found: re.Match[str]) -> Told:
    parts, quoted, literals = dict[str, str](), set[str](), dict[str, str]()
    groups = found.groupdict()
    for group, text in groups.items():
        name = re.sub(r"_(?:within|bare)\Z", "", group)
        if text is None or group.endswith(("_ticks", "_quote")) or group == "kinds":
            continue
        parts[name] = text
        quote = groups.get(f"{name}_quote")
        if groups.get(f"{name}_ticks") or quote:
            quoted.add(name)
        if quote and quote != "`":
            literals[name] = f"{quote}{text}{quote}"
    return Told(parts, frozenset(quoted), literals, groups.get("kinds") or "")


def whole_sentences(parts: Sequence[str]) -> tuple[str, ...]:
    """The parts, those that lean on the one before filled in: "rename a to b, c to d", "rename a to b and set it to 1".

    "delete a in f and g" is left alone: whether g is to go or to lose its a is open.
    """
    done = list[str]()
    for part in parts:
        before = done[-1] if done else ""
        renamed, pair = _RENAMED.match(before), _PAIR.match(part)
        if renamed and _IT.match(part):
            part = re.sub(r"\bit\b", renamed["new"], part, count=1, flags=re.IGNORECASE)
        elif pair and (verb := _PAIR_VERB.match(before)):
            part = f"{verb[0]} {part}"
        done.append(part)
    return tuple(done)
