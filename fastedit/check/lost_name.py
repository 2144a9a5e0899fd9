"""Whether a name that is still used is lost."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fastedit.check.base import Rule
from fastedit.check.change import Change
from fastedit.source.definitions import definitions
from fastedit.source.imports import imports
from fastedit.source.syntax import Syntax


def _lost_names(change: Change) -> Iterator[str]:
    """Nothing that the file imports, defines or gives a value goes while a line that stays uses it, and nothing new has
    its name."""
    old, new = change.old_syntax, change.new_syntax
    if not change.complete or not change.hunks or old is None or new is None:
        return
    before = {name.split(".")[0]: "import" for item in imports(old) for name in item.names}
    before |= dict.fromkeys(_variables(old), "variable")
    before |= {item.name: item.kind for item in definitions(old) if len(item.path) == 1}
    after = {name.split(".")[0] for item in imports(new) for name in item.names}
    after |= {item.name for item in definitions(new)} | _variables(new)
    for name, kind in before.items():
        if name in after or _is_bound(change, name):
            continue
        alone = re.compile(rf"(?<![\w$.]){re.escape(name)}(?![\w$])")
        used = (line for line in new.identifiers.get(name, ()) if line not in change.new_rows)
        if (line := next((row for row in used if alone.search(change.new[row])), None)) is not None:
            yield f"the {kind} {name} vanishes, but line {line + 1} still uses it"


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
    return any(bound.search(line) for hunk in change.hunks for line in hunk.lines)


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
