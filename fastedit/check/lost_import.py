"""Whether an import vanishes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fastedit.check.base import Rule
from fastedit.check.change import Change, ChangedPart
from fastedit.source.definitions import definitions
from fastedit.source.imports import Import, imports
from fastedit.source.names.names import Names
from fastedit.source.names.site import Role, Site
from fastedit.source.syntax import ByteSpan, Syntax

_NEAR = 100  # bytes in front of a name, among which the dot is looked for that it may stand behind


def _imports_stay(change: Change) -> Iterator[str]:
    """No import vanishes that is still used, or that nobody asked to lose."""
    if not change.hunks:
        return
    lost = set[str]()
    for part in change.parts:
        lost |= _import_names(part.old, part.before) - _import_names(part.new, part.after)
    if not lost or not (lost := lost - _kept_names(change.parts)):
        return
    parts = change.parts_with(name.split(".")[0] or name for name in lost)
    kept = _kept_names(parts)
    for part_start, item in [(part.old_start, item) for part in parts for item in imports(part.old)]:
        for name in sorted(item.names - kept):
            root = name.split(".")[0]
            if change.asks_for(name) or any(_is_assigned(part.new, root) for part in parts):
                continue
            # A sketch that lists the imports it has in mind is the usual way to lose one, so that it spells them
            # out is no excuse while the name is in use. Whoever takes all uses of a name away asks for no import of it.
            if root not in kept and any(_uses(part.new, root) for part in parts):
                yield f"the import of {name} vanishes, but {root} is still used"
            elif (
                not change.predicted
                and not any(_uses(part.old, root) for part in parts)
                and not change.leaves_out_line(_line_of(change, part_start, item, name))
            ):
                yield f"the import of {name} vanishes, and nobody asked for that"


def _is_assigned(syntax: Syntax, name: str) -> bool:
    """Whether the file binds a name at its top level."""
    if not syntax.language.has_scopes:
        return False
    return any(
        site.binds and site.role is Role.NAME and len(site.scopes) == 1 for site in Names(syntax, name).sites
    )


def _uses(syntax: Syntax, name: str) -> bool:
    """Whether a text has a name, and not as a member of something else."""
    if not syntax.language.has_scopes or syntax.language.extensions:
        return any(syntax.identifier_nodes(name))
    roles = (Role.NAME, Role.UNSURE, Role.MEMBER)
    sites = (site for site in Names(syntax, name).sites if not site.binds and site.role in roles)
    return any(site.role is not Role.MEMBER or not _is_behind(syntax, site) for site in sites)


def _is_behind(syntax: Syntax, site: Site) -> bool:
    return syntax.data[max(site.start - _NEAR, 0) : site.start].rstrip()[-1:] in (b".", b":", b">")


def _line_of(change: Change, start: int, item: Import, name: str) -> int:
    """The line of the file on which an import names something, where it goes on over several: the first otherwise."""
    last = re.compile(rf"(?<!\w){re.escape(re.split(r'[./:]', name)[-1])}(?!\w)")
    rows = range(start + item.start, start + item.stop)
    return next((row for row in rows if last.search(change.old[row])), rows.start)


def _import_names(syntax: Syntax, within: ByteSpan | None = None) -> set[str]:
    return {name for item in imports(syntax, within) for name in item.names}


def _kept_names(parts: Sequence[ChangedPart]) -> set[str]:
    found = set[str]()
    for part in parts:
        found |= _import_names(part.new) | {definition.name for definition in definitions(part.new)}
    return found


RULE = Rule(
    code="FE112",
    name="import",
    sentence="No import vanishes that is still used, or that nobody asked to lose.",
    why=("An update that lists only the imports it has in mind is the usual way to lose the others."),
    example=("-import os\n import sys"),
    severity="doubt",
    applies_to=(
        "merge",
        "embedded",
    ),
    check=_imports_stay,
)
