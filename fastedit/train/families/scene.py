"""A region that an instruction is about, as a document for operations."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from fastedit.source.document import Document
from fastedit.source.hunks import Hunk
from fastedit.source.outline import indentation
from fastedit.train.families.ground import Ground

Lines = tuple[str, ...]


@dataclass(frozen=True)
class Scene:
    """A region's lines, and those of another file from which new names and code are borrowed."""

    rng: random.Random
    lines: Lines
    donor: Lines
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
