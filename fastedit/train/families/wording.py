"""How people say things: sentences with places for names and code, and what stands around them."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from fastedit.train.changes.change import KEYWORDS, WORD, spliced

_CHOICE = re.compile(r"\[([^\[\]]*\|[^\[\]]*)\]")
PLACE = re.compile(r"\{(\w+)\}")


@cache
def commands() -> dict[str, Any]:
    """What kinds of change say each form that is learned."""
    return tomllib.loads((resources.files(__package__) / "commands.toml").read_text("utf-8"))


@cache
def phrases(kind: str) -> tuple[str, ...]:
    """What people say around what they ask for, by what it is for."""
    told = tomllib.loads((resources.files(__package__) / "phrases.toml").read_text("utf-8"))
    return tuple(told[kind])


@cache
def sentences(form: str, held_out: bool) -> tuple[str, ...]:
    """The sentences of a form, places named by its fields. Those held out are no part of training.

    `[a|b|]` in a sentence stands for any one of the alternatives, `{name}` for a value, `{w}` for where, if anything
    says that.
    """
    key = "kept_back" if held_out else "told"
    kinds = commands()[form]["kinds"]
    return tuple(_renamed(said, places) for kind, places in kinds.items() for said in _kinds()[kind][key])


def _renamed(text: str, places: Mapping[str, str]) -> str:
    return PLACE.sub(lambda place: f"{{{places.get(place[1], place[1])}}}", text)


def sentence(rng: random.Random, form: str, held_out: bool = False) -> str:
    """One of a form's sentences, its choices made."""
    return chosen(rng, rng.choice(sentences(form, held_out)))


def chosen(rng: random.Random, text: str) -> str:
    while found := _CHOICE.search(text):
        text = spliced(text, found, rng.choice(found[1].split("|")))
    return text


@cache
def _kinds() -> dict[str, dict[str, list[str]]]:
    """Kinds of change, ROOM.KIND, with the sentences of `wordings/ROOM.toml`."""
    return {
        f"{Path(room.name).stem}.{kind}": own
        for room in sorted((resources.files(__package__) / "wordings").iterdir(), key=lambda room: room.name)
        for kind, own in tomllib.loads(room.read_text("utf-8")).items()
    }


def quoted(rng: random.Random, text: str) -> str:
    """A name or piece of code as people write it in a sentence."""
    style = rng.random()
    if "`" in text:
        return f"``{text}``"
    if style < 0.6:
        return f"`{text}`"
    if style < 0.73 and "'" not in text:
        return f"'{text}'"
    if style < 0.83 and '"' not in text:
        return f'"{text}"'
    # A short word without quotes might be one of the sentence's own.
    return text if WORD.fullmatch(text) and len(text) > 2 and text not in KEYWORDS else f"`{text}`"


def coded(rng: random.Random, text: str) -> str:
    """Code whose own quotes must not be mistaken for the sentence's."""
    if "`" in text:
        return f"``{text}``"
    return text if rng.random() < 0.15 and re.fullmatch(r"[\w.$]+", text) else f"`{text}`"


def dressed(rng: random.Random, sentence: str, lines: Sequence[str]) -> str:
    """A sentence as it is sent: politeness, capitals, a full stop or none, other sentences around it."""
    if rng.random() < 0.18:
        told = sentence.split(" ", 1)[0] in phrases("verbs")
        sentence = rng.choice(phrases("asked" if told and rng.random() < 0.6 else "leads")) + sentence
    if sentence[:1].isalpha() and rng.random() < 0.45 and not _names(sentence, lines):
        sentence = sentence[0].upper() + sentence[1:]
    if "\n" in sentence:
        return sentence
    if rng.random() < 0.12 and (tail := _tail(rng, sentence, lines)):
        stop = rng.choice((". ", ". ", "; ", " - "))
        tail = tail[0].upper() + tail[1:] if stop == ". " and tail[0].isalpha() else tail
        return sentence + stop + tail + rng.choice(("", "."))
    asked = sentence.lower().startswith(("can you", "could you"))
    return sentence + rng.choice(("", "", "?" if asked else "."))


def _names(sentence: str, lines: Sequence[str]) -> bool:
    """Whether it begins with a name of the code's, which has its own capitals."""
    first = WORD.match(sentence)
    return first is not None and any(first[0] in line for line in lines)


def _tail(rng: random.Random, sentence: str, lines: Sequence[str]) -> str | None:
    tail = rng.choice(phrases("tails"))
    if "{other}" not in tail:
        return tail
    said = set(WORD.findall(sentence))
    line = rng.choice(lines) if lines else ""
    names = [n for n in WORD.findall(line) if n not in said and n not in KEYWORDS and len(n) > 2]
    return tail.format(other=f"`{rng.choice(names)}`") if names else None
