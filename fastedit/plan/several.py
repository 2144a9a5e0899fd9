"""One question about several files: those that may change, and those that are only to be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from fastedit.errors import TooLong
from fastedit.plan import operations, sketch
from fastedit.plan.base import Chat, DocumentTask, Way, tokens_of
from fastedit.plan.context import file_part, is_whole
from fastedit.plan.places import places_part
from fastedit.plan.question import SYSTEM_OF_SEVERAL
from fastedit.plan.stretches import LEAST
from fastedit.source.fences import fenced

BUDGET: Final = 32_000  # tokens of all files in a question
MOST: Final = 8_000  # of one of them
CONTEXT: Final = "What follows is only to be read, and cannot be changed."
MORE: Final = """\
If you need lines that are not shown, answer with their numbers alone, a line for each file, such as \
`LINES: {path} 120-188, 400-431`, and you are asked again with them."""

_FORMATS: Final[dict[Way, Callable[[Sequence[DocumentTask]], str]]] = {
    "operations": operations.answer_format_of_several,
    "sketch": sketch.answer_format_of_several,
}


@dataclass(frozen=True, slots=True)
class Several:
    """What a model is to do with several documents, each a task with its places: `files` may change, `context` may not.
    `conventions` and `grown` are as in `DocumentTask`."""

    instruction: str
    files: tuple[DocumentTask, ...]
    context: tuple[DocumentTask, ...] = ()
    conventions: str = ""
    grown: bool = False

    @property
    def shown(self) -> tuple[DocumentTask, ...]:
        return (*self.files, *self.context)


def shared(several: Several, budget: int = BUDGET) -> Several:
    """The files with their parts of the budget: short ones are shown whole, and longer ones share what is left.

    Raises TooLong where that is too little to tell a file by.
    """
    sizes = {task.name: tokens_of(task.document.text) for task in several.shown}
    ranked = sorted(several.shown, key=lambda task: sizes[task.name])
    parts, left = dict[str, int](), budget
    for number, task in enumerate(ranked):
        part = min(left // (len(ranked) - number), MOST)
        if part < min(sizes[task.name], LEAST):
            longest = " and ".join(each.name for each in ranked[:-3:-1])
            raise TooLong(
                f"{len(ranked)} files are too many for a question of {budget:,} tokens, the longest are {longest}; "
                "name only those that the instruction is about"
            )
        parts[task.name] = min(sizes[task.name], part)
        left -= parts[task.name]

    def with_part(task: DocumentTask) -> DocumentTask:
        return replace(task, budget=parts[task.name])

    return replace(
        several, files=tuple(map(with_part, several.files)), context=tuple(map(with_part, several.context))
    )


def question(several: Several, way: Way) -> Chat:
    """The messages that ask for one edit of all files. What no instruction changes comes first, as in a question about
    one file."""
    conventions = several.conventions
    parts = [
        f"The project's conventions:\n{fenced(conventions)}" if conventions else "",
        *map(file_part, several.files),
        CONTEXT if several.context else "",
        *map(file_part, several.context),
        *_places(several),
        f"Instruction:\n{several.instruction}",
        _FORMATS[way](several.files),
        MORE.format(path=several.files[0].name) if can_show_more(several) else "",
    ]
    return (("system", SYSTEM_OF_SEVERAL), ("user", "\n\n".join(part for part in parts if part)))


def can_show_more(several: Several) -> bool:
    """Whether the model may ask, once, for lines that the question does not show."""
    return not several.grown and not all(map(is_whole, several.shown))


def _places(several: Several) -> Iterator[str]:
    """Of long files, the places that the instruction is about."""
    for task in several.shown:
        if places := places_part(task):
            yield f"Of {task.name}:\n\n{places}"
