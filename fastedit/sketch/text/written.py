"""A text beside the file that it is made of: what stays, what goes and what comes.

Most lines stay, so they are handled as arrays and looked up; only the others are gone over one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import groupby

import numpy as np

from fastedit.sketch.read.names import rows_with
from fastedit.sketch.read.reading import BLANK, Outline, is_import
from fastedit.sketch.text.merge import MergedText


class Written:
    """`new` are the lines of the text, `image_of` the file line that each is in substance; `fresh` are those that are
    no line of the file byte for byte, `lost` the file lines that no line of the text is."""

    def __init__(self, file: Outline, text: MergedText) -> None:
        self.file, self.new, self.origins = file, text.lines, text.origins
        self.image_of, self._moved = text.image_of, text.moved
        self._at = np.nan_to_num(np.array(text.origins, dtype=float), nan=-1).astype(np.intp)
        self._kept = np.nonzero(self._at >= 0)[0]
        self.fresh: list[int] = np.nonzero(self._at < 0)[0].tolist()
        self._places = np.full(len(file.texts), -1)  # by file line
        self._places[self._at[self._kept]] = self._kept
        self.lost: list[int] = np.nonzero(self._places < 0)[0].tolist()

    @property
    def changed(self) -> Iterator[str]:
        """The lines of the file and of the text that the other lacks, and those at another depth on both sides."""
        yield from map(self.file.texts.__getitem__, self.lost)
        yield from map(self.new.__getitem__, self.fresh)

    @cached_property
    def pieces(self) -> list[int | None]:
        """For each line of the text which run of new lines it is in, None for a line of the file."""
        runs = groupby(self.origins, lambda origin: origin is None)
        return [piece if new else None for piece, (new, run) in enumerate(runs) for _ in run]

    @cached_property
    def gone(self) -> list[int]:
        """The file's inked lines that are no more, as they are or at another depth."""
        moved = set(self._moved)
        return [row for row in self.lost if self.file.ink[row] != BLANK and row not in moved]

    @cached_property
    def come(self) -> list[int]:
        """The text's inked lines that the file lacks."""
        moved = Counter(self.file.stripped[row] for row in self._moved)
        found = []
        for row in self.fresh:
            if stripped := self.new[row].strip():
                if moved[stripped]:
                    moved[stripped] -= 1
                else:
                    found.append(row)
        return found

    def image(self, row: int) -> int | None:
        """Where a line of the file stands, as it was, changed or moved."""
        place = int(self._places[row])
        return self._other_images.get(row) if place < 0 else place

    @cached_property
    def _other_images(self) -> dict[int, int]:
        """Where each line of the file stands that is changed or moved."""
        images = ((self.image_of[row], row) for row in self.fresh)
        return {origin: row for origin, row in images if origin is not None}

    @cached_property
    def near(self) -> list[int]:
        """The lines that came and are the file's in substance, and the first below each that came."""
        found = []
        come = set(self.come)
        for row in self.come:
            found += [row] if self.image_of[row] is not None else []
            below = next((at for at in range(row + 1, len(self.new)) if self.new[at].strip()), None)
            found += [below] if below is not None and below not in come else []
        return found

    @property
    def met(self) -> Iterator[tuple[int, int]]:
        """Inked lines of the text next to each other that are not so in the file."""
        holds_ink = np.zeros(len(self.new), dtype=bool)
        holds_ink[self._kept] = self.file.inks[self._at[self._kept]] != BLANK
        holds_ink[self.fresh] = [bool(self.new[row].strip()) for row in self.fresh]
        inked = np.nonzero(holds_ink)[0]
        above = np.concatenate(([0], np.cumsum(self.file.inks)))  # 0 for blank lines alone
        before, after = self._at[inked[:-1]], self._at[inked[1:]]
        apart = (before < 0) | (after < 0) | (above[after] > above[before + 1])
        return zip(inked[:-1][apart].tolist(), inked[1:][apart].tolist(), strict=True)

    @property
    def imports(self) -> list[int]:
        """The lines of the text that begin an import."""
        stay = self._places[self.file.imports]
        return sorted([*stay[stay >= 0].tolist(), *(row for row in self.fresh if is_import(self.new[row]))])

    def rows_with(self, names: Iterable[str], rows: range) -> list[int]:
        """Those of these rows of the text that any of the names stands on, be it within another word, in order."""
        names = list(names)
        at = self._at[rows.start : rows.stop]
        stay = at[at >= 0]
        lines = range(stay[0], stay[-1] + 1) if len(stay) else range(0)
        found = {int(self._places[row]) for row in rows_with(self.file.texts, names, lines)} - {-1}
        found.update(
            row for row in self.fresh if row in rows and any(name in self.new[row] for name in names)
        )
        return sorted(found)

    def around(self, old: range) -> range:
        """The text's lines between what stays above these of the file and what stays below."""
        above, below = self._places[: old.start], self._places[old.stop :]
        above, below = above[above >= 0], below[below >= 0]
        return range(int(above[-1]) + 1 if len(above) else 0, int(below[0]) if len(below) else len(self.new))
