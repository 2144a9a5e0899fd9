"""The includes of C and C++."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

from tree_sitter import Node

from fastedit.ops.base import Outcome
from fastedit.ops.imported.base import Imports, Item, Statement, Wanted
from fastedit.ops.source import Source

_GUARD = re.compile(r"\s*#\s*if(?:ndef\b|\s*!\s*defined\b)\W*(\w+).*\n\s*#\s*define\s+\1\b")


class Includes(Imports):
    module = r"<[\w./+-]+>|\"[\w./+-]+\"|[\w./+-]+"
    member = alias = ""
    verb = "included"

    def __init__(self, source: Source, wanted: Wanted) -> None:
        super().__init__(source, wanted)
        if wanted.module[0] not in '<"':
            self.wanted = wanted._replace(module=f'"{wanted.module}"')

    def nodes(self) -> list[Node]:
        return self.source.syntax.find("(preproc_include) @found")

    def read(self, node: Node) -> Statement:
        path = node.child_by_field_name("path")
        said = " " if path is None else self.source.text(path)
        return Statement(node, said, (Item(node, said, None, None, ""),), said)

    def line(self) -> str:
        return f"#include {self.wanted.module}"

    def beside(self) -> tuple[list[Statement], Any]:
        path = self.wanted.module
        return [each for each in self.found if each.module[0] == path[0]], path

    def first(self, line: str) -> Outcome:
        source = self.source
        if self.found:  # those between brackets come first
            own = self.wanted.module[0] == '"'
            row = self.found[-1].node.start_point.row + 1 if own else self.found[0].node.start_point.row
            return self.lined(row, line, above=own, below=not own)
        once = [n for n in source.syntax.root.named_children if source.text(n).strip() == "#pragma once"]
        row = once[0].start_point.row + 1 if once else self.below_head()
        if self._guard is not None:
            row = self._guard + 2
        return self.lined(row, line, above=True, below=1)

    def add(self) -> Outcome:
        """Beside what is included in any case."""
        self.found = [each for each in self.found if not self._is_conditional(each.node)]
        return super().add()

    def _is_conditional(self, node: Node) -> bool:
        """By the lines above, as the grammar is lost in an `extern "C" {` that only C++ sees."""
        above = "\n".join(self.source.lines[: node.start_point.row])
        opened, closed = (
            len(re.findall(rf"^[^\S\n]*+#\s*{word}", above, re.MULTILINE)) for word in ("if", "endif")
        )
        return opened - closed > (self._guard is not None)

    @cached_property
    def _guard(self) -> int | None:
        """The line that keeps a header from being read twice, with the `#define` right below it."""
        lines = self.source.lines
        row = next((row for row, line in enumerate(lines) if re.match(r"\s*#\s*if", line)), len(lines))
        return row if _GUARD.match("\n".join(lines[row : row + 2])) else None
