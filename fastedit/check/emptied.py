"""Whether something is left of the file."""

from __future__ import annotations

from collections.abc import Iterator

from fastedit.check.base import Rule
from fastedit.check.change import Change, non_blank


def _something_stays(change: Change) -> Iterator[str]:
    """A file that had text has some still."""
    if change.hunks and non_blank(change.old) and not non_blank(change.new):
        yield "nothing is left of the file"


RULE = Rule(
    code="FE119",
    name="emptied",
    sentence="Something is left of a file that had text.",
    why=(
        "A strong model that means to delete a file takes all of its lines away. The prompt about several files "
        "names the way to delete one; an instruction about one file cannot."
    ),
    example=("-(every line)"),
    severity="wrong",
    applies_to=("strong",),
    check=_something_stays,
)
