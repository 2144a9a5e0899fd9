"""Real changes: regions of files as two releases of a package have them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, changed, diff_lines
from fastedit.source.languages import notation_of
from fastedit.train import jsonl
from fastedit.train.changes.change import Out, RegionChange, kept
from fastedit.train.sources.corpus import held_out

_PATH = "edit.py"  # of rows without one, which come from releases on PyPI
WIDEST = 24  # new lines in one hunk; what is written anew teaches little about merging


class FilePair(NamedTuple):
    """A file before and after."""

    old: str
    new: str
    language: str
    package: str = ""


def read_pairs(paths: Sequence[Path]) -> list[FilePair]:
    """From JSON lines with `old`, `new` and, where they are known, `path` (Python's if not) and `package`; packages of
    the evaluation sets are left out. Raises UsageError."""
    rows = [row for path in paths for row in read_rows(path, ("old", "new"))]
    return [FilePair(row["old"], row["new"], language_in(row), row.get("package", "")) for row in rows]


class RealChanges:
    """Changed regions drawn from files before and after, as `evals.edits` keeps them."""

    def __init__(self, pairs: Sequence[FilePair]) -> None:
        self._pairs, self.packages = pairs, sorted({pair.package for pair in pairs if pair.package})
        self._hunks = lru_cache(maxsize=len(pairs) or 1)(self._diff)

    @classmethod
    def load(cls, paths: Sequence[Path]) -> RealChanges:
        """Those of files that `read_pairs` reads. Raises UsageError."""
        return cls(read_pairs(paths))

    def __len__(self) -> int:
        return len(self._pairs)

    def draw(self, rng: random.Random, most: int) -> tuple[RegionChange | None, str]:
        """A region of at most `most` lines around a hunk, every hunk that lies in it applied, and its language; no
        change where none fits."""
        index = rng.randrange(len(self._pairs))
        return self._drawn(rng, most, index), self._pairs[index].language

    def _drawn(self, rng: random.Random, most: int, index: int) -> RegionChange | None:
        lines, hunks = self._hunks(index)
        if not hunks:
            return None
        hunk = rng.choice(hunks)
        spare = most - (hunk.stop - hunk.start)
        if spare < 2:
            return None
        before = rng.randint(1, min(spare - 1, most // 2))
        start = max(0, hunk.start - before)
        stop = min(len(lines), hunk.stop + rng.randint(1, max(1, spare - before)))
        inside = [h for h in hunks if start <= h.start and h.stop <= stop and len(h.lines) <= WIDEST]
        # What changes at the region's head or tail, no sketch can place; only the file's own ends are known ones.
        inside = [
            h for h in inside if (h.start > start or start == 0) and (h.stop < stop or stop == len(lines))
        ]
        if not inside:
            return None
        region = lines[start:stop]
        moved = [replace(hunk, start=hunk.start - start, stop=hunk.stop - start) for hunk in inside]
        return RegionChange(region, tuple(changed(kept(region), moved, lambda hunk: map(Out, hunk.lines))))

    def _diff(self, index: int) -> tuple[tuple[str, ...], tuple[Hunk, ...]]:
        pair = self._pairs[index]
        old, new = (Document.from_text(text).lines for text in (pair.old, pair.new))
        return old, diff_lines(old, new)


def read_rows(path: Path, texts: Sequence[str]) -> list[dict[str, Any]]:
    """Those with these texts, without the packages of the evaluation sets. Raises UsageError."""
    rows = jsonl.texts(path, texts, ("path", "package", "author"))
    return [row for row in rows if not held_out(row.get("package", ""))]


def language_in(row: dict[str, Any]) -> str:
    return notation_of(Path(row.get("path", _PATH)), row["old"])
