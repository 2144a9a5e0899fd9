"""Edits of lines that the author names by number and content hash, in the dialects of the hashline tools.

The line numbers are those of the file as the author read it, and the hashes say whether it is still that file. No
number without a hash is accepted.
"""

from __future__ import annotations

from collections.abc import Sequence

from fastedit.formats import hashline_json, hashline_tagged, hashline_text
from fastedit.formats.base import FileOperation, Format, unreadable
from fastedit.formats.hashline_anchor import NAME

_DIALECTS = (
    (hashline_json.segments, hashline_json.read),
    (hashline_text.segments, hashline_tagged.read),
)


class Hashline:
    name = NAME

    def segments(self, lines: Sequence[str]) -> list[range]:
        found: list[range] = []
        for segments, _ in _DIALECTS:
            for segment in segments(lines):
                if not any(segment.start < other.stop and other.start < segment.stop for other in found):
                    found.append(segment)
        return sorted(found, key=lambda segment: segment.start)

    def read(self, lines: Sequence[str]) -> tuple[FileOperation, ...]:
        for segments, read in _DIALECTS:
            if segments(lines):
                return read(lines)
        raise unreadable(
            NAME, None, "no operation on a line with its hash", "send the edit as the tool describes it"
        )


FORMAT: Format = Hashline()
