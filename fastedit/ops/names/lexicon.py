"""The names of one source that an operation looks up."""

from __future__ import annotations

from tree_sitter import Node

from fastedit.ops.source import Source
from fastedit.source.names.names import Names
from fastedit.source.names.site import Site


def by_functions(source: Source) -> bool:
    """Whether functions open scopes, and blocks do not."""
    return source.language.scopes.rules == "functions"


class Lexicon:
    """The names of one source, each looked up once."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._names: dict[str, Names] = {}

    def names(self, name: str) -> Names:
        if name not in self._names:
            self._names[name] = Names(self.source.syntax, name)
        return self._names[name]

    def bound(self, name: Node) -> list[Site]:
        """The bindings that an identifier means."""
        names = self.names(self.source.text(name))
        site = names.at(name.start_byte)
        home = names.home(site) if site is not None else None
        return names.binds(home) if home is not None else []
