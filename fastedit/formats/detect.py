"""Finds the edits in a message of an agent, in whichever formats they are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fastedit.errors import UnreadableEdit, UsageError
from fastedit.formats.base import Edit, FileOperation, Format, Write, join_modifications
from fastedit.formats.sketches import NAME as SKETCH
from fastedit.formats.sketches import read_sketch
from fastedit.formats.whole import NAME as WHOLE
from fastedit.formats.whole import NAMED_SKETCH


@dataclass(frozen=True, slots=True)
class _Segment:
    format: Format
    lines: range

    def contains(self, other: _Segment) -> bool:
        return self.lines.start <= other.lines.start and other.lines.stop <= self.lines.stop

    def overlaps(self, other: _Segment) -> bool:
        return self.lines.start < other.lines.stop and other.lines.start < self.lines.stop


def read_edit(message: str, formats: Sequence[Format], insist: str | None = None) -> Edit:
    """The edit that a message asks for; one that is in none of `formats` is a sketch of the file at hand, or
    all of it where the caller insists on whole files.

    Earlier formats win over later ones in what they contain. `insist` allows one format only. Raises UnreadableEdit,
    and UsageError for a format that does not exist.
    """
    lines = [line.removesuffix("\r") for line in message.removesuffix("\n").split("\n")]
    names = [format.name for format in formats]
    if insist is not None and insist not in (*names, SKETCH):
        raise UsageError(f"there is no format {insist}; the formats are {', '.join([*names, SKETCH])}")
    known = [*formats, NAMED_SKETCH]
    segments = _segments(lines, [format for format in known if insist in (None, format.name)])
    if not segments and insist not in (None, SKETCH):
        found = _looks_like(lines, formats)
        if insist == WHOLE and not found:
            return Edit((WHOLE,), (Write(None, message),))
        found = found or "a sketch"
        raise UnreadableEdit(
            f"{insist}: the message has no such edit, it looks like {found}; leave out the format, or send {insist}"
        )
    if not segments:
        return Edit((SKETCH,), read_sketch(message, lines))
    operations: list[FileOperation] = []
    for segment in segments:
        operations += segment.format.read(lines[segment.lines.start : segment.lines.stop])
    used = dict.fromkeys(segment.format.name for segment in segments)
    return Edit(tuple(used), join_modifications(operations))


def _segments(lines: Sequence[str], formats: Sequence[Format]) -> list[_Segment]:
    """The disjoint segments in the order of the message. Raises UnreadableEdit where two formats contradict."""
    kept: list[_Segment] = []
    for format in formats:
        for segment in [_Segment(format, found) for found in format.segments(lines)]:
            rivals = [other for other in kept if other.format is not format and other.overlaps(segment)]
            for other in rivals:
                if not other.contains(segment):
                    raise _contradiction(other, segment)
            if not rivals:
                kept.append(segment)
    return sorted(kept, key=lambda segment: segment.lines.start)


def _contradiction(one: _Segment, other: _Segment) -> UnreadableEdit:
    first, last = one.lines, other.lines
    return UnreadableEdit(
        f"lines {first.start + 1}-{first.stop} are an edit in {one.format.name} and lines {last.start + 1}-{last.stop} "
        f"one in {other.format.name}, which overlap; send them apart, or name the one format that is meant"
    )


def _looks_like(lines: Sequence[str], formats: Sequence[Format]) -> str:
    names = [format.name for format in formats if format.segments(lines)]
    return " and ".join(names)
