"""What people ask for in words: a region, an instruction, and the change that answers it."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import NamedTuple

from fastedit.train.change import WORD, Change, combined, kept
from fastedit.train.corpus import SourceFile
from fastedit.train.families import FAMILIES, Family, Scene
from fastedit.train.families.scene import Parts
from fastedit.train.families.wording import dressed
from fastedit.train.regions import reindent, sample_region

JOINTS = ("; ", ". ", " and ", ", and ", ", then ", "\n", ", also ", ". Also ", ". Then ")
# What people ask for most, and how much more often than for anything else.
COMMON = frozenset(
    """add_default add_import add_log add_parameter change_value delete_definition delete_line insert_after
    insert_before remove_parameter rename replace_expression replace_line""".split()  # noqa: SIM905
)
OFTEN = 3
TRIES = 10
# Families that put code somewhere, and what stands in its place where an update shows it.
PLACING = ("insert_after", "insert_before", "insert_after", "insert_before", "replace_line", "add_function")
SHOWN = (": see the update", " (see the update)", ": as shown", " as shown", " (code in the update)")
SEVERAL, IDLE = "several", "idle"
LOOKED_AT = 24  # files, for one that has what a family needs
PYTHON = 0.4  # of the instructions that any language could get
DONOR_LINES = 40
_PIECE = re.compile(r"(?P<mark>`+|\"|')(?P<quoted>.+?)(?P=mark)|\A[\w.$]+\Z")


class Wish(NamedTuple):
    """`kind` is the family's name, `several` for more than one, `idle` where there is nothing to be done.

    `instruction` is the sentence as it is sent.
    """

    kind: str
    sentence: str
    instruction: str
    change: Change
    language: str


class Wishes:
    """An endless store of wishes for regions of a corpus' files."""

    def __init__(self, files: Sequence[SourceFile], held_out: bool = False) -> None:
        """`held_out` asks in the wordings that are kept back from training. `files` are those by language."""
        self._held_out = held_out
        self.files: dict[str, list[SourceFile]] = {}
        for file in files:
            self.files.setdefault(file.language, []).append(file)
        self._families = [
            family
            for family in FAMILIES.values()
            if not self.files.keys().isdisjoint(family.languages)
            for _ in range(OFTEN if family.name in COMMON else 1)
        ]

    def draw(
        self, rng: random.Random, least: int, most: int, several: float = 0.0, idle: float = 0.0
    ) -> Wish | None:
        """A wish for a region of `least` to `most` lines; None where none was found.

        `several` and `idle` are the shares of wishes for more than one thing, and for what the region has no place for.
        """
        if not self._families:
            return None
        family = rng.choice(self._families)
        for _ in range(TRIES):
            scene = self._scene(rng, family, least, most)
            made = family.made(scene) if scene else None
            if scene is None or made is None:
                continue
            parts, change = made
            if family.anchored and rng.random() < idle:
                if (idler := self._idle(family, scene, parts, least, most)) is not None:
                    return idler
                continue
            kind, sentence = family.name, family.wordings.say(rng, parts, self._held_out)
            if rng.random() < several and (more := self._further(scene, sentence, change)):
                kind, (sentence, change) = SEVERAL, more
            return Wish(kind, sentence, dressed(rng, sentence, scene.lines), change, scene.language)
        return None

    def _idle(self, family: Family, scene: Scene, parts: Parts, least: int, most: int) -> Wish | None:
        """The same asked of a region that has no place for it."""
        missed = self._missed(scene, parts, least, most)
        if missed is None:
            return None
        parts, scene = missed
        sentence = family.wordings.say(scene.rng, parts, self._held_out)
        unchanged = Change(scene.lines, tuple(kept(scene.lines)))
        return Wish(IDLE, sentence, dressed(scene.rng, sentence, scene.lines), unchanged, scene.language)

    def placed(self, rng: random.Random, least: int, most: int) -> tuple[Wish, tuple[str, ...]] | None:
        """A wish that says where code goes, and the code, at the margin or where it will stand."""
        family = FAMILIES[rng.choice(PLACING)]
        scene = self._scene(rng, family, least, most)
        made = family.made(scene) if scene else None
        if scene is None or made is None:
            return None
        parts, change = made
        new = tuple(out.text for out in change.answer if not out.kept)
        sentence = family.wordings.say(rng, parts | {"code": rng.choice(SHOWN)}, self._held_out)
        wish = Wish(family.name, sentence, dressed(rng, sentence, scene.lines), change, scene.language)
        return wish, tuple(reindent(new, "")) if rng.random() < 0.5 else new

    def _scene(self, rng: random.Random, family: Family, least: int, most: int) -> Scene | None:
        spoken = [language for language in family.languages if language in self.files]
        language = "python" if "python" in spoken and rng.random() < PYTHON else rng.choice(spoken)
        files, marks = self.files[language], list[str]()
        for _ in range(LOOKED_AT if family.near else 1):
            file = rng.choice(files)
            if marks := [mark for mark in family.near if mark in file.text]:
                break
        lines = sample_region(rng, file, least, most, marks)
        donor = sample_region(rng, rng.choice(files), 8, DONOR_LINES)
        return Scene(rng, lines, donor, language) if lines and donor else None

    def _further(self, scene: Scene, sentence: str, change: Change) -> tuple[str, Change] | None:
        """The sentence with one or two more behind it that touch other lines; None where none fits."""
        rng, found = scene.rng, None
        fitting = [family for family in self._families if scene.language in family.languages]
        for _ in range(rng.choice((3, 3, 6))):
            second = rng.choice(fitting).bare(scene, self._held_out)
            if (
                second is None
                or "\n" in sentence
                or crossed(change, second[0])
                or crossed(second[1], sentence)
            ):
                continue
            both = combined(change, second[1])
            if both is not None:
                sentence, change = sentence + rng.choice(JOINTS) + second[0], both
                found = sentence, change
        return found

    def _missed(self, scene: Scene, parts: Parts, least: int, most: int) -> tuple[Parts, Scene] | None:
        """Parts and a region that has nothing of what they name: misspelled, or a region of another file."""
        rng = scene.rng
        named = [text for part in parts.values() for text in _pieces(part) if text in scene.text]
        if rng.random() < 0.5:
            parts = {key: _misspelled(scene, part) for key, part in parts.items()}
            wanted = [text for part in parts.values() for text in _pieces(part)]
        else:
            lines = sample_region(rng, rng.choice(self.files[scene.language]), least, most)
            if lines is None:
                return None
            scene, wanted = Scene(rng, lines, scene.donor, scene.language), named
        return None if not named or any(text in scene.text for text in wanted) else (parts, scene)


def _pieces(part: str) -> list[str]:
    """What a part of a sentence names: all that is quoted, or the word that it is."""
    return [found["quoted"] or found[0] for found in _PIECE.finditer(part)]


def _misspelled(scene: Scene, part: str) -> str:
    """The part with another word in each piece that the region has."""
    rng = scene.rng

    def other(piece: re.Match[str]) -> str:
        words = list(WORD.finditer(piece[0]))
        if (piece["quoted"] or piece[0]) not in scene.text or not words:
            return piece[0]
        word = rng.choice(words)
        new = rng.choice((f"{word[0]}s", f"{word[0]}_old", f"new_{word[0]}", scene.name(), scene.name()))
        return piece[0][: word.start()] + new + piece[0][word.end() :]

    return _PIECE.sub(other, part)


def crossed(change: Change, sentence: str) -> bool:
    """Whether a name that the change does away with is spoken of in the sentence for another."""
    before = set(WORD.findall("\n".join(change.lines)))
    gone = before - set(WORD.findall("\n".join(change.text)))
    return not gone.isdisjoint(WORD.findall(sentence))
