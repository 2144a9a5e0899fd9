"""One kind of change: an operation in one of the forms that the grammar has for it, carried out on a region."""

from __future__ import annotations

import os
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from fastedit.english.forms import Form
from fastedit.english.grammar import made
from fastedit.errors import OperationRefused
from fastedit.ops import carry_out
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk
from fastedit.source.outline import indentation
from fastedit.train.changes.change import RegionChange, revision
from fastedit.train.families.ground import Ground
from fastedit.train.families.slots import PLAIN, SlotDraw
from fastedit.train.families.wording import PLACE, coded, quoted, sentence

_PLACES = ("scope", "function", "target", "parent")
_WHERE = ("in", "in", "in", "of", "inside", "within", "in the function", "inside of")


@dataclass(frozen=True)
class Scene:
    """A region that an instruction is about, as a document for operations: its lines, and those of another file from
    which new names and code are borrowed."""

    rng: random.Random
    lines: tuple[str, ...]
    donor: tuple[str, ...]
    language: str

    @cached_property
    def text(self) -> str:
        return "\n".join(self.lines)

    @cached_property
    def ground(self) -> Ground:
        """The region as a file: without the indentation that all of its lines share."""
        cut = len(self._indent)
        return Ground(_document([line[cut:] for line in self.lines], self.language))

    @cached_property
    def others(self) -> Ground:
        """What the donor has."""
        return Ground(_document(self.donor, self.language))

    def placed(self, hunks: Sequence[Hunk]) -> tuple[Hunk, ...]:
        """Hunks of the ground as hunks of the region."""
        indent = self._indent
        return tuple(
            replace(hunk, lines=tuple(indent + line if line.strip() else line for line in hunk.lines))
            for hunk in hunks
        )

    @cached_property
    def _indent(self) -> str:
        heads = [indentation(line) for line in self.lines if line.strip()]
        return os.path.commonprefix(heads)  # noqa: RUF071 - of characters, not of folders


def _document(lines: Sequence[str], language: str) -> Document:
    return replace(Document.from_text("\n".join((*lines, ""))), language=language)


class AskedChange(NamedTuple):
    """A sentence with places for `values`, and the one change of a scene that it asks for."""

    template: str
    values: dict[str, str]
    change: RegionChange

    def say(self, rng: random.Random) -> str:
        """The sentence with its values as people write them."""
        said = {name: (quoted if name in PLAIN else coded)(rng, value) for name, value in self.values.items()}
        return self.template.format_map(said)


def _asked(scene: Scene, form: Form, held_out: bool) -> tuple[str, dict[str, str]] | None:
    """A sentence for the form, and values for its places; None where the region has nothing for one."""
    rng = scene.rng
    said = sentence(rng, form.text, held_out)
    fields = {place for place in PLACE.findall(said) if place in form.fields}
    # Where a sentence has room for a place, it is the one that the form may have.
    place = next((name for name in _PLACES if name in form.optional - fields), None)
    where = ""
    if place is not None and "{w}" in said and rng.random() < 0.4:
        fields.add(place)
        where = f" {rng.choice(_WHERE)} {{{place}}}"
    values = SlotDraw(rng, scene.ground, scene.others, form.text.lower()).values(sorted(fields))
    return None if values is None else (said.replace("{w}", where), values)


@dataclass(frozen=True, slots=True)
class Family:
    form: Form
    languages: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.form.text

    def asked(self, scene: Scene, held_out: bool = False) -> AskedChange | None:
        """None where the region has no place for it, or leaves open what is meant."""
        found = _asked(scene, self.form, held_out)
        if found is None:
            return None
        template, values = found
        hunks = self._carried_out(scene, values)
        change = revision(scene.lines, scene.placed(hunks))
        # Of a region that goes as a whole nothing is left to show.
        return AskedChange(template, values, change) if hunks and any(map(str.strip, change.text)) else None

    def _carried_out(self, scene: Scene, values: Mapping[str, str]) -> tuple[Hunk, ...]:
        try:
            operation = made(self.form.operation, {**values, **self.form.constants}, scene.language)
            outcome = carry_out(scene.ground.document, [operation])
        except OperationRefused:
            return ()
        return () if outcome.left else outcome.hunks

    def bare(self, scene: Scene, held_out: bool = False) -> tuple[str, RegionChange] | None:
        """The sentence alone and its change."""
        asked = self.asked(scene, held_out) if scene.language in self.languages else None
        return None if asked is None else (asked.say(scene.rng), asked.change)
