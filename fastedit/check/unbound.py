"""Whether a new line uses a name that nothing gives a meaning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fastedit.check.base import Rule
from fastedit.check.change import Change, ChangedPart
from fastedit.source.imports import imports
from fastedit.source.names.names import Names
from fastedit.source.names.site import Role
from fastedit.source.syntax import Syntax


def _names_are_bound(change: Change) -> Iterator[str]:
    """What new lines read is bound in the file or built in, where the language sees nothing else."""
    if not change.complete or not change.hunks:
        return
    near = _new_names(change.parts)
    if not near:
        return
    parts = change.parts_with([*near, "*"])
    if any(_imports_all(part.new) for part in parts):
        return
    for name in _new_names(parts):
        if (row := _used_at(change, parts, name)) is not None:
            yield f"result line {row + 1} uses {name}, which the file neither imports nor defines"


def _new_names(parts: Sequence[ChangedPart]) -> list[str]:
    """Names that only the new text has and that are not built in; none in a language that may see others."""
    closed = parts[0].new.language.closed if parts else None
    if closed is None:
        return []
    known = closed.union(name for part in parts for name in part.old.identifiers)
    new = dict.fromkeys(name for part in parts for name in part.new.identifiers)
    return [name for name in new if name not in known]


def _imports_all(syntax: Syntax) -> bool:
    return any("*" in line for item in imports(syntax) for line in syntax.lines[item.start : item.stop])


def _used_at(change: Change, parts: Sequence[ChangedPart], name: str) -> int | None:
    """The first new line that reads a name; None where it stands anywhere that could bind it."""
    rows = list[int]()
    for part in parts:
        for site in Names(part.new, name).sites:
            if site.binds or site.declares or site.role in (Role.UNSURE, Role.FOREIGN):
                return None
            if site.role is Role.NAME:
                rows.append(part.new_start + part.new.row(site.start))
    return next((row for row in rows if row in change.new_rows), None)


RULE = Rule(
    code="FE108",
    name="unbound",
    sentence="Each name that new lines read is built in, or imported or defined in the file.",
    why=(
        "The import was forgotten: the file parses, but fails when that line runs. Asked only of languages in which "
        "nothing else gives a name a meaning."
    ),
    example="+    os.replace(scratch, path)\n\n # and no `import os`",
    severity="wrong",
    applies_to=("strong",),
    check=_names_are_bound,
)
