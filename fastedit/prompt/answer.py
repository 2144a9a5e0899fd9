"""An answer in the embedded format, line by line, as it is trained and drafted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from fastedit.prompt.base import RegionTask
from fastedit.prompt.mentioned import Span
from fastedit.prompt.tags import Tags

if TYPE_CHECKING:
    from fastedit.prompt.embedded import EmbeddedFormat


@dataclass(frozen=True, slots=True)
class Part:
    """One line of the new text. `line` is the region's line that it keeps or is a version of.

    `tag` stands in front where there is no such line, and `spans` say where a version has what is named.
    """

    text: str
    line: int | None
    tag: int
    spans: Sequence[Span] = ()


class Written(NamedTuple):
    """The tokens of one line of the answer, the region's line that it is about, and what it does with it."""

    ids: tuple[int, ...]
    line: int | None
    does: Literal["keep", "change", "drop", "insert"]


def written(form: EmbeddedFormat, task: RegionTask, tags: Tags, parts: Iterable[Part]) -> Iterator[Written]:
    """The answer that gives these lines. A line that stands before one already passed counts as inserted."""
    following = 0
    for part in parts:
        if part.line is None or part.line < following:
            tag = part.tag if part.line is None else tags.new
            yield Written((tag, *form.encode_line(part.text)), None, "insert")
            continue
        yield from _dropped(form, task, tags, range(following, part.line))
        following = part.line + 1
        if part.text == task.lines[part.line]:
            yield Written(form.kept(task, tags, part.line), part.line, "keep")
        else:
            tag = tags.of_original(part.line)
            yield Written((tag, *form.marked(part.text, part.spans, tags)), part.line, "change")
    yield from _dropped(form, task, tags, range(following, len(task.lines)))


def _dropped(form: EmbeddedFormat, task: RegionTask, tags: Tags, lines: range) -> Iterator[Written]:
    """Lines that go: nothing at all where an update shows the line to go on with."""
    if task.update is None:
        yield from (Written(form.dropped(tags, line), line, "drop") for line in lines)
