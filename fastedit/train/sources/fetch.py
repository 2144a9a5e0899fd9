"""Packages from PyPI, npm and Debian, downloaded by the clients that the machine has, never built or run."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from fastedit.errors import FileUnreadable

# One platform for everybody, so that one hash a release is enough; the sources in it are the same on all.
_PLATFORM = ("--platform", "any", "--platform", "manylinux2014_x86_64", "--python-version", "3.11")
_LONGEST_S = 300.0
_ARCHIVE = re.compile(r"\.(whl|tgz|deb|tar\.\w+)$")
_COMPLAINT = re.compile(r"^(?:E:|ERROR:|npm (?:error|ERR!)(?! code)) *(.+)$", re.M)


class Unavailable(FileUnreadable):
    """A package cannot be had; says why in one line."""


def fetch(package: str, version: str, files: Mapping[str, str], folder: Path) -> list[Path]:
    """The archives of a pinned package (`registry:name`), from `folder` or the registry.

    `files` maps the archives' names to SHA-256. Raises Unavailable where one is gone or differs.
    """
    paths = [folder / name for name in files]
    if not all(path.exists() for path in paths):
        download(package, version, folder)
    for path, wanted in zip(paths, files.values(), strict=True):
        if not path.exists():
            raise Unavailable(f"version {version} has no archive {path.name} any more")
        if sha256(path) != wanted:
            raise Unavailable(f"{path.name} differs from the lock file; delete it to fetch it again")
    return paths


def download(package: str, version: str, folder: Path) -> None:
    """Put the archives of a package into `folder`. Raises Unavailable."""
    registry, _, name = package.partition(":")
    if registry not in REGISTRIES:
        raise Unavailable(
            f"no registry {registry!r}; name packages {' or '.join(f'{r}:NAME' for r in REGISTRIES)}"
        )
    folder.mkdir(parents=True, exist_ok=True)
    # A folder of its own, so that an interrupted download leaves no half of an archive.
    with tempfile.TemporaryDirectory(prefix="part-", dir=folder, ignore_cleanup_errors=True) as part:
        scratch = Path(part)
        REGISTRIES[registry](name, version, scratch)
        found = [path for path in scratch.iterdir() if _ARCHIVE.search(path.name)]
        if not found:
            raise Unavailable("the registry sent no archive")
        for path in found:
            path.rename(folder / path.name)


def sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _pypi(name: str, version: str, scratch: Path) -> None:
    """The wheel: its sources need no build."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    _run([*command, "--disable-pip-version-check", *_PLATFORM, "-d", ".", f"{name}=={version}"], scratch)


def _sdist(name: str, version: str, scratch: Path) -> None:
    """The sources of a package on PyPI that is more than Python; pip would run its build to download them."""
    _run(
        [sys.executable, "-m", "unearth", "--no-binary", "--download", ".", f"{name}=={version}"],
        scratch,
    )


def _npm(name: str, version: str, scratch: Path) -> None:
    _run(["npm", "pack", "--json", "--ignore-scripts", f"{name}@{version}"], scratch)


def _debian(name: str, version: str, scratch: Path) -> None:
    """The source package, from the archives that the machine's own package lists name."""
    command = ["apt-get", *_debian_sources(scratch.parent), "source", "--download-only", "--only-source"]
    _run([*command, "--quiet=2", f"{name}={version}"], scratch)


def _crate(name: str, version: str, scratch: Path) -> None:
    """Debian's package of a Rust crate, which holds the crate's sources."""
    _run(["apt-get", "download", "--quiet=2", f"librust-{name}-dev={version}"], scratch)


@cache
def _debian_sources(folder: Path) -> tuple[str, ...]:
    """apt's options for a private list of source archives: the system's own lists stay as they are."""
    root = folder.resolve() / "apt"
    (root / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    line = "deb-src $(SITE) $(RELEASE) $(COMPONENT)"
    said = _run(
        ["apt-get", "indextargets", "--format", line, "Created-By: Packages", "Component: main"], root
    )
    (root / "sources.list").write_text("".join(sorted(set(said.splitlines(keepends=True)))))
    settings = {
        "Dir::Etc::sourcelist": root / "sources.list",
        "Dir::Etc::sourceparts": "/dev/null",
        "Dir::State::lists": root / "lists",
        "Dir::Cache": root,
    }
    options = tuple(word for key, value in settings.items() for word in ("-o", f"{key}={value}"))
    _run(["apt-get", *options, "--quiet=2", "update"], root)
    return options


REGISTRIES: Final[dict[str, Callable[[str, str, Path], None]]] = {
    "pypi": _pypi,
    "sdist": _sdist,
    "npm": _npm,
    "debian": _debian,
    "crate": _crate,
}


def _run(command: list[str], folder: Path) -> str:
    """What a client prints. Raises Unavailable with its first complaint, or its last line, where it fails."""
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=_LONGEST_S, check=False
        )
    except FileNotFoundError:
        raise Unavailable(f"{command[0]} is not installed") from None
    except subprocess.TimeoutExpired:
        raise Unavailable(f"{command[0]} gave no answer in {_LONGEST_S:.0f} s") from None
    if done.returncode:
        words = _COMPLAINT.search(done.stderr)
        last = (done.stderr.strip() or done.stdout.strip() or f"{command[0]} failed").splitlines()[-1]
        raise Unavailable((words[1] if words else last).strip()[:200])
    return done.stdout
