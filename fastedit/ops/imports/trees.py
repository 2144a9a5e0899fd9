"""Rust's use declarations."""

from __future__ import annotations

import re

from tree_sitter import Node

from fastedit.ops.imports.base import NAME, ImportItem, Imports, ImportStatement, Wanted
from fastedit.ops.source import ByteEdit, Source
from fastedit.source.hunks import Hunk


class Trees(Imports):
    """What stands after the last `::`, or between the braces there, is the member."""

    query = """
        (use_declaration . argument: (scoped_use_list
            path: (_) @path list: (use_list (_) @module @item) @list)) @statement
        (use_declaration argument: [(identifier) (scoped_identifier) (use_as_clause) (use_wildcard)] @module) @statement
        (use_declaration) @statement
    """
    module = rf"(::)?{NAME}(::{NAME})*"
    member = rf"{NAME}|\*"
    verb = "used"

    def __init__(self, source: Source, wanted: Wanted) -> None:
        super().__init__(source, wanted)
        if wanted.member is None:
            module, _, member = wanted.module.rpartition("::")
            self.wanted = wanted._replace(module=module, member=member)

    def read(self, captures: dict[str, Node]) -> ImportItem:
        path, item = captures.get("path"), super().read(captures)
        said, _, alias = re.sub(r"\s*::\s*", "::", item.module).partition(" as ")
        if "{" in said:
            return item._replace(member="")  # a list in the list, which is not followed
        whole = f"{self.source.text(path)}::{said}" if path is not None else said
        module, _, member = whole.rpartition("::")
        name = alias or (module.rpartition("::")[2] if member == "self" else member)
        named = name if re.fullmatch(NAME, name) else ""
        return item._replace(module=module, member=member, alias=alias or None, name=named)

    def check(self) -> None:
        name = self.wanted.alias or self.wanted.member
        for symbol in self.source.names(name).symbols if name and re.fullmatch(NAME, name) else ():
            if symbol.scope.kind == "file" and symbol.binding.around("use_declaration"):
                line = self.source.number(self.source.row(symbol.binding.start))
                raise self.refused(f"line {line} uses another `{name}`; give an alias")

    def whole(self, item: ImportItem | Wanted) -> str:
        return "::".join(part for part in (item.module, item.member) if part)

    def has(self, item: ImportItem) -> bool:
        return item.alias == self.wanted.alias and _path(item) == _path(self.wanted)

    def order(self, text: str) -> str:
        return text

    def line(self) -> str:
        alias = f" as {self.wanted.alias}" if self.wanted.alias else ""
        return f"use {_path(self.wanted)}{alias};"

    def group(self, module: str) -> str:
        return module.split("::")[0] or (self.wanted.member or "")

    def key(self, item: ImportItem | Wanted) -> str:
        return f"{item.module}::{item.member}"

    def without(self, statement: ImportStatement, gone: ImportItem) -> tuple[Hunk, ...]:
        """Without braces around one name, unless they say which `self` is meant."""
        kept = [item for item in statement.items if item != gone]
        holder = gone.node.parent
        assert holder is not None
        if len(kept) > 1 or kept[0].member == "self" or holder.named_child_count > len(statement.items):
            return super().without(statement, gone)
        name = self.source.text(kept[0].node)
        return self.source.hunks([ByteEdit(holder.start_byte, holder.end_byte, name)])


def _path(item: ImportItem | Wanted) -> str:
    """What is used, of which `self` is no part: it stands in braces alone."""
    return "::".join(part for part in (item.module, item.member) if part and part != "self")
