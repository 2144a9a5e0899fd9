"""Whether a name that is still used is lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from typing import NamedTuple
from weakref import WeakKeyDictionary

from fastedit.check.base import Reason, Rule
from fastedit.check.change import Change, ChangedPart
from fastedit.source.definitions import definitions
from fastedit.source.imports import IMPORT_LINE, imports
from fastedit.source.names.names import Names, sites_within
from fastedit.source.names.site import Role, Scope, Site
from fastedit.source.syntax import Syntax

_ALL = re.compile(rf"(?:{IMPORT_LINE.pattern}).*\*(?!\s+as\b)")  # `import * as a` says which name it brings
_LOOPS = ("for_statement", "while_statement")  # in which what stands below runs before as well


_Scopes = tuple[tuple[str, tuple[str, ...]], ...]


class _Binding(NamedTuple):
    """A name that a line binds, and where: in which scope, by the kinds and names of those around it."""

    name: str
    scopes: _Scopes

    @property
    def is_of_file(self) -> bool:
        return len(self.scopes) == 1

    @property
    def is_of_function(self) -> bool:
        """Whether what is around it alone may bind it: a name of the file may be one of the language too."""
        return not self.is_of_file and not self.is_in_block

    @property
    def is_in_block(self) -> bool:
        """Whether it cannot be told from another one of the same name by these."""
        return any(kind == "block" for kind, _ in self.scopes)


class _Remembered:
    """What is known of a text that several changes may be made to."""

    def __init__(self) -> None:
        self.names: dict[str, Names] = {}
        self.bindings: dict[int, list[tuple[_Binding, Site]]] = {}  # by line


_remembered: WeakKeyDictionary[Syntax, _Remembered] = WeakKeyDictionary()


def _known_of(syntax: Syntax) -> _Remembered:
    return _remembered.setdefault(syntax, _Remembered())


def _names_before(syntax: Syntax, name: str) -> Names:
    """A name in a text that several changes may be made to."""
    known = _known_of(syntax).names
    if name not in known:
        known[name] = Names(syntax, name)
    return known[name]


class _KnownNames:
    """What a name means in the parts of the file, before or after, as `read` tells it of one."""

    def __init__(
        self, syntaxes: Sequence[Syntax], name: str, read: Callable[[Syntax, str], Names] = Names
    ) -> None:
        self._syntaxes, self._name, self._read = syntaxes, name, read

    @cached_property
    def parts(self) -> list[tuple[Syntax, Names]]:
        return [(syntax, self._read(syntax, self._name)) for syntax in self._syntaxes]

    @cached_property
    def in_file(self) -> bool:
        return any(
            _binds(syntax, site) and len(site.scopes) == 1
            for syntax, names in self.parts
            for site in names.sites
        )

    def is_bound(self, part: int, site: Site | None) -> bool:
        """Whether the text binds what a place uses."""
        if site is None or site.role is not Role.NAME:
            return False
        syntax, names = self.parts[part]
        home = names.home(site)
        if home is None or not (bound := names.binds(home)):
            return self.in_file
        return not _runs_in_order(syntax, site, home) or any(_is_before(binding, site) for binding in bound)


def _lost_names(change: Change) -> Iterator[Reason]:
    """No use stays without the binding that its name had, be it of a function, a block or the file, and no new line
    uses a name whose binding goes."""
    if not change.complete or not change.hunks:
        return
    parts = change.parts
    if not parts or not parts[0].old.language.has_scopes:
        return
    gone = [found for part in parts for found in _removed(change, part)]
    far = {found.binding.name for found in gone if found.binding.is_of_file}
    parts = change.parts_with(far) if far else parts
    for name, kind in {found.binding.name: found.kind for found in gone}.items():
        held = [
            found.binding.scopes
            for found in gone
            if found.binding.name == name and found.binding.is_of_function
        ]
        row = _lost_at(change, parts, name, held)
        if row is not None and not _brings_more(change, parts, of_file=name in far):
            rows = tuple((found.row, name) for found in gone if found.binding.name == name)
            yield Reason(f"the {kind} {name} vanishes, but result line {row + 1} still uses it", lost=rows)


class _Removed(NamedTuple):
    """What a line of the file binds that goes, and what that is."""

    binding: _Binding
    kind: str
    row: int


def _removed(change: Change, part: ChangedPart) -> Iterator[_Removed]:
    """What lines bind that go and no new line in their place does."""
    for hunk, start in zip(change.hunks, change.starts, strict=True):
        old = _bindings_before(part.old, hunk.start - part.old_start, hunk.stop - part.old_start)
        first = start - part.new_start
        new = dict(_bindings(part.new, first, first + len(hunk.lines))) if old else {}
        for binding, site in old.items():
            if binding not in new or binding.is_in_block:
                yield _Removed(binding, _kind(part.old, site), part.old_start + part.old.row(site.start))


def _bindings_before(syntax: Syntax, first: int, last: int) -> dict[_Binding, Site]:
    """Those on these lines of a text that several changes may be made to."""
    known = _known_of(syntax).bindings
    rows = range(max(first, 0), min(last, len(syntax.lines)))
    if any(row not in known for row in rows):
        known |= {row: [] for row in rows}
        for binding, site in _bindings(syntax, rows.start, rows.stop):
            known[syntax.row(site.start)].append((binding, site))
    return dict(found for row in rows for found in known[row])


def _scopes(site: Site) -> _Scopes:
    return tuple((scope.kind, scope.names) for scope in site.scopes)


def _bindings(syntax: Syntax, first: int, last: int) -> Iterator[tuple[_Binding, Site]]:
    """Those on these lines, as far as the text has them."""
    if 0 <= first < last < len(syntax.starts):
        for site in sites_within(syntax, syntax.starts[first], syntax.starts[last]):
            if _binds(syntax, site):
                yield _Binding(_name(syntax, site), _scopes(site)), site


def _lost_at(change: Change, parts: Sequence[ChangedPart], name: str, held: Sequence[_Scopes]) -> int | None:
    """The first line that uses the name, which the old text binds there and the new one does not. New lines count in
    the functions and classes whose scopes `held` are, which bound it, and in place of lines that used it."""
    before = _KnownNames([part.old for part in parts], name, _names_before)
    after = _KnownNames([part.new for part in parts], name)

    @cache
    def used_in(at: int, lines: range) -> bool:
        """Whether one of these lines of the file, which are those of a hunk, used what the old text binds."""
        old, first = parts[at].old, parts[at].old_start
        sites = (site for site in before.parts[at][1].sites if first + old.row(site.start) in lines)
        return any(not site.binds and before.is_bound(at, site) for site in sites)

    uses = [(at, site) for at, (_, names) in enumerate(after.parts) for site in names.sites]
    rows = [parts[at].new_start + parts[at].new.row(site.start) for at, site in uses]
    scopes = parts[0].new.language.scopes
    for (_, site), row in zip(uses, rows, strict=True):
        new = row in change.new_rows and site.role is Role.UNSURE
        if new or (site.binds and scopes.bare and site.role is Role.MEMBER):
            return None  # may bind it
    for (at, site), row in zip(uses, rows, strict=True):
        if site.binds or site.role is not Role.NAME or after.is_bound(at, site):
            continue
        part, old_row = parts[at], change.old_row(row)
        if old_row is None:
            around = _scopes(site)
            if any(around[: len(bound)] == bound for bound in held) or used_in(at, change.went_for(row)):
                return row
            continue
        column = site.start - part.new.starts[row - part.new_start]
        was = before.parts[at][1].at(part.old.starts[old_row - part.old_start] + column)
        if before.is_bound(at, was):
            return row
    return None


def _runs_in_order(syntax: Syntax, site: Site, home: Scope) -> bool:
    """Whether a place runs after what stands above it in its function, and before what stands below."""
    by_functions = syntax.language.scopes.rules == "functions"
    in_order = by_functions and home.kind == "function" and home.key == site.scope.key
    return in_order and site.around(*_LOOPS) is None


def _is_before(binding: Site, site: Site) -> bool:
    """Whether a name is bound when a place below is reached: `a = f(a)` uses it first."""
    assignment = binding.around("assignment")
    left = assignment.child_by_field_name("left") if assignment is not None else None
    if assignment is None or left is None or left.end_byte < binding.stop:
        return binding.start <= site.start
    return assignment.end_byte <= site.start


def _brings_more(change: Change, parts: Sequence[ChangedPart], *, of_file: bool) -> bool:
    """Whether an import brings names that it does not say: a new one, or for a name of the file any."""
    lines = change.new if of_file else [line for hunk in change.hunks for line in hunk.lines]
    if any("*" in line and _ALL.match(line) for line in lines):
        return True
    return any(
        part.new_start + item.start in change.new_rows and not all(map(str.isidentifier, item.names))
        for part in parts
        for item in imports(part.new)
    )


def _binds(syntax: Syntax, site: Site) -> bool:
    """Whether a place gives its name a meaning: so may `import a.b`, and what is imported by a path or a string."""
    if site.role in (Role.NAME, Role.UNSURE) or len(site.scopes) > 1:
        return site.binds and site.role is not Role.MEMBER
    row, name = syntax.row(site.start), _name(syntax, site)
    return any(item.start <= row < item.stop and name in item.names for item in imports(syntax))


def _name(syntax: Syntax, site: Site) -> str:
    return syntax.data[site.start : site.stop].decode()


def _kind(syntax: Syntax, site: Site) -> str:
    """What it is that a place binds."""
    row, name = syntax.row(site.start), _name(syntax, site)
    if any(item.start <= row < item.stop for item in imports(syntax)):
        return "import"
    holders = (item for item in definitions(syntax) if item.start <= row < max(item.body, item.header + 1))
    kinds = (item.kind for item in holders if item.name == name)
    return next(kinds, "parameter" if site.parameter else "variable")


RULE = Rule(
    code="FE105",
    name="lost name",
    sentence="No import, definition, parameter or variable vanishes while a line still uses it.",
    why="The file still parses, but fails when that line runs.",
    example=("-import json\n\n json.loads(text)"),
    severity="wrong",
    applies_to=("merge", "strong"),
    check=_lost_names,
)
