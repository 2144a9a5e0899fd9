"""What a document is predicted to become: by a sketch placed on it, or by an instruction carried out in code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fastedit.source.hunks import Hunk, HunkStream, alike, changed, changed_lines


class Prediction(NamedTuple):
    """The likely result. `origins` tells for each line which original line it copies byte for byte, if any; they
    rise."""

    lines: tuple[str, ...]
    origins: tuple[int | None, ...]

    @classmethod
    def unchanged(cls, lines: Sequence[str]) -> Prediction:
        return cls(tuple(lines), tuple(range(len(lines))))

    def then(self, hunks: Sequence[Hunk]) -> Prediction:
        """What further hunks make of the predicted lines."""
        origins = changed(self.origins, hunks, lambda hunk: [None] * len(hunk.lines))
        return Prediction(tuple(changed_lines(self.lines, hunks)), tuple(origins))

    def hunks(self, lines: Sequence[str], start: int = 0) -> tuple[Hunk, ...]:
        """What it changes in `lines`, of which the first is the document's line `start`."""
        origins, grown, kept = self.origins, len(self.lines) - len(lines), range(len(lines))
        # Most of a long file is before the first change or after the last one.
        first = alike(origins, kept)
        last = len(lines) - min(alike(origins[::-1], kept[::-1]), len(lines) - first, len(origins) - first)
        stream = HunkStream(lines[first:last], start + first)
        found: list[Hunk] = []
        for text, origin in zip(self.lines[first : last + grown], origins[first : last + grown], strict=True):
            found += stream.push(text, None if origin is None else origin - first)
        return (*found, *stream.finish())
