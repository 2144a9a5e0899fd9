"""Whether lines of the file come a second time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fastedit.check.base import Rule
from fastedit.check.change import WORD, Change, non_blank, short
from fastedit.check.invented import KEYWORDS


def _nothing_again(change: Change) -> Iterator[str]:
    """No line of the file comes a second time, unless the instruction has all of its words."""
    if change.predicted or change.said is None:
        return
    before, after = Counter(non_blank(change.old)), Counter(non_blank(change.new))
    for hunk in change.hunks:
        for text in non_blank(hunk.lines):
            words = set(WORD.findall(text))
            if words and after[text] > before[text] > 0 and not words <= change.said_words | KEYWORDS:
                yield f"{short(text)} is repeated"
                return


RULE = Rule(
    code="FE123",
    name="repeated",
    sentence="No line of the file comes a second time, unless the instruction has all of its words.",
    why="A small model that loses its place copies a line again.",
    example=(" store.load(path)\n+store.load(path)"),
    severity="doubt",
    applies_to=("embedded",),
    check=_nothing_again,
)
