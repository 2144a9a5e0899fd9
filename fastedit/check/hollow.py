"""Whether a key of YAML keeps what stands below it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fastedit.check.base import Reason, Rule
from fastedit.check.change import Change, short
from fastedit.source.language import notation_in
from fastedit.source.languages import named
from fastedit.source.outline import is_comment
from fastedit.source.update import Update


def _keys_keep_their_entries(change: Change) -> Iterator[Reason]:
    """No key that had lines of its own below it is left without any, unless the update shows it so."""
    notation = named(notation_in(change.document))
    if change.update is None or notation.is_code or notation.prose:
        return
    for hunk, start in zip(change.hunks, change.starts, strict=True):
        row = next((at for at in range(hunk.start - 1, -1, -1) if _says_something(change.old[at])), None)
        if row is None or not _holds(change.old, row) or _holds(change.new, start - hunk.start + row):
            continue
        text = change.old[row].strip()
        if text.endswith(":") and not _is_shown_bare(change.update, text):
            yield Reason(f"nothing is left below {short(text)}, and the update does not show that")


def _says_something(line: str) -> bool:
    return bool(line.strip()) and not is_comment(line)


def _holds(lines: Sequence[str], row: int) -> bool:
    """Whether what stands below a line is deeper than its key, or a list at the depth of that."""
    below = next((lines[at] for at in range(row + 1, len(lines)) if _says_something(lines[at])), "")
    key = len(lines[row]) - len(lines[row].lstrip(" -"))
    begins = len(below) - len(below.lstrip(" "))
    return begins > key or (begins == key and below.lstrip().startswith("- "))


def _is_shown_bare(update: Update, key: str) -> bool:
    """Whether the update has this key with nothing below it."""
    shown = [row for row, line in enumerate(update.lines) if line.text.strip() == key]
    return any(
        not (_holds(update.texts, row) or any(line.marker for line in update.lines[row + 1 : row + 2]))
        for row in shown
    )


RULE = Rule(
    code="FE126",
    name="hollow",
    sentence="No key that has lines of its own below it is left without any, unless the update shows it so.",
    why="A new key that comes in between takes them: what they belonged to is still there, and empty.",
    example=" jobs:\n   test:\n+  docs:\n     steps:\n       - run: make",
    severity="wrong",
    applies_to=("merge",),
    check=_keys_keep_their_entries,
)
