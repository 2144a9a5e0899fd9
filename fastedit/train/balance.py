"""How much of each language and package enters the corpus, so that none drowns the others."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from fastedit.source.languages import languages
from fastedit.train.corpus import SourceFile

# Shares of the text; what is asked for most weighs most, and files around code are shorter and simpler.
SHARES = {each.name: each.corpus_share for each in languages() if each.corpus_share}


def balanced(files: Iterable[SourceFile], most: int) -> list[SourceFile]:
    """At most `most` characters, by `SHARES`; within a language small packages enter whole, large ones in part.

    Which files of a large package are taken is decided by a hash, so the choice is the same everywhere. The result is
    in order of package and path.
    """
    groups: dict[str, dict[str, list[SourceFile]]] = defaultdict(lambda: defaultdict(list))
    for file in files:
        groups[file.language][file.package].append(file)
    taken: list[SourceFile] = []
    for language, packages in groups.items():
        budget = most * SHARES.get(language, 0.0) / sum(SHARES.values())
        limit = level([sum(len(file.text) for file in own) for own in packages.values()], budget)
        for own in packages.values():
            taken += _within(own, limit)
    return sorted(taken, key=lambda file: (file.package, file.path, file.text))


def level(sizes: Sequence[int], budget: float) -> float:
    """The limit for each of `sizes` with which they add up to `budget`; infinite where they fit as they are."""
    left = budget
    for count, size in zip(range(len(sizes), 0, -1), sorted(sizes), strict=True):
        if size * count > left:
            return left / count
        left -= size
    return float("inf")


def _within(files: Iterable[SourceFile], limit: float) -> Iterator[SourceFile]:
    """Files in the order of a hash, those left out that would go beyond the limit."""
    for file in sorted(files, key=lambda f: hashlib.sha256((f.path + f.text).encode()).digest()):
        if len(file.text) <= limit:
            limit -= len(file.text)
            yield file
