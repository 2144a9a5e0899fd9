"""The files that a change is about, wherever they are read from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, partial
from typing import Protocol

from fastedit.errors import FasteditError, InputRefused
from fastedit.files.paths import relative_parts
from fastedit.formats.base import Edit, HasOneOf
from fastedit.formats.message import read_message
from fastedit.source.document import Document

_ESCAPE = re.compile(r"\\(?=[^\w\s/]|_)")


class Files(Protocol):
    """Where the files are read from, by the paths that the message uses."""

    def read(self, path: str) -> Document | None:
        """None where there is no such file. Raises InputRefused for one that cannot be read."""
        ...


def within(path: str, roots: Sequence[str], files: Files) -> str:
    """The one spelling of a path within the roots. Any other path is for its reader to refuse."""
    below = (path.removeprefix(root.rstrip("/") + "/") for root in roots)
    inner = next((rest for rest in below if rest != path), path)
    try:
        plain = "/".join(relative_parts(inner))
        # Reading it is refused where the backslash may belong to a name.
        if "\\" in inner and files.read(inner) is not None and files.read(plain) is None:
            return inner
        # Markdown has a backslash before signs that would mean something to it: `power\_manager.h`.
        unescaped = _ESCAPE.sub("", inner)
        if unescaped != inner and files.read(plain) is None and files.read(unescaped) is not None:
            return "/".join(relative_parts(unescaped))
    except InputRefused:
        return inner
    return plain


def is_file(files: Files, path: str) -> bool:
    """Whether there is a text file of this name."""
    return read_if_text(files, path) is not None


def lines_of(files: Files) -> HasOneOf:
    """Whether a text file, by its name, has one of some lines that hold words. Each file is read once."""

    @cache
    def known(path: str) -> frozenset[str]:
        document = read_if_text(files, path)
        return frozenset() if document is None else frozenset(map(str.strip, document.lines))

    def has_one_of(path: str, lines: Sequence[str]) -> bool:
        return any(line.strip() in known(path) for line in lines if any(map(str.isalnum, line)))

    return has_one_of


def read_if_text(files: Files, path: str) -> Document | None:
    """The text file of this name, None where there is none."""
    try:
        return files.read(path)
    except FasteditError:
        return None


def read_edit(message: str, files: Files, format: str | None = None, path: str | None = None) -> Edit:
    """What a message asks of these files; `path` is the one that it means which names none. Raises as `read_message`
    does."""
    meant = None if path is None else read_if_text(files, path)
    return read_message(message, format, path, cache(partial(is_file, files)), meant, lines_of(files))
