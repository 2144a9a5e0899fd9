"""Whether a name that is still used is lost."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from fastedit.check.base import Rule
from fastedit.check.change import Change, Part
from fastedit.source.definitions import definitions
from fastedit.source.imports import imports
from fastedit.source.syntax import Syntax


def _lost_names(change: Change) -> Iterator[str]:
    """Nothing that the file imports, defines or gives a value goes while a line that stays uses it, and nothing new has
    its name."""
    if not change.complete or not change.hunks:
        return
    near = [name for name in _gone(change.parts) if not _is_bound(change, name)]
    parts = change.parts_with(near) if near else ()
    for name, kind in _gone(parts).items():
        if _is_bound(change, name):
            continue
        alone = re.compile(rf"(?<![\w$.]){re.escape(name)}(?![\w$])")
        nodes = ((part, node) for part in parts for node in part.new.identifier_nodes(name))
        named = (part.new_start + node.start_point.row for part, node in nodes)
        used = (line for line in named if line not in change.new_rows and alone.search(change.new[line]))
        if (line := next(used, None)) is not None:
            yield f"the {kind} {name} vanishes, but line {line + 1} still uses it"


def _gone(parts: Sequence[Part]) -> dict[str, str]:
    """What the old parts of a file give a name to and the new ones do not, by name."""
    after = {name for part in parts for name in _kept_names(part.new)}
    return {name: kind for part in parts for name, kind in _names(part.old).items() if name not in after}


@lru_cache(maxsize=4)  # each reading of an update is held against the same file
def _names(syntax: Syntax) -> dict[str, str]:
    """The names that the file's imports, variables and outermost definitions bind, and which of these it was."""
    found = {name.split(".")[0]: "import" for item in imports(syntax) for name in item.names}
    found |= dict.fromkeys(_variables(syntax), "variable")
    return found | {item.name: item.kind for item in definitions(syntax) if len(item.path) == 1}


def _kept_names(syntax: Syntax) -> set[str]:
    return _names(syntax).keys() | {item.name for item in definitions(syntax)}


def _variables(syntax: Syntax) -> set[str]:
    """The names that the file's own statements give a value, each alone."""
    fields = syntax.language.variables
    if not (kinds := syntax.known(fields)):
        return set()
    found = (
        node.child_by_field_name(fields[node.type][0])
        for node in syntax.find(" ".join(f"({kind}) @found" for kind in kinds))
        if syntax.lines[node.start_point.row][:1].strip()
    )
    return {syntax.text(name) for name in found if name is not None and name.child_count == 0}


def _is_bound(change: Change, name: str) -> bool:
    """Whether a new line may give the name another meaning: by assignment, or as a parameter."""
    bound = re.compile(rf"(?<![\w$.]){re.escape(name)}\s*(?::|=(?!=)|,|\)|\bas\b)|\bas\s+{re.escape(name)}\b")
    return any(name in line and bound.search(line) for hunk in change.hunks for line in hunk.lines)


RULE = Rule(
    code="FE105",
    name="lost name",
    sentence="No import, definition or variable of the file vanishes while a line that stays uses it.",
    why="The file still parses, but fails when that line runs.",
    example=("-import json\n\n json.loads(text)"),
    severity="wrong",
    applies_to=("merge", "strong"),
    check=_lost_names,
)
