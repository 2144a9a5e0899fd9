"""`set log_level to debug`: keys of data files in plain sentences, where also plain words are names and values."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fastedit.edit.codemod.keys import DATA, Key, below, keys, renamed, with_value, without_key
from fastedit.edit.codemod.sentence import Sentences, Told
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.codemod.words import Word

_THING = "[key|property|setting|option|field|entry|]"
_KIND = "[key|property|setting|option|field|entry|value|]"
_VERB = "[set|change|update|bump|raise|lower|increase|decrease|reduce|switch]"
_SET = Sentences(
    f"{_VERB} {{the}}{{name}} {_KIND} [to|=|:] {{value:code}}{{in}}",
    f"{_VERB} {{the}}{{name}} {_KIND}{{in}} to {{value:code}}",
    f"[set|change|update] {{the}}{{name}} {_KIND}{{in}} from {{old:code}} to {{value:code}}",
    f"{{the}}{{name}} {_KIND}{{in}} should be [set to|] {{value:code}}",
    f"{{the}}{{name}} {_KIND} should be {{value:code}} [not|instead-of] {{old:code}}",
)
_RENAMED = Sentences(f"rename {{the}}{{name}} {_KIND}{{in}} [to|->|into] {{new}}")
_GONE = Sentences(
    f"[remove|delete|drop|get rid of] {{the}}{{name}} {_THING}{{in}}",
    f"{{the}}{{name}} {_THING}{{in}} [can go|should go]",
)
# These speak of a value and are none.
_WORD = re.compile(
    r"(?!(?:default|empty|blank|nothing|something|anything|whatever|latest|same)\Z)[A-Za-z][\w./:@-]*"
)
_COUNTED = re.compile(r"true|false|null|-?\d+(?:\.\d+)?", re.IGNORECASE)


def key_sentences(text: str, source: Source) -> Codemod | None:
    """None where several keys have the name, or a plain word is to take the place of no text."""
    if source.language not in DATA:
        return None
    made = [*_set(text, source), *_renamed(text, source), *_gone(text, source)]
    return made[0] if len(set(made)) == 1 else None


def _set(text: str, source: Source) -> Iterator[Codemod]:
    for told in _SET.read(text):
        for key in _meant(told, source):
            literal = told.literals.get("value")
            new = Word(told["value"], "", literal[0] if literal else "`" if "value" in told.quoted else "")
            known = key.value.strip("\"'")
            fits = told.is_code("value") or (_WORD.fullmatch(new.text) and not _COUNTED.fullmatch(known))
            if fits and told.get("old") in (None, known, key.value):
                made = with_value(source, key, new)
                if made is not None:
                    yield made


def _renamed(text: str, source: Source) -> Iterator[Codemod]:
    for told in _RENAMED.read(text):
        yield from (renamed(source, key, told["new"]) for key in _meant(told, source))


def _gone(text: str, source: Source) -> Iterator[Codemod]:
    for told in _GONE.read(text):
        for key in _meant(told, source):
            made = without_key(source, key)
            if made is not None:
                yield made


def _meant(told: Told, source: Source) -> list[Key]:
    """The key of the name, if there is one in the place and no more."""
    place = told.get("place")
    under = None if place is None else below(source, place)
    found = keys(source, told["name"], under) if place is None or under is not None else []
    return found if len(found) == 1 else []
