"""Sketches in a message: in code fences that name their file, or one that is the whole message."""

from __future__ import annotations

from collections.abc import Sequence

from fastedit.formats.base import FileOperation, Modify, Sketch, unreadable
from fastedit.formats.fences import Fence, fences
from fastedit.formats.search_replace_paths import path_alone, path_in_info
from fastedit.formats.views import lines_of, with_lf
from fastedit.source.document import Document
from fastedit.source.language import language_in
from fastedit.source.markers import looks_like_marker
from fastedit.source.syntax import parse

NAME = "sketch"


class NamedSketch:
    """A sketch in a code fence below the path of its file, or with it in the info string.

    Only a fence with a marker is one: without, it is the whole file.
    """

    name = NAME

    def segments(self, lines: Sequence[str]) -> list[range]:
        found: list[range] = []
        for fence in fences(lines):
            path, start = _path(lines, fence)
            if path is not None and any(looks_like_marker(lines[index]) for index in fence.inside):
                found.append(range(start, fence.lines.stop))
        return found

    def read(self, lines: Sequence[str]) -> tuple[FileOperation, ...]:
        fence = fences(lines)[0]
        path, _ = _path(lines, fence)
        return (Modify(path, (_sketch(lines, fence),)),)


def read_sketch(message: str, lines: Sequence[str]) -> tuple[FileOperation, ...]:
    """The message as a sketch; `without_prose` takes it out. Raises UnreadableEdit."""
    if not any(map(str.strip, lines)):
        raise unreadable(NAME, None, "the message has no edit in it", "send the changed code")
    return (Modify(None, (Sketch(message),)),)


def without_prose(text: str, document: Document) -> str:
    """A sketch of a document without the one code fence around it and the prose around that.

    A fence is part of the code where the code around it has a marker, stands in the document, or is free of errors.
    Raises UnreadableEdit.
    """
    lines = lines_of(with_lf(text))
    blocks = fences(lines)
    fenced = {index for fence in blocks for index in fence.lines}
    around = [line for index, line in enumerate(lines) if index not in fenced and line.strip()]
    if not blocks or any(map(looks_like_marker, around)) or _is_code(around, lines, document):
        return text
    if len(blocks) > 1:
        problem = f"the message has {len(blocks)} code fences and does not say which files they are for"
        raise unreadable(NAME, None, problem, "write the path of each file on the line above its fence")
    return _sketch(lines, blocks[0]).text


def _is_code(around: Sequence[str], lines: Sequence[str], document: Document) -> bool:
    known = {line.strip() for line in document.lines}
    if not known.isdisjoint(line.strip() for line in around if any(map(str.isalnum, line))):
        return True
    syntax = parse(tuple(lines), language_in(document)) if around else None
    return syntax is not None and not syntax.root.has_error


def _path(lines: Sequence[str], fence: Fence) -> tuple[str | None, int]:
    """The path that a fence names, and the line where it begins with it."""
    start = fence.lines.start
    if inside := path_in_info(fence.info):
        return inside, start
    above = next((index for index in range(start - 1, -1, -1) if lines[index].strip()), None)
    path = None if above is None else path_alone(lines[above])
    return path, start if path is None or above is None else above


def _sketch(lines: Sequence[str], fence: Fence) -> Sketch:
    if not fence.closed:
        problem = "the code fence is not closed, the sketch may be cut off"
        raise unreadable(NAME, None, problem, "send the whole sketch again")
    return Sketch("".join(f"{lines[index]}\n" for index in fence.inside))
