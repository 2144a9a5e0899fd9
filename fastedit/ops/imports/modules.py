"""The imports of JavaScript's modules."""

from __future__ import annotations

from tree_sitter import Node

from fastedit.ops.imports.base import ImportItem, Imports

_COMMON_JS = ("require", "exports")  # in a file without an import or export
_NAME = r"[^\W\d][\w$]*|\$[\w$]*"


class Modules(Imports):
    """A default import has the member `default`, one of all `*`, and each its name for an alias."""

    query = """
        (import_statement . source: (_) @module) @statement
        (import_statement (import_clause [
            (identifier) @default @item
            (namespace_import (identifier) @all) @item
            (named_imports (import_specifier name: (_) @member alias: (_)? @alias) @item) @list
        ]) source: (_) @module) @statement
    """
    module = r"[^\s'\"\\]+"
    member = rf"{_NAME}|\*"
    alias = _NAME

    def read(self, captures: dict[str, Node]) -> ImportItem:
        item = super().read(captures)
        return item._replace(open=any(n.type == "type" for each in captures.values() for n in each.children))

    def check(self) -> None:
        _, member, alias = self.wanted
        if member in ("*", "default") and alias is None:
            raise self.refused(f"`{member}` needs an alias, which is its name in this file")
        if alias is not None and member is None:
            raise self.refused("an alias needs a member: `default`, `*` or a name")
        names, exports = self.source.syntax.identifiers, self.source.syntax.find("(export_statement) @found")
        row = next((names[name][0] for name in _COMMON_JS if name in names), None)
        if row is not None and not self.found and not exports:
            line = self.source.number(row)
            raise self.refused(f"the file is no module (line {line}), so write a `require` by hand")
        self.check_free(alias or member)

    def line(self) -> str:
        """The import with the quotes and the semicolon of the last of its module, else of the file."""
        module, member, alias = self.wanted
        like = [each for each in self.found if any(item.module == module for item in each.items)]
        beside = self.source.text((like or self.found)[-1].node if self.found else self.source.syntax.root)
        quote = "'" if beside.count("'") > beside.count('"') else '"'
        end = ";" if not beside.strip() or ";" in beside else ""
        forms = {None: "", "*": f"* as {alias} from ", "default": f"{alias} from "}
        what = forms.get(member, f"{{ {self.wanted.item} }} from ")
        return f"import {what}{quote}{module}{quote}{end}"
