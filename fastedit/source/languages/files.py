"""Which language a file is in, by its name and first line."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path

from fastedit.source.languages.base import TEXT, Language
from fastedit.source.languages.registry import languages, named

_SHEBANG = re.compile(r"#!\s*\S*?(?:/env\s+(?:-\S+\s+)*)?([a-z]+)[\d.]*(?:\s|$)")


def language_of(path: Path | None, text: str) -> str:
    """The name of a language that is parsed; `"text"` for anything else."""
    notation = notation_of(path, text)
    return notation if named(notation).is_code else TEXT


@lru_cache(maxsize=4)  # an edit asks several times, and signs are looked for in all of a text
def notation_of(path: Path | None, text: str) -> str:
    """The same, and for other files the name of the notation that they are in.

    Of several languages with one suffix it is the one whose signs the text shows.
    """
    suffix = path.suffix.lower() if path is not None else ""
    found = _by_suffix().get(suffix, [])
    if path is not None:
        found = found or [
            each for each in languages() if each.file_name and each.file_name.fullmatch(path.name)
        ]
    if not found and not suffix and (shebang := _SHEBANG.match(text)) is not None:
        found = [each for each in languages() if shebang[1] in each.interpreters]
    if len(found) > 1:
        found = [each for each in found if each.signs and each.signs.search(text)] or [
            each for each in found if not each.signs
        ]
    return found[0].name if found else TEXT


def suffix_of(language: str) -> str:
    """A suffix of files in this language, empty where no suffix tells it."""
    return next(iter(named(language).suffixes), "")


@cache
def _by_suffix() -> dict[str, list[Language]]:
    found: dict[str, list[Language]] = {}
    for language in languages():
        for suffix in language.suffixes:
            found.setdefault(suffix, []).append(language)
    return found
