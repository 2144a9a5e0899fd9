"""Adds and removes imports, in the place and the form that the file has for them."""

from __future__ import annotations

from dataclasses import dataclass

from fastedit.ops.base import Operation, Outcome, option
from fastedit.ops.imported import clike, go, java, python, rust, script
from fastedit.ops.imported.wanted import Wanted, Writer
from fastedit.ops.source import Source

_WRITERS: dict[str, Writer] = {
    "python": python,
    "javascript": script,
    "typescript": script,
    "tsx": script,
    "go": go,
    "rust": rust,
    "java": java,
    "c": clike,
    "cpp": clike,
}


@dataclass(frozen=True)
class AddImport(Operation, example="settings.py os.path join"):
    """Add an import in its sorted place, or to the import that has its module already."""

    module: str = option("what to import from: os.path, ./store, net/http, std::fs, java.util, <stdio.h>")
    member: str | None = option(
        "the name to import from it; `default` and `*` where the language has them", None
    )
    alias: str | None = option("the name that it gets in this file", None)

    def carry_out(self, source: Source) -> Outcome:
        wanted = Wanted(self.name, self.module.strip(), self.member, self.alias)
        return _WRITERS[source.language].add(source, wanted)


@dataclass(frozen=True)
class RemoveImport(Operation, example="settings.py os.path join"):
    """Remove an import, or one name of it; places that still use it are reported."""

    module: str = option("what is imported from: os.path, ./store, net/http, std::fs, java.util, <stdio.h>")
    member: str | None = option("the name that is imported from it", None)

    def carry_out(self, source: Source) -> Outcome:
        wanted = Wanted(self.name, self.module.strip(), self.member, None)
        return _WRITERS[source.language].remove(source, wanted)
