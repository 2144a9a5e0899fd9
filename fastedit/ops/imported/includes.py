"""The includes of C and C++."""

from __future__ import annotations

from typing import Any

from tree_sitter import Node

from fastedit.ops.base import Outcome
from fastedit.ops.imported.base import Imports, Item, Statement, Wanted, first_row, top_level
from fastedit.ops.source import Source


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
        guards = top_level(source, "preproc_ifdef", "preproc_if")
        once = [n for n in source.syntax.root.named_children if source.text(n).strip() == "#pragma once"]
        if guards:
            # The #define of a guard follows it at once.
            row = guards[0].start_point.row + 1
            row += row < len(source.lines) and source.lines[row].lstrip().startswith("#define")
        else:
            row = once[0].start_point.row + 1 if once else first_row(source)
        return self.lined(row, line, above=True, below=1)
