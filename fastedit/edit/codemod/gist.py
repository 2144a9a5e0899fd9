"""What a sentence is about, in whatever order it says so.

A topic knows all words that may occur in a sentence about it, and which of them must. What else a sentence has are the
names and pieces of code that it mentions: which of them is meant as what, the file tells. A word that a topic does not
know is a mention too many, so a sentence is understood as a whole or not at all. Only where nothing understands it is a
word left out (`Source.leeway`), which leaves a doubt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from fastedit.edit.codemod.courtesy import bare
from fastedit.edit.codemod.name_places import name_places
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.codemod.template import REASON_WORDS, reason_ends, starts_reason
from fastedit.edit.codemod.words import Word, words

# Words that change nothing about what a sentence asks for, whatever its topic.
_FILLER = """( ) + : . -> => a able about absent accept accepting accordingly actually add adapt added adding
    addition additional
    additionally adds adjust afterwards again ago agreed ahead along already also alter am an another anyway
    appear
    apply applied are around as aside assign at attach attempt bad badly be because become becoming been being
    belong
    better bit bring brief business by came can certain change clarify clean cleaner clear clearer clearly
    code come coming complain complete completely confusing configure continue convert correct cover create
    current
    currently deal decide define deserve did directly do does doing done drag due earlier easier edit
    enough ensure entire entirely equip ever exact exactly exchange exist existing expand expect explain
    explicit
    explicitly express extend extra far feed file fill find fine finish fit fix follow following for forget
    forgot
    forgotten found free fresh from further get gets getting give given gives giving go goes going good got
    had happen
    hand handed has have having help helpful here hold i immediate immediately improve in include
    including incomplete incorrect incorrectly initially insert inside into introduce is issue it its job
    join just kind know lack lately later legacy less let likely little live look lot made main make makes
    making
    match matter may me mean meant mention merely might minor miss missing mistake modify moment more most
    much must
    my namely need needed needs new nice nicer note notice now obvious obviously occur of ok old on one onto
    originally ought our outdated overwrite own people pick place
    placed plain please plus point present presently proper properly provide purpose push put
    quick quickly quite rather re read real really reason receive redo refactor regard replace replacement
    replacing
    request reset respond revise rewrite right room roughly safe safely said say
    says section see seem seen send separate set shall short should show silently simple simplify simply since
    sit slap
    slight slightly slot small so someone somebody something somewhere soon source specify spell spot squeeze
    stale
    stand state stead step stick still straight stuff substitute substitution sudden supply sure switch
    tack takes taken taking tell text than thank thanks that the their them then there there's therefore these
    they
    thing things think this those through time tiny to today together too trade true try turn tweak
    up update upon us use used useful using usual usually via wait want was way we well were what whatever
    which who
    whole whose will wire with within word wording would write written wrong wrongly yes yet you your
    's ? rework could declare declared out over back off tag date mark append next lets resume stated explicit
    trip needlessly unnecessarily pointlessly redundantly mistakenly erroneously inadvertently somehow"""
_CODED = re.compile(r"@?[\w$]+(?:[._][\w$]+|\(\)|[a-z][A-Z]\w*)+|-?\d[\w.]*|True|False|None|true|false|null")
# With their capital these are values, though "true" is also a word.
_CONSTANTS = frozenset({"True", "False"})
_ENDINGS = ("ings", "ing", "ed", "es", "s", "e")
# Words whose stem would be another's.
_WHOLE = frozenset(
    {
        "commented",
        "commenting",
        "commented-out",
        "comment-out",
        "note",
        "notes",
        "noted",
        "nothing",
        "thing",
        "string",
        "strings",
        "needed",
        "during",
        "being",
    }
)
# Behind these a verb asks for its opposite.
NEGATIONS = frozenset({"not", "no", "never", "without", "no-longer", "stop", "nothing", "nobody", "nor"})

# What stands next to each other where something is not to be done.
FORBIDS = frozenset({("do", "not"), ("should", "not"), ("can", "not")})

_BEFORE_VERBS = NEGATIONS - {"nothing", "nobody"}


def stem(word: str) -> str:
    if word in _WHOLE:
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            doubled = word[-1] == word[-2] and len(word) > 3 and ending in ("ing", "ed")
            return word[:-1] if doubled else word
    return word


@cache
def lexicon(said: str) -> frozenset[str]:
    """The stems of words; kept, since every sentence is held against the same lists."""
    return frozenset(map(stem, said.split()))


FILLER = lexicon(_FILLER)
GONE = lexicon(
    """delete remove drop erase eliminate kill nuke ditch scrap axe cut lose purge prune strip discard throw
    toss chuck bin wipe rip trim omit exclude clear rid gone away out off scrub strike kick pull superfluous
    unneeded obsolete disappear unnecessary pointless redundant expunge leave leftover shed dispense yank
    excise retire dump banish vanish abolish oust expel obliterate jettison evict zap trash"""
)


# What joins, limits or turns round a wish: no sentence is understood without these.
_BINDING = NEGATIONS | lexicon(
    """and or but then also too both all each any every other another only except unless if when while until
    whenever wherever where instead otherwise although though however before after either neither
    first last start end beginning top bottom front delete remove drop erase eliminate
    kill discard move swap rename copy sort revert undo"""
)
# What stands behind these tells where, when or for whom.
_LEADS = lexicon("for in of from with within by on at to into as like about inside during behind below above")
_ARTICLES = frozenset(
    {"the", "a", "an", "our", "my", "its", "their", "that", "this", "these", "those", "all"}
)
_SETS = lexicon("set change go put turn switch make use let bring raise move bump lower become")
_NOT_SO = lexicon("be here everywhere anywhere") | {""}
_BLAMES = lexicon("wrong wrongly bad badly incorrect mistake bug")
_FOR_SOME = frozenset({("for", word) for word in lexicon("test everyone caller user")})
_FORBIDDEN = frozenset(
    {
        (*pair, verb)
        for pair in FORBIDS
        for verb in lexicon("change replace rename move swap exchange convert turn modify")
    }
)
_BETTER = lexicon("but instead instead-of rather else rest")
_REST = lexicon("rest else other everything anything")
_VAGUE = lexicon("less more most about around roughly likely something")
_RAISES = lexicon("raise bump lower increase decrease reduce up down")
_UPTO = lexicon("to -> => be at = :")

# Words of any topic: without quotes they are never names.
_SPOKEN = set[str]()


@dataclass(frozen=True, slots=True)
class Gist:
    """`stems` are those of all words, "" for what is mentioned, and `places` where in it the mentions
    stand."""

    stems: tuple[str, ...]
    mentions: tuple[Word, ...]
    places: tuple[int, ...]

    def has(self, some: frozenset[str]) -> bool:
        return not some.isdisjoint(self.stems)

    def negates(self, some: frozenset[str]) -> bool:
        """Whether a negation stands right before one of these words, or with no more than "to be" between."""
        bare = [
            word
            for before, word in pairwise(("", *self.stems))
            if word not in ("to", "be", "you", "we", "just", "simply")
            # "No need to drop it", "we do not need to drop it"
            and not (word == "should" and before in ("no", "not"))
        ]
        return any(word in some and before in _BEFORE_VERBS for before, word in pairwise(bare))

    @property
    def triples(self) -> Iterator[tuple[str, str, str]]:
        """All three stems that follow each other."""
        return zip(self.stems, self.stems[1:], self.stems[2:], strict=False)

    @property
    def forbids(self) -> bool:
        """Whether it says that something is not to be done, whatever that is."""
        return not FORBIDS.isdisjoint(pairwise(self.stems))

    @property
    def forbids_or_limits(self) -> bool:
        """Whether it says not to change what is there, with nothing said to be better, or for whom to do it."""
        said = [word for word in self.stems if word not in ("the", "our", "all")]
        if not _FOR_SOME.isdisjoint(pairwise(said)) or _left_alone(said):
            return True
        changed = any(
            (*pair, word) in _FORBIDDEN for *pair, word in zip(said, said[1:], said[2:], strict=False)
        )
        return changed and not self.has(_BETTER)

    def keeps_value(self, old: bool) -> bool:
        """Whether it says that something is not to be set, or by how much or about what it is to be.

        Args:
            old: the sentence also mentions what it is now, so "not" may belong to that.
        """
        behind = self.stems[self.places[-1] + 1 :]
        if not old and (("than", "") in pairwise(self.stems) or not _BLAMES.isdisjoint(behind)):
            return True
        negated = any(no in _BEFORE_VERBS and word in _NOT_SO for no, word in pairwise(self.stems))
        if self.negates(_SETS) or (negated and not old) or self.has(_VAGUE):
            return True
        return self.has(_RAISES) and ("by" in self.stems or not self.has(_UPTO))

    def before(self, mention: int, reach: int = 3) -> tuple[str, ...]:
        """The words right before a mention, up to the one before it."""
        at = self.places[mention]
        first = max(at - reach, self.places[mention - 1] + 1 if mention else 0)
        return self.stems[first:at]

    def parts(self, first: Word, second: Word) -> bool:
        """Whether the second mention follows behind an "and", so that it may belong to another wish."""
        start, stop = (self.places[self.mentions.index(word)] for word in (first, second))
        return "and" in self.stems[start:stop]


def _left_alone(said: Sequence[str]) -> bool:
    """Whether what is mentioned shall stay as it is, not "leave the rest alone"."""
    leave, alone = stem("leave"), stem("alone")
    behind = said[said.index(leave) :] if leave in said else []
    return alone in behind and "and" not in behind and _REST.isdisjoint(behind)


def sure(word: Word) -> bool:
    """Whether what is mentioned is no word of the sentence, whatever the file has."""
    return bool(word.quote) or _CODED.fullmatch(word.text) is not None


Ways = Callable[[Gist, Source], Iterable[Codemod | None]]


class Topic:
    """`needs` are sets of words of each of which a sentence must have one; `may` are others that it may
    have, `never` those that make it another topic."""

    def __init__(self, *needs: str | frozenset[str], may: str = "", never: str = "") -> None:
        self._needs = tuple(need if isinstance(need, frozenset) else lexicon(need) for need in needs)
        self._known = FILLER.union(lexicon(may), *self._needs) - lexicon(never)
        _SPOKEN.update(self._known)

    def read(self, text: str, source: Source, ways: Ways, *counts: int) -> Codemod | None:
        """What all ways to understand the text come to; None where they differ."""
        found = {
            made
            for gist in self.gists(text, source, *counts)
            for made in ways(gist, source)
            if made is not None
        }
        return found.pop() if len(found) == 1 else None

    def gists(self, text: str, source: Source, *counts: int) -> Iterator[Gist]:
        """What the text says of the topic, where it mentions as many things."""
        for gist in self._readings(text, source):
            if (
                len(gist.mentions) in counts
                and all(gist.has(need) for need in self._needs)
                and not gist.forbids_or_limits
            ):
                yield gist

    def _readings(self, text: str, source: Source) -> Iterator[Gist]:
        """Where a word that sentences have stands in a name's place, it may be one: both ways."""
        for said in _said(text):
            for named in {frozenset[int](), _named(said, source)}:
                gist = _gist(said, self._known, source.vocabulary, named, source.leeway)
                if gist is not None:
                    yield gist


