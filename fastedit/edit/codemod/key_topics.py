"""Keys of data that are set, renamed or go, and variables that are set, in whatever order it is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations

from fastedit.edit.codemod.gist import GONE, NEGATIONS, Gist, Topic, first_read, lexicon
from fastedit.edit.codemod.keys import DATA, Key, below, meant, renamed, with_value, without_key
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.codemod.types import is_type
from fastedit.edit.codemod.words import Word
from fastedit.edit.request import LineRange

_NAMED = "name named names naming call called rename renamed renaming relabel"
_KEYED = "key property setting entry keys"
_VALUED = "value values set"
_THING = f"""{_KEYED} {_VALUED} option field file line definition declaration variable assignment assign initialise
    initialize in of under for from within inside"""
_CHANGED = """instead-of instead not no-longer but anymore move swap replace work no so value where keep right-hand side
    bump raise lower increase decrease reduce only old go and far right"""
_SET = Topic(
    """value values set give -> = : instead-of should configure start use assign store hold equal be is change make
    bump update switch adjust want turn replace put let try say read become fix gets get edit tweak go move modify
    raise lower increase decrease reduce swap from like for overwrite specify define declare with have at ensure""",
    may=f"{_THING} {_CHANGED} default was",
    never=f"{_NAMED} add append insert include extend remove delete",
)
_RENAMED = Topic(
    f"{_NAMED} {_KEYED} goes",
    may=f"""{_THING} {_CHANGED} different instead-of instead keep migrate move drop same stay stays swap exchange
    unchanged substitute in-favour to only better goes on here existing""",
    never="add append insert include extend remove delete",
)
_GONE = Topic(
    GONE
    | lexicon(
        "no not without no-longer stop nobody everything rather omit obsolete superfluous left mistake kill go"
    ),
    may=f"""{_THING} altogether any anymore away before but completely days dead effect existing reads read
    left nothing needed use used unused its whole everything stays stop stopped reason why here entire and keep
    still defines defined defining rest all cut discard nobody""",
    never="replace instead rename call comment",
)
_UNNAMEABLE = re.compile(r"true|false|null|none|\d.*|[\"'\[{].*", re.IGNORECASE | re.DOTALL)
_KEY_NAME = re.compile(r"[A-Za-z_][\w.-]*")
_EXCHANGED = lexicon("replace swap exchange substitute turn")


def key_topics(text: str, source: Source) -> Codemod | None:
    """None where it is left open which key is meant, or what it is set to."""
    if source.language not in DATA:
        return _SET.read(text, source, _set, 2, 3, 4)
    text = _quoted(text, source)
    return first_read(
        text,
        source,
        (_RENAMED, _renamed, (2,)),
        (_SET, _set, (2, 3, 4)),
        (_GONE, _gone, (1, 2)),
    )


def _quoted(text: str, source: Source) -> str:
    """With ticks around the names with dashes that the file has."""

    def tick(found: re.Match[str]) -> str:
        known = any(found[0] in line for line in source.lines)
        return f"`{found[0]}`" if known else found[0]

    pieces = re.split(r"(`[^`]*`|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w))", text)
    return "".join(
        p if n % 2 else re.sub(r"(?<![\w`.-])\w+(?:-\w+)+(?![\w`-])", tick, p) for n, p in enumerate(pieces)
    )


def _placed(gist: Gist, source: Source) -> Iterator[tuple[tuple[Word, ...], LineRange | None]]:
    """What is mentioned but for what the key stands under, with its lines."""
    yield gist.mentions, None
    for at, word in enumerate(gist.mentions):
        inside = not lexicon("in of under for within inside").isdisjoint(gist.before(at))
        place = (source.place(word.text) or below(source, word.text)) if inside else None
        if place is not None:
            yield (*gist.mentions[:at], *gist.mentions[at + 1 :]), place


def _set(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if gist.has(GONE - lexicon("off out drop")) or gist.negates(lexicon("change")):
        return
    valued = gist.has(lexicon(_VALUED))
    for mentions, place in _placed(gist, source):
        if len(mentions) not in (2, 3):
            continue
        for name, new, *old in permutations(mentions):
            if new.text == name.text or gist.keeps_value(bool(old)) or (old and gist.parts(new, *old)):
                continue
            # What could be another key's name must be said to be the value.
            named = not old and not valued
            spelled = named and not _UNNAMEABLE.fullmatch(new.literal or new.text)
            if (
                named
                and gist.has(lexicon("key property"))
                and not gist.has(lexicon("specify option setting"))
            ):
                continue
            # "Move a to b" may speak of where a stands.
            if spelled and (gist.has(_EXCHANGED) or gist.has(lexicon("entry -> move"))):
                continue
            # "It should be an int" speaks of what it is.
            if not new.quote and is_type(source, new.text) and new.text != "None":
                continue
            # "Take a from b", "a rather than b" speak of what b holds or is.
            taken_from = gist.before(gist.mentions.index(name), 1) in (("from",), ("instead-of",))
            if not old and taken_from and not gist.has(lexicon("to -> be =")):
                continue
            for key in meant(source, name, place):
                if old and not _is(old[0], key):
                    continue
                if not _names_new(gist, new):
                    yield with_value(source, key, new)


def _is(old: Word, key: Key) -> bool:
    return key.value in (old.text, old.literal) or key.value.strip("\"'") == old.text


def _names_new(gist: Gist, new: Word) -> bool:
    """Whether it is said to be what is set no longer, or too much, or where else it goes."""
    at = gist.mentions.index(new)
    behind = gist.stems[gist.places[at] + 1 :]
    if behind[:2] == ("is", "too") or behind[1:3] == ("be", "too"):
        return True
    return gist.before(at, 1) in (("not",), ("instead-of",), ("from",), ("no-longer",), ("under",), ("in",))


def _renamed(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    said = gist.has(lexicon(_NAMED)) or "goes" in gist.stems
    under = "under" in gist.stems
    valued = gist.has(lexicon("value set have"))
    same = gist.has(lexicon("same keep stay unchanged only"))
    if not said and not under and not (gist.has(lexicon("key property")) and (not valued or same)):
        return
    if gist.negates(lexicon("rename name call")) and "but" not in gist.stems and len(gist.mentions) < 2:
        return
    for old, new in permutations(gist.mentions):
        before = gist.before(gist.mentions.index(new), 1)
        named = _KEY_NAME.fullmatch(new.text) and not _UNNAMEABLE.fullmatch(new.text)
        if not named or before in (("not",), ("instead-of",), ("from",)):
            continue
        for key in meant(source, old, None):
            yield renamed(source, key, new.text)


def _gone(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if gist.negates(GONE) or (
        gist.has(lexicon("value")) and not gist.has(lexicon("and include including whole not"))
    ):
        return
    if not gist.has(GONE) and not gist.has(NEGATIONS) and not gist.has(lexicon("everything rather stop")):
        return
    if gist.has(lexicon("turn switch")) and not gist.has(GONE - lexicon("off out away")):
        return
    # "Restart should be no" says what it is to be.
    if gist.stems[-2:] in (("be", "no"), ("to", "no")):
        return
    for mentions, place in _placed(gist, source):
        if len(mentions) == 1:
            for key in meant(source, mentions[0], place):
                yield without_key(source, key)
