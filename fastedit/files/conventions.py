"""What a project asks of its code: the file for agents that lies nearest to the one that is edited."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from fastedit.files.paths import repository_of

NAMES: Final = ("AGENTS.md", "CLAUDE.md", ".github/copilot-instructions.md", ".cursorrules")
MOST: Final = 4000  # characters; what follows them is left out


def conventions_near(path: Path | None, top: Path | None = None) -> str:
    """The beginning of the nearest of `NAMES`, from the file's folder up to the project's, or to `top`; empty where
    there is none that can be read. Outside of a project and without `top`, only the file's own folder counts."""
    if path is None:
        return ""
    folder = path.absolute().parent
    last = top or repository_of(folder) or folder
    for place in (folder, *folder.parents):
        for name in NAMES:
            if text := _beginning(place / name):
                return text
        if place == last:
            break
    return ""


def conventions_of(paths: Iterable[str], top: Path) -> str:
    """The conventions of several files below `top`, each once."""
    return "\n\n".join(filter(None, dict.fromkeys(conventions_near(top / path, top) for path in paths)))


def _beginning(path: Path) -> str:
    try:
        # A pipe or a link out of the project is not opened.
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return ""
        with path.open("rb") as file:
            data = file.read(4 * MOST)
    except OSError:
        return ""
    text = data.decode("utf-8", "replace").replace("\r\n", "\n").strip()
    return text if len(text) <= MOST else text[:MOST].rpartition("\n")[0]
