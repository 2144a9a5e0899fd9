"""Python sources of pinned wheels, fetched through pip and checked against their hashes."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

# One platform for everybody, so that one hash a release is enough; the Python sources are the same on all.
_PLATFORM = ("--platform", "any", "--platform", "manylinux2014_x86_64", "--python-version", "3.11")


@dataclass(frozen=True, slots=True)
class Release:
    package: str
    version: str
    sha256: str


def fetch(releases: Iterable[Release], folder: Path) -> None:
    """Download the wheels that `folder` lacks. pip refuses one whose hash differs; CalledProcessError then."""
    folder.mkdir(parents=True, exist_ok=True)
    for release in releases:
        if wheel(release, folder) is None:
            requirements = folder / "requirements.txt"
            requirements.write_text(f"{release.package}=={release.version} --hash=sha256:{release.sha256}\n")
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
            where = [*_PLATFORM, "--require-hashes", "-r", str(requirements), "-d", str(folder)]
            subprocess.run([*command, *where], check=True)


def wheel(release: Release, folder: Path) -> Path | None:
    """The release's wheel, recognised by its hash."""
    name = release.package.replace("-", "_")
    for path in folder.glob("*.whl"):
        if path.name.lower().startswith(f"{name}-{release.version}-"):
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            return path if digest == release.sha256 else None
    return None


def python_files(path: Path) -> Iterator[tuple[str, str]]:
    """(path inside the wheel, text) of every Python file that is UTF-8 with plain line feeds."""
    with zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            if not name.endswith(".py"):
                continue
            try:
                text = archive.read(name).decode()
            except UnicodeDecodeError:
                continue
            if "\r" not in text and "\0" not in text:
                yield name, text
