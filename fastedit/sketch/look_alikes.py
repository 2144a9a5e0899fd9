"""Lines of a sketch that are lines of the file but for look-alikes, which the sketch is not about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fastedit.source.look_alikes import in_plain
from fastedit.source.outline import indentation
from fastedit.source.update import UpdateLine


def as_in_file(lines: Sequence[UpdateLine], file: Sequence[str]) -> Sequence[UpdateLine]:
    """The lines of a sketch, with the file's own for those that differ from them in look-alikes alone. Where they would
    say nothing new then, the look-alikes are what they are about."""
    known = set(map(str.strip, file))
    if all(line.text.isascii() for line in lines) and all(map(str.isascii, known)):
        return lines
    plain: dict[str, str | None] = {}
    for text in known:
        key = in_plain(text)
        plain[key] = text if key not in plain else None  # the file itself tells them apart
    found = [line if line.marker else _as_in_file(line, known, plain) for line in lines]
    says_new = any(not line.marker and line.text.strip() not in known for line in found)
    return found if says_new else lines


def _as_in_file(line: UpdateLine, known: set[str], plain: dict[str, str | None]) -> UpdateLine:
    text = line.text.strip()
    own = None if text in known else plain.get(in_plain(text))
    return line if own is None else replace(line, text=indentation(line.text) + own)


def plainly_indented(lines: Sequence[UpdateLine], file: Sequence[str]) -> Sequence[UpdateLine]:
    """The lines of a sketch, indented by no other blanks than those of ASCII where the file is."""
    if not all(indentation(line).isascii() for line in file):
        return lines
    return [replace(line, text=in_plain(indentation(line.text)) + line.text.lstrip()) for line in lines]
