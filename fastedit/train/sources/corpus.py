"""The corpus: source files with the package, version and licence they come from, split by package.

Packages of the development and test sets of `evals` never enter, whatever registry or language they come in.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from fastedit.errors import UsageError
from fastedit.source.languages import languages
from fastedit.train import jsonl
from fastedit.train.sources.files import is_written
from fastedit.train.sources.near import NearDuplicates
from fastedit.train.table import table

# Bare names of the packages that `evals` measures on, and of what they are imported as.
HELD_OUT = frozenset(Path(__file__).with_name("held_out.txt").read_text("utf-8").split())
VALIDATION_SHARE = 0.04
# Shares of the text; what is asked for most weighs most, and files around code are shorter and simpler.
SHARES = {each.name: each.corpus_share for each in languages() if each.corpus_share}
# What registries put around a name: npm's scope, Debian's words for the language.
_AFFIXES = re.compile(
    r"^@[^/]+/|^(python3?|node|rust|golang(-(github|gopkg)-[^-]+)?)-|^lib(?=.*-java$)|-java$"
)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """`package` is `registry:name` where it was fetched, a name without colon where it comes from a folder."""

    package: str
    version: str
    licence: str
    path: str
    language: str
    text: str

    @property
    def validation(self) -> bool:
        """Whole packages are held out, chosen by a hash of their name."""
        digest = hashlib.sha256(bare_name(self.package).encode()).digest()
        return digest[0] / 256 < VALIDATION_SHARE


def bare_name(package: str) -> str:
    """What a package is called in every registry: `debian:python-django` and `pypi:django` are both django."""
    registry, _, name = package.rpartition(":")
    return _AFFIXES.sub("", name) if registry else name


def held_out(package: str, parts: Iterable[str] = ()) -> bool:
    """Whether a package, or a folder on a file's way, bears the name of a package that is evaluated on."""
    names = {bare_name(package).lower(), bare_name(package).lower().replace("_", "-")}
    return not HELD_OUT.isdisjoint(names.union(parts))


def collect(files: Iterable[SourceFile]) -> Iterator[SourceFile]:
    """The files that a person wrote, each once: neither exact nor near-duplicates of an earlier one."""
    near = NearDuplicates()
    for file in files:
        if is_written(file.text, file.language) and not near.seen(file.text):
            yield file


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


def save(files: Iterable[SourceFile], path: Path) -> None:
    """Write the corpus as JSON lines."""
    jsonl.write(path, map(asdict, files))


def load(path: Path) -> list[SourceFile]:
    """The corpus from JSON lines. Raises UsageError."""
    if not path.exists():
        raise UsageError(f"{path}: no such corpus; make it with: fastedit train corpus --out {path}")
    names = [field.name for field in fields(SourceFile)]
    return [SourceFile(*map(row.__getitem__, names)) for row in jsonl.texts(path, names)]


def by_language(files: Iterable[SourceFile]) -> str:
    """A table of the files and their characters."""
    counts, characters = Counter[str](), Counter[str]()
    for file in files:
        counts[file.language] += 1
        characters[file.language] += len(file.text)
    rows = [(name, f"{counts[name]:,}", f"{characters[name] / 1e6:.1f}") for name in sorted(counts)]
    return table(("language", "files", "million characters"), rows)
