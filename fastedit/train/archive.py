"""Reading packages without unpacking them: wheels, npm's tarballs, Debian's source tarballs."""

from __future__ import annotations

import json
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path, PurePosixPath

from fastedit.train.files import MOST_CHARACTERS, in_language, is_own
from fastedit.train.licence import DebianCopyright, licence_in_manifest, licence_of

_LARGEST = 4 * MOST_CHARACTERS  # bytes: no character of UTF-8 is longer
_COPYRIGHT = PurePosixPath("debian/copyright")


def texts(archive: Path) -> Iterator[tuple[PurePosixPath, str]]:
    """(path below the package's top folder, text) of the package's own files that could be of a language we know.

    Line ends come as plain line feeds; what is not UTF-8 is left out. Raises OSError, zipfile.BadZipFile or
    tarfile.TarError for a damaged archive.
    """
    for path, data in _members(archive, lambda path: in_language(path) and is_own(path)):
        if path.parts[0] != "debian" and not path.parts[0].endswith(".dist-info"):
            try:
                yield path, data.decode().replace("\r\n", "\n")
            except UnicodeDecodeError:
                continue


def declared_licence(archives: list[Path]) -> str:
    """The licence of the package as a whole, as its metadata say; empty where they say nothing."""
    first = archives[0]
    if first.suffix == ".whl":
        with zipfile.ZipFile(first) as wheel:
            (info,) = (path for path in zipfile.Path(wheel).iterdir() if path.name.endswith(".dist-info"))
            return licence_of(metadata.PathDistribution(info))
    if first.suffix == ".tgz":
        found = dict(_members(first, lambda path: path == PurePosixPath("package.json")))
        return licence_in_manifest(json.loads(found.popitem()[1])) if found else ""
    return debian_copyright(archives).licence_of("*")


def debian_copyright(archives: list[Path]) -> DebianCopyright:
    """What a source package says about each of its files; nothing where it is not machine-readable."""
    for archive in archives:
        for _, data in _members(archive, lambda path: path == _COPYRIGHT):
            return DebianCopyright.parse(data.decode(errors="replace"))
    return DebianCopyright(())


def _members(archive: Path, wanted: Callable[[PurePosixPath], bool]) -> Iterator[tuple[PurePosixPath, bytes]]:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            for info in wheel.infolist():
                path = PurePosixPath(info.filename)
                if not info.is_dir() and info.file_size <= _LARGEST and wanted(path):
                    yield path, wheel.read(info)
        return
    with tarfile.open(archive) as tar:
        for member in tar:
            path = _below_top(PurePosixPath(member.name))
            if member.isfile() and member.size <= _LARGEST and path.parts and wanted(path):
                stream = tar.extractfile(member)
                if stream is not None:
                    yield path, stream.read()


def _below_top(path: PurePosixPath) -> PurePosixPath:
    """The path without the folder that tarballs wrap everything in; Debian's own additions come without one."""
    return path if path.parts[:1] == ("debian",) else PurePosixPath(*path.parts[1:])
