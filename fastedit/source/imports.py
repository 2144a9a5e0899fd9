"""The imports of a text: where they stand and what they bring in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from fastedit.source.syntax import ByteSpan, Syntax

# A line that imports something, in any language.
IMPORT_LINE = re.compile(
    r"\s*(?:import\s+[\w{*.'\"(]|from\s+[\w.]+\s+import\b|#\s*include\b|use\s+[\w:]+|using\s|extern\s+crate\b"
    r"|(?:const|let|var)\s.*\brequire\()"
)


class Import(NamedTuple):
    """Lines `start` up to but not including `stop`; `names` as the code below may use them, else the path."""

    start: int
    stop: int
    names: frozenset[str]


@lru_cache(maxsize=4)
def imports(syntax: Syntax, within: ByteSpan | None = None) -> tuple[Import, ...]:
    """All imports, or those within a span, in order of appearance, those inside functions too."""
    names = syntax.language.imported
    if names is None:
        return ()
    found = syntax.nodes(syntax.language.import_kinds, within)
    said = ((node, names(syntax, node)) for node in found)
    return tuple(Import(*syntax.rows(node), frozenset(bound)) for node, bound in said if bound is not None)


def first_imports(lines: Sequence[str]) -> range:
    """The first lines in a row that import something; empty where none does."""
    start = next((i for i, line in enumerate(lines) if IMPORT_LINE.match(line)), len(lines))
    stop = start
    while stop < len(lines) and IMPORT_LINE.match(lines[stop]):
        stop += 1
    return range(start, stop)
