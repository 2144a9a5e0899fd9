"""All languages: the modules of this package that have a `LANGUAGE`."""

from __future__ import annotations

import pkgutil
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path

from fastedit.errors import UsageError
from fastedit.source.languages.base import TEXT, Language


@cache
def languages() -> tuple[Language, ...]:
    """By name: first those that are parsed, then those of data files, then plain text."""
    modules = (
        import_module(f"{__package__}.{module.name}")
        for module in pkgutil.iter_modules([str(Path(__file__).parent)])
    )
    found: list[Language] = [module.LANGUAGE for module in modules if hasattr(module, "LANGUAGE")]
    return tuple(sorted(found, key=lambda each: (not each.is_code, each.name == TEXT, each.name)))


@cache
def _by_name() -> dict[str, Language]:
    return {language.name: language for language in languages()}


def names() -> tuple[str, ...]:
    """What a caller may name."""
    return tuple(_by_name())


def named(name: str) -> Language:
    """The language of this name; that of plain text for a name that nothing here knows, such as a corpus may have."""
    return _by_name().get(name) or _by_name()[TEXT]


def check_language(name: str) -> None:
    """Raises UsageError for a language that nothing here knows."""
    if name not in _by_name():
        near = get_close_matches(name.lower(), names(), 1)
        known = f"did you mean {near[0]}?" if near else f"there are {', '.join(names())}"
        raise UsageError(f"language {name!r}: there is none of that name; {known}")
