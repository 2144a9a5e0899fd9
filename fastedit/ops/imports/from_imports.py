"""Python's imports, in isort's order: __future__, the standard library, others, the package's own."""

from __future__ import annotations

import sys
from typing import Any

from fastedit.ops.imports.base import ImportItem, Imports, Wanted


class FromImports(Imports):
    query = """
        (import_statement name: [
            (dotted_name) @module @item (aliased_import name: (_) @module alias: (_) @alias) @item]) @statement
        (import_from_statement module_name: (_) @module name: [
            (dotted_name) @member @item (aliased_import name: (_) @member alias: (_) @alias) @item]) @statement @list
        (import_from_statement (wildcard_import)) @statement
        (future_import_statement "__future__" @module name: [
            (dotted_name) @member @item (aliased_import name: (_) @member alias: (_) @alias) @item]) @statement @list
    """
    module = r"\.*[^\W\d]\w*(\.[^\W\d]\w*)*|\.+"
    sections = True

    def called(self, module: str) -> str:
        return module.split(".")[0]

    def check(self) -> None:
        module, member, alias = self.wanted
        if module.startswith(".") and member is None:
            raise self.refused("a relative import needs a member; say which")
        bare = alias is None and member is None
        self.check_free(alias or member or self.called(module), "import_statement" if bare else "")

    def line(self) -> str:
        item = self.wanted.item
        return f"from {self.wanted.module} import {item}" if self.wanted.member else f"import {item}"

    def key(self, item: ImportItem | Wanted) -> Any:
        return item.member is not None, item.module.lower()

    def group(self, module: str) -> int:
        if module == "__future__":
            return 0
        if module.startswith("."):
            return 3
        return 1 if module.split(".")[0] in sys.stdlib_module_names else 2
