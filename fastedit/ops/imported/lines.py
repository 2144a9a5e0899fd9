"""Imports of one path a line: Java's, and C#'s of namespaces."""

from __future__ import annotations

import re

from tree_sitter import Node

from fastedit.ops.base import Outcome
from fastedit.ops.imported.wanted import (
    Wanted,
    already,
    among,
    first_row,
    inserted,
    top_level,
    uses,
    without_line,
)
from fastedit.ops.source import Source

_NAME = r"[^\W\d]\w*"
_MODULE = rf"{_NAME}(\.{_NAME})*"


def add(source: Source, wanted: Wanted) -> Outcome:
    path = _checked(source, wanted)
    found = top_level(source, *source.language.import_kinds)
    for node in found:
        if _imported(source, node) in (path, f"{path.rpartition('.')[0]}.*"):
            return already(source, node)
    name = path.rpartition(".")[2]
    for node in found if source.language.imports_members and name != "*" else ():
        if _imported(source, node).rpartition(".")[2] == name:
            number = source.number(node.start_point.row)
            raise wanted.refused(f"`{name}` is another's on line {number}; use its whole name instead")
    plain = [node for node in found if not _static(node)]
    line = source.language.import_line.format(path)
    if plain:
        top = path.split(".")[0]
        alike = [node for node in plain if _imported(source, node).split(".")[0] == top] or plain
        return among(source, alike, [_imported(source, node) for node in alike], path, line)
    heads = source.language.heads - set(source.language.import_kinds)
    return inserted(source, first_row(source, *heads), line, above=True, below=True)


def remove(source: Source, wanted: Wanted) -> Outcome:
    path = _checked(source, wanted)
    found = top_level(source, *source.language.import_kinds)
    node = wanted.only([node for node in found if _imported(source, node) == path])
    left = uses(source, path.rpartition(".")[2], node) if source.language.imports_members else []
    return without_line(source, node, left)


def _checked(source: Source, wanted: Wanted) -> str:
    """The path as a line has it. Raises OperationRefused for what the language cannot import."""
    members = source.language.imports_members
    wanted.check(_MODULE, member=rf"{_NAME}|\*" if members else "", alias="" if members else _NAME)
    path = f"{wanted.module}.{wanted.member}" if wanted.member else wanted.module
    return f"{wanted.alias} = {path}" if wanted.alias else path


def _imported(source: Source, node: Node) -> str:
    before, behind = source.language.import_line.split("{}")
    text = " ".join(source.text(node).split()).removesuffix(behind).rstrip()
    path = text.removeprefix(before.strip()).strip().removeprefix("static ")
    return re.sub(r"\s*\.\s*", ".", path)


def _static(node: Node) -> bool:
    return any(child.type == "static" for child in node.children)
