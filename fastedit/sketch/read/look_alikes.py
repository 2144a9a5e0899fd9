"""Lines of a sketch that look like lines of the file, and differ in what the sketch is not about."""

from __future__ import annotations

from collections.abc import Sequence

from fastedit.source.look_alikes import as_seen, in_plain
from fastedit.source.outline import indentation
from fastedit.source.update import UpdateLine


def as_in_file(lines: Sequence[UpdateLine], file: Sequence[str]) -> Sequence[UpdateLine]:
    """The lines of a sketch, with the file's own for those that look the same. Where they would say nothing new then,
    how they are spelled is what they are about."""
    known = set(map(str.strip, file))
    seen: dict[str, str | None] = {}
    for text in known:
        key = as_seen(text)
        seen[key] = text if key not in seen else None  # the file itself tells them apart
    found = [line if line.marker else _as_in_file(line, known, seen) for line in lines]
    says_new = any(not line.marker and line.text.strip() not in known for line in found)
    return found if says_new else lines


def _as_in_file(line: UpdateLine, known: set[str], seen: dict[str, str | None]) -> UpdateLine:
    text = line.text.strip()
    own = None if text in known else seen.get(as_seen(text))
    return line if own is None else line._replace(text=indentation(line.text) + own)


def plainly_indented(lines: Sequence[UpdateLine], file: Sequence[str]) -> Sequence[UpdateLine]:
    """The lines of a sketch, indented by no other blanks than those of ASCII where the file is."""
    if not all(indentation(line).isascii() for line in file):
        return lines
    return [line._replace(text=in_plain(indentation(line.text)) + line.text.lstrip()) for line in lines]
