"""JSON lines, compressed as the file's name says: .gz, .xz, or not at all."""

from __future__ import annotations

import gzip
import json
import lzma
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

_OPENERS: Mapping[str, Callable[..., Any]] = {".gz": gzip.open, ".xz": lzma.open}
# What comes of a file that is something else.
UNREADABLE = (OSError, EOFError, ValueError, TypeError, zlib.error, lzma.LZMAError)


def read(path: Path) -> Iterator[dict[str, Any]]:
    """The rows in order. Raises FileNotFoundError, and one of UNREADABLE at the row that is none."""
    with _OPENERS.get(path.suffix, open)(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def write(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """The file is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"part-{path.name}")
    with _OPENERS.get(path.suffix, open)(part, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    os.replace(part, path)
