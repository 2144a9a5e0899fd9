"""Edits of lines that the author names by number and content hash, in the dialects of the hashline tools.

The line numbers are those of the file as the author read it, and the hashes say whether it is still that file. No
number without a hash is accepted.
"""

from __future__ import annotations

from collections.abc import Sequence

from fastedit.formats import hashline_json, hashline_tagged
from fastedit.formats.base import Format, Found
from fastedit.formats.hashline_anchor import NAME


class Hashline:
    name = NAME

    def find(self, lines: Sequence[str]) -> list[Found]:
        found = hashline_json.find(lines)
        found += [
            other
            for other in hashline_tagged.find(lines)
            if not any(
                other.lines.start < one.lines.stop and one.lines.start < other.lines.stop for one in found
            )
        ]
        return sorted(found, key=lambda each: each.lines.start)


FORMAT: Format = Hashline()
