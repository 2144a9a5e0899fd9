"""Instructions for real files, each with the command that it says or with none.

A command is drawn with values that its file has, said in one of many wordings, quoted or not, misspelled now and then,
with what people put around it. Nothing is said where it is negated, taken back, asked, conditional, put off, reported,
limited or joined by another wish, and where it asks for what no operation does.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fastedit.edit.document import Document
from fastedit.english.forms import forms
from fastedit.ops import operation_named
from fastedit.train.corpus import SourceFile
from fastedit.train.english.slots import FOUND, PLAIN, Ground, Pools, Said
from fastedit.train.families.family import asked_in
from fastedit.train.families.wording import PLACE, chosen, table, unsaid

_KINDS = {
    True: ("the function ", "the method ", "method ", "function ", "the helper "),
    False: ("the ", "the variable ", "the field ", "the parameter ", "variable "),
}
_TYPES = ("the class ", "class ", "the type ", "the interface ")
_KEYS = "qwertyuiop asdfghjkl zxcvbnm"
_SHORT = {
    "parameter": "param",
    "argument": "arg",
    "function": "func",
    "please": "pls",
    "you": "u",
    "because": "bc",
    "the": "",
    "a": "",
    "an": "",
    "with": "w/",
    "without": "w/o",
    "and": "&",
    "instead": "insted",
    "annotation": "type",
}
_SAY_NOTHING = frozenset("the a an this that it of in to for is be and please now just also".split())  # noqa: SIM905
_MIX = (("kept", 0.5), ("spoiled", 0.24), ("outside", 0.12), ("unsaid", 0.08), ("prose", 0.06))


@dataclass(frozen=True, slots=True)
class Example:
    """`form` is None where nothing is said; `spans` are where each field stands in the instruction."""

    instruction: str
    ground: Ground
    form: str | None
    spans: dict[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    field: str | None = None


class Drawer:
    """An endless store of examples over files."""

    def __init__(self, grounds: Sequence[Ground], held_out: bool = False) -> None:
        self._pools, self._held_out = Pools(), held_out
        self._grounds: dict[str, list[Ground]] = {}
        for ground in grounds:
            self._pools.add(ground)
            self._grounds.setdefault(ground.names.language, []).append(ground)
        self._languages = {
            text: sorted(operation_named(form.operation).languages & self._grounds.keys())
            for text, form in forms().items()
        }
        self.forms = tuple(form for form, languages in self._languages.items() if languages)
        self._often = [table("commands")[form].get("often", 1) for form in self.forms]

    def draw(self, rng: random.Random) -> Example:
        while True:
            (kind,) = rng.choices([name for name, _ in _MIX], [share for _, share in _MIX])
            made = self._wish(rng, kind) if kind in ("kept", "spoiled") else self._other(rng, kind)
            if made is not None:
                return made

    def _wish(self, rng: random.Random, kind: str) -> Example | None:
        (form,) = rng.choices(self.forms, self._often)
        ground = self._ground(rng, self._languages[form])
        pieces = self._said_in(rng, ground, form)
        if pieces is None:
            return None
        if kind == "spoiled" and rng.random() < 0.15:
            # What is said of a function means something else of a class.
            kinds = sorted(ground.names.types)
            if not kinds or not any(piece.field == "function" for piece in pieces):
                return None
            return _finished(rng, [_other_kind(rng, piece, kinds) for piece in pieces], ground, None)
        if kind == "spoiled" and rng.random() < 0.2:
            return _finished(rng, self._with_a_word_more(rng, pieces), ground, None)
        around = rng.choice(table("around")[kind])
        if kind == "kept" and rng.random() < 0.4:
            around = "{wish}"
        whole = self._around(rng, ground, around, pieces)
        return _finished(rng, whole, ground, form if kind == "kept" else None)

    def _ground(self, rng: random.Random, languages: Sequence[str]) -> Ground:
        return rng.choice(
            self._grounds["python" if "python" in languages and rng.random() < 0.3 else rng.choice(languages)]
        )

    def _other(self, rng: random.Random, kind: str) -> Example | None:
        ground = self._ground(rng, sorted(self._grounds))
        said = rng.choice(
            {
                "outside": table("around")["outside"],
                "unsaid": unsaid(self._held_out),
                "prose": self._pools.prose or ["ok"],
            }[kind]
        )
        said = chosen(rng, said) if kind == "unsaid" else said
        return _finished(rng, self._around(rng, ground, said, []), ground, None)

    def _said_in(self, rng: random.Random, ground: Ground, form: str) -> list[_Piece] | None:
        """A sentence for the form with values of the file in its places."""
        asked = asked_in(rng, ground, self._pools, forms()[form], self._held_out)
        return None if asked is None else list(_filled(rng, *asked, _kind(rng, asked[1], ground)))

    def _with_a_word_more(self, rng: random.Random, pieces: Sequence[_Piece]) -> list[_Piece]:
        """The wish with words in it that make it another, or may."""
        said = rng.choice(self._pools.prose or ["other"]).lower().split()
        at = rng.randrange(len(said))
        words = [word for word in said[at : at + rng.choice((1, 1, 2))] if word not in _SAY_NOTHING]
        place = rng.randint(0, len(pieces))
        return [*pieces[:place], _Piece(f" {' '.join(words) or 'only'} "), *pieces[place:]]

    def _around(self, rng: random.Random, ground: Ground, text: str, wish: Sequence[_Piece]) -> list[_Piece]:
        quoting = rng.random()

        def name() -> str:
            found = rng.choice(ground.spoken or ["value"])
            return f"`{found}`" if quoting < 0.35 else found

        pieces: list[_Piece] = []
        for number, part in enumerate(PLACE.split(text.replace("{{", "{").replace("}}", "}"))):
            if not number % 2:
                pieces.append(_Piece(part))
            elif part == "wish":
                pieces += wish
            elif part == "clause":
                pieces.append(_Piece(rng.choice(self._pools.prose or ["it is"]).lower()))
            elif part == "other":
                pieces += self._around(rng, ground, rng.choice(table("around")["outside"]), [])
            else:
                pieces.append(_Piece(name(), "-"))
        return pieces


def grounds_of(files: Sequence[SourceFile]) -> Iterator[Ground]:
    return (Ground(Document.from_text(file.text, Path(file.path))) for file in files)


def _other_kind(rng: random.Random, piece: _Piece, kinds: Sequence[str]) -> _Piece:
    return _Piece(rng.choice(kinds), "-") if piece.field == "function" else piece


def _kind(rng: random.Random, said: Said, ground: Ground) -> str:
    """What the target is called besides its name, if anything."""
    name = said.get("target", "").split(".")[-1]
    if rng.random() < 0.6:
        return ""
    return rng.choice(_TYPES if name in ground.names.types else _KINDS[name in ground.names.functions])


def _filled(rng: random.Random, sentence: str, said: Said, kind: str) -> Iterator[_Piece]:
    quoting = rng.choices(("", "`", "'", '"'), (0.5, 0.36, 0.07, 0.07))[0]
    for number, part in enumerate(PLACE.split(sentence)):
        if not number % 2:
            yield _Piece(part.replace("{{", "{").replace("}}", "}"))
        elif part == "k":
            yield _Piece(kind)
        elif part == "arrow":
            yield _Piece(rng.choice(("->", "=>", "to", "→", "-->")))
        else:
            yield _Piece(_quoted(rng, part, said[part], quoting), part)


def _quoted(rng: random.Random, field: str, value: str, quoting: str) -> str:
    if field in PLAIN:
        if not quoting:
            value = _careless(rng, value) if field in FOUND else value
            return value + "()" * (field in ("target", "function", "scope") and rng.random() < 0.08)
        return f"{quoting}{value}{quoting}" if quoting not in value else value
    if not quoting:
        return f"`{value}`" if " " in value and rng.random() < 0.5 else value
    return (
        f"`{value}`"
        if quoting == "`" or rng.random() < 0.4 or any(mark in value for mark in "'\"")
        else f"{quoting}{value}{quoting}"
    )


def _careless(rng: random.Random, name: str) -> str:
    """A name of the file as people in a hurry write it."""
    chance = rng.random()
    if chance < 0.04 and len(name) > 6:
        return _slip(rng, name)
    if chance < 0.07 and not name.islower():
        return name.lower()
    if chance < 0.2 and re.search(r"\w[_-]\w", name):
        return re.sub(r"[_-]+", " ", name).strip()
    return name


def _slip(rng: random.Random, word: str) -> str:
    """The word with two letters exchanged, one lost, doubled or next to the right one."""
    at = rng.randrange(1, len(word) - 1)
    near = [
        k
        for row in _KEYS.split()
        if word[at] in row
        for k in row[max(0, row.index(word[at]) - 1) : row.index(word[at]) + 2]
    ]
    return rng.choice(
        (
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
            word[:at] + word[at + 1 :],
            word[:at] + word[at] + word[at:],
            word[:at] + rng.choice(near or [word[at]]) + word[at + 1 :],
        )
    )


def _finished(rng: random.Random, pieces: Sequence[_Piece], ground: Ground, form: str | None) -> Example:
    """The pieces as one text, its words as people type them."""
    slips, short, low = rng.random() < 0.2, rng.random() < 0.2, rng.random() < 0.6
    text, spans = "", dict[str, tuple[int, int]]()
    for piece in pieces:
        said = piece.text
        if piece.field is None:
            said = re.sub(r"[A-Za-z']+", lambda found: _typed(rng, found[0], slips, short, low), said)
            said = re.sub(r" {2,}", " ", said)
            if text.endswith((" ", "")) and (not text or text.endswith(" ")):
                said = said.lstrip(" ")
        elif piece.field != "-":
            spans.setdefault(piece.field, (len(text), len(text) + len(said)))
        text += said
    if not low and text[:1].isalpha() and not any(start == 0 for start, _ in spans.values()):
        text = text[0].upper() + text[1:]
    text += rng.choice(("", "", "", ".", "!" if rng.random() < 0.2 else ""))
    return Example(text, ground, form, spans if form else {})


def _typed(rng: random.Random, word: str, slips: bool, short: bool, low: bool) -> str:
    if short and word.lower() in _SHORT and rng.random() < 0.5:
        return _SHORT[word.lower()]
    if slips and len(word) > 3 and rng.random() < 0.25:
        return _slip(rng, word)
    return word.lower() if low else word
