"""What a path takes of a sketch to speak of the edit, and not to be code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp, prod

from fastedit.sketch.align import Alignment
from fastedit.sketch.paths.lattice import Layer, PathStep
from fastedit.sketch.read.wording import tells_of_removal
from fastedit.sketch.rivals.base import idle_markers
from fastedit.sketch.rivals.notes import notes_in
from fastedit.source.markers import begins_with_dots


class Spoken:
    """The comments of a sketch that is laid onto a file, by line of the sketch."""

    def __init__(self, alignment: Alignment) -> None:
        self._found = alignment

    def left_out(self, path: Sequence[PathStep]) -> list[int]:
        """Those that are not written, and stand for no lines by name."""
        noted = (row for row in notes_in(path) if row not in self._found.naming)
        return sorted((*self._silent(path), *noted))

    def unheard(self, path: Sequence[PathStep]) -> Iterator[int]:
        """Those that the file lacks, and that are taken neither for code nor for markers of what they say stays, nor
        name what goes."""
        found = self._found
        idle = set(idle_markers(found.file, path))
        for step in path:
            row = step.sketch if step.layer in (Layer.MARK, Layer.GONE) else None
            if row is None or row in found.naming or row not in found.says:
                continue
            text = found.sketch.texts[row]
            stays = found.says[row] > 0.0 and row not in idle and not tells_of_removal(text)
            if not (stays or begins_with_dots(text)):
                yield row

    def abbreviating(self, path: Sequence[PathStep]) -> dict[int, float]:
        """Those that are taken for markers or notes and rather say that what they stand for changes too, with the
        logarithm of the odds that they do."""
        found = self._found
        if not found.abbreviating:
            return {}
        # Without dots, one that stands for no lines may be about those next to it.
        idle = {
            row
            for row in idle_markers(found.file, path)
            if not (row in found.sketch.hidden or begins_with_dots(found.sketch.texts[row]))
        }
        rows = (step.sketch for step in path if step.layer in (Layer.MARK, Layer.GONE))
        return {row: found.abbreviating[row] for row in rows if row in found.abbreviating and row not in idle}

    def certainty(self, path: Sequence[PathStep]) -> float:
        """How certain it is that comments speak of the edit which are left out and stand for no lines, and that a
        heading which would be likelier to does not where it is written."""
        found, silent = self._found, self._silent(path)
        headings, shared = found.headings, found.headings | found.leading
        odds = [found.of_edit[row] for row in silent if row in found.says and row not in shared]
        if (speaks := max((found.says[row] for row in headings), default=0.0)) > 0.0:
            odds.append(-speaks if headings.isdisjoint(silent) else speaks)
        return prod(1.0 / (1.0 + exp(-one)) for one in odds)

    def _silent(self, path: Sequence[PathStep]) -> list[int]:
        """Those that are taken for markers and stand for no lines, or for none that would not stay without them: a
        heading above all that is shown."""
        idle = set(idle_markers(self._found.file, path))
        marks = (step.sketch for step in path if step.layer is Layer.MARK and step.sketch is not None)
        return [row for row in marks if row in idle or row in self._found.headings]
