"""Whether a method is lost that its class still calls."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fastedit.check.base import Reason, Rule
from fastedit.check.change import Change, ChangedPart
from fastedit.source.definitions import Definition, definitions
from fastedit.source.names.names import Names
from fastedit.source.names.site import Role, Site
from fastedit.source.syntax import Syntax

# The object of the class around, and what stands between it and its member.
_OWN = re.compile(rb"(?<![\w$.>:)\]])(?:this|self|Self|\$this|cls|static)\s*(?:[?!]?\.|\??->|::)\s*\Z")
_BEHIND = (b".", b":", b">")  # what stands between another object and its member ends so
_NEAR = 100  # bytes in front of a name


def _methods_stay(change: Change) -> Iterator[Reason]:
    """No method goes whose name nothing else in the file is given, and which a line of its class calls."""
    if (
        not change.complete
        or not change.hunks
        or not change.parts
        or not change.parts[0].old.language.has_scopes
    ):
        return
    gone = {item.path: row for item, row in _gone(change)}
    if not gone:
        return
    parts = change.parts_with({path[-1] for path in gone})
    for path, row in gone.items():
        used = _used_at(change, parts, path)
        if used is not None:
            phrase = f"the method {'.'.join(path)} vanishes, but result line {used + 1} still calls it"
            yield Reason(phrase, lost=((row, path[-1]),))


def _gone(change: Change) -> Iterator[tuple[Definition, int]]:
    """The definitions within others that no definition of their name takes the place of, each with its line."""
    kept = {item.name for part in change.parts for item in definitions(part.new)}
    for part in change.parts:
        for item in definitions(part.old):
            if len(item.path) > 1 and item.name not in kept:
                yield item, part.old_start + item.header


def _used_at(change: Change, parts: Sequence[ChangedPart], path: tuple[str, ...]) -> int | None:
    """The first line of the result that calls the method on its own object; None where anything may bind its name."""
    found = None
    for part in parts:
        bare = part.new.language.scopes.bare
        names = Names(part.new, path[-1])
        for site in names.sites:
            row = part.new_start + part.new.row(site.start)
            if site.binds or site.declares or site.role is Role.FOREIGN:
                return None
            if found is None and _stands_in(site, path[:-1]) and _calls(part.new, site, bare):
                found = row
    return found


def _stands_in(site: Site, path: tuple[str, ...]) -> bool:
    """Whether a place is in the definition of this path."""
    return tuple(name for scope in site.scopes for name in scope.names)[: len(path)] == path


def _calls(syntax: Syntax, site: Site, bare: bool) -> bool:
    """Whether a place names a member of the object around it: on that, or in a call without one."""
    before = syntax.data[max(site.start - _NEAR, 0) : site.start]
    if site.role not in (Role.MEMBER, Role.NAME):
        return False
    called = syntax.data[site.stop : site.stop + 1] in (b"(", b"<")
    return _OWN.search(before) is not None or (bare and called and before.rstrip()[-1:] not in _BEHIND)


RULE = Rule(
    code="FE125",
    name="lost method",
    sentence="No method vanishes while a line of its class still calls it.",
    why="A file that is sent anew easily forgets one, which fails when that line runs.",
    example=" class Store:\n     def load(self):\n         self.clean()\n-    def clean(self): ...",
    severity="wrong",
    applies_to=("merge", "strong"),
    check=_methods_stay,
)
