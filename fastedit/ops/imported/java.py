"""Java's imports."""

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

_MODULE = r"[^\W\d]\w*(\.[^\W\d]\w*)*"
_MEMBER = r"[^\W\d]\w*|\*"


def add(source: Source, wanted: Wanted) -> Outcome:
    wanted.check(_MODULE, member=_MEMBER, alias="")
    path = _path(wanted)
    found = top_level(source, "import_declaration")
    for node in found:
        if _imported(source, node) in (path, f"{path.rpartition('.')[0]}.*"):
            return already(source, node)
    name = path.rpartition(".")[2]
    for node in found:
        if name != "*" and _imported(source, node).rpartition(".")[2] == name:
            line = source.number(node.start_point.row)
            raise wanted.refused(f"`{name}` is another's on line {line}; use its whole name instead")
    plain = [node for node in found if not _static(source, node)]
    if plain:
        top = path.split(".")[0]
        alike = [node for node in plain if _imported(source, node).split(".")[0] == top] or plain
        return among(source, alike, [_imported(source, node) for node in alike], path, f"import {path};")
    row = first_row(source, "package_declaration")
    return inserted(source, row, f"import {path};", above=True, below=True)


def remove(source: Source, wanted: Wanted) -> Outcome:
    wanted.check(_MODULE, member=_MEMBER, alias="")
    found = [n for n in top_level(source, "import_declaration") if _imported(source, n) == _path(wanted)]
    node = wanted.only(found)
    name = _path(wanted).rpartition(".")[2]
    return without_line(source, node, uses(source, name, node))


def _path(wanted: Wanted) -> str:
    return f"{wanted.module}.{wanted.member}" if wanted.member else wanted.module


def _imported(source: Source, node: Node) -> str:
    text = re.sub(r"\s+", "", source.text(node).removeprefix("import").strip().removeprefix("static "))
    return text.rstrip(";")


def _static(source: Source, node: Node) -> bool:
    return any(child.type == "static" for child in node.children)
