"""Python's imports, in isort's order: __future__, the standard library, others, the package's own."""

from __future__ import annotations

import re
import sys
from typing import Any

from tree_sitter import Node

from fastedit.ops.base import Outcome
from fastedit.ops.blocks import is_string
from fastedit.ops.imported.base import Imports, Item, Statement, check_free
from fastedit.ops.source import Edit
from fastedit.source.hunks import Hunk

_DEFINITION = re.compile(r"(?:async\s+def|def|class)\b|@")
_CONDITIONAL = ("if_statement", "try_statement")


class FromImports(Imports):
    module = r"\.*[^\W\d]\w*(\.[^\W\d]\w*)*|\.+"

    def read(self, node: Node) -> Statement:
        text, holder = self.source.text, node.child_by_field_name("module_name")
        plain = node.type == "import_statement"
        module = "__future__" if holder is None else text(holder)
        items = []
        for part in node.children_by_field_name("name"):
            said = text(part.child_by_field_name("name") or part)
            alias = text(found) if (found := part.child_by_field_name("alias")) is not None else None
            of, member = (said, None) if plain else (module, said)
            items.append(Item(part, of, member, alias, alias or said.split(".")[0]))
        module = items[0].module if items else module
        return Statement(node, module, items, (not plain, module.lower()), bool(items) and not plain)

    def check_name(self) -> None:
        _, module, member, alias = self.wanted
        if module.startswith(".") and member is None:
            raise self.wanted.refused("a relative import needs a member; say which")
        bare = alias is None and member is None
        check_free(self, alias or member or module.split(".")[0], "import_statement" if bare else "")

    def line(self) -> str:
        item = self.wanted.item
        return f"from {self.wanted.module} import {item}" if self.wanted.member else f"import {item}"

    def beside(self) -> tuple[list[Statement], Any]:
        section = _section(self.wanted.module)
        alike = [statement for statement in self._head if _section(statement.module) == section]
        return alike, (self.wanted.member is not None, self.wanted.module.lower())

    def first(self, line: str) -> Outcome:
        rows, head = self.source.syntax.rows, self._head
        before = [each for each in head if _section(each.module) < _section(self.wanted.module)]
        if head and not before:
            return self.lined(rows(head[0].node)[0], line, below=1)
        row = rows(before[-1].node)[1] if before else self.below_head()
        following = next((each for each in self.source.lines[row:] if each.strip()), "")
        return self.lined(row, line, above=True, below=2 if _DEFINITION.match(following) else 1)

    def remove(self) -> Outcome:
        query = " ".join(f"({kind}) @found" for kind in self.source.language.import_kinds)
        self.found = [self.read(node) for node in self.source.syntax.find(query)]
        return super().remove()

    def without_line(self, node: Node) -> tuple[Hunk, ...]:
        block = node.parent
        if block is not None and block.type == "block" and block.named_child_count == 1:
            placeholder = self.source.language.placeholder
            return self.source.hunks([Edit(node.start_byte, node.end_byte, placeholder)])
        return super().without_line(node)

    @property
    def _head(self) -> list[Statement]:
        """The imports that the file begins with, or else its first."""
        known, last = {statement.node for statement in self.found}, -1
        for node in self.source.syntax.root.named_children:
            if node in known:
                last = node.start_point.row
            elif "comment" not in node.type and not is_string(node) and node.type not in _CONDITIONAL:
                break
        head = [statement for statement in self.found if statement.node.start_point.row <= last]
        return head or self.found[:1]


def _section(module: str) -> int:
    if module == "__future__":
        return 0
    if module.startswith("."):
        return 3
    return 1 if module.split(".")[0] in sys.stdlib_module_names else 2
