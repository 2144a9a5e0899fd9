"""Sentences with places, held against the words of what was said.

Matching goes word by word instead of by regular expressions: these take a millisecond each to compile, and there are
many hundred sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, cached_property

from fastedit.edit.codemod.words import Word, words
from fastedit.edit.instruction import KIND

_ARTICLES = frozenset(
    """the a an this that these following existing whole entire unused unneeded new current same whole
    definition-of extra additional""".split()  # noqa: SIM905
)
KINDS = frozenset(
    word + plural
    for word in (*re.findall(r"[a-z]{2,}", KIND), "func", "fn", "component", "annotation")
    for plural in ("", "s")
) | {"nested", "inner", "private", "public", "code", "classes", "properties"}
_NAME = re.compile(r"[\w$]+(?:(?:\.|::|\#)[\w$]+)*(?:\(\))?")
BARE_CODE = re.compile(r"[\w$.@-][\w$.@()=\[\]*+/%<>!-]*")
# Words of the sentence, which can be names only in quotes.
_NO_NAMES = frozenset(
    """a an the this that these those it its them they we you i is are be been was were not no never only
    and or but nor if unless until of to in on at by with from for as so than then everything anything
    something nothing nobody instead instead-of should want ensure has have had needs which
    """.split()  # noqa: SIM905
)
REASON_WORDS = frozenset(
    """it its is are was were be been being this that they them there we i you our us one ones anyone nobody
    nothing something someone somebody everyone no not never longer no-longer anymore uses use used using
    calls call called calling needs need needed needing wanted wants references referenced refers depends
    depend relies rely on in at of for from by with here everywhere anywhere else code file module place
    places dead unused obsolete superfluous redundant unnecessary useless pointless legacy old outdated
    stale wrong broken misleading misnamed confusing vague unclear clear clearer clean cleaner clearly
    better nicer shorter simpler easier safer faster slower slow fast right correct mistake bug bugs typo
    leftover junk noise debugging debug accident purpose doing does do did done useful helpful good bad
    worth anyway all long elsewhere moved by now already really just simply still so since because as has
    have had having a an the and to too very much more most less consistency consistent convention style
    guide rest tests test linter complains complain expects expect otherwise readers reader people callers
    caller users user read reads say says fits fit match matches means mean what how who whose their my your
    left lost got gets get serves serve necessary required require requires stays stay same unchanged
    changes happens happen put everything where weight business false true up down out into way works work
    working run runs become became becomes redundantly belongs belong there's anybody accidentally served
    feature removed been replaced checker""".split()  # noqa: SIM905
)
STARTERS = frozenset(
    {
        "since",
        "because",
        "as",
        "so",
        "nothing",
        "nobody",
        "no",
        "no-longer",
        "it",
        "this",
        "that",
        "they",
        "we",
        "for",
        "not",
    }
)
# No reason ends with these: what follows belongs to them, as in "not to delete it", "we did not drop it".
_OPEN_ENDED = frozenset(
    """to not no never no-longer did do does need needs needed want wants wanted""".split()  # noqa: SIM905
)
# Behind "for" and "not" these tell for whom or where, so they limit what is asked for.
_AUDIENCE = frozenset(
    """test tests caller callers user users people everyone everybody anyone anybody someone somebody nobody else one
    ones here everywhere anywhere elsewhere module file place places in at for from to with by of on""".split()  # noqa: SIM905
)
_ARTICLES_BEFORE = frozenset({"the", "our", "my", "your", "their", "a", "an", "all"})


def reason_ends(plain: Sequence[str]) -> list[int]:
    """The places where a reason that the words begin with may end; "we do not pass it yet" asks to pass it."""
    if not plain or plain[0] not in STARTERS:
        return []
    head = next((n for n, word in enumerate(plain) if word not in REASON_WORDS), len(plain))
    return [n for n in range(2, head + 1) if plain[n - 1] not in _OPEN_ENDED or "yet" in plain[n:]]


def starts_reason(plain: Sequence[str], at: int) -> bool:
    """Whether the words from there on can tell why: not for whom, or where not."""
    if plain[at] not in STARTERS or plain[at - 1] == "and":
        return False
    noun = next((word for word in plain[at + 1 :] if word not in _ARTICLES_BEFORE), "")
    return plain[at] not in ("for", "not") or noun not in _AUDIENCE


class _Part(Enum):
    THE = "articles and words for kinds of things, the first of the sentence"
    ARTICLES = "the same anywhere"
    WHY = "a reason"


@dataclass(frozen=True, slots=True)
class _Place:
    """A name, or where `code` any code."""

    name: str
    code: bool

    def fits(self, word: Word) -> bool:
        if word.quote:
            return self.code or _NAME.fullmatch(word.text) is not None
        known = word.plain in _NO_NAMES or word.plain in ("-", "->")
        return not known and (BARE_CODE if self.code else _NAME).fullmatch(word.text) is not None


@dataclass(frozen=True, slots=True)
class _Choice:
    """Any one of the options; what is said there is kept where it has a name."""

    options: tuple[_Pattern, ...]
    name: str = ""


_Element = str | _Part | _Place | _Choice
_Pattern = tuple[_Element, ...]
Spans = tuple[tuple[str, int, int], ...]
_IN = (
    """[[in|inside|within|of|from] {the}{place}[ {kinds}|]|[in|inside|within|of|from] [this|the] [whole|]
        [file|module]"""
    "|{everywhere=[everywhere|throughout][ it is used| the file| the module| in the file| in the module|]}|]"
).replace("{kinds}", "|".join(sorted(KINDS)))
_LOOSE = re.compile(r"[^\[\]{}|]+")


class Template:
    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _pattern(self) -> _Pattern:
        return _Parser(self.text).whole()

    @cached_property
    def _needed(self) -> frozenset[str]:
        return _needed(self._pattern)

    def ways(self, said: Said) -> Iterator[Spans]:
        """Every way in which the words are this sentence: the places by name, from the first word up to the
        last."""
        if not self._needed <= said.vocabulary:
            return
        for start in said.starts:
            yield from _ways(self._pattern, said, start)


class Said:
    """The words of a sentence. A reason may stand before or behind what it tells to do."""

    def __init__(self, text: str) -> None:
        self.words = words(text)
        self.vocabulary = frozenset(word.plain for word in self.words)
        plain = [word.plain for word in self.words]
        tail = next((n for n in range(len(plain), 0, -1) if plain[n - 1] not in REASON_WORDS), 0)
        self.starts = [0, *reason_ends(plain)]
        self.stops = frozenset(
            {
                len(plain),
                *(n for n in range(tail, len(plain) - 1) if starts_reason(plain, n)),
            }
        )


def _ways(pattern: _Pattern, said: Said, at: int) -> Iterator[Spans]:
    spoken = said.words
    for index, element in enumerate(pattern):
        if isinstance(element, str):
            if at == len(spoken) or spoken[at].plain != element:
                return
            at += 1
        elif isinstance(element, _Place):
            if at == len(spoken) or not element.fits(spoken[at]):
                return
            span = (element.name, at, at + 1)
            yield from ((span, *rest) for rest in _ways(pattern[index + 1 :], said, at + 1))
            return
        elif isinstance(element, _Choice):
            yield from _chosen(element, pattern[index + 1 :], said, at)
            return
        else:
            yield from _run(element, pattern[index + 1 :], said, at)
            return
    if at in said.stops:
        yield ()


def _chosen(choice: _Choice, rest: _Pattern, said: Said, at: int) -> Iterator[Spans]:
    for option in choice.options:
        if not choice.name:
            yield from _ways((*option, *rest), said, at)
            continue
        stop = at + len(option)
        if stop <= len(said.words) and all(
            isinstance(word, str) and said.words[at + n].plain == word for n, word in enumerate(option)
        ):
            yield from (((choice.name, at, stop), *found) for found in _ways(rest, said, stop))


def _run(part: _Part, rest: _Pattern, said: Said, at: int) -> Iterator[Spans]:
    """As many words of one sort as there are, then fewer."""
    known = REASON_WORDS if part is _Part.WHY else _ARTICLES | KINDS
    stop = at
    while stop < len(said.words) and said.words[stop].plain in known:
        stop += 1
    for end in range(stop, at - (part is not _Part.WHY), -1):
        span = (("kinds", at, end),) if part is _Part.THE else ()
        yield from ((*span, *found) for found in _ways(rest, said, end))


def _needed(pattern: _Pattern) -> frozenset[str]:
    """Words that no sentence of the pattern lacks."""
    found = set[str]()
    for element in pattern:
        if isinstance(element, str):
            found.add(element)
        elif isinstance(element, _Choice):
            found |= frozenset.intersection(*(_needed(option) for option in element.options))
    return frozenset(found)


class _Parser:
    def __init__(self, text: str, named: bool = True) -> None:
        self._text, self._at, self._named = text, 0, named

    def whole(self) -> _Pattern:
        pattern = self._sequence()
        assert self._at == len(self._text), f"{self._text!r} has a bracket too many"
        return pattern

    def _sequence(self) -> _Pattern:
        made = list[_Element]()
        while self._at < len(self._text) and self._text[self._at] not in "|]}":
            sign = self._text[self._at]
            if sign == "[":
                made.append(_Choice(self._options("]")))
            elif sign == "{":
                made += self._place()
            else:
                loose = _LOOSE.match(self._text, self._at)
                assert loose is not None
                self._at = loose.end()
                made += [word.plain for word in words(loose[0])]
        return tuple(made)

    def _options(self, closing: str) -> tuple[_Pattern, ...]:
        options = list[_Pattern]()
        while True:
            self._at += 1
            options.append(self._sequence())
            if self._text[self._at] == closing:
                self._at += 1
                return tuple(options)

    def _place(self) -> _Pattern:
        found = re.compile(r"\{(\w+)(:code)?(=)?\}?").match(self._text, self._at)
        assert found is not None
        name, code, choice = found.groups()
        self._at = found.end()
        if choice:
            self._at -= 1
            return (_Choice(_flat(self._options("}")), name),)
        if name == "the":
            part, self._named = (_Part.THE if self._named else _Part.ARTICLES), False
            return (part,)
        if name == "why":
            return (_Part.WHY,)
        return _in() if name == "in" else (_Place(name, code is not None),)


def _flat(options: tuple[_Pattern, ...]) -> tuple[_Pattern, ...]:
    """Every sequence of words that the options spell."""
    done = list[_Pattern]()
    for option in options:
        ways: list[_Pattern] = [()]
        for element in option:
            more = _flat(element.options) if isinstance(element, _Choice) else ((element,),)
            ways = [(*way, *tail) for way in ways for tail in more]
        done += ways
    return tuple(done)


@cache
def _in() -> _Pattern:
    return _Parser(_IN, named=False).whole()
