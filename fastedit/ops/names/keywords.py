"""Keyword arguments of calls: whose parameter, or whose field, they name."""

from __future__ import annotations

import re

from tree_sitter import Node

from fastedit.ops.names.members import Members, Owned
from fastedit.ops.names.names import Lexicon, Symbol
from fastedit.ops.names.site import Site


class Keywords:
    """Those that may be for `symbol`, which is a member of a class or a parameter."""

    def __init__(self, lexicon: Lexicon, symbol: Symbol) -> None:
        self.lexicon = lexicon
        self.source = lexicon.source
        self.symbol = symbol
        self.members = Members(lexicon, symbol.name)
        self.owner = self.members.class_of(symbol.scope, symbol) if symbol.scope.kind == "class" else None

    def owned(self, site: Site) -> Owned:
        """Whether a keyword argument is for the parameter, or the field, that the symbol is."""
        call = site.steps[-4].node if len(site.steps) > 3 else None
        function = call.child_by_field_name("function") if call is not None else None
        if function is None:
            return Owned.OTHER
        if self.owner is not None:
            made = self.members.class_at(function)
            body = self.owner.node.child_by_field_name("body")
            own = body is not None and "def __init__" in self.source.text(body)
            same = made is not None and made.key == self.owner.key and not own
            return (Owned.SAME if self._is_field() else Owned.UNKNOWN) if same else Owned.OTHER
        definition = self._function()
        return Owned.OTHER if definition is None else self._calls(function, definition, site)

    def _is_field(self) -> bool:
        """Whether the class makes a parameter of its constructor of the attribute, as dataclasses do."""
        assert self.owner is not None
        above = self.owner.node.parent
        head = "" if above is None or above.type != "decorated_definition" else self.source.text(above)
        bases = self.owner.node.child_by_field_name("superclasses")
        named = bases is not None and "NamedTuple" in self.source.text(bases)
        annotated = any(
            site.steps[-2].node.child_by_field_name("type") is not None
            for site in self.symbol.sites
            if site.binds
        )
        return annotated and (
            named or re.match(r"(?:@[^\n]*\n\s*)*@(?:[\w.]+\.)?dataclass\b", head) is not None
        )

    def _function(self) -> Node | None:
        """The function whose parameter is meant."""
        binding = self.symbol.binding
        return binding.around("function_definition") if binding.parameter else None

    def _calls(self, function: Node, definition: Node, site: Site) -> Owned:
        """Whether what is called is the function that has the parameter."""
        name_node = definition.child_by_field_name("name")
        if name_node is None:
            return Owned.OTHER
        name = self.source.text(name_node)
        names = self.lexicon.names(name)
        bound = names.at(name_node.start_byte)
        home = names.home(bound) if bound is not None else None
        if bound is None or home is None:
            return Owned.OTHER
        members = Members(self.lexicon, name)
        owner = members.class_of(home, Symbol(name, home, (bound,))) if home.kind == "class" else None
        if function.type == "identifier":
            if owner is not None:
                made = members.class_at(function) if name in ("__init__", "__new__") else None
                return Owned.SAME if made is not None and made.key == owner.key else Owned.OTHER
            used = names.at(function.start_byte)
            if used is not None and names.home(used) == home:
                return Owned.SAME if len(names.binds(home)) == 1 else Owned.UNKNOWN
            given = self.source.text(site.steps[-3].node)
            return Owned.UNKNOWN if re.search(rf"\b{name}\b", given) and used is None else Owned.OTHER
        used = next((s for s in members.sites if function.start_byte <= s.start < function.end_byte), None)
        if used is None or used.stop != function.end_byte or owner is None:
            return Owned.OTHER
        return members.owned_by(used, owner)
