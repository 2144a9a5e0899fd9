"""The includes of C and C++."""

from __future__ import annotations

from tree_sitter import Node

from fastedit.ops.base import Outcome
from fastedit.ops.imports.base import Imports, ImportStatement, Wanted
from fastedit.ops.source import Source
from fastedit.ops.structure.extent import guarded
from fastedit.source.preprocessor import unmatched


class Includes(Imports):
    """Those between brackets come first."""

    query = "(preproc_include path: (_) @module) @statement"
    module = r"<[\w./+-]+>|\"[\w./+-]+\"|[\w./+-]+"
    member = alias = ""
    verb = "included"
    sections = anywhere = True

    def __init__(self, source: Source, wanted: Wanted) -> None:
        super().__init__(source, wanted)
        self._guard = guarded(source)
        if wanted.module[0] not in '<"':
            self.wanted = wanted._replace(module=f'"{wanted.module}"')

    def spelled(self, module: str) -> str:
        return module

    def line(self) -> str:
        return f"#include {self.wanted.module}"

    def group(self, module: str) -> bool:
        return module[0] != "<"

    def standing(self) -> list[ImportStatement]:
        return self.found

    def below_head(self) -> int:
        roots = self.source.syntax.root.named_children
        once = [node for node in roots if self.source.text(node).strip() == "#pragma once"]
        row = once[0].start_point.row + 1 if once else super().below_head()
        return row if self._guard is None else self._guard.start + 2

    def add(self) -> Outcome:
        """Beside what is included in any case."""
        self.found = [each for each in self.found if not self._is_conditional(each.node)]
        return super().add()

    def _is_conditional(self, node: Node) -> bool:
        """By the lines above, as the grammar is lost in an `extern "C" {` that only C++ sees."""
        above = unmatched(self.source.lines[: node.start_point.row])
        return above.count("if") > (self._guard is not None)
