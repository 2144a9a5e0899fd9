"""Which language a file is written in, by its name and its first line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

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
# Read line by line: no parser is shipped for them.
_NOTATIONS = {
    ".json": "json",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".toml": "toml",
    ".css": "css",
    ".sh": "shell",
}
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


def notation_of(path: Path | None, text: str) -> str:
    """The language, and for files that no parser reads one of json, yaml, toml, css and shell."""
    language = language_of(path, text)
    suffix = path.suffix.lower() if path is not None else ""
    return _NOTATIONS.get(suffix, TEXT) if language == TEXT else language
