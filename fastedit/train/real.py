"""Real changes: regions of files as two releases of a package have them."""

from __future__ import annotations

import gzip
import json
import random
from functools import lru_cache
from pathlib import Path

from fastedit.edit.hunks import Hunk, diff_lines
from fastedit.errors import UsageError
from fastedit.train.change import Change, Out, kept
from fastedit.train.corpus import HELD_OUT

WIDEST = 24  # new lines in one hunk; what is written anew teaches little about merging


class RealChanges:
    """Changed regions drawn from files before and after, as `evals.edits` keeps them."""

    def __init__(self, pairs: list[tuple[str, str]], packages: tuple[str, ...] = ()) -> None:
        self._pairs, self.packages = pairs, packages
        self._hunks = lru_cache(maxsize=len(pairs) or 1)(self._diff)

    @classmethod
    def load(cls, path: Path) -> RealChanges:
        """From gzipped JSON lines with `old`, `new` and, where it is known, `package`; packages of the evaluation sets
        are left out. Raises UsageError."""
        try:
            with gzip.open(path, "rt", encoding="utf-8") as stream:
                rows = [row for row in map(json.loads, stream) if row.get("package") not in HELD_OUT]
            packages = {row["package"] for row in rows if "package" in row}
            return cls([(str(row["old"]), str(row["new"])) for row in rows], tuple(sorted(packages)))
        except (OSError, EOFError, ValueError, KeyError, AttributeError) as error:
            raise UsageError(
                f"{path}: not gzipped JSON lines with `old` and `new` ({type(error).__name__}: {error})"
            ) from None

    def __len__(self) -> int:
        return len(self._pairs)

    def draw(self, rng: random.Random, most: int) -> Change | None:
        """A region of at most `most` lines around a hunk, every hunk that lies in it applied; None where none fits."""
        index = rng.randrange(len(self._pairs))
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
        return _change(lines[start:stop], inside, start) if inside else None

    def _diff(self, index: int) -> tuple[tuple[str, ...], tuple[Hunk, ...]]:
        old, new = (tuple(text.removesuffix("\n").split("\n")) for text in self._pairs[index])
        return old, diff_lines(old, new)


def _change(lines: tuple[str, ...], hunks: list[Hunk], start: int) -> Change:
    answer: list[Out] = []
    at = 0
    for hunk in hunks:
        answer += kept(lines, at, hunk.start - start)
        answer += [Out(text) for text in hunk.lines]
        at = hunk.stop - start
    return Change(lines, (*answer, *kept(lines, at)))
