"""Whether an update ends where its author ended it."""

from __future__ import annotations

from collections.abc import Iterator

from fastedit.check.base import Rule
from fastedit.check.change import Change, non_blank, short
from fastedit.source.hunks import Hunk
from fastedit.source.outline import without_comment


def _is_complete(change: Change) -> Iterator[str]:
    """The last line is not the beginning of the line of the file that it takes the place of, or stands above, nor the
    last of the file's lines that it came to."""
    yield from _loses_the_end(change)
    last = _last_line(change)
    new = [index for index, hunk in enumerate(change.hunks) if non_blank(hunk.lines)]
    if last is None or not new:
        return
    hunk = change.hunks[new[-1]]
    if non_blank(hunk.lines)[-1] != last or not any(map(str.isalnum, last)):
        return
    for text in non_blank(change.old[hunk.start :])[:1]:
        if text != last and text.startswith(last) and without_comment(text) != last:
            yield f"the update seems to break off at {short(last)}, where the file has {short(text)}"


def _loses_the_end(change: Change) -> Iterator[str]:
    """What a strong model wrote anew, or an update that changes other lines too, ends in the midst of the file.

    Of 6,124 real changes 80 do that: of those that are sure, too many would be answers that were cut off.
    """
    hunk = _lost_end(change)
    if hunk is None or not non_blank(change.new):
        return
    if not (
        change.anew if change.author == "strong" else len(change.hunks) > 1 and _last_line(change) is not None
    ):
        return
    gone = [text for text in change.removed(hunk) if change.count_after(text) < change.count_before(text)]
    if any(any(map(str.isalnum, text)) for text in gone) and not any(map(change.asks_for, gone)):
        last = non_blank(change.new)[-1]
        yield f"the text ends with {short(last)}, and nobody asked to lose what stands below: {short(gone[0])}"


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
        "An update does not end with the beginning of a line of the file nor, if it changes other lines too, before "
        "the file's end."
    ),
    why=(
        "An answer that is cut off ends in the middle of a line, which may parse, or stand in a comment or string, or "
        "after any line, between two definitions too. What is meant to go there, the instruction or a comment names."
    ),
    example=("-# two events at the same time show in\n+# two events at the same t"),
    severity="wrong",
    applies_to=("merge", "literal", "strong"),
    check=_is_complete,
)
