"""Where the training corpus comes from: packages pinned in sources.lock.json, or folders of the user's own."""

from __future__ import annotations

import json
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from fastedit.source.languages import TEXT
from fastedit.train.sources.archive import debian_copyright, members
from fastedit.train.sources.corpus import SourceFile, held_out
from fastedit.train.sources.fetch import Unavailable, fetch
from fastedit.train.sources.files import corpus_language, in_language, is_own
from fastedit.train.sources.licence import licence_of, permissive

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
        for path, data in members(
            archive, lambda path: in_language(path) and is_own(path) and not _is_added(path)
        ):
            licence = source.licence if by_file is None else licence_of(str(path), by_file)
            if permissive(licence) and not held_out(source.package, path.parts):
                yield from _of_language(source.package, source.version, licence, path, data)


def in_folders(folders: Iterable[Path]) -> Iterator[SourceFile]:
    """The files in folders whose licence is the user's to know, but for those of packages that are evaluated on."""
    for folder in map(Path.resolve, folders):
        for path in sorted(filter(Path.is_file, folder.rglob("*"))):
            inside = PurePosixPath(path.relative_to(folder))
            if in_language(inside) and is_own(inside) and not held_out(folder.name, inside.parts):
                package = f"{folder.name}.{inside.parts[0]}"
                with suppress(OSError):
                    yield from _of_language(package, "", "see folder", inside, path.read_bytes())


def _is_added(path: PurePosixPath) -> bool:
    """By those who packed it."""
    return path.parts[0] == "debian" or path.parts[0].endswith(".dist-info")


def _of_language(
    package: str, version: str, licence: str, path: PurePosixPath, data: bytes
) -> Iterator[SourceFile]:
    """The file, where it is UTF-8 of a language that is learned. Line ends come as plain line feeds."""
    with suppress(UnicodeDecodeError):
        text = data.decode().replace("\r\n", "\n")
        if (language := corpus_language(path, text)) != TEXT:
            yield SourceFile(package, version, licence, str(path), language, text)
