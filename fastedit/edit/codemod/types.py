"""What is a type to Python, and which values are of it."""

from __future__ import annotations

import re

from fastedit.edit.codemod.source import Source

_BUILTIN = frozenset(
    "int float complex bool str bytes bytearray list tuple dict set frozenset object None".split()  # noqa: SIM905
)
_NAME = re.compile(r"[A-Za-z_][\w.]*")
_VALUES = {
    "int": r"-?\d[\d_]*",
    "float": r"-?\d[\d_]*(?:\.\d*)?",
    "bool": r"True|False",
    "str": r"[rRfFuU]?([\"']).*\1",
    "bytes": r"[bB]([\"']).*\1",
    "list": r"\[.*\]",
    "dict": r"\{\}|\{.*:.*\}",
    "tuple": r"\(.*\)",
}
_LITERAL = re.compile(r"-?\d.*|True|False|None|[bBrRfFuU]?[\"'].*|[\[{(].*", re.DOTALL)


def is_type(source: Source, text: str) -> bool:
    """Whether all names of it are built in, imported or classes of the file."""
    names = {name.split(".")[0] for name in _NAME.findall(text)}
    return bool(names) and all(name in _BUILTIN or _has(source, name) for name in names)


def _has(source: Source, name: str) -> bool:
    found = source.only(name)
    brought = any(
        re.match(rf"\s*(?:from \S+ )?import\b.*\b{re.escape(name)}\b", line) for line in source.lines
    )
    return brought if found is None else found.kind == "class"


def fits_type(value: str, text: str) -> bool:
    """Whether a default can be of the type, as far as both tell."""
    wanted = re.split(r"\W", text)[0].lower()
    if not _LITERAL.fullmatch(value) or wanted not in _VALUES:
        return value != "None" or "None" in text or "Optional" in text or "Any" in text
    return re.fullmatch(_VALUES[wanted], value, re.DOTALL) is not None
