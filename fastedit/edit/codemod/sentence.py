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
from functools import lru_cache

from fastedit.edit.codemod.courtesy import bare
from fastedit.edit.codemod.template import Said, Spans, Template

_CODED = re.compile(r"\d|.*[\w][._(]|(?:True|False|None|true|false|null|nil)\Z")
_RENAMED = re.compile(r".*?\brename\s.*\sto\s+[`'\"]?(?P<new>[\w$]+)[`'\"]?\Z", re.IGNORECASE)
_IT = re.compile(r"(?:set|change)\s+it\s+to\s", re.IGNORECASE)
_PAIR = re.compile(r"[`'\"]?[\w$.]+[`'\"]?\s+(?:to|into|->)\s+\S+\Z", re.IGNORECASE)
_PAIR_VERB = re.compile(
    r"(?:(?:in|inside|within)\s+\S+\s+)?(?:please\s+)?(?:rename|set|change)(?=\s+\S+\s+(?:to|into|->)\s+\S+\Z)",
    re.IGNORECASE,
)

_QUOTED = r"(?:`[^`]+`|\"[^\"]+\"|(?<!\w)'[^']+'(?!\w))"
_CODE_OR_TEXT = re.compile(_QUOTED)
_PLAIN = re.compile(r"[`'\"][A-Za-z_][\w.]*(?:\(\))?[`'\"]")
# Decorators and prose are nothing that "it" would be said of behind them.
_ASIDE = re.compile(r"[`'\"](?:@.*|[A-Z]\w*[ .].*)[`'\"]")
_POINTS = re.compile(
    r"\b(?:(?P<to>to|from|on|in|of|for|off|onto|into|make|turn|mark|declare|give|decorate|document|let|have) it\b"
    r"|(?P<its>its)\b"
    r"|(?P<there>there)(?=[.!]?\Z))",
    re.IGNORECASE,
)
# "`f` should begin with a and end with b", "`f` needs a docstring and the return type b"
_SUBJECT = re.compile(
    rf"(?:please )?(?P<subject>{_QUOTED}|\w+) (?P<modal>should|must|has to|needs to|ought to|shall|needs)\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"(?:begin|start|end|finish|return|take|accept|inherit|extend|default|get|carry|have|be)\b", re.IGNORECASE
)
_THING = re.compile(r"(?:an?|the) ", re.IGNORECASE)
_PLACE = re.compile(rf"(?:please )?(?P<place>in {_QUOTED})[,:]? ", re.IGNORECASE)
_AS_PAIR = re.compile(rf"{_QUOTED} as \S+\Z")
_AS_VERB = re.compile(
    rf"(?:in {_QUOTED},? )?(?:annotate|type|mark|declare|hint)(?= {_QUOTED} as \S+\Z)", re.IGNORECASE
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
        self._templates = tuple(Template(template) for template in templates)

    def read(self, text: str) -> Iterator[Told]:
        """Every way in which the text is one of these sentences."""
        for said in _heard(text):
            for template in self._templates:
                for spans in template.ways(said):
                    yield _told(said, spans)


@lru_cache(maxsize=8)
def _heard(text: str) -> tuple[Said, ...]:
    """The text in each way to take courtesy off; kept, since every kind of change reads the same one."""
    return tuple(map(Said, bare(text)))


def _told(said: Said, spans: Spans) -> Told:
    parts, quoted, literals, kinds = dict[str, str](), set[str](), dict[str, str](), ""
    for name, start, stop in spans:
        text = " ".join(word.text for word in said.words[start:stop])
        if name == "kinds":
            kinds = text
            continue
        parts[name] = text
        first = said.words[start]
        if first.quote:
            quoted.add(name)
        if first.literal is not None:
            literals[name] = first.literal
    return Told(parts, frozenset(quoted), literals, kinds)


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


def leaning_sentences(parts: Sequence[str]) -> tuple[str, ...]:
    """Whole parts, those filled in that have their subject, their place or what "it" means from the one before."""
    done = list[str]()
    for part in parts:
        done.append(_filled(done[-1], part) if done else part)
    return tuple(done)


def _filled(before: str, part: str) -> str:
    named, subject, place = _meant(before), _SUBJECT.match(before), _PLACE.match(before)
    if (pointing := _POINTS.search(part)) and len(_POINTS.findall(part)) == 1:
        if named is None:
            return part
        put = (
            f"{pointing['to']} {named}"
            if pointing["to"]
            else f"{named}'s"
            if pointing["its"]
            else f"in {named}"
        )
        return part[: pointing.start()] + put + part[pointing.end() :]
    if subject:
        needs = subject["modal"].lower() == "needs"
        if (_THING if needs else _GOES_ON).match(part):
            return f"{subject['subject']} {subject['modal']} {part}"
    if _AS_PAIR.match(part) and (verb := _AS_VERB.match(before)):
        return f"{verb[0]} {part}"
    if place and not re.search(r"\bin [`'\"]", part):
        return f"{place['place']}, {part}"
    return part


def _meant(before: str) -> str | None:
    """The one name of which a sentence speaks."""
    said = [code for code in _CODE_OR_TEXT.findall(before) if not _ASIDE.fullmatch(code)]
    return said[0] if len(said) == 1 and _PLAIN.fullmatch(said[0]) else None
