"""The sketch: the model writes the changed lines alone, as blocks of what stands there and what takes its place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fastedit.plan.base import DocumentTask
from fastedit.plan.context import is_whole

BLOCK: Final = """\
<<<<<<< SEARCH
lines of the file, exactly as they stand there
=======
the lines that take their place
>>>>>>> REPLACE"""
FORMAT: Final = f"""\
Answer with SEARCH/REPLACE blocks, one for each place that changes, in the order of the file:

{BLOCK}
"""
FORMAT_OF_SEVERAL: Final = f"""\
Answer with SEARCH/REPLACE blocks, one for each place that changes, each below the path of its file:

{{path}}
{BLOCK}
"""
RULES: Final = """\
- Keep SEARCH short: as few whole lines as make the place unique in the file, mostly one to four, none left out.
- To insert, repeat a line next to the place in both parts. To delete, leave REPLACE empty."""
_MARKS = frozenset({"<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE"})
MARKS: Final = "- Put a backslash before lines of the file that look like these marks, such as `\\=======`."
NEW: Final = "- A new file is one block whose SEARCH is empty."
FILES: Final = """\
- To delete a file, write `*** Delete File: {path}` on a line of its own. To rename one, end the answer with \
`*** Update File: {path}` and below it `*** Move to: ` with its new path; blocks call it by its old one."""
MOST: Final = "- Where most of the file changes, answer with the whole new file in one code fence instead."
MOST_OF_SEVERAL: Final = (
    "- Where most of a file changes, write the whole new file below its path, in one code fence instead."
)

EMPTY: Final = "Answer with the whole new file in one code fence."


def answer_format(task: DocumentTask) -> str:
    if not task.document.text.strip():
        return EMPTY
    most = [MOST] if is_whole(task) and task.stretch is None else []
    return "\n".join([FORMAT, RULES, *_marks((task,)), *most])


def answer_format_of_several(tasks: Sequence[DocumentTask]) -> str:
    """The same where blocks name their files."""
    path = tasks[0].name  # a model may copy the one that it is shown
    asked, files = FORMAT_OF_SEVERAL.format(path=path), FILES.format(path=path)
    return "\n".join([asked, RULES, NEW, files, *_marks(tasks), MOST_OF_SEVERAL])


def _marks(tasks: Sequence[DocumentTask]) -> list[str]:
    return [MARKS] if any(line.strip() in _MARKS for task in tasks for line in task.document.lines) else []
