"""Adds and removes imports, in the place and the form that the file has for them."""

from __future__ import annotations

from importlib import import_module

from fastedit.ops.base import Operation, Outcome, option
from fastedit.ops.imports.base import Imports, Wanted
from fastedit.ops.source import Source


class AddImport(Operation, needs="import_writer", example="settings.py os.path join"):
    """Add an import in its sorted place, or to the import that has its module already."""

    module: str = option("what to import from: os.path, ./store, net/http, std::fs, java.util, <stdio.h>")
    member: str | None = option(
        "the name to import from it; `default` and `*` where the language has them", None
    )
    alias: str | None = option("the name that it gets in this file", None)

    def carry_out(self, source: Source) -> Outcome:
        return _imports(source, Wanted(self.module.strip(), self.member, self.alias)).add()


class RemoveImport(Operation, needs="import_writer", example="settings.py os.path join"):
    """Remove an import, or one name of it; places that still use it are reported."""

    module: str = option("what is imported from: os.path, ./store, net/http, std::fs, java.util, <stdio.h>")
    member: str | None = option("the name that is imported from it", None)

    def carry_out(self, source: Source) -> Outcome:
        return _imports(source, Wanted(self.module.strip(), self.member, None)).remove()


def _imports(source: Source, wanted: Wanted) -> Imports:
    """The imports of the file, as its language writes them."""
    module, name = source.language.import_writer.split(":")
    found: Imports = getattr(import_module(f"fastedit.ops.imports.{module}"), name)(source, wanted)
    return found
