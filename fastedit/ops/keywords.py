"""Keyword arguments of calls: whose parameter, or whose field, they name."""

from __future__ import annotations

import re

from tree_sitter import Node

from fastedit.ops.calls import Calls, calls_of
from fastedit.ops.names.attributes import Attributes
from fastedit.ops.names.members import Owned
from fastedit.ops.source import Source
from fastedit.source.names.names import Symbol
from fastedit.source.names.site import Site


class Keywords:
    """Those that may be for `symbol`, a member of a class, or a parameter of the function that `calls` are of."""

    def __init__(self, source: Source, symbol: Symbol) -> None:
        self.source = source
        self.symbol = symbol
        self.members = Attributes(source, symbol.name)
        function = symbol.binding.around("function_definition") if symbol.binding.parameter else None
        self.calls = Calls() if function is None else calls_of(self.source, function)
        known = [(call, Owned.UNKNOWN) for call in self.calls.unsure]
        known += [(call, Owned.UNKNOWN if self.calls.redefined else Owned.SAME) for call in self.calls.sure]
        self._known = {call.arguments.id: owned for call, owned in known}

    def owned(self, site: Site) -> Owned:
        """Whether a keyword argument is for the parameter, or the field, that the symbol is."""
        call, arguments = (step.node for step in site.steps[-4:-2])
        if self.symbol.scope.kind == "class":
            return self._of_field(call.child_by_field_name("function"))
        if arguments.id in self._known:
            return self._known[arguments.id]
        # It may be handed on, as to functools.partial.
        name = self.calls.name
        passed = bool(name) and re.search(rf"\b{name}\b", self.source.text(arguments)) is not None
        return Owned.UNKNOWN if passed else Owned.OTHER

    def _of_field(self, function: Node | None) -> Owned:
        """Whether what is called is the class, and makes the field of its arguments, as dataclasses do."""
        owner = self.members.owner(self.symbol)
        body = owner.node.child_by_field_name("body")
        own = body is not None and "def __init__" in self.source.text(body)
        if function is None or self.members.class_at(function) != owner or own:
            return Owned.OTHER
        above = owner.node.parent
        head = "" if above is None or above.type != "decorated_definition" else self.source.text(above)
        bases = owner.node.child_by_field_name("superclasses")
        named = bases is not None and "NamedTuple" in self.source.text(bases)
        bound = (site.steps[-2].node for site in self.symbol.sites if site.binds)
        annotated = any(node.child_by_field_name("type") is not None for node in bound)
        data = re.match(r"(?:@[^\n]*\n\s*)*@(?:[\w.]+\.)?dataclass\b", head) is not None
        return Owned.SAME if annotated and (named or data) else Owned.UNKNOWN
