"""Files that are on the machine already: the standard library, installed packages, folders of the user's own."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path, PurePosixPath

from fastedit.source.languages import TEXT
from fastedit.train.corpus import SourceFile, held_out
from fastedit.train.files import corpus_language, in_language, is_own
from fastedit.train.licence import licence_of, permissive

_NO_PACKAGE = {"site-packages", "test", "tests", "idlelib", "__pycache__"}


def installed(skipped: list[str]) -> Iterator[SourceFile]:
    """The standard library and every installed permissive package. What is left out is added to `skipped`."""
    stdlib = Path(sysconfig.get_paths()["stdlib"])
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    for path in sorted(stdlib.rglob("*.py")):
        if not _NO_PACKAGE.intersection(path.parts):
            package = f"stdlib.{path.relative_to(stdlib).parts[0]}"
            yield from _read(path, stdlib, package, version, "PSF-2.0")
    for dist in sorted(metadata.distributions(), key=lambda d: str(d.metadata["Name"]).lower()):
        name, licence = str(dist.metadata["Name"]).lower(), licence_of(dist)
        if held_out(name):
            continue
        if not permissive(licence):
            skipped.append(f"{name} {dist.version}: licence {licence[:60] or 'unknown'}")
            continue
        root = Path(str(dist.locate_file("")))
        for entry in dist.files or ():
            if not (entry.parts[0].endswith((".dist-info", ".egg-info")) or ".." in entry.parts):
                yield from _read(root / entry, root, name, dist.version, licence)


def in_folders(folders: Iterable[Path]) -> Iterator[SourceFile]:
    """Files of the user's own, whose licence is the user's to know."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                package = f"{folder.name}.{path.relative_to(folder).parts[0]}"
                yield from _read(path, folder, package, "", "see folder")


def _read(path: Path, root: Path, package: str, version: str, licence: str) -> Iterator[SourceFile]:
    inside = PurePosixPath(path.relative_to(root))
    if not (in_language(inside) and is_own(inside)) or held_out(package, inside.parts):
        return
    try:
        text = path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError):
        return
    language = corpus_language(inside, text)
    if language != TEXT:
        yield SourceFile(package, version, licence, str(inside), language, text)
