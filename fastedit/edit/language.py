"""Which language a file is written in: as its reader is told, by its name and first line, or by what parses it."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fastedit.errors import UsageError

if TYPE_CHECKING:
    from tree_sitter import Node

    from fastedit.edit.document import Document

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
# Grammars that read what those before them read, and more: the first without an error tells.
_FAMILIES = (("python",), ("javascript", "typescript", "tsx"), ("go",), ("rust",), ("java",), ("c", "cpp"))
_MOST_PARSED = 500_000  # characters, of which it takes a second at most
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


def language_in(document: Document) -> str:
    """The language that the document's caller names, else what `language_of` says, else what its text shows."""
    notation = notation_in(document)
    return notation if notation in _SUFFIXES else TEXT


def notation_in(document: Document) -> str:
    """The same, and for other files what `notation_of` says."""
    if document.language is not None:
        return document.language
    path = document.path
    notation = notation_of(path, document.text)
    nameless = path is None or not path.suffix
    return _shown(document.lines) if nameless and notation == TEXT else notation


def supposed(document: Document, language: str | None) -> Document:
    """The document in `language` where nobody has said it and its name and first line do not tell."""
    if document.language is not None or notation_of(document.path, document.text) != TEXT:
        return document
    return replace(document, language=language)


def check_language(name: str) -> None:
    """Raises UsageError for a language that nothing here knows."""
    if name not in NAMES:
        raise UsageError(f"language {name!r}: there are {', '.join(NAMES)}")


@lru_cache(maxsize=8)
def _shown(lines: tuple[str, ...]) -> str:
    """The one language whose grammar reads all lines without an error and finds a word of its own among them."""
    if sum(map(len, lines)) > _MOST_PARSED or not any(map(str.strip, lines)):
        return TEXT
    from fastedit.edit.syntax import flawless  # only now: most documents have a name

    found: list[str] = []
    for family in _FAMILIES:
        roots = ((language, flawless((*lines, ""), language)) for language in family)
        clean = next(((language, root) for language, root in roots if root is not None), None)
        if clean is not None and _has_keyword(clean[1]):
            found.append(clean[0])
    return found[0] if len(found) == 1 else TEXT


def _has_keyword(root: Node) -> bool:
    nodes = [root]
    while nodes:
        node = nodes.pop()
        if not node.is_named and node.type.isalpha():
            return True
        nodes.extend(node.children)
    return False
