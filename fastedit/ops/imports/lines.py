"""Imports of one path a line: Java's and Kotlin's, and C#'s and Swift's of whole modules."""

from __future__ import annotations

import re

from fastedit.ops.base import Outcome
from fastedit.ops.imports.base import NAME, ImportItem, Imports, ImportStatement, Wanted
from fastedit.ops.source import Source
from fastedit.source.imports import imports

# As names are written in Java.
_TYPE = re.compile(r"(?:.*\.)?[A-Z]\w*")
_MEMBER = re.compile(r"[a-z]\w*|[A-Z][A-Z0-9_]*")


class LineImports(Imports):
    """A path has its member in it, and its alias, as the language writes it."""

    def __init__(self, source: Source, wanted: Wanted) -> None:
        self._members = source.language.imports_members
        self._separator = source.language.import_separator
        self.module = rf"{NAME}({re.escape(self._separator)}{NAME})*"
        self.query = " ".join(f"({kind}) @module @statement" for kind in source.language.import_kinds)
        self.member = rf"{NAME}|\*" if self._members else ""
        self.alias = NAME if source.language.import_alias else ""
        super().__init__(source, wanted)
        path = f"{wanted.module}{self._separator}{wanted.member}" if wanted.member else wanted.module
        path = source.language.import_alias.format(path, wanted.alias) if wanted.alias else path
        self.wanted = Wanted(path, None, None)

    def spelled(self, module: str) -> str:
        before, after = self.source.language.import_line.split("{}")
        text = " ".join(module.split()).removesuffix(after).removeprefix(before.strip()).strip()
        return re.sub(r"\s*\.\s*", ".", text.removeprefix("static "))

    def called(self, module: str) -> str:
        return module.rpartition(self._separator)[2].split()[-1] if self._members else ""

    def has(self, item: ImportItem) -> bool:
        return item.module in (self.wanted.module, f"{self.wanted.module.rpartition('.')[0]}.*")

    def add(self) -> Outcome:
        """Raises OperationRefused where no code stands in the place of imports."""
        outcome = super().add()
        new = self.source.changed(outcome.hunks).syntax
        if outcome.hunks and len(imports(new)) == len(imports(self.source.syntax)):
            raise self.refused("there is no place for imports; write it by hand")
        return outcome

    def check(self) -> None:
        name = self.called(self.wanted.module)
        for each in imports(self.source.syntax) if name not in ("", "*") else ():
            if name in each.names:
                number = self.source.number(each.start)
                raise self.refused(f"`{name}` is another's on line {number}; use its whole name instead")

    def _matching(self, statement: ImportStatement) -> list[ImportItem]:
        """Those of the path, or else those that have it under another name."""
        path = self.wanted.module
        if any(item.module == path for each in self.found for item in each.items):
            return super()._matching(statement)
        return [item for item in statement.items if item.module.partition(" as ")[0] == path]

    def line(self) -> str:
        return self.source.language.import_line.format(self.wanted.module)

    def group(self, module: str) -> str:
        return module.split(self._separator)[0]


class JavaImports(LineImports):
    """Those of static members stand apart."""

    def __init__(self, source: Source, wanted: Wanted) -> None:
        super().__init__(source, wanted)
        of, _, name = self.wanted.module.rpartition(".")
        taken = [each.items[0].module.rpartition(".")[0] for each in self.found if _is_static(each)]
        # By its name it is a method or a constant of a class.
        self._static = of in taken or (
            _TYPE.fullmatch(of) is not None and _MEMBER.fullmatch(name) is not None
        )

    def line(self) -> str:
        return super().line().replace(" ", " static ", 1) if self._static else super().line()

    def standing(self) -> list[ImportStatement]:
        return [each for each in super().standing() if _is_static(each) == self._static]


def _is_static(statement: ImportStatement) -> bool:
    return any(child.type == "static" for child in statement.node.children)
