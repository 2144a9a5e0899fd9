"""The imports of a text: where they stand and what they bring in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tree_sitter import Node

from fastedit.source.syntax import Syntax

_KINDS = {
    "python": ("import_statement", "import_from_statement", "future_import_statement"),
    "javascript": ("import_statement",),
    "typescript": ("import_statement",),
    "tsx": ("import_statement",),
    "go": ("import_spec",),
    "rust": ("use_declaration", "extern_crate_declaration"),
    "java": ("import_declaration",),
    "c": ("preproc_include",),
    "cpp": ("preproc_include", "using_declaration"),
}
# A line that imports something, in any language.
IMPORT_LINE = re.compile(
    r"\s*(?:import\s+[\w{*.'\"(]|from\s+[\w.]+\s+import\b|#\s*include\b|use\s+[\w:]+|using\s|extern\s+crate\b"
    r"|(?:const|let|var)\s.*\brequire\()"
)


@dataclass(frozen=True, slots=True)
class Import:
    """Lines `start` up to but not including `stop`; `names` as the code below may use them, else the path."""

    start: int
    stop: int
    names: frozenset[str]


@lru_cache(maxsize=4)
def imports(syntax: Syntax) -> tuple[Import, ...]:
    """All imports in order of appearance, those inside functions too."""
    found = syntax.find(" ".join(f"({kind}) @found" for kind in _KINDS[syntax.language]))
    return tuple(Import(*syntax.rows(node), frozenset(_names(syntax, node))) for node in found)


def first_imports(lines: Sequence[str]) -> range:
    """The first lines in a row that import something; empty where none does."""
    start = next((i for i, line in enumerate(lines) if IMPORT_LINE.match(line)), len(lines))
    stop = start
    while stop < len(lines) and IMPORT_LINE.match(lines[stop]):
        stop += 1
    return range(start, stop)


def _names(syntax: Syntax, node: Node) -> list[str]:
    if syntax.language == "python":
        return [
            syntax.text(name.child_by_field_name("alias") or name)
            for name in node.children_by_field_name("name")
        ]
    if syntax.language == "go":
        name, path = node.child_by_field_name("name"), node.child_by_field_name("path")
        last = "" if path is None else syntax.text(path).strip('"`').rsplit("/", 1)[-1]
        return [syntax.text(name)] if name is not None else [last]
    if syntax.language in ("c", "cpp", "java"):
        text = " ".join(syntax.text(node).split())
        return [text.rstrip(";").rsplit(".", 1)[-1] if syntax.language == "java" else text]
    return _leaves(syntax, node)


def _leaves(syntax: Syntax, node: Node) -> list[str]:
    """The names that JavaScript's clauses and Rust's trees bind: an alias, else the last name of a path."""
    alias = node.child_by_field_name("alias")
    if alias is not None:
        return [syntax.text(alias)]
    if node.type in ("scoped_identifier", "scoped_use_list"):
        inner = node.child_by_field_name("name") or node.child_by_field_name("list")
        return [] if inner is None else _leaves(syntax, inner)
    if node.type == "identifier":
        return [syntax.text(node)]
    return [name for child in node.named_children for name in _leaves(syntax, child)]