def first_read(text: str, source: Source, *readings: tuple[Topic, Ways, tuple[int, ...]]) -> Codemod | None:
    """What the first topic that understands the text makes of it; the numbers say how many things it may mention."""
    made = (topic.read(text, source, ways, *counts) for topic, ways, counts in readings)
    return next((found for found in made if found is not None), None)


def first_spelled(
    read: Callable[[str, Source], Codemod | None], source: Source, *spellings: str
) -> Codemod | None:
    """What is made of the first of these spellings that is understood; those alike are read once."""
    made = (read(text, source) for text in dict.fromkeys(spellings))
    return next((found for found in made if found is not None), None)


@lru_cache(maxsize=64)
def _named(said: tuple[Word, ...], source: Source) -> frozenset[int]:
    """The words that are names of the file; kept, since every topic reads the same ones."""
    return frozenset(name_places(said, source))


@lru_cache(maxsize=8)
def _said(text: str) -> tuple[tuple[Word, ...], ...]:
    """The words without courtesy, and those without the reason that stands behind or before them."""
    found = list[tuple[Word, ...]]()
    for plain in bare(text):
        said = words(plain)
        found.append(said)
        tail = next((n for n in range(len(said), 0, -1) if said[n - 1].plain not in REASON_WORDS), 0)
        plainly = [word.plain for word in said]
        found += [said[:n] for n in range(tail, len(said) - 1) if starts_reason(plainly, n)]
        found += [said[n:] for n in reason_ends(plainly)]
    return tuple(found)


def _gist(
    said: tuple[Word, ...], known: frozenset[str], there: frozenset[str], named: frozenset[int], leeway: int
) -> Gist | None:
    """`named` are the words that are names of the file, whatever else they may be, `leeway` how many are left out."""
    stems, mentions, places = list[str](), list[Word](), list[int]()
    for at, word in enumerate(said):
        root = "" if word.quote else stem(word.plain)
        name = word.name
        if "\n" in word.text:
            # Code on lines of its own is no word of the sentence.
            return None
        if (
            word.quote
            or at in named
            or (at and word.text in _CONSTANTS)
            or (
                root not in known and ((name in there and root not in _SPOKEN) or _CODED.fullmatch(word.text))
            )
        ):
            mentions.append(word)
            places.append(len(stems))
            root = ""
        elif root not in known:
            # Neither a word of the topic nor a name.
            leeway -= 1
            if leeway < 0 or root in _BINDING or _is_told(stems):
                return None
            continue
        stems.append(root)
    return Gist(tuple(stems), tuple(mentions), tuple(places))


def _is_told(before: Sequence[str]) -> bool:
    """Whether what follows behind these words tells where, when or for whom something holds."""
    return next((word for word in reversed(before) if word not in _ARTICLES), "") in _LEADS
