"""Whether most of the file stays."""

from __future__ import annotations

from collections.abc import Iterator

from fastedit.check.base import Rule
from fastedit.check.change import Change, non_blank

_SHORT_FILE = 10


def _most_stays(change: Change) -> Iterator[str]:
    """The better part of the file stays, but where the update spells out what takes its place.

    Of what a strong model wrote, only text written anew can have left lines out.
    """
    if change.author == "strong" and not change.anew:
        return
    before = len(change.old) - change.count_before("")
    after = len(change.new) - change.count_after("")
    gone = any(hunk.stop > hunk.start for hunk in change.hunks)
    if before <= _SHORT_FILE or not gone or after >= before / 2:
        return
    told = change.update is not None and all(
        change.spelled_out(index) or change.told_gone.issuperset(range(hunk.start, hunk.stop))
        for index, hunk in enumerate(change.hunks)
    )
    old_size, new_size = (sum(map(len, non_blank(lines))) for lines in (change.old, change.new))
    if not told and new_size < 0.4 * old_size:
        yield f"{before - after} of the file's {before} lines vanish"


RULE = Rule(
    code="FE114",
    name="size",
    sentence="Most of a file stays, unless the update spells out what takes its place.",
    why="A part of a file was taken for all of it.",
    example=("-(400 lines)\n+def load(path): ..."),
    severity="doubt",
    applies_to=("merge", "strong"),
    check=_most_stays,
)
