"""Names in place of names, in whatever order it is said: which places are meant is left to the plain rename."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, pairwise

from fastedit.edit.codemod.denial import denies
from fastedit.edit.codemod.gist import Gist, Topic, lexicon, stem
from fastedit.edit.codemod.order import ordered
from fastedit.edit.codemod.rename import renamed
from fastedit.edit.codemod.sentence import Told
from fastedit.edit.codemod.source import Codemod, Source

_KINDS = "function method class variable parameter constant attribute field property".split()  # noqa: SIM905
_NAMED = lexicon(
    "rename name named renamed naming identifier called call rebrand rechristen retitle misnamed spelled"
)
_CALLED = lexicon("call called")
_EVERY = lexicon("every occurrence occurrences everywhere throughout wherever mention")
_UNFIT = lexicon("misleading confusing vague cryptic unclear naming like")
_RENAMED = Topic(
    _NAMED | _EVERY | _UNFIT,
    may=" ".join(_KINDS)
    + """ switch over better than instead-of instead by go goes -> it make all uses use used appear appears
        occur occurs from on too also its confusing clearer decided we update adapt adjust match accordingly
        find replace with every each so says say change refactor becomes become what is now here not don't
        no let's pick where let included swap out off drop rid stop substitute for misleading vague badly
        style guide wants wherever places place code uses definition definitions nit clashes else stay
        consistent consistency rest like rather shall get favour in to into another as but there any longer
        anymore no-longer should would be have had references reference the turn convert spell new old
        current right one agreed been never bad nothing sensible descriptive short long cryptic
        that known""",
    never="""key column file module package import table label string text comment message and then add delete remove
    type default value with-default extend case alias""",
)
_PLAIN = re.compile(r"[A-Za-z_$][\w$]*")
_PATH = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*(?:\(\))?")
# "from calling a to calling b" speaks of calls, "stop calling it a" of a name.
_CALLING = re.compile(r"\bcalling\b(?! (?:it|this|that|them)\b)", re.IGNORECASE)
# "have a called b" gives a name, "have a call b" does not.
_HAVE_CALLED = re.compile(r"(?<=[`'\"]\s)called(?=\s[`'\"])")
_GO_THROUGH = re.compile(
    r"\bgo (?:through|over) (?:the|this|all) (?:code|file|module) and (?=\w)", re.IGNORECASE
)
_ALL_USES = re.compile(
    r"\b(?:the )?definitions? and (?:all )?(?:the )?(?:uses|references|calls) of\b", re.IGNORECASE
)
_EVERYWHERE = lexicon("everywhere throughout wherever")
_IN = lexicon("in inside within")
_TO = _IN | lexicon("to into -> and")
_VARIABLES = lexicon("variable local constant")
_STANDS_FOR = lexicon("it this that them all") | {""}
_PLACES = lexicon("function method class variable parameter constant attribute field property name")


def name_topics(text: str, source: Source) -> Codemod | None:
    """None where it is left open which of the names goes."""
    if _CALLING.search(text):
        return None
    text = _ALL_USES.sub("all uses of", _GO_THROUGH.sub("", text))
    return _RENAMED.read(_HAVE_CALLED.sub("named", text), source, _renamed, 2, 3)


def _renamed(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if (
        _speaks_of_calls(gist)
        or _elsewhere(gist)
        or _misses_name(gist)
        or _brings_elsewhere(gist)
        or gist.negates(lexicon("rename change replace"))
        or denies(gist, lexicon("better nicer clearer good"))
    ):
        return
    for place, pair in _pairs(gist):
        # Where the words leave the order open, people name what they speak of first.
        for old, new in islice(ordered(gist, *pair), 1):
            known, put = gist.mentions[old].text, gist.mentions[new].text
            # A name that the file has already may be the one that is to go.
            if _is_refused(gist, new):
                continue
            if _PATH.fullmatch(known) and _PLAIN.fullmatch(put) and put not in source.vocabulary:
                made = renamed(source, _told(gist, old, new, place))
                if made is not None and (gist.has(_NAMED) or _everywhere(source, known, made)):
                    yield made


def _is_refused(gist: Gist, new: int) -> bool:
    """Whether this is what it is not to be called: "don't call it a"."""
    before = gist.before(new, 5)
    return not _NAMED.isdisjoint(before) and not {"not", "never"}.isdisjoint(before) and "but" not in before


def _speaks_of_calls(gist: Gist) -> bool:
    """ "call it a", "call b a" and "called a" speak of names, "call a instead of b" and "a is called" may not."""
    verb = [word for word in gist.before(0) if word not in _PLACES and word != "the"]
    pair = gist.before(1) == () and verb[-1:] == ["call"]
    titled = any(gist.before(n, 1) == (stem("called"),) for n in range(len(gist.mentions)))
    named = gist.has(_NAMED - _CALLED) or pair or titled or ("call", "it") in pairwise(gist.stems)
    return gist.has(_CALLED) and not named


def _misses_name(gist: Gist) -> bool:
    """Whether something else is to be renamed, by a name that is also a plain word: "rename finish to a"."""
    triples = gist.triples
    return any(verb == stem("rename") and what not in _STANDS_FOR and to in _TO for verb, what, to in triples)


def _brings_elsewhere(gist: Gist) -> bool:
    """Whether a value gets a variable: "put a() into a variable of the name b"."""
    triples = gist.triples
    return any(to in ("into", "in") and one == "a" and what in _VARIABLES for to, one, what in triples)


def _elsewhere(gist: Gist) -> bool:
    """Whether a place is told by its kind alone: "in this function", "in the class name too"."""
    behind = gist.stems[gist.places[-1] + 1 :]
    at = next((n for n, word in enumerate(behind) if word in _IN), None)
    return at is not None and not _PLACES.isdisjoint(behind[at:])


def _pairs(gist: Gist) -> Iterator[tuple[int | None, tuple[int, int]]]:
    """The place that is named, and the other two mentions."""
    if len(gist.mentions) == 2:
        yield None, (0, 1)
        return
    for at in range(3):
        if not _IN.isdisjoint(gist.before(at)):
            first, second = (n for n in range(3) if n != at)
            yield at, (first, second)


def _told(gist: Gist, old: int, new: int, place: int | None) -> Told:
    parts = {"old": gist.mentions[old].name, "new": gist.mentions[new].text}
    if place is not None:
        parts["place"] = gist.mentions[place].name
    if gist.has(_EVERYWHERE):
        parts["everywhere"] = "everywhere"
    kinds = [kind for kind in _KINDS if stem(kind) in gist.before(old)]
    return Told(parts, frozenset(), {}, " ".join(kinds))


def _everywhere(source: Source, known: str, made: Codemod) -> bool:
    """Whether nothing of the name is left, also not in texts and comments."""
    rows = {hunk.start for hunk in made.hunks}
    pattern = re.compile(rf"(?<![\w$]){re.escape(known)}(?![\w$])")
    after = [line for hunk in made.hunks for line in hunk.lines]
    left = [line for row, line in enumerate(source.lines) if row not in rows]
    return not any(pattern.search(line) for line in (*left, *after) if known in line)
