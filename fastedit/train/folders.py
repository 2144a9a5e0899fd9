"""Source files in folders of the user's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from fastedit.source.languages import TEXT
from fastedit.train.corpus import SourceFile, held_out
from fastedit.train.files import corpus_language, in_language, is_own


def in_folders(folders: Iterable[Path]) -> Iterator[SourceFile]:
    """The files, whose licence is the user's to know."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                yield from _read(path, folder)


def _read(path: Path, folder: Path) -> Iterator[SourceFile]:
    inside = PurePosixPath(path.relative_to(folder))
    package = f"{folder.name}.{inside.parts[0]}"
    if not (in_language(inside) and is_own(inside)) or held_out(package, inside.parts):
        return
    try:
        text = path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError):
        return
    language = corpus_language(inside, text)
    if language != TEXT:
        yield SourceFile(package, "", "see folder", str(inside), language, text)
