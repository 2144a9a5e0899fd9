"""What people ask for in words: a region, an instruction, and the change that answers it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from fastedit.source.languages import named
from fastedit.train.changes.change import WORD, RegionChange, combined, kept
from fastedit.train.changes.regions import sample_region
from fastedit.train.families import FAMILIES, AskedChange, Family, Scene
from fastedit.train.families.slots import FOUND
from fastedit.train.families.wording import commands, dressed, phrases
from fastedit.train.sources.corpus import SourceFile

TRIES = 10
# Fields for what a region must have, or there is nothing to be done.
NEEDED = FOUND | {"anchor", "last", "old"}
SEVERAL, IDLE = "several", "idle"
DONOR_LINES = 40


class Wish(NamedTuple):
    """`kind` is the family's name, `several` for more than one, `idle` where there is nothing to be done."""

    kind: str
    instruction: str
    change: RegionChange
    language: str


class Wishes:
    """An endless store of wishes for regions of a corpus' files."""

    def __init__(self, files: Sequence[SourceFile], held_out: bool = False) -> None:
        """`held_out` asks in the wordings that are kept back from training. `files` are those by language."""
        self._held_out = held_out
        self.files: dict[str, list[SourceFile]] = {}
        for file in files:
            self.files.setdefault(file.language, []).append(file)
        self._families = [f for f in FAMILIES.values() if not self.files.keys().isdisjoint(f.languages)]
        self._often = [commands()[family.name].get("often", 1) for family in self._families]

    def draw(
        self, rng: random.Random, least: int, most: int, several: float = 0.0, idle: float = 0.0
    ) -> Wish | None:
        """A wish for a region of `least` to `most` lines; None where none was found.

        `several` and `idle` are the shares of wishes for more than one thing, and for what the region has no place for.
        """
        if not self._families:
            return None
        (family,) = rng.choices(self._families, self._often)
        for _ in range(TRIES):
            scene = self._scene(rng, family, least, most)
            asked = family.asked(scene, self._held_out) if scene else None
            if scene is None or asked is None:
                continue
            if rng.random() < idle:
                if (idler := self._idle(scene, asked, least, most)) is not None:
                    return idler
                continue
            kind, sentence, change = family.name, asked.say(rng), asked.change
            if rng.random() < several and (more := self._further(scene, sentence, change)):
                kind, (sentence, change) = SEVERAL, more
            return Wish(kind, dressed(rng, sentence, scene.lines), change, scene.language)
        return None

    def _idle(self, scene: Scene, asked: AskedChange, least: int, most: int) -> Wish | None:
        """The same asked of a region that has nothing of what it names: misspelled, or of another file."""
        rng, values = scene.rng, asked.values
        named = {name for name in NEEDED & values.keys() if values[name] in scene.text}
        if rng.random() < 0.5:
            wrong = {n: rng.choice((f"{values[n]}_old", f"new_{values[n]}")) for n in sorted(named)}
            asked = asked._replace(values=values | wrong)
        else:
            lines = sample_region(rng, rng.choice(self.files[scene.language]), least, most)
            if lines is None:
                return None
            scene = Scene(rng, lines, scene.donor, scene.language)
        if not named or any(asked.values[name] in scene.text for name in named):
            return None
        sentence, unchanged = asked.say(rng), RegionChange(scene.lines, tuple(kept(scene.lines)))
        return Wish(IDLE, dressed(rng, sentence, scene.lines), unchanged, scene.language)

    def _scene(self, rng: random.Random, family: Family, least: int, most: int) -> Scene | None:
        spoken = [language for language in family.languages if language in self.files]
        usual = next((language for language in spoken if named(language).instruction_share), None)
        often = usual and rng.random() < named(usual).instruction_share
        language = usual if usual and often else rng.choice(spoken)
        files = self.files[language]
        lines = sample_region(rng, rng.choice(files), least, most)
        donor = sample_region(rng, rng.choice(files), 8, DONOR_LINES)
        return Scene(rng, lines, donor, language) if lines and donor else None

    def _further(self, scene: Scene, sentence: str, change: RegionChange) -> tuple[str, RegionChange] | None:
        """The sentence with one or two more after it that touch other lines; None where none fits."""
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
                sentence, change = sentence + rng.choice(phrases("joints")) + second[0], both
                found = sentence, change
        return found


def crossed(change: RegionChange, sentence: str) -> bool:
    """Whether a name that the change does away with is spoken of in the sentence for another."""
    before = set(WORD.findall("\n".join(change.lines)))
    gone = before - set(WORD.findall("\n".join(change.text)))
    return not gone.isdisjoint(WORD.findall(sentence))
