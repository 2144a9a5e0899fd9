"""What is held against a change that a strong model wrote: that it breaks the file, and nothing else.

Of names, wording and style such a model knows more than a rule does. Each objection has a code; docs/models.md says how
many real changes each one would hold back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from fastedit.edit.change import Change
from fastedit.edit.checks import MERGE_CHECKS, Objection
from fastedit.edit.definitions import definitions
from fastedit.edit.document import Document
from fastedit.edit.hunks import Hunk
from fastedit.edit.imports import imports
from fastedit.edit.request import LineRange
from fastedit.edit.update import Update

CODES: Final = {
    "syntax": "FE101",
    "data": "FE102",
    "marker": "FE103",
    "code": "FE104",
    "lost name": "FE105",
    "scope": "FE106",
    "definition": "FE107",
}
_SHARED = ("syntax", "data", "marker", "code")  # with what is held against a merge


def check_written(
    document: Document,
    hunks: Sequence[Hunk],
    instruction: str | None,
    scope: LineRange | None = None,
    *,
    leaves_out: bool = False,
    complete: bool = True,
) -> tuple[Objection, ...]:
    """Why the change may be wrong. `scope` is all that was to change, None for the whole file.

    `leaves_out`: the model wrote text anew, so that what went may have been forgotten. One that is not `complete` is a
    part of the change: whether a name is lost, the rest may tell.
    """
    # An empty update: nothing says of any line that it is meant to go into the file as it stands.
    change = Change(document, hunks, instruction, Update(()))
    kinds = (*_SHARED, "definition") if leaves_out and not _renames(change) else _SHARED
    found = [(kind, reason) for kind in kinds for reason in MERGE_CHECKS[kind](change)]
    if complete:
        found += [("lost name", reason) for reason in _lost_names(change)]
    found += [("scope", reason) for reason in _outside(change, scope)]
    return tuple(Objection(kind, f"{reason} ({CODES[kind]})") for kind, reason in dict.fromkeys(found))


def _renames(change: Change) -> bool:
    """Whether as many definitions are there as before, so that one which goes has another name now."""
    old, new = change.old_syntax, change.new_syntax
    return old is None or new is None or len(definitions(old)) == len(definitions(new))


def _lost_names(change: Change) -> Iterator[str]:
    """Nothing that the file imports or defines goes while a line that stays uses it, and nothing new has its name."""
    old, new = change.old_syntax, change.new_syntax
    if not change.hunks or old is None or new is None:
        return
    before = {name.split(".")[0]: "import" for item in imports(old) for name in item.names}
    before |= {item.name: item.kind for item in definitions(old) if len(item.path) == 1}
    after = {name.split(".")[0] for item in imports(new) for name in item.names}
    after |= {item.name for item in definitions(new)}
    for name, kind in before.items():
        if name in after or _is_bound(change, name):
            continue
        alone = re.compile(rf"(?<![\w$.]){re.escape(name)}(?![\w$])")
        used = (line for line in new.identifiers.get(name, ()) if line not in change.new_rows)
        if (line := next((row for row in used if alone.search(change.new[row])), None)) is not None:
            yield f"the {kind} {name} vanishes, but line {line + 1} still uses it"


def _is_bound(change: Change, name: str) -> bool:
    """Whether a new line may give the name another meaning: by assignment, or as a parameter."""
    bound = re.compile(rf"(?<![\w$.]){re.escape(name)}\s*(?::|=(?!=)|,|\)|\bas\b)|\bas\s+{re.escape(name)}\b")
    return any(bound.search(line) for hunk in change.hunks for line in hunk.lines)


def _outside(change: Change, scope: LineRange | None) -> Iterator[str]:
    for hunk in change.hunks:
        if scope is not None and not (scope.start <= hunk.start and hunk.stop <= scope.stop):
            yield f"line {hunk.start + 1} changes, which is outside of what --symbol or --lines name"
            return
