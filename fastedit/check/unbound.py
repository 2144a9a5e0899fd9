"""Whether a new line uses a name that nothing gives a meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set

from tree_sitter import Node

from fastedit.check.base import Rule
from fastedit.check.change import WORD, Change, ChangedPart
from fastedit.source.imports import imports
from fastedit.source.names.names import Names, sites_within
from fastedit.source.names.site import Role, Site
from fastedit.source.syntax import Syntax


def names_are_bound(change: Change) -> Iterator[str]:
    """What new lines read is bound in the file or built in, where the language sees nothing else."""
    if not change.complete or not change.hunks:
        return
    near = _unbound(change, change.parts)
    if not near:
        return
    for name, row in _unbound(change, change.parts_with([*near, "*"])).items():
        yield f"result line {row + 1} uses {name}, which the file neither imports nor defines"


def _unbound(change: Change, parts: Sequence[ChangedPart]) -> dict[str, int]:
    """Names that only the new text has and that nothing in these parts gives a meaning, each with the first line that
    reads it; none in a language whose other files may do that."""
    own = parts[0].new.language.own if parts else None
    if own is None:
        return {}
    known = {name for part in parts for name in part.old.identifiers}
    new = dict.fromkeys(name for part in parts for name in part.new.identifiers if name not in known)
    opened = {key for part in parts for key in _open_scopes(part.new)} if new else set()
    read = ((name, _used_at(change, parts, name, opened, own)) for name in new)
    return {name: row for name, row in read if row is not None}


def _open_scopes(syntax: Syntax) -> Iterator[int]:
    """The keys of the scopes into which an import brings names that it does not say."""
    for item in imports(syntax):
        if any("*" in line for line in syntax.lines[item.start : item.stop]):
            within = syntax.starts[item.start], syntax.starts[item.stop]
            yield from (site.scope.key for site in sites_within(syntax, *within))


def _used_at(
    change: Change, parts: Sequence[ChangedPart], name: str, opened: Set[int], own: Callable[[Node], bool]
) -> int | None:
    """The first new line that reads a name; None where it stands anywhere that could bind it, or sees more than the
    file."""
    rows = list[int]()
    for part in parts:
        for site in Names(part.new, name).sites:
            if site.binds or site.declares or site.role in (Role.UNSURE, Role.FOREIGN):
                return None
            if site.role is Role.STRING and _is_imported(part.new, site, name):
                return None
            if site.role is Role.NAME:
                if any(scope.key in opened for scope in site.scopes) or not own(site.steps[-1].node):
                    return None
                rows.append(part.new_start + part.new.row(site.start))
    return next((row for row in rows if row in change.new_rows), None)


def _is_imported(syntax: Syntax, site: Site, name: str) -> bool:
    """Whether the path in an import may name what it brings so."""
    row = syntax.row(site.start)
    said = (text for item in imports(syntax) if item.start <= row < item.stop for text in item.names)
    return any(name in WORD.findall(text) for text in said)


RULE = Rule(
    code="FE108",
    name="unbound",
    sentence="Each name that new lines read is built in, or imported or defined in the file.",
    why=(
        "The import was forgotten: the file parses, but fails when that line runs, or does not compile. Asked only "
        "where the language lets no other file give the name a meaning."
    ),
    example="+    os.replace(scratch, path)\n\n # and no `import os`",
    severity="wrong",
    applies_to=("strong",),
    check=names_are_bound,
)
