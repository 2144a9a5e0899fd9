"""A way's whole prompt. All ways share their beginning, so that one file is read once whatever is asked of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fastedit.plan import operations, rewrite, sketch
from fastedit.plan.base import Chat, DocumentTask, Way
from fastedit.plan.context import file_part, is_whole
from fastedit.plan.places import places_part
from fastedit.request import LineRange
from fastedit.source.fences import fenced

_SYSTEM: Final = """\
You edit code. You get {given} and an instruction, and answer with the edit that carries the instruction out, in the \
format that is asked for and without explanation.

- Do all that is asked, and nothing that is not: lines that the instruction does not concern stay exactly as they are.
- What the change makes necessary belongs to it: imports, {users}, comments that would no longer be true.
- {bound} is named in one line after the edit, `LEFT OUT: ` and what.
- Write as {writer} does: its names, quotes, indentation, line length and comments.
- Instructions are typed in haste. Read past typos, and where one takes something back, do only what is left of it.

If nothing is to be changed - a question, a condition that does not hold, something that {given_again} not have - \
answer with one line, `NO CHANGE: ` and the reason."""
SYSTEM: Final = _SYSTEM.format(
    given="one file",
    users="callers in this file",
    bound="Only this file can be changed. What another would need, a test file too,",
    writer="the file",
    given_again="the file does",
)
SYSTEM_OF_SEVERAL: Final = _SYSTEM.format(
    given="files of one project",
    users="callers in all of these files",
    bound="Only these files can be changed, and new ones created. What another would need",
    writer="each file",
    given_again="the files do",
)

STRETCH: Final = """\
The file is asked about in stretches. This question is about {lines}: carry the instruction out there, and leave the \
rest of the file as it is, which is asked for on its own. Where nothing in these lines is to be changed, answer \
`NO CHANGE: ` and the reason."""
IMPORTS: Final = "Imports that these lines need are added to those of the file, each on a line of its own."

UNPLACED: Final = """\
These blocks of an edit were not applied, as their SEARCH does not stand in the file, or in several places; all else \
that the edit changes in this file is done. Their author wrote them from memory, or for another version of the file. \
Carry them out where they are meant, and nothing else: take away the lines of the file that theirs stand for, and \
write the lines that they add exactly as they are, but for names that the file has others for. Where it cannot be told \
which place is meant, or they are done already, answer `NO CHANGE: ` and the reason.

The blocks:"""

MORE: Final = """\
If you need lines that are not shown, answer with their numbers alone, such as `LINES: 120-188, 400-431`, and you are \
asked again with them."""

LEFT: Final = """\
That can be applied. It leaves places as they are that may be meant too:

{left}

Answer again, with the whole edit: as it was where none of them is meant, else so that it changes those that are, by \
options of the operations or in SEARCH/REPLACE blocks alone."""

_FORMATS: Final[dict[Way, Callable[[DocumentTask], str]]] = {
    "operations": operations.answer_format,
    "sketch": sketch.answer_format,
    "rewrite": rewrite.answer_format,
}


def question(task: DocumentTask, way: Way) -> Chat:
    """The messages that ask for a task in one way."""
    parts = [
        f"The project's conventions:\n{fenced(task.conventions)}" if task.conventions else "",
        file_part(task),
        places_part(task),
        _update_part(task),
        f"Instruction:\n{task.instruction}" if task.instruction else "",
        bound(task),
        _FORMATS[way](task),
        MORE if can_show_more(task, way) else "",
    ]
    return (("system", SYSTEM), ("user", "\n\n".join(part for part in parts if part)))


def _update_part(task: DocumentTask) -> str:
    """The update, and what it is."""
    if task.unplaced:
        more = task.update.replace(task.unplaced, "").strip() if task.update else ""
        sent = f"An edit of this file was sent:\n{fenced(task.update)}\n\n" if task.update and more else ""
        return sent + unplaced_part(task.unplaced)
    return (
        f"The change, with `...` comments for code that stays:\n{fenced(task.update)}" if task.update else ""
    )


def unplaced_part(blocks: str) -> str:
    """What is asked of the blocks that have no place."""
    return f"{UNPLACED}\n{fenced(blocks)}"


def can_show_more(task: DocumentTask, way: Way) -> bool:
    """Whether the model may ask, once, for lines that the question does not show; a rewrite is of those it shows."""
    return way != "rewrite" and not task.grown and task.stretch is None and not is_whole(task)


def repair(asked: Chat, answer: str, complaint: str) -> Chat:
    """The same question with an answer that will not do and the reason why."""
    again = f"That was not applied:\n\n{complaint}\n\nNothing was changed. Answer again, with the whole edit."
    return _answered(asked, answer, again)


def more_of(asked: Chat, answer: str, left: str) -> Chat:
    """The same question with an answer that can be applied and the places that it leaves, which may be meant too."""
    return _answered(asked, answer, LEFT.format(left=left))


def _answered(asked: Chat, answer: str, again: str) -> Chat:
    said = answer if answer.strip() else "(nothing)"  # an empty message is refused by some servers
    return (*asked, ("assistant", said), ("user", again))


def bound(task: DocumentTask) -> str:
    """Which lines may change, where not all of the file may."""
    if task.stretch is not None:
        text = STRETCH.format(lines=_lines(task, task.stretch))
        return f"{text} {IMPORTS}" if task.scope is None else text
    return "" if task.scope is None else f"Change nothing outside of {_lines(task, task.scope)}."


def _lines(task: DocumentTask, lines: LineRange) -> str:
    text = task.text_of(lines).strip().split("\n")
    return f"lines {lines.start + 1}-{lines.stop}, from `{text[0].strip()}` to `{text[-1].strip()}`"
