"""Reading packages without unpacking them: wheels, npm's tarballs, Debian's source tarballs and crates."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from fastedit.train.sources.files import MOST_CHARACTERS
from fastedit.train.sources.licence import debian_licences

_LARGEST = 4 * MOST_CHARACTERS  # bytes: no character of UTF-8 is longer
_COPYRIGHT = PurePosixPath("debian/copyright")
_CRATES = ("usr", "share", "cargo", "registry")
_DOCS = ("usr", "share", "doc")


def debian_copyright(archives: list[Path]) -> list[tuple[list[str], str]]:
    """What a source package says about each of its files, as `debian_licences`."""
    for archive in archives:
        for _, data in members(archive, lambda path: path == _COPYRIGHT):
            return list(debian_licences(data.decode(errors="replace")))
    return []


def members(archive: Path, wanted: Callable[[PurePosixPath], bool]) -> Iterator[tuple[PurePosixPath, bytes]]:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            for info in wheel.infolist():
                path = PurePosixPath(info.filename)
                if not info.is_dir() and info.file_size <= _LARGEST and wanted(path):
                    yield path, wheel.read(info)
        return
    with _tar(archive) as tar:
        for member in tar:
            path = _below_top(PurePosixPath(member.name))
            if member.isfile() and member.size <= _LARGEST and path.parts and wanted(path):
                stream = tar.extractfile(member)
                if stream is not None:
                    yield path, stream.read()


def _tar(archive: Path) -> tarfile.TarFile:
    """The tar file; in a .deb, which is an `ar` archive (ar(5): 60-byte headers, even sizes), the one of its data."""
    if archive.suffix != ".deb":
        return tarfile.open(archive)
    data, at = archive.read_bytes(), 8
    while at + 60 <= len(data):
        name, size = data[at : at + 16].decode(), int(data[at + 48 : at + 58])
        if name.startswith("data.tar"):
            return tarfile.open(fileobj=io.BytesIO(data[at + 60 : at + 60 + size]))
        at += 60 + size + size % 2
    raise tarfile.ReadError("no data.tar in it")


def _below_top(path: PurePosixPath) -> PurePosixPath:
    """The path without what packages wrap everything in; what Debian adds stands below `debian`."""
    if path.parts[:4] == _CRATES:
        return PurePosixPath(*path.parts[5:])
    if path.parts[:3] == _DOCS:
        return PurePosixPath("debian", *path.parts[4:])
    return path if path.parts[:1] == ("debian",) else PurePosixPath(*path.parts[1:])
