"""Keyword arguments of calls: whose parameter, or whose field, they name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from tree_sitter import Node

from fastedit.ops.calls import Call, Calls, calls_of
from fastedit.ops.names.attributes import Attributes
from fastedit.ops.names.lexicon import Lexicon
from fastedit.ops.names.members import Owned
from fastedit.source.names.names import Symbol
from fastedit.source.names.site import Site


class Keywords:
    """Those that may be for `symbol`, which is a member of a class or a parameter."""

    def __init__(self, lexicon: Lexicon, symbol: Symbol) -> None:
        self.source = lexicon.source
        self.symbol = symbol
        self.members = Attributes(lexicon, symbol.name)
        of_class = symbol.scope.kind == "class" and self.source.language.signatures
        self.owner = self.members.owner(symbol) if of_class else None

    def owned(self, site: Site) -> Owned:
        """Whether a keyword argument is for the parameter, or the field, that the symbol is."""
        call = site.steps[-4].node if len(site.steps) > 3 else None
        function = call.child_by_field_name("function") if call is not None else None
        if function is None:
            return Owned.OTHER
        if self.owner is not None:
            return self._of_field(function)
        return self._of_parameter(site.steps[-3].node) if self._function is not None else Owned.OTHER

    def unpacking(self) -> Iterator[Call]:
        """The calls of the function that may pass the parameter by a name that is not written in them."""
        for call in self._calls.sure if self._function is not None else ():
            if call.unpacks_keywords:
                yield call

    def _of_field(self, function: Node) -> Owned:
        """Whether what is called is the class, and makes the field of its arguments, as dataclasses do."""
        assert self.owner is not None
        made = self.members.class_at(function)
        body = self.owner.node.child_by_field_name("body")
        own = body is not None and "def __init__" in self.source.text(body)
        if made is None or made != self.owner or own:
            return Owned.OTHER
        above = self.owner.node.parent
        head = "" if above is None or above.type != "decorated_definition" else self.source.text(above)
        bases = self.owner.node.child_by_field_name("superclasses")
        named = bases is not None and "NamedTuple" in self.source.text(bases)
        bound = (site.steps[-2].node for site in self.symbol.sites if site.binds)
        annotated = any(node.child_by_field_name("type") is not None for node in bound)
        data = re.match(r"(?:@[^\n]*\n\s*)*@(?:[\w.]+\.)?dataclass\b", head) is not None
        return Owned.SAME if annotated and (named or data) else Owned.UNKNOWN

    def _of_parameter(self, arguments: Node) -> Owned:
        """Whether the call is one of the function that has the parameter."""
        known = self._known.get(arguments.start_byte)
        if known is not None:
            return known
        # It may be handed on, as to functools.partial.
        name = self._calls.name
        passed = bool(name) and re.search(rf"\b{name}\b", self.source.text(arguments)) is not None
        return Owned.UNKNOWN if passed else Owned.OTHER

    @cached_property
    def _known(self) -> dict[int, Owned]:
        """The calls of that function, by the bytes at which their arguments begin."""
        found = self._calls
        sure = Owned.UNKNOWN if found.redefined else Owned.SAME
        known = {call.arguments.start_byte: Owned.UNKNOWN for call in found.unsure}
        return known | {call.arguments.start_byte: sure for call in found.sure}

    @cached_property
    def _function(self) -> Node | None:
        """The function whose parameter is meant."""
        binding = self.symbol.binding
        return binding.around("function_definition") if binding.parameter else None

    @cached_property
    def _calls(self) -> Calls:
        assert self._function is not None
        return calls_of(self.source, self._function)
