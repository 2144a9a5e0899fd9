"""The words of a sentence: what is quoted in it, and spellings that mean the same as one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_TOKEN = re.compile(
    r"(?P<ticks>`+)(?P<ticked>.+?)(?P=ticks)(?!`)"
    r"|(?<![\w$.)\]])(?P<quote>\"(?:\"\")?|')(?P<within>[^\"'\n]+|[^\"\n]+(?=\")|[^'\n]+(?='(?!\w)))(?P=quote)(?![\w\"])"
    r"|(?P<paren>(?<!\S)\((?=[a-z]+\s|\"[^\"\n]*\"\)|'[^'\n]*'\)))|(?P<arrow>-{1,2}>|=>|→)|(?P<closed>[\w$.]+(?=\)[.,;:!?]*(?:\s|\Z)))|(?P<bare>[^\s`]+?)(?=[.,;:!?]*(?:\s|\Z|`)|-{1,2}>|=>|→|['’]s\b)|(?P<other>['’]s\b|\S)",
    re.DOTALL,
)
# What separates, but does not tell anything: the words around it have to make sense without it.
_SEPARATORS = frozenset({",", ";", "-", "–", "—", "--", "!"})
_SHORT = {
    "don't": "do not", "doesn't": "does not", "isn't": "is not", "aren't": "are not", "shouldn't": "should not",
    "mustn't": "should not", "can't": "can not", "cannot": "can not", "won't": "will not", "wasn't": "was not",
    "hasn't": "has not", "haven't": "have not", "needn't": "need not", "didn't": "did not", "wouldn't": "would not",
    "i'd": "i would", "we'd": "we would", "you'd": "you would", "we're": "we are", "i'm": "i am",
    "we've": "we have", "i've": "i have", "we'll": "we will", "i'll": "i will", "it'll": "it will",
}  # fmt: skip
# By meaning, the ways to put it; longer ones are looked for first.
_ALIKE = {
    "should": "must|has to|have to|needs to|need to|ought to|shall|is supposed to|are supposed to|is to|has got to"
    "|is meant to|shall have to|will have to",
    "want": "i want|we want|i need|we need|i would like|we would like|i would prefer|we would prefer"
    """|i would rather have|we would rather have|i would rather see|i would like to see|i want to see|i
        would like to have"""
    "|we would like to have|i want to have|we want to have|what i want is|what we need is|what i need is"
    "|what i would like is",
    "ensure": "make sure that|make sure|ensure that|see to it that|be sure that|take care that|check that",
    "instead-of": "instead of|rather than|in place of|as opposed to|in lieu of|in favour of|in favor of",
    "anymore": "any more|any longer",
    "at the end": "at the back|at the rear|at the tail|at the very end|in last place|in last position|in the last"
    " position"
    "|in final position",
    "now": "right away|straight away",
    "completely": "in full|in its entirety|from start to finish",
    "needlessly": "for nothing|in vain|to no avail",
    "no-longer": "no longer",
    "it is": "it 's|that 's|that is",
    "there is": "there 's",
    "let us": "let 's",
    "name": "identifier",
    "parameter": "argument|param|arg",
    "function": "method|func",
    "type-hint": "type hint|type annotation|typehint|type hints|typehints",
}


@dataclass(frozen=True, slots=True)
class Word:
    """`text` is what stands there, without its quotes; `plain` what it is compared by, "" where it is
    quoted."""

    text: str
    plain: str
    quote: str = ""

    @property
    def name(self) -> str:
        """Without the parentheses of a call, which are no part of a name."""
        return self.text.removesuffix("()")

    @property
    def literal(self) -> str | None:
        """With its quotation marks, where these may be the code's own."""
        return f"{self.quote}{self.text}{self.quote}" if self.quote in ("'", '"') else None


def words(text: str) -> tuple[Word, ...]:
    found = list[Word]()
    for token in _TOKEN.finditer(text):
        if token["ticked"] is not None:
            found.append(Word(token["ticked"], "", "`"))
        elif token["within"] is not None:
            found.append(Word(token["within"], "", token["quote"][0]))
        else:
            found += _plain(token[0])
    return _unified(found)


def _plain(text: str) -> list[Word]:
    low = text.lower().replace("’", "'")
    if low in _SEPARATORS:
        return []
    if low in _SHORT:
        return [Word(word, word) for word in _SHORT[low].split()]
    return [Word(text, low)]


def _phrases() -> dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]]:
    """By their first word: phrases and what is said for them, longest first."""
    table = dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]]()
    for meaning, ways in _ALIKE.items():
        for way in ways.split("|"):
            first, *rest = way.split()
            table.setdefault(first, []).append(((first, *rest), tuple(meaning.split())))
    return {first: sorted(ways, key=lambda way: -len(way[0])) for first, ways in table.items()}


_PHRASES = _phrases()


def _unified(found: Sequence[Word]) -> tuple[Word, ...]:
    """Each phrase as the one that stands for all of its meaning."""
    done, at = list[Word](), 0
    while at < len(found):
        for phrase, meaning in _PHRASES.get(found[at].plain, ()):
            if tuple(word.plain for word in found[at : at + len(phrase)]) == phrase:
                text = " ".join(word.text for word in found[at : at + len(phrase)])
                done += [Word(text, word) for word in meaning]
                at += len(phrase)
                break
        else:
            done.append(found[at])
            at += 1
    return tuple(done)
