"""An answer in the embedded format, line by line, as it is trained and drafted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastedit.prompt.base import RegionTask
from fastedit.prompt.mentioned import MentionSpan
from fastedit.prompt.tags import TagIds

if TYPE_CHECKING:
    from fastedit.prompt.embedded import EmbeddedFormat

Line = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TaggedLine:
    """One line of the new text. `line` is the region's line that it keeps or is a version of.

    `tag` stands in front where there is no such line, and `spans` say where a version has what is named.
    """

    text: str
    line: int | None
    tag: int
    spans: Sequence[MentionSpan] = ()


def written(
    form: EmbeddedFormat, task: RegionTask, tags: TagIds, parts: Iterable[TaggedLine]
) -> Iterator[Line]:
    """The tokens of each line of the answer that gives these lines.

    A line that stands before one already passed counts as inserted.
    """
    following = 0
    for part in parts:
        if part.line is None or part.line < following:
            tag = part.tag if part.line is None else tags.new
            yield (tag, *form.encode_line(part.text))
            continue
        yield from _dropped(form, task, tags, range(following, part.line))
        following = part.line + 1
        if part.text == task.lines[part.line]:
            yield form.kept(task, tags, part.line)
        else:
            tag = tags.of_original(part.line)
            yield (tag, *form.marked(part.text, part.spans, tags))
    yield from _dropped(form, task, tags, range(following, len(task.lines)))


def _dropped(form: EmbeddedFormat, task: RegionTask, tags: TagIds, lines: range) -> Iterator[Line]:
    """Lines that go: nothing at all where an update shows the line to go on with."""
    if task.update is None:
        yield from (form.dropped(tags, line) for line in lines)
