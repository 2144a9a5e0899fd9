"""Rust's use declarations."""

from __future__ import annotations

import re
from typing import Any

from tree_sitter import Node

from fastedit.ops.base import Outcome
from fastedit.ops.imported.base import NAME, Imports, Item, Statement, Wanted
from fastedit.ops.lists import items_of
from fastedit.ops.source import Edit, Source
from fastedit.source.hunks import Hunk


class Trees(Imports):
    """What stands behind the last `::`, or between the braces there, is the member."""

    module = rf"(::)?{NAME}(::{NAME})*"
    member = rf"{NAME}|\*"
    verb = "used"

    def __init__(self, source: Source, wanted: Wanted) -> None:
        super().__init__(source, wanted)
        if wanted.member is None:
            module, _, member = wanted.module.rpartition("::")
            self.wanted = wanted._replace(module=module, member=member)

    def read(self, node: Node) -> Statement:
        argument, text = node.child_by_field_name("argument"), self.source.text
        key = text(node).rstrip(";")
        if argument is not None and argument.type == "scoped_use_list":
            path, holder = (argument.child_by_field_name(field) for field in ("path", "list"))
            if path is not None and holder is not None:
                items = [self._item(each, text(path), text(each)) for each in items_of(holder)]
                own = node.named_children[0] == argument
                return Statement(node, text(path), items, key, own and bool(items))
        said = re.sub(r"\s*::\s*", "::", text(argument)) if argument is not None else ""
        head, _, alias = said.partition(" as ")
        module, _, member = head.rpartition("::")
        return Statement(
            node, module, [self._item(node, module, f"{member} as {alias}" if alias else member)], key
        )

    def _item(self, node: Node, module: str, said: str) -> Item:
        member, _, alias = said.partition(" as ")
        name = alias or (module.rpartition("::")[2] if member == "self" else member)
        return Item(node, module, member, alias or None, name if re.fullmatch(NAME, name) else "")

    def order(self, text: str) -> str:
        return text

    def line(self) -> str:
        _, module, _, _ = self.wanted
        return f"use {module}::{self.wanted.item};" if module else f"use {self.wanted.item};"

    def beside(self) -> tuple[list[Statement], Any]:
        line = self.line()
        alike = [each for each in self.found if each.key.startswith(line.split("::")[0])]
        return alike or self.found, line.rstrip(";")

    def first(self, line: str) -> Outcome:
        return self.lined(self.below_head(), line, below=1)

    def without(self, statement: Statement, gone: Item) -> tuple[Hunk, ...]:
        """Without braces around one name, unless they say which `self` is meant."""
        kept = [item for item in statement.items if item != gone]
        holder = gone.node.parent
        assert holder is not None
        if len(kept) > 1 or kept[0].member == "self" or holder.named_child_count > len(statement.items):
            return super().without(statement, gone)
        return self.source.hunks([Edit(holder.start_byte, holder.end_byte, self.source.text(kept[0].node))])
