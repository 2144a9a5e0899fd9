"""Whether names mean the same after a block is put around statements."""

from __future__ import annotations

from fastedit.ops.names.lexicon import Lexicon
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
    before, after = Lexicon(source), Lexicon(new)
    for name, rows in source.syntax.identifiers.items():
        if any(row in kept for row in rows):
            old = before.names(name)
            if any(_may_bind(source, site) and source.row(site.start) in kept for site in old.sites):
                moved = {site.start: _moved(source, new, hunk, kept, at, site.start) for site in old.sites}
                _check(source, old, after.names(name), moved, kept)


def _moved(source: Source, new: Source, hunk: Hunk, kept: range, at: int, start: int) -> int:
    """The byte of the new text where what began at byte `start` begins."""
    row = source.row(start)
    if row in kept:
        there = row - kept.start + at
    else:
        there = row if row < hunk.start else row + len(hunk.lines) - (hunk.stop - hunk.start)
    # Lines differ in how they begin alone.
    deeper = len(new.lines[there].encode()) - len(source.lines[row].encode())
    return start - source.start(row) + new.start(there) + deeper


def _may_bind(source: Source, site: Site) -> bool:
    """Whether a place declares its name, or may, in a pattern that is not followed."""
    if site.role is not Role.UNSURE or len(site.steps) < 2:
        return site.binds and site.role is Role.NAME
    return (site.steps[-2].kind, site.steps[-1].field) in source.language.scopes.unsure


def _check(source: Source, old: Names, new: Names, moved: dict[int, int], kept: range) -> None:
    """Raises OperationRefused where a place of the name would mean another declaration, or see none any more."""
    places = {there: start for start, there in moved.items()}
    for site in old.sites:
        found = new.at(moved[site.start])
        if site.role is not Role.NAME or site.binds or found is None:
            continue
        was, row = _bindings(old, site), source.row(site.start)
        now = [places[binding] for binding in _bindings(new, found) if binding in places]
        gained, lost = (
            [start for start in one if start not in other] for one, other in ((now, was), (was, now))
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
