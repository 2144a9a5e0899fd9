"""The languages that are known, by the names and first lines of files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from fastedit.errors import UsageError

TEXT: Final = "text"
_SUFFIXES = {
    "python": (".py", ".pyi", ".pyw"),
    "javascript": (".js", ".jsx", ".mjs", ".cjs"),
    "typescript": (".ts", ".mts", ".cts"),
    "tsx": (".tsx",),
    "go": (".go",),
    "rust": (".rs",),
    "java": (".java",),
    "c": (".c",),
    "cpp": (".cc", ".cpp", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".ipp", ".inl"),
}
_BY_SUFFIX = {suffix: language for language, suffixes in _SUFFIXES.items() for suffix in suffixes}
_NOTATIONS = {
    ".json": "json",
    ".jsonc": "json",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".toml": "toml",
    ".css": "css",
    ".sh": "shell",
}
_BY_NAME = re.compile(
    r"(?P<gomod>go\.mod)|(?P<requirements>(?:.+[-_.])?(?:requirements|constraints)(?:[-_.].+)?\.(?:txt|in))"
)
CODE: Final = frozenset(_SUFFIXES)  # those with a grammar and definitions
# What a caller may name.
NAMES: Final = (*_SUFFIXES, *dict.fromkeys(_NOTATIONS.values()), *_BY_NAME.groupindex, TEXT)
_INTERPRETERS = {
    "python": "python",
    "pypy": "python",
    "node": "javascript",
    "deno": "typescript",
    "bun": "typescript",
}
_SHEBANG = re.compile(r"#!\s*\S*?(?:/env\s+(?:-\S+\s+)*)?([a-z]+)[\d.]*(?:\s|$)")
_ONLY_IN_CPP = re.compile(
    r"^\s*(?:class\s+\w|namespace\b|template\s*<|using\s+\w|public:|private:|protected:)|\w::\w", re.M
)


def language_of(path: Path | None, text: str) -> str:
    """One of python, javascript, typescript, tsx, go, rust, java, c, cpp; `"text"` for anything else.

    A `.h` file is C++ where it holds a line that C has no words for.
    """
    suffix = path.suffix.lower() if path is not None else ""
    if suffix == ".h":
        return "cpp" if _ONLY_IN_CPP.search(text) else "c"
    if suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    shebang = _SHEBANG.match(text) if not suffix else None
    return _INTERPRETERS.get(shebang[1], TEXT) if shebang else TEXT


def suffix_of(language: str) -> str:
    """A suffix of files in this language, empty for others than `language_of` gives."""
    return _SUFFIXES.get(language, ("",))[0]


def notation_of(path: Path | None, text: str) -> str:
    """The language, and for other files one of json, yaml, toml, css, shell, gomod and requirements."""
    language = language_of(path, text)
    if language != TEXT or path is None:
        return language
    named = _BY_NAME.fullmatch(path.name)
    return str(named.lastgroup) if named else _NOTATIONS.get(path.suffix.lower(), TEXT)


def check_language(name: str) -> None:
    """Raises UsageError for a language that nothing here knows."""
    if name not in NAMES:
        raise UsageError(f"language {name!r}: there are {', '.join(NAMES)}")
