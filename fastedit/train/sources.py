"""Where the training corpus comes from: packages pinned in sources.lock.json, or folders of the user's own."""

from __future__ import annotations

import json
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from fastedit.source.languages import TEXT
from fastedit.train.archive import debian_copyright, texts
from fastedit.train.corpus import SourceFile, held_out
from fastedit.train.fetch import Unavailable, fetch
from fastedit.train.files import corpus_language, in_language, is_own
from fastedit.train.licence import permissive

LOCK = Path(__file__).parent / "sources.lock.json"
_DAMAGED = (OSError, EOFError, ValueError, zipfile.BadZipFile, tarfile.TarError)


@dataclass(frozen=True, slots=True)
class PinnedPackage:
    """`package` is `registry:name`; `licence` as the package declares it; `files` map archives to their SHA-256."""

    package: str
    version: str
    licence: str
    files: dict[str, str]


def read_lock() -> list[PinnedPackage]:
    return [PinnedPackage(**entry) for entry in json.loads(LOCK.read_text("utf-8"))]


def pinned(sources: Iterable[PinnedPackage], folder: Path, skipped: list[str]) -> Iterator[SourceFile]:
    """The files of every package that can be had; each that cannot adds a line to `skipped`."""
    for source in sources:
        try:
            archives = fetch(source.package, source.version, source.files, folder)
            yield from list(_files(source, archives))
        except Unavailable as error:
            skipped.append(f"{source.package} {source.version}: {error}")
        except _DAMAGED as error:
            said = str(error).partition("\n")[0] or type(error).__name__
            skipped.append(f"{source.package} {source.version}: cannot be read: {said}")


def _files(source: PinnedPackage, archives: list[Path]) -> Iterator[SourceFile]:
    """The files of one package. A Debian package says its licence file by file; others are of one licence."""
    by_file = debian_copyright(archives) if source.package.startswith(("debian:", "crate:")) else None
    for archive in archives:
        for path, text in texts(archive):
            licence = by_file.licence_of(str(path)) if by_file else source.licence
            language = corpus_language(path, text)
            if language != TEXT and permissive(licence) and not held_out(source.package, path.parts):
                yield SourceFile(source.package, source.version, licence, str(path), language, text)


def in_folders(folders: Iterable[Path]) -> Iterator[SourceFile]:
    """The files in folders whose licence is the user's to know, but for those of packages that are evaluated on."""
    for folder in folders:
        root = folder.resolve()
        for path in sorted(filter(Path.is_file, root.rglob("*"))):
            inside = PurePosixPath(path.relative_to(root))
            if in_language(inside) and is_own(inside) and not held_out(root.name, inside.parts):
                yield from _of_folder(path, root.name, inside)


def _of_folder(path: Path, name: str, inside: PurePosixPath) -> Iterator[SourceFile]:
    try:
        text = path.read_bytes().decode().replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError):
        return
    language = corpus_language(inside, text)
    if language != TEXT:
        yield SourceFile(f"{name}.{inside.parts[0]}", "", "see folder", str(inside), language, text)
