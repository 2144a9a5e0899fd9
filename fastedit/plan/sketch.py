"""The sketch: the model writes the changed lines alone, as blocks of what stands there and what takes its place."""

from __future__ import annotations

from typing import Final

from fastedit.plan.base import Wish
from fastedit.plan.context import is_whole

FORMAT: Final = """\
Answer with SEARCH/REPLACE blocks, one for each place that changes, in the order of the file:

<<<<<<< SEARCH
lines of the file, exactly as they stand there
=======
the lines that take their place
>>>>>>> REPLACE

- Keep SEARCH short: as few whole lines as make the place unique in the file, mostly one to four, none left out.
- To insert, repeat a line next to the place in both parts. To delete, leave REPLACE empty."""
_MARKS = frozenset({"<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE"})
MARKS: Final = "- Put a backslash before lines of the file that look like these marks, such as `\\=======`."
MOST: Final = "- Where most of the file changes, answer with the whole new file in one code fence instead."

EMPTY: Final = "Answer with the whole new file in one code fence."


def answer_format(wish: Wish) -> str:
    if not wish.document.text.strip():
        return EMPTY
    parts = [FORMAT]
    if any(line.strip() in _MARKS for line in wish.document.lines):
        parts.append(MARKS)
    if is_whole(wish) and wish.stretch is None:
        parts.append(MOST)
    return "\n".join(parts)
