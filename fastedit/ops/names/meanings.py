"""Whether names mean the same after a block is put around statements."""

from __future__ import annotations

from fastedit.ops.source import Source
from fastedit.source.hunks import Hunk
from fastedit.source.names.names import Names
from fastedit.source.names.site import Role, Site


def check_meanings(source: Source, hunk: Hunk, kept: range, at: int) -> None:
    """Raises OperationRefused where a name that lines `kept` declare would mean another thing after the hunk.

    They stay, but for their indentation, and begin on line `at` of the new text.
    """
    new = source.changed((hunk,))
    if new.syntax.damage > source.syntax.damage:
        return  # which is refused elsewhere, by its line
    added = {*range(hunk.start, at), *range(at + len(kept), hunk.start + len(hunk.lines))}
    for name, rows in source.syntax.identifiers.items():
        if any(row in kept for row in rows):
            old, now = source.names(name), new.names(name)
            if any(may_bind(source, site) and source.row(site.start) in kept for site in old.sites):
                stayed = (site for site in now.sites if new.row(site.start) not in added)
                _check(source, old, now, [*zip(old.sites, stayed, strict=True)], kept)


def may_bind(source: Source, site: Site) -> bool:
    """Whether a place declares its name, or may, in a pattern that is not followed."""
    if site.role is not Role.UNSURE or len(site.steps) < 2:
        return site.binds and site.role is Role.NAME
    return (site.steps[-2].kind, site.steps[-1].field) in source.language.scopes.unsure


def _check(source: Source, old: Names, new: Names, pairs: list[tuple[Site, Site]], kept: range) -> None:
    """Raises OperationRefused where a place of the name would mean another declaration, or see none any more."""
    places = {there.start: here.start for here, there in pairs}
    for site, found in pairs:
        if site.role is not Role.NAME or site.binds:
            continue
        was, row = _bindings(old, site), source.row(site.start)
        now = [places[binding] for binding in _bindings(new, found) if binding in places]
        before, after = set(was), set(now)  # thousands, where a name is assigned as often
        gained, lost = (
            [start for start in now if start not in before],
            [start for start in was if start not in after],
        )
        if not was and row not in kept:
            lost = [s.start for s in old.sites if s.role is Role.UNSURE and source.row(s.start) in kept]
        if gained:
            other = source.number(source.row(gained[0]))
            raise source.refused(f"line {source.number(row)} would mean the `{old.name}` of line {other}")
        # Python has all of a function's assignments in one scope: outside, another of them may do as well.
        if lost and (not now or row in kept):
            other = source.number(source.row(lost[0]))
            said = f"line {source.number(row)} uses `{old.name}` of line {other}"
            raise source.refused(f"{said}, and would not see it any more")


def _bindings(names: Names, site: Site) -> list[int]:
    """Where what a place means is declared: the last time before a use, where the language goes by that."""
    home = names.home(site)
    found = names.binds(home) if home is not None else []
    if home is not None and home.point and not site.binds:
        found = [binding for binding in found if binding.visible <= site.start][-1:]
    return [binding.start for binding in found]
