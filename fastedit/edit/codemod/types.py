"""What is a type to Python, and which values are of it."""

from __future__ import annotations

import re

from fastedit.edit.codemod.source import Source

_BUILTIN = frozenset(
    "int float complex bool str bytes bytearray list tuple dict set frozenset object None".split()  # noqa: SIM905
)
_NAME = re.compile(r"[A-Za-z_][\w.]*")
_TYPE = re.compile(r"[A-Za-z_][\w.]*(?:\[[\w.,| \[\]]+\])?(?: ?\| ?[A-Za-z_][\w.\[\], ]*)*")
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


def names_type(text: str) -> bool:
    """Whether it can be nothing but a type: one that is built in, or made of others."""
    return looks_like_type(text) and (text in _BUILTIN or re.search(r"[\[|]", text) is not None)


def looks_like_type(text: str) -> bool:
    """Whether it is spelled as types are, whatever the file knows of it: built in, with a capital or made of others."""
    whole = text.removeprefix("->").strip()
    if not _TYPE.fullmatch(whole) or whole in ("None", "True", "False"):
        return False
    names = [name.rsplit(".", 1)[-1] for name in _NAME.findall(whole)]
    return all(name in _BUILTIN or name[:1].isupper() for name in names)
