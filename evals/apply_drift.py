"""Files that changed between the reading of a file and the edit of it: real changes of the same file, or made ones.

The author knows the file without those changes; what is wanted has them and the edit. *Far* changes leave the context
of the edit alone, *near* ones are within it, with at least one line between them and the edit.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from evals.apply_blocks import FileEdit, as_seen, lines_of
from fastedit.source.hunks import Hunk, changed_lines, diff_lines

CONTEXT = 3
FAR = 2 * CONTEXT + 1  # lines between an edit and a change that none of its context meets


@dataclass(frozen=True, slots=True)
class Drifted:
    """What the author saw and wanted, the file as it is now, and the file as it should become."""

    edit: FileEdit
    now: str
    wanted: str


def clean(edit: FileEdit) -> Drifted:
    return Drifted(edit, edit.old, edit.new)


def far(edit: FileEdit, chance: random.Random) -> Drifted | None:
    """Half of the real changes came first, as far as they are apart from the others; else a made one."""
    hunks = _hunks(edit)
    theirs = [hunk for hunk in hunks if chance.random() < 0.5]
    mine = [hunk for hunk in hunks if hunk not in theirs] or theirs[:1]
    theirs = [hunk for hunk in theirs if hunk not in mine and _gap(hunk, mine) >= FAR]
    if not theirs:
        mine = hunks
        places = [row for row in range(len(lines_of(edit.old))) if _gap(Hunk(row, row + 1, ()), mine) >= FAR]
        theirs = [_made(edit, chance.choice(places), chance)] if places else []
    return _drifted(edit, mine, theirs)


def near(edit: FileEdit, chance: random.Random) -> Drifted | None:
    """A real change in the context of the edit came first; else a made one."""
    hunks = _hunks(edit)
    for theirs in chance.sample(hunks, len(hunks)):
        mine = [hunk for hunk in hunks if hunk is not theirs]
        if mine and 1 <= _gap(theirs, mine) < CONTEXT:
            return _drifted(edit, mine, [theirs])
    places = [
        row for row in range(len(lines_of(edit.old))) if 1 <= _gap(Hunk(row, row + 1, ()), hunks) < CONTEXT
    ]
    return _drifted(edit, hunks, [_made(edit, chance.choice(places), chance)] if places else [])


def _hunks(edit: FileEdit) -> list[Hunk]:
    return list(diff_lines(lines_of(edit.old), lines_of(edit.new)))


def _gap(hunk: Hunk, others: Sequence[Hunk]) -> int:
    """The lines between a hunk and the nearest of others; less than 0 where they overlap."""
    return min(max(other.start - hunk.stop, hunk.start - other.stop) for other in others)


def _made(edit: FileEdit, row: int, chance: random.Random) -> Hunk:
    """One line inserted, removed or changed at a row, with text of the same file."""
    lines = lines_of(edit.old)
    line, other = lines[row], chance.choice(lines)
    match chance.randrange(3):
        case 0:
            return Hunk(row, row + 1, (line, f"{other} # {row}" if other in (line, "") else other))
        case 1:
            return Hunk(row, row + 1, ())
    return Hunk(
        row,
        row + 1,
        (re.sub(r"\w+", lambda word: f"{word[0]}_{row}", line, count=1) + ("" if line else "#"),),
    )


def _drifted(edit: FileEdit, mine: Sequence[Hunk], theirs: Sequence[Hunk]) -> Drifted | None:
    """None where nothing drifts."""
    lines, end = lines_of(edit.old), "\n" if edit.old.endswith("\n") else ""
    both = sorted([*mine, *theirs], key=lambda hunk: hunk.start)
    old, new, now, wanted = (
        "\n".join(changed_lines(lines, hunks)) + end for hunks in ([], mine, theirs, both)
    )
    if not theirs or old == now or new == old or wanted == now:
        return None
    return Drifted(FileEdit(edit.path, as_seen(old), new), now, wanted)
