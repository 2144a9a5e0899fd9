"""Source files of installed packages and the standard library, split by package, with licences recorded.

Packages of the development and test sets of `evals.edits` are never read.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib import metadata
from itertools import chain
from pathlib import Path

HELD_OUT = frozenset(
    [
        "click",
        "requests",
        "flask",
        "httpx",
        "rich",
        "urllib3",
        "networkx",
        "starlette",
        "werkzeug",
        "httpx2",
        "httpcore2",
        "jinja2",
        "fastapi",
        "typer",
        "attrs",
        "attr",
        "aiohttp",
        "marshmallow",
        "pydantic",
        "tornado",
        "sqlalchemy",
        "pytest",
        "_pytest",
        "black",
    ]
)
LANGUAGES = {
    ".py": "python",
    ".js": "javascript",
    ".mjs": "javascript",
    ".ts": "typescript",
    ".tsx": "tsx",
    ".go": "go",
    ".rs": "rust",
    ".java": "java",
    ".c": "c",
    ".h": "c",
    ".cpp": "cpp",
    ".cc": "cpp",
    ".hpp": "cpp",
}
PERMISSIVE = ("mit", "bsd", "apache", "psf", "python software", "isc", "unlicense", "zlib", "mpl", "0bsd")
VALIDATION_SHARE = 0.04


@dataclass(frozen=True, slots=True)
class SourceFile:
    package: str
    version: str
    licence: str
    path: str
    language: str
    text: str

    @property
    def validation(self) -> bool:
        """Whole packages are held out, chosen by a hash of their name."""
        digest = hashlib.sha256(self.package.encode()).digest()
        return digest[0] / 256 < VALIDATION_SHARE


def collect(folders: tuple[Path, ...] = (), *, installed: bool = True) -> Iterator[SourceFile]:
    """Files of the standard library and every installed permissive package, and of extra folders; no file twice."""
    seen: set[bytes] = set()
    for source in chain(_installed() if installed else (), _in_folders(folders)):
        digest = hashlib.sha256(source.text.encode()).digest()
        if digest not in seen and _usable(source.text):
            seen.add(digest)
            yield source


def save(files: Iterator[SourceFile], path: Path) -> dict[str, int]:
    """Write the corpus as gzipped JSON lines; returns the number of files by language."""
    counts: dict[str, int] = {}
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as out:
        for file in files:
            out.write(json.dumps(asdict(file)) + "\n")
            counts[file.language] = counts.get(file.language, 0) + 1
    return counts


def load(path: Path) -> list[SourceFile]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [SourceFile(**json.loads(line)) for line in lines]


def sample_lines(files: list[SourceFile], count: int, seed: int) -> Iterator[str]:
    """Lines for the tokenizer, drawn file by file."""
    rng = random.Random(seed)
    order = rng.sample(files, len(files))
    left = count
    for file in order:
        for line in file.text.split("\n"):
            yield line
            left -= 1
        if left <= 0:
            return


def _installed() -> Iterator[SourceFile]:
    stdlib = Path(sysconfig.get_paths()["stdlib"])
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    skip = {"site-packages", "test", "tests", "idlelib", "__pycache__"}
    for path in sorted(stdlib.rglob("*.py")):
        if not skip.intersection(path.parts):
            yield from _read(path, stdlib, f"stdlib.{path.relative_to(stdlib).parts[0]}", version, "PSF-2.0")
    for dist in sorted(metadata.distributions(), key=lambda d: str(d.metadata["Name"]).lower()):
        name, licence = str(dist.metadata["Name"]).lower(), licence_of(dist)
        if name in HELD_OUT or not any(word in licence.lower() for word in PERMISSIVE):
            continue
        for entry in dist.files or ():
            if entry.suffix in LANGUAGES and not HELD_OUT.intersection(entry.parts):
                path = Path(str(entry.locate()))
                yield from _read(path, path.parent, name, dist.version, licence)


def _in_folders(folders: tuple[Path, ...]) -> Iterator[SourceFile]:
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in LANGUAGES and not HELD_OUT.intersection(path.parts):
                relative = path.relative_to(folder)
                yield from _read(path, folder, f"{folder.name}.{relative.parts[0]}", "", "see folder")


def licence_of(dist: metadata.Distribution) -> str:
    meta = dist.metadata
    classifiers = [
        c.split("::")[-1].strip() for c in meta.get_all("Classifier") or () if c.startswith("License")
    ]
    first = (meta["License-Expression"] or meta["License"] or "").strip().split("\n")[0]
    return "; ".join([first, *classifiers]).strip("; ")


def _read(path: Path, root: Path, package: str, version: str, licence: str) -> Iterator[SourceFile]:
    try:
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return
    yield SourceFile(package, version, licence, path.name, LANGUAGES[path.suffix], text.replace("\r\n", "\n"))


def _usable(text: str) -> bool:
    """Neither tiny, nor generated or minified."""
    lines = text.split("\n")
    return (
        8 <= len(lines) <= 20_000
        and "\r" not in text
        and max(map(len, lines)) <= 400
        and "generated by" not in text[:400].lower()
    )
