"""Which file a path may mean that names none: models leave folders out, or begin with the name of the repository."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from fastedit.engine.changes.files import Files, read_if_text

PIECE = "there is no such file, and all lines of the text are indented as in a part of one; check the path"


@runtime_checkable
class NamedFiles(Protocol):
    """Files that can be looked for by their names."""

    def named(self, name: str) -> Sequence[str]:
        """The paths of those that are called so."""
        ...


def alike(path: str, files: Files) -> list[str]:
    """The files below the first folders of a path, and those of this path in a folder."""
    parts = path.split("/")
    found = [
        below for at in range(1, len(parts)) if read_if_text(files, below := "/".join(parts[at:])) is not None
    ]
    if isinstance(files, NamedFiles):
        found += (other for other in files.named(parts[-1]) if other.endswith(f"/{path}"))
    return found


def misnamed(path: str, text: str, files: Files) -> str | None:
    """Why a text may be no new file of this path but a part of another one, None where nothing says so."""
    lines = [line for line in text.split("\n") if line.strip()]
    if lines and all(line[0].isspace() for line in lines):
        return PIECE
    said = [line.strip() for line in lines if any(map(str.isalnum, line))]
    for other in alike(path, files):
        document = read_if_text(files, other)
        known = {line.strip() for line in document.lines} if document is not None else set()
        if said and 2 * sum(line in known for line in said) >= len(said):
            return (
                f"there is no such file, and {other} has half of these lines; write that path if it is meant"
            )
    return None
