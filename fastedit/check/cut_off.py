"""Whether an update ends where its author ended it."""

from __future__ import annotations

from collections.abc import Iterator

from fastedit.check.base import Rule
from fastedit.check.change import Change, non_blank, short
from fastedit.source.hunks import Hunk
from fastedit.source.outline import indent_width


def _is_complete(change: Change) -> Iterator[str]:
    """The last line is not the beginning of the line of the file that it takes the place of, or stands above, nor the
    last of the file's lines that a strong model came to, nor in the midst of a block of which the rest goes."""
    yield from _stops_early(change)
    yield from _ends_within_block(change)
    last = _last_line(change)
    new = [index for index, hunk in enumerate(change.hunks) if non_blank(hunk.lines)]
    if last is None or not new:
        return
    hunk = change.hunks[new[-1]]
    if non_blank(hunk.lines)[-1] != last or not any(map(str.isalnum, last)):
        return
    for text in non_blank(change.old[hunk.start :])[:1]:
        if text != last and text.startswith(last):
            yield f"the update seems to break off at {short(last)}, where the file has {short(text)}"


def _stops_early(change: Change) -> Iterator[str]:
    """What a strong model wrote anew ends in the midst of the file, and the instruction names nothing of the rest."""
    hunk = _lost_end(change)
    if change.author != "strong" or not change.anew or hunk is None or not non_blank(change.new):
        return
    gone = [text for text in change.removed(hunk) if change.count_after(text) < change.count_before(text)]
    if any(any(map(str.isalnum, text)) for text in gone) and not any(map(change.asks_for, gone)):
        last = non_blank(change.new)[-1]
        yield f"the text ends with {short(last)}, and nobody asked to lose what stands below: {short(gone[0])}"


def _ends_within_block(change: Change) -> Iterator[str]:
    """What changes other lines too ends in the midst of a block, and all below goes: of 5,866 real changes three do."""
    hunk, old = _lost_end(change), change.old
    if change.author != "merge" or len(change.hunks) < 2 or hunk is None or _last_line(change) is None:
        return
    kept = next((old[row] for row in range(hunk.start - 1, -1, -1) if old[row].strip()), None)
    gone = next((row for row in range(hunk.start, hunk.stop) if old[row].strip()), None)
    if kept is None or gone is None or gone in change.told_gone:
        return
    if indent_width(old[gone]) >= max(indent_width(kept), 1):
        yield f"the text ends with {short(kept)}, in the midst of a block, and {short(old[gone])} below it goes"


def _lost_end(change: Change) -> Hunk | None:
    """The last hunk, where it takes away all that the file has from there on."""
    hunk = change.hunks[-1] if change.hunks else None
    return None if hunk is None or non_blank(hunk.lines) or non_blank(change.old[hunk.stop :]) else hunk


def _last_line(change: Change) -> str | None:
    """What was written ends with this line; None where it ends with a marker, or nothing tells where."""
    if change.update is not None and change.update.lines:
        written = [line for line in change.update.lines if line.text.strip()]
        return None if not written or written[-1].marker else written[-1].text.strip()
    return next(reversed(non_blank(change.new)), None) if change.anew else None


RULE = Rule(
    code="FE116",
    name="cut off",
    sentence=(
        "An update does not end with the beginning of a line of the file or in the midst of a block, nor a rewrite "
        "before the file's end."
    ),
    why=(
        "An answer that is cut off ends in the middle of a line, which may parse, or stand in a comment or string. A "
        "strong model that rewrites a file may stop after any line; what it means to lose there, the instruction names."
    ),
    example=("-# two events at the same time show in\n+# two events at the same t"),
    severity="wrong",
    applies_to=("merge", "literal", "strong"),
    check=_is_complete,
)
