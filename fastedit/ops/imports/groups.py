"""Go's imports, as gofmt groups them."""

from __future__ import annotations

from tree_sitter import Node

from fastedit.ops.base import Outcome
from fastedit.ops.imports.base import Imports, ImportStatement
from fastedit.ops.lists import items_of
from fastedit.source.hunks import Hunk


class Groups(Imports):
    """A path of a list is a statement of its own."""

    query = """
        (import_declaration (import_spec name: (_)? @alias path: (_) @module) @item) @statement
        (import_spec_list (import_spec name: (_)? @alias path: (_) @module) @statement)
    """
    module = r"[\w.~/-]+"
    member = ""
    alias = r"[^\W\d]\w*|\."
    sections = anywhere = True

    def called(self, module: str) -> str:
        return module.rsplit("/", 1)[-1]

    def line(self) -> str:
        return " ".join(filter(None, (self.wanted.alias, f'"{self.wanted.module}"')))

    def group(self, module: str) -> bool:
        """Whether a path is no part of the standard library."""
        return "." in module.split("/")[0]

    def standing(self) -> list[ImportStatement]:
        """Those of the first list."""
        listed = [each for each in self.found if each.node.type == "import_spec"]
        return [each for each in listed if each.node.parent == listed[0].node.parent]

    def stated(self, among: list[ImportStatement], line: str) -> Outcome:
        source = self.source
        if among:
            start, stop = among[0].node.start_point.row, among[-1].node.end_point.row
            if (among[0].node.parent or among[0].node).start_point.row == start:
                raise self.refused(f"the imports share line {start + 1}; give each a line first")
            return super().stated(among, f"\t{line}")
        if len(self.found) == 1 and source.alone(self.found[0].node):
            ((statement, (item,), _),) = self.found
            start, stop = source.syntax.rows(statement)
            if source.syntax.comments_above(start) < start:  # of cgo's, which is no longer about it in a list
                return super().stated(self.found, f"import {line}")
            specs = sorted((source.text(item.node), line), key=lambda text: text.split('"')[1])
            return Outcome((Hunk(start, stop, ("import (", *(f"\t{text}" for text in specs), ")")),))
        return super().stated(self.found, f"import {line}")

    def _without_line(self, node: Node) -> tuple[Hunk, ...]:
        """The last path of a list takes the list along."""
        holder = node.parent
        if holder is not None and holder.type == "import_spec_list" and len(items_of(holder)) == 1:
            node = holder.parent or node
        return super()._without_line(node)
