"""The includes of C and C++."""

from __future__ import annotations

from tree_sitter import Node

from fastedit.ops.base import Outcome
from fastedit.ops.imported.wanted import Wanted, already, among, first_row, inserted, without_line
from fastedit.ops.source import Source

_MODULE = r"<[\w./+-]+>|\"[\w./+-]+\"|[\w./+-]+"
_GUARDS = ("preproc_ifdef", "preproc_if")


def add(source: Source, wanted: Wanted) -> Outcome:
    wanted.check(_MODULE, member="", alias="")
    path = _spelled(wanted)
    found = _includes(source)
    for node in found:
        if _path(source, node) == path:
            return already(source, node)
    line = f"#include {path}"
    alike = [node for node in found if _path(source, node)[0] == path[0]]
    if alike:
        return among(source, alike, [_path(source, node) for node in alike], path, line)
    if found:
        row = found[0].start_point.row if path[0] == "<" else found[-1].start_point.row + 1
        return inserted(source, row, line, above=path[0] != "<", below=path[0] == "<")
    guard = next((n for n in source.syntax.root.named_children if n.type in _GUARDS), None)
    if guard is not None:
        # The #define of a guard follows it at once.
        row = guard.start_point.row + 1
        row += source.lines[row].lstrip().startswith("#define") if row < len(source.lines) else 0
        return inserted(source, row, line, above=True, below=True)
    pragma = next(
        (n for n in source.syntax.root.named_children if source.text(n).strip() == "#pragma once"), None
    )
    row = pragma.start_point.row + 1 if pragma is not None else first_row(source)
    return inserted(source, row, line, above=True, below=True)


def remove(source: Source, wanted: Wanted) -> Outcome:
    wanted.check(_MODULE, member="", alias="")
    found = [node for node in _includes(source) if _path(source, node) == _spelled(wanted)]
    return without_line(source, wanted.only(found, "included"))


def _includes(source: Source) -> list[Node]:
    return source.syntax.find("(preproc_include) @found")


def _spelled(wanted: Wanted) -> str:
    """In quotes, unless it stands in brackets."""
    return wanted.module if wanted.module[0] in '<"' else f'"{wanted.module}"'


def _path(source: Source, node: Node) -> str:
    path = node.child_by_field_name("path")
    return " " if path is None else source.text(path)
