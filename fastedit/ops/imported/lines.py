"""Imports of one path a line: Java's, and C#'s of namespaces."""

from __future__ import annotations

import re
from typing import Any

from tree_sitter import Node

from fastedit.ops.base import Outcome
from fastedit.ops.imported.base import NAME, Imports, Item, Statement, Wanted
from fastedit.ops.source import Source


class Lines(Imports):
    """A path has its member in it, and where it has no members, the alias before it."""

    module = rf"{NAME}(\.{NAME})*"

    def __init__(self, source: Source, wanted: Wanted) -> None:
        self._members = source.language.imports_members
        self.member, self.alias = (rf"{NAME}|\*", "") if self._members else ("", NAME)
        super().__init__(source, wanted)
        path = f"{wanted.module}.{wanted.member}" if wanted.member else wanted.module
        path = f"{wanted.alias} = {path}" if wanted.alias else path
        self.wanted = Wanted(wanted.operation, path, None, None)

    def read(self, node: Node) -> Statement:
        before, behind = self.source.language.import_line.split("{}")
        text = " ".join(self.source.text(node).split()).removesuffix(behind).rstrip()
        said = text.removeprefix(before.strip()).strip().removeprefix("static ")
        path = re.sub(r"\s*\.\s*", ".", said)
        name = path.rpartition(".")[2] if self._members else ""
        return Statement(node, path, (Item(node, path, None, None, name),), path)

    def has(self, item: Item) -> bool:
        return item.module in (self.wanted.module, f"{self.wanted.module.rpartition('.')[0]}.*")

    def check_name(self) -> None:
        name = self.wanted.module.rpartition(".")[2]
        for statement in self.found if self._members and name != "*" else ():
            if statement.items[0].name == name:
                number = self.source.number(statement.node.start_point.row)
                raise self.wanted.refused(
                    f"`{name}` is another's on line {number}; use its whole name instead"
                )

    def line(self) -> str:
        return self.source.language.import_line.format(self.wanted.module)

    def beside(self) -> tuple[list[Statement], Any]:
        plain = [each for each in self.found if all(child.type != "static" for child in each.node.children)]
        top = self.wanted.module.split(".")[0]
        alike = [each for each in plain if each.module.split(".")[0] == top]
        return alike or plain, self.wanted.module

    def first(self, line: str) -> Outcome:
        return self.lined(self.below_head(), line, above=True, below=1)
