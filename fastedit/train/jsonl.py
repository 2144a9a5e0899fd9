"""JSON lines, compressed as the file's name says: .gz, .xz, or not at all."""

from __future__ import annotations

import gzip
import json
import lzma
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fastedit.errors import UsageError, WriteFailed

_OPENERS: Mapping[str, Callable[..., Any]] = {".gz": gzip.open, ".xz": lzma.open}
# What comes of a file that is something else.
_UNREADABLE = (OSError, EOFError, ValueError, TypeError, KeyError, zlib.error, lzma.LZMAError)


def read(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file of ours, in order. Raises FileNotFoundError."""
    with _OPENERS.get(path.suffix, open)(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def texts(path: Path, names: Sequence[str], also: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The rows of anybody's file: each has a text by all of these names, and by those in `also` where it has them.

    Raises UsageError.
    """
    try:
        rows = list(read(path))
        for row in rows:
            for name in (*names, *(name for name in also if name in row)):
                if not isinstance(row[name], str):
                    raise TypeError(f"`{name}` is no text")
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file; check the path") from None
    except _UNREADABLE as error:
        wanted = ", ".join(f"`{name}`" for name in names)
        raise UsageError(f"{path}: no JSON lines with {wanted} ({type(error).__name__}: {error})") from None
    return rows


def write(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """The file is there whole or not at all. Raises WriteFailed."""
    part = path.with_name(f"part-{path.name}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _OPENERS.get(path.suffix, open)(part, "wt", encoding="utf-8") as out:
            out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        os.replace(part, path)
    except OSError as error:
        raise WriteFailed(f"{path}: {error.strerror}; choose another file") from None
