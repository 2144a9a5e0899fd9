"""What an answer says beside its edits: words may take one of them back, or offer another one in its place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fastedit.errors import UnreadableAnswer
from fastedit.formats.base import IsFile
from fastedit.formats.fences import OPENING
from fastedit.formats.search_replace_paths import names_alone, path_alone
from fastedit.plan.answer import AGAIN, declined, short

_WORDS = re.compile(r"[^\W\d_]")
_TAGS = re.compile(r"\s*(?:</?[A-Za-z_][^<>]*>\s*)+")


def why_open(text: str, edits: Sequence[range], is_file: IsFile) -> str:
    """Why it is open which of its edits an answer means, of which these are the lines; empty where all are meant. Words
    before or after them all may explain, and so are no reason.

    Raises UnreadableAnswer for one that would change nothing as well.
    """
    if not edits:
        return ""  # no format tells where they stand
    lines = text.split("\n")
    taken = {row for rows in edits for row in rows}
    others = [row for row in range(len(lines)) if row not in taken]
    if (why := next((why for row in others if (why := declined(lines[row])) is not None), None)) is not None:
        raise UnreadableAnswer(f"the model's answer says NO CHANGE ({short(why)}) and has an edit; {AGAIN}")
    first, last = min(rows.stop for rows in edits), max(rows.start for rows in edits)
    said = next((lines[row] for row in others if first <= row < last and _says(lines[row], is_file)), None)
    if said is None:
        return ""
    return (
        f"the model's answer has words between its edits (`{short(said)}`), which may take one back or offer a choice; "
        "send the edits that are meant, and nothing between them"
    )


def _says(line: str, is_file: IsFile) -> bool:
    """Whether a line is more than marks, tags and the name of a file."""
    if not _WORDS.search(line) or OPENING.fullmatch(line) or _TAGS.fullmatch(line):
        return False
    return path_alone(line) is None and not any(map(is_file, names_alone(line)))
