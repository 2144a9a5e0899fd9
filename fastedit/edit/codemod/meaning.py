"""Which of the places that have a name a rename means, and what speaks against it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fastedit.edit.codemod.names import Occurrence, Role, exports
from fastedit.edit.codemod.sentence import Told
from fastedit.edit.codemod.source import Source
from fastedit.edit.definitions import Definition, definitions
from fastedit.edit.imports import imports

OWN = frozenset({"self", "cls", "this"})
_PLAIN = (Role.USE, Role.BINDING)
_ATTRIBUTES = frozenset({"attribute", "field", "property", "properties", "member"})
_VARIABLES = frozenset({"variable", "param", "parameter", "arg", "argument", "local", "constant", "const"})
Read = tuple[list[Occurrence], list[str]]


class Meaning:
    """`found` are the places within what the sentence speaks of, `everywhere` those of the file."""

    def __init__(
        self,
        source: Source,
        told: Told,
        old: str,
        owners: Sequence[str],
        found: list[Occurrence],
        everywhere: list[Occurrence],
    ) -> None:
        self._source, self._told, self._old = source, told, old
        self._found, self._everywhere = found, everywhere
        self._kinds = told.kind_words
        # A dotted name or a place says which one is meant.
        self._narrow = told.get("place") is not None or bool(owners)
        dotted = ".".join([*owners, old])
        self._named = self._here(source.named(dotted))
        self._definitions = self._here(source.meant(dotted, self._kinds))
        self._member_said = bool(OWN.intersection(owners) or self._kinds & _ATTRIBUTES)

    def _here(self, named: list[Definition]) -> list[Definition]:
        return [d for d in named if any(d.start <= o.line < d.stop for o in self._found)]

    def read(self) -> Read:
        """The places and the reasons."""
        if any(o.role is Role.IMPORT for o in self._found):
            reason = f"`{self._old}` is imported, so it is named elsewhere"
            return self._of_role(Role.IMPORT, *_PLAIN), [reason]
        if len(self._definitions) > 1:
            names = " and ".join(d.dotted for d in self._definitions[:3])
            return self._of_role(*Role), [f"`{self._old}` may be {names}"]
        if self._definitions:
            definition = self._definitions[0]
            return self._member(definition) if self._in_class(definition) else self._free()
        meant, reasons = self._no_definition()
        if self._named:
            reasons.append(f"{self._named[0].dotted} is a {self._named[0].kind}")
            meant = meant or self._of_role(*Role)
        return meant, reasons

    def _no_definition(self) -> Read:
        plain = self._of_role(*_PLAIN)
        declared = any(o.in_class and o.role is Role.BINDING for o in plain)
        if plain and (declared or not self._member_said):
            return self._variable()
        return self._attribute()

    def _of_role(self, *roles: Role) -> list[Occurrence]:
        return [o for o in self._found if o.role in roles]

    def _in_class(self, definition: Definition) -> bool:
        around = self._source.named(".".join(definition.path[:-1])) if len(definition.path) > 1 else []
        return any(d.kind not in ("function", "method", "module", "namespace") for d in around)

    def _exports(self) -> list[Occurrence]:
        assert self._source.syntax is not None
        return list(exports(self._source.syntax, self._old))

    def _free(self) -> Read:
        """A function or class outside of all classes: what stands behind a dot is another's."""
        reasons = []
        bound = self._of_role(Role.BINDING)
        if bound:
            reasons.append(f"`{self._old}` is also a variable, on line {bound[0].line + 1}")
        reasons += self._not_others(
            [o for o in self._of_role(Role.MEMBER) if o.owner in (*OWN, "exports", "module")]
        )
        if self._source.language != "python":
            reasons += self._not_others(self._of_role(Role.KEY))
        return [*self._of_role(Role.DEFINITION, Role.USE), *self._exports()], reasons

    def _member(self, definition: Definition) -> Read:
        """A method: what is called on the object itself or on its class."""
        owners = {*OWN, definition.path[-2]}
        members = self._of_role(Role.MEMBER)
        own = [o for o in members if o.owner in owners or self._receives(o, definition.path[-2])]
        used = self._of_role(Role.USE)
        bare = (
            used
            if self._source.language in ("java", "cpp")
            else [o for o in used if self._in_body(o, definition)]
        )
        bound = self._of_role(Role.BINDING)
        reasons = self._not_others([o for o in members if o not in own])
        if bare and bound:
            # What has the name without a dot may be the variable.
            reasons.append(f"`{self._old}` is also a variable, on line {bound[0].line + 1}")
        return [*self._of_role(Role.DEFINITION), *own, *bare], reasons

    def _in_body(self, used: Occurrence, definition: Definition) -> bool:
        """Whether a class of Python's speaks of its own method outside of all methods: `alias = method`."""
        around = self._source.named(".".join(definition.path[:-1]))
        own = any(d.start <= used.line < d.stop for d in around)
        return self._source.language == "python" and used.in_class and own

    def _receives(self, used: Occurrence, kind: str) -> bool:
        """Whether Go's method around it is called on what stands before its dot, and of the same type."""
        function = self._function(used) if self._source.language == "go" else None
        head = "" if function is None else self._source.lines[function.header]
        return bool(used.owner) and (
            re.match(rf"func \({re.escape(used.owner)} \*?{re.escape(kind)}\b", head) is not None
        )

    def _variable(self) -> Read:
        """A parameter, a variable or a constant: all of it within the one function, or the file, that binds it."""
        plain = self._of_role(*_PLAIN)
        bound = {o.scope for o in plain if o.role is Role.BINDING}
        reasons = self._not_one(bound, {o.scope for o in plain})
        if any(o.in_class for o in plain if o.role is Role.BINDING):
            reasons.append(f"`{self._old}` is an attribute of its class, which may be used elsewhere")
        passed, doubts = self._passed([o for o in plain if o.parameter and o.role is Role.BINDING])
        exported = self._exports() if 0 in bound else []
        return [*plain, *passed, *exported], reasons + doubts + self._other_meanings(passed)

    def _not_one(self, bound: set[int], used: set[int]) -> list[str]:
        """Why it may be more than one variable."""
        if not bound:
            return [f"nothing here says what `{self._old}` is"]
        if len(bound) > 1 and self._told.get("everywhere") is None:
            return [f"`{self._old}` is a name of its own in {len(bound)} functions"]
        if 0 not in bound and used - bound and not self._narrow:
            return [f"`{self._old}` is used where it is not assigned"]
        return []

    def _passed(self, parameters: Sequence[Occurrence]) -> Read:
        """The calls that pass the parameter by its name."""
        meant, reasons = list[Occurrence](), list[str]()
        for function in {d.path: d for p in parameters if (d := self._function(p)) is not None}.values():
            inside = self._in_class(function)
            name = function.path[-2] if inside and function.name == "__init__" else function.name
            passed = [o for o in self._everywhere if o.role is Role.KEY and o.owner == name]
            if inside or len(self._source.named(name)) > 1:
                reasons += self._not_others(passed)
            meant += [o for o in passed if self._source.holds(o.line, o.line + 1)]
        return meant, reasons

    def _function(self, parameter: Occurrence) -> Definition | None:
        assert self._source.syntax is not None
        holding = [d for d in definitions(self._source.syntax) if d.start <= parameter.line < d.stop]
        return min(holding, key=lambda d: d.stop - d.start, default=None)

    def _other_meanings(self, passed: Sequence[Occurrence]) -> list[str]:
        """Attributes and keys of the same name, where the sentence does not tell that it means a variable."""
        if self._kinds & _VARIABLES:
            return []
        keys = [o for o in self._of_role(Role.KEY) if o not in passed]
        # In a place that is named, Python's keywords in calls are sure to be another's.
        keys = [] if self._narrow and self._source.language == "python" else keys
        modules = {name for item in self._imports() for name in item}
        return self._not_others([o for o in self._of_role(Role.MEMBER) if o.owner not in modules] + keys)

    def _imports(self) -> list[frozenset[str]]:
        assert self._source.syntax is not None
        return [item.names for item in imports(self._source.syntax)]

    def _attribute(self) -> Read:
        members = self._of_role(Role.MEMBER)
        return members, self._not_others([o for o in members if o.owner not in OWN])

    def _not_others(self, found: Sequence[Occurrence]) -> list[str]:
        if not found:
            return []
        return [f"`{self._old}` on line {found[0].line + 1} may be another's"]
