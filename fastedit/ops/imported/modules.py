"""The imports of JavaScript and TypeScript."""

from __future__ import annotations

from typing import Any

from tree_sitter import Node

from fastedit.ops.base import Outcome
from fastedit.ops.imported.base import Imports, Item, Statement, check_free, top_level
from fastedit.ops.lists import items_of

_COMMON_JS = ("require", "exports")  # in a file without an import or export
_NAME = r"[^\W\d][\w$]*|\$[\w$]*"


class Modules(Imports):
    """A default import has the member `default`, one of all `*`, and each its name for an alias."""

    module = r"[^\s'\"\\]+"
    member = rf"{_NAME}|\*"
    alias = _NAME

    def read(self, node: Node) -> Statement:
        source = node.child_by_field_name("source")
        module = "" if source is None else self.source.text(source).strip("'\"")
        clause = next((child for child in node.named_children if child.type == "import_clause"), None)
        types = any(child.type == "type" for child in node.children)
        parts = items_of(clause) if clause is not None else []
        items = [item for part in parts for item in self._items(module, part, types)]
        takes = not types and any(part.type == "named_imports" and part.named_children for part in parts)
        return Statement(node, module, items or [Item(node, module, None, None, "")], module, takes)

    def _items(self, module: str, part: Node, types: bool) -> list[Item]:
        text = self.source.text
        if part.type != "named_imports":
            name = text(part.named_children[-1] if part.named_children else part)
            return [Item(part, module, "*" if part.named_children else "default", name, name, types)]
        found = []
        for each in part.named_children:
            if (named := each.child_by_field_name("name")) is not None:
                alias = text(given) if (given := each.child_by_field_name("alias")) is not None else None
                typed = types or any(child.type == "type" for child in each.children)
                found.append(Item(each, module, text(named), alias, alias or text(named), typed))
        return found

    def check_name(self) -> None:
        if (name := self.wanted.alias or self.wanted.member) is not None:
            check_free(self, name)

    def add(self) -> Outcome:
        _, _, member, alias = self.wanted
        if member in ("*", "default") and alias is None:
            raise self.wanted.refused(f"`{member}` needs an alias, which is its name in this file")
        if alias is not None and member is None:
            raise self.wanted.refused("an alias needs a member: `default`, `*` or a name")
        names = self.source.syntax.identifiers
        row = next((names[name][0] for name in _COMMON_JS if name in names), None)
        if row is not None and not self.found and not top_level(self.source, "export_statement"):
            line = self.source.number(row)
            raise self.wanted.refused(f"the file is no module (line {line}), so write a `require` by hand")
        return super().add()

    def line(self) -> str:
        """The import with the quotes and the semicolon of the last of its module, else of the file."""
        _, module, member, alias = self.wanted
        like = [each for each in self.found if each.module == module] or self.found
        beside = self.source.text(like[-1].node if like else self.source.syntax.root)
        quote = "'" if beside.count("'") > beside.count('"') else '"'
        end = ";" if not beside.strip() or ";" in beside else ""
        forms = {None: "", "*": f"* as {alias} from ", "default": f"{alias} from "}
        what = forms.get(member, f"{{ {self.wanted.item} }} from ")
        return f"import {what}{quote}{module}{quote}{end}"

    def beside(self) -> tuple[list[Statement], Any]:
        return self.found, self.wanted.module

    def first(self, line: str) -> Outcome:
        return self.lined(self.below_head(), line, below=1)
