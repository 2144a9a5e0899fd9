"""What a family of instructions works on, and what it is: a region, and a way to ask for one change of it."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

from fastedit.edit.instruction import whole_word
from fastedit.train.change import KEYWORDS, WORD, Change
from fastedit.train.families import wording
from fastedit.train.families.speech import SPEECH, Speech
from fastedit.train.families.wording import Wordings, dressed, wordings
from fastedit.train.regions import indent_of

Lines = tuple[str, ...]
Parts = dict[str, str]
Made = tuple[str, Change] | None
T = TypeVar("T")
STEPS = (2, 3, 4, 8)  # of indentation, in columns
_BINDING = re.compile(r"\s*(?:async\s+)?(?:def|class|func|fn|function)\s+(\w+)")


@dataclass(frozen=True)
class Scene:
    """A region's lines, and those of another file from which new names and code are borrowed."""

    rng: random.Random
    lines: Lines
    donor: Lines
    language: str = "python"

    @property
    def speech(self) -> Speech:
        return SPEECH[self.language]

    def pick(self, options: Sequence[T]) -> T | None:
        return self.rng.choice(options) if options else None

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def quoted(self, text: str) -> str:
        return wording.quoted(self.rng, text)

    def coded(self, text: str) -> str:
        return wording.coded(self.rng, text)

    def shown(self, line: int) -> str:
        """A line as the sentence quotes it."""
        text = self.lines[line].strip()
        said = wording.quoted(self.rng, text)
        return f"`{text}`" if said == text else said

    @cached_property
    def text(self) -> str:
        return "\n".join(self.lines)

    @cached_property
    def quotable(self) -> list[int]:
        """Lines that a sentence can quote: no other has the same text."""
        stripped = [line.strip() for line in self.lines]
        counts = Counter(stripped)
        return [
            i
            for i, text in enumerate(stripped)
            if 3 < len(text) < 120
            and counts[text] == 1
            and text[0] != "`" != text[-1]
            and sum(map(str.isalnum, text)) > 2
        ]

    def unique(self, pattern: re.Pattern[str] | None = None) -> list[int]:
        """Lines that a sentence can quote, of those that the pattern fits."""
        return [i for i in self.quotable if pattern is None or pattern.match(self.lines[i])]

    def matches(self, pattern: re.Pattern[str]) -> list[tuple[int, re.Match[str]]]:
        """The lines that the pattern fits from their start."""
        return [(i, match) for i, line in enumerate(self.lines) if (match := pattern.match(line))]

    def once(self, text: str) -> bool:
        """Whether the text stands in the region just once, as a whole where it is made of words."""
        if text.isidentifier():
            return self._counts[text] == 1
        if self.text.count(text) == 1:
            return True
        return len(whole_word(text).findall(self.text)) == 1

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(WORD.findall(self.text))

    @cached_property
    def _foreign(self) -> list[str]:
        return [n for line in self.donor for n in WORD.findall(line) if n not in KEYWORDS and len(n) > 2]

    def name(self) -> str:
        """A name that the region has not."""
        names, taken = self._foreign, self._counts
        endings = ("new", "path", "count", "id", "map", "size", "x")
        for _ in range(8):
            name = self.rng.choice(names) if names else "value"
            if self.chance(0.3) or name in taken:
                name = f"{name}_{self.rng.choice(endings)}"
            if name not in taken:
                return name
        return f"{name}_{len(self.lines)}"

    def known(self) -> str | None:
        """A name that the region has."""
        return self.pick(sorted(n for n in self._counts if n not in KEYWORDS and len(n) > 2))

    def words(self, least: int, most: int) -> str:
        """Words of prose."""
        words = [w for line in self.donor for w in WORD.findall(line.lower()) if "_" not in w] or ["value"]
        return " ".join(self.rng.choices(words, k=self.rng.randint(least, most)))

    def value(self) -> str:
        return self.rng.choice(self.speech.values)

    def unit(self, line: int) -> str:
        """One step of indentation: that from the block around the line, else the file's most frequent one."""
        indent = self.indent(line)
        if "\t" in indent or (not indent and any(text.startswith("\t") for text in self.lines)):
            return "\t"
        outer = next((n for n in reversed(_indents(self.lines[:line])) if n < len(indent)), len(indent))
        if len(indent) - outer in STEPS:
            return " " * (len(indent) - outer)
        steps = Counter(b - a for a, b in pairwise(_indents(self.lines)) if b - a in STEPS)
        return " " * (steps.most_common(1)[0][0] if steps else 4)

    def indent(self, line: int) -> str:
        return self.lines[line][: indent_of(self.lines[line])]

    def where(self, line: int) -> str:
        """Nothing, or in which definition the line stands."""
        if not self.chance(0.2):
            return ""
        for above in range(line - 1, -1, -1):
            found = _BINDING.match(self.lines[above])
            if found and indent_of(self.lines[above]) < indent_of(self.lines[line]):
                return f" {self.rng.choice(('in', 'in', 'inside', 'within'))} {self.quoted(found[1])}"
        return ""


def _indents(lines: Sequence[str]) -> list[int]:
    return [indent_of(line) for line in lines if line.strip()]


Maker = Callable[[Scene], tuple[Parts, Change] | None]


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of change, made and asked for in many ways.

    `near` are texts beside which it is worth trying, for what is rare in code. `anchored` tells that the instruction
    names something of the region, without which nothing is to be done.
    """

    name: str
    make: Maker
    wordings: Wordings
    languages: tuple[str, ...]
    near: tuple[str, ...] = ()
    anchored: bool = True

    def made(self, scene: Scene) -> tuple[Parts, Change] | None:
        """What the sentence speaks of, and the change; None where the region has no place for it."""
        made = self.make(scene)
        return None if made is None or made[1].text == scene.lines else made

    def bare(self, scene: Scene, held_out: bool = False) -> Made:
        """The sentence alone and its change."""
        made = self.made(scene)
        return None if made is None else (self.wordings.say(scene.rng, made[0], held_out), made[1])

    def __call__(
        self,
        rng: random.Random,
        lines: Lines,
        donor: Lines,
        language: str = "python",
        held_out: bool = False,
    ) -> Made:
        """An instruction as it is sent and the one change that answers it."""
        made = self.bare(Scene(rng, lines, donor, language), held_out) if language in self.languages else None
        return None if made is None else (dressed(rng, made[0], lines), made[1])


def family(
    *, languages: tuple[str, ...] = ("python",), near: tuple[str, ...] = (), anchored: bool = True
) -> Callable[[Maker], Family]:
    """Make a function a family that bears its name, asked for in the wordings that its module's table has for it."""

    def named(make: Maker) -> Family:
        spoken = wordings(make.__module__.rpartition(".")[2])[make.__name__]
        return Family(make.__name__, make, spoken, languages, near, anchored)

    return named
