"""Packages from PyPI, npm and Debian, downloaded by the clients that the machine has, never built or run."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import unquote

# One platform for everybody, so that one hash a release is enough; the sources in it are the same on all.
_PLATFORM = ("--platform", "any", "--platform", "manylinux2014_x86_64", "--python-version", "3.11")
_LONGEST_S = 300.0
_ARCHIVE = re.compile(r"\.(whl|tgz|deb|tar\.\w+)$")
_COMPLAINT = re.compile(r"^(?:E:|ERROR:|npm (?:error|ERR!)(?! code)) *(.+)$", re.M)


class Unavailable(Exception):
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
            raise Unavailable(f"{path.name} differs from the lock file; delete it and pin the package anew")
    return paths


def download(package: str, version: str | None, folder: Path) -> tuple[str, list[Path]]:
    """Put a package's archives into `folder`; returns the version (the newest for None) and their paths."""
    registry, _, name = package.partition(":")
    if registry not in REGISTRIES:
        raise Unavailable(
            f"no registry {registry!r}; name packages {' or '.join(f'{r}:NAME' for r in REGISTRIES)}"
        )
    folder.mkdir(parents=True, exist_ok=True)
    with _scratch(folder) as scratch:
        version = REGISTRIES[registry](name, version, scratch)
        found = sorted(path for path in scratch.iterdir() if _ARCHIVE.search(path.name))
        if not found:
            raise Unavailable("the registry sent no archive")
        return version, [path.rename(folder / path.name) for path in found]


def sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _pypi(name: str, version: str | None, scratch: Path) -> str:
    """The wheel: its sources need no build."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    wanted = name if version is None else f"{name}=={version}"
    _run([*command, "--disable-pip-version-check", *_PLATFORM, "-d", ".", wanted], scratch)
    return next(scratch.glob("*.whl")).name.split("-")[1]


def _sdist(name: str, version: str | None, scratch: Path) -> str:
    """The sources of a package on PyPI that is more than Python; pip would run its build to download them."""
    wanted = name if version is None else f"{name}=={version}"
    said = _run([sys.executable, "-m", "unearth", "--no-binary", "--download", ".", wanted], scratch)
    return str(json.loads(said)["version"])


def _npm(name: str, version: str | None, scratch: Path) -> str:
    wanted = name if version is None else f"{name}@{version}"
    said = json.loads(_run(["npm", "pack", "--json", "--ignore-scripts", wanted], scratch))
    return str(said[0]["version"])


def _debian(name: str, version: str | None, scratch: Path) -> str:
    """The source package, from the archives that the machine's own package lists name."""
    options = _debian_sources(scratch.parent)
    wanted = name if version is None else f"{name}={version}"
    _run(["apt-get", *options, "source", "--download-only", "--only-source", "--quiet=2", wanted], scratch)
    found = re.search(r"^Version: (\S+)$", next(scratch.glob("*.dsc")).read_text(), re.M)
    if found is None:
        raise Unavailable("the source package does not say its version")
    return found[1]


def _crate(name: str, version: str | None, scratch: Path) -> str:
    """Debian's package of a Rust crate, which holds the crate's sources."""
    wanted = f"librust-{name}-dev" + (f"={version}" if version else "")
    _run(["apt-get", "download", "--quiet=2", wanted], scratch)
    return unquote(next(scratch.glob("*.deb")).name.split("_")[1])


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


REGISTRIES: Final[dict[str, Callable[[str, str | None, Path], str]]] = {
    "pypi": _pypi,
    "sdist": _sdist,
    "npm": _npm,
    "debian": _debian,
    "crate": _crate,
}


@contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    """A folder of its own for one download, so that an interrupted one leaves no half of an archive behind."""
    path = Path(tempfile.mkdtemp(prefix="part-", dir=folder))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


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
