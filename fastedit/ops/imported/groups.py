"""Go's imports, as gofmt groups them."""

from __future__ import annotations

from typing import Any

from tree_sitter import Node

from fastedit.ops.base import Outcome
from fastedit.ops.imported.base import Imports, Item, Statement, top_level
from fastedit.source.hunks import Hunk


class Groups(Imports):
    module = r"[\w.~/-]+"
    member = ""
    alias = r"[^\W\d]\w*|\."

    def nodes(self) -> list[Node]:
        return top_level(self.source, "import_declaration")

    def read(self, node: Node) -> Statement:
        """A declaration, which has one path or a list of them."""
        listed = node.named_children[0].type == "import_spec_list"
        specs = node.named_children[0].named_children if listed else node.named_children
        items = [self._item(spec) for spec in specs if spec.type == "import_spec"]
        return Statement(node, "", items, None, listed)

    def line(self) -> str:
        return "\t" + " ".join(filter(None, (self.wanted.alias, f'"{self.wanted.module}"')))

    def beside(self) -> tuple[list[Statement], Any]:
        """The paths of the first list that stand together and have most in common with the new one."""
        grouped = self._grouped
        if grouped is None or not grouped.items:
            return [], None
        start, stop = self.source.syntax.rows(grouped.node)
        if stop - start < 2:
            raise self.wanted.refused(f"the imports share line {start + 1}; give each a line first")
        groups: list[list[Statement]] = []
        for item in grouped.items:
            spec = Statement(item.node, item.module, (item,), item.module)
            if groups and item.node.start_point.row == groups[-1][-1].node.end_point.row + 1:
                groups[-1].append(spec)
            else:
                groups.append([spec])
        others = _is_others(self.wanted.module)
        alike = [group for group in groups if any(_is_others(spec.module) == others for spec in group)]
        return (alike or groups)[-1 if others else 0], self.wanted.module

    def first(self, line: str) -> Outcome:
        source, spec, grouped = self.source, line.strip(), self._grouped
        if grouped is not None:
            return self.lined(source.syntax.rows(grouped.node)[0] + 1, line)
        if not self.found:
            package = top_level(source, "package_clause")
            if not package:
                raise self.wanted.refused("the file has no package clause to put imports after")
            return self.lined(source.syntax.rows(package[0])[1], f"import {spec}", above=True, below=1)
        start, stop = source.syntax.rows(self.found[0].node)
        alone = stop - start == 1 and source.lines[start].strip() == source.text(self.found[0].node)
        if len(self.found) > 1 or not alone:
            return self.lined(source.syntax.rows(self.found[-1].node)[1], f"import {spec}")
        specs = sorted((source.text(self.found[0].items[0].node), spec), key=lambda text: text.split('"')[1])
        return Outcome((Hunk(start, stop, ("import (", *(f"\t{text}" for text in specs), ")")),))

    def without(self, statement: Statement, gone: Item) -> tuple[Hunk, ...]:
        return self.without_line(gone.node)

    @property
    def _grouped(self) -> Statement | None:
        """The first declaration that has a list."""
        return next((statement for statement in self.found if statement.takes), None)

    def _item(self, spec: Node) -> Item:
        path, alias = (spec.child_by_field_name(field) for field in ("path", "name"))
        module = "" if path is None else self.source.text(path).strip('"`')
        said = None if alias is None else self.source.text(alias)
        name = said or module.rsplit("/", 1)[-1]
        return Item(spec, module, None, said, "" if name in ("_", ".") else name)


def _is_others(module: str) -> bool:
    """Whether a path is no part of the standard library."""
    return "." in module.split("/")[0]
