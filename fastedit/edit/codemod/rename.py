"""`rename load to read`: every place where code means what has the old name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from fastedit.edit.codemod.names import Occurrence, Role, exports, occurrences
from fastedit.edit.codemod.sentence import Sentences, Told
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.definitions import Definition
from fastedit.edit.hunks import Hunk

_ARROW = "[to|into|as|->|=>|→]"
_ALL = "[every use of |all uses of |every occurrence of |all occurrences of |all references to |]"
_KIND = "[function|method|class|variable|parameter|argument|attribute|field|constant]"
_SENTENCES = Sentences(
    f"rename {_ALL}{{the}}{{old}} {_ARROW} {{new}}{{in}}",
    f"rename {{the}}{{old}} {_KIND} {_ARROW} {{new}}{{in}}",
    f"rename {{the}}{{old}}{{in}} {_ARROW} {{new}}",
    f"change the name of {{the}}{{old}} {_ARROW} {{new}}{{in}}",
    "change the name {old} to {new}{in}",
    "{the}{old} [should|must] be [called|named|renamed to] {new}{in}",
    "call {the}{old} {new} [instead|from now on]",
    "call it {new} [instead of|rather than] {old}{in}",
    "let {the}{old} be [called|named] {new}{in}",
    "replace [every|all|each] {the}{old} [with|by] {new}{in}",
    "use the name {new} [instead of|rather than] {old}{in}",
)
_OWN = frozenset({"self", "cls", "this"})
_NAME = re.compile(r"[^\W\d][\w$]*\Z")
_PLAIN = (Role.USE, Role.BINDING)


def rename(text: str, source: Source) -> Codemod | None:
    """None where the sentence is no rename, or nothing within its place has the name."""
    for told in _SENTENCES.read(text):
        *owners, old = re.split(r"\.|::|#", told["old"])
        new = re.split(r"\.|::|#", told["new"])[-1]
        place = source.place(told.get("place"))
        if (
            source.syntax is None
            or place is None
            or old == new
            or not _NAME.match(old)
            or not _NAME.match(new)
        ):
            continue
        everywhere = list(occurrences(source.syntax, old))
        inside = [
            o for o in everywhere if source.holds(o.line, o.line + 1) and place.start <= o.line < place.stop
        ]
        if not inside:
            continue
        meant, reasons = _Meaning(source, told, old, owners, inside).read()
        if (
            meant
            and len({o.line for o in everywhere} - {o.line for o in inside})
            and any(o.role is Role.DEFINITION for o in meant)
        ):
            reasons.append(f"`{old}` also stands outside of where it is to be renamed")
        taken = [o for o in occurrences(source.syntax, new) if _collides(o, meant)]
        if taken:
            reasons.append(f"`{new}` is a name already, on line {taken[0].line + 1}")
        if meant:
            return Codemod(_renamed(source, meant, new), tuple(reasons))
    return None


class _Meaning:
    """Which of the places with the name are meant, and what speaks against it."""

    def __init__(
        self, source: Source, told: Told, old: str, owners: Sequence[str], found: list[Occurrence]
    ) -> None:
        self._source, self._told, self._old, self._found = source, told, old, found
        self._kinds = told.kinds.lower()
        definitions = source.named(".".join([*owners, old]))
        self._definitions = [d for d in definitions if any(d.start <= o.line < d.stop for o in found)]

    def read(self) -> tuple[list[Occurrence], list[str]]:
        if any(o.role is Role.IMPORT for o in self._found):
            return self._of_role(Role.IMPORT, *_PLAIN), [
                f"`{self._old}` is imported, so it is named elsewhere"
            ]
        if len(self._definitions) > 1:
            names = " and ".join(d.dotted for d in self._definitions[:3])
            return self._of_role(*Role), [f"`{self._old}` may be {names}"]
        if self._definitions:
            definition = self._definitions[0]
            return self._member(definition) if self._in_class(definition) else self._free()
        if any(o.role in _PLAIN for o in self._found) and not re.search(
            r"attribute|field|propert|member", self._kinds
        ):
            return self._variable()
        return self._attribute()

    def _of_role(self, *roles: Role) -> list[Occurrence]:
        return [o for o in self._found if o.role in roles]

    def _in_class(self, definition: Definition) -> bool:
        around = self._source.named(".".join(definition.path[:-1])) if len(definition.path) > 1 else []
        return any(d.kind not in ("function", "method", "module", "namespace") for d in around)

    def _free(self) -> tuple[list[Occurrence], list[str]]:
        """A function or class outside of all classes: what stands behind a dot is another's."""
        assert self._source.syntax is not None
        meant = [*self._of_role(Role.DEFINITION, Role.USE), *exports(self._source.syntax, self._old)]
        reasons = []
        bound = self._of_role(Role.BINDING)
        if bound:
            reasons.append(f"`{self._old}` is also a variable, on line {bound[0].line + 1}")
        reasons += self._not_others(
            [o for o in self._of_role(Role.MEMBER) if o.owner in (*_OWN, "exports", "module")]
        )
        if self._source.language != "python":
            reasons += self._not_others(self._of_role(Role.KEY))
        return meant, reasons

    def _member(self, definition: Definition) -> tuple[list[Occurrence], list[str]]:
        """A method: what is called on the object itself or on its class."""
        owners = {*_OWN, definition.path[-2]}
        members = self._of_role(Role.MEMBER)
        own = [o for o in members if o.owner in owners]
        bare = self._source.language in ("java", "cpp")
        meant = [*self._of_role(Role.DEFINITION), *own, *(self._of_role(Role.USE) if bare else ())]
        return meant, self._not_others([o for o in members if o not in own])

    def _variable(self) -> tuple[list[Occurrence], list[str]]:
        """A parameter, a variable or a constant: all of it within the one function, or the file, that binds it."""
        plain, reasons = self._of_role(*_PLAIN), list[str]()
        bound = {o.scope for o in plain if o.role is Role.BINDING}
        used = {o.scope for o in plain}
        if not bound:
            reasons.append(f"nothing here says what `{self._old}` is")
        elif len(bound) > 1 and self._told.get("everywhere") is None:
            reasons.append(f"`{self._old}` is a name of its own in {len(bound)} functions")
        elif 0 not in bound and used - bound and self._told.get("place") is None:
            reasons.append(f"`{self._old}` is used where it is not assigned")
        if any(o.in_class for o in plain if o.role is Role.BINDING):
            reasons.append(f"`{self._old}` is an attribute of its class, which may be used elsewhere")
        others = [o for o in self._of_role(Role.MEMBER) if o.owner in _OWN]
        if others and not re.search(r"variable|param|arg|local|constant", self._kinds):
            reasons += self._not_others(others)
        return plain, reasons + self._not_others(self._of_role(Role.KEY))

    def _attribute(self) -> tuple[list[Occurrence], list[str]]:
        members = self._of_role(Role.MEMBER)
        return members, self._not_others([o for o in members if o.owner not in _OWN])

    def _not_others(self, found: Sequence[Occurrence]) -> list[str]:
        if not found:
            return []
        return [f"`{self._old}` on line {found[0].line + 1} may be another's"]


def _collides(taken: Occurrence, meant: Sequence[Occurrence]) -> bool:
    """Whether a place that has the new name already could be confused with those that get it."""
    if taken.role is Role.KEY:
        return False
    return any(_of_an_object(o) == _of_an_object(taken) for o in meant)


def _of_an_object(found: Occurrence) -> bool:
    return found.role is Role.MEMBER or (found.role is Role.DEFINITION and found.in_class)


def _renamed(source: Source, meant: Sequence[Occurrence], new: str) -> tuple[Hunk, ...]:
    places = defaultdict[int, list[Occurrence]](list)
    for occurrence in meant:
        places[occurrence.line].append(occurrence)
    hunks = []
    for number in sorted(places):
        line = source.lines[number]
        for occurrence in sorted(places[number], key=lambda o: -o.start):
            line = line[: occurrence.start] + new + line[occurrence.stop :]
        hunks.append(Hunk(number, number + 1, (line,)))
    return tuple(hunks)
