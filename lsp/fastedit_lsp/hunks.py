"""Hunk arithmetic that only editors need: taking hunks back, and edits whose request stands in the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fastedit.request import LineRange
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk


def inverse(
    hunks: Sequence[Hunk], lines: Sequence[str], *, dropped_final_newline: bool = False
) -> tuple[Hunk, ...]:
    """Hunks of the changed text that give back `lines`, the text before. Behind a last line without an end, a line
    without text is its end."""
    back: list[Hunk] = []
    shift = 0
    for hunk in hunks:
        start = hunk.start + shift
        back.append(Hunk(start, start + len(hunk.lines), tuple(lines[hunk.start : hunk.stop])))
        shift += len(hunk.lines) - (hunk.stop - hunk.start)
    if dropped_final_newline:
        end = len(lines) + shift
        last = back.pop() if back and back[-1].stop == end else Hunk(end, end, ())
        back.append(Hunk(last.start, end, (*last.lines, "")))
    return tuple(back)


def without(document: Document, lines: LineRange) -> Document:
    """The document with some of its lines left out; the others stay lines of their own."""
    kept = [text + end for text, end in zip(document.lines, document.ends, strict=True)]
    before, after = "".join(kept[: lines.start]), "".join(kept[lines.stop :])
    # A CR and an LF that now meet would be one line end.
    apart = "\n" if before.endswith("\r") and after.startswith("\n") else ""
    return replace(Document.from_text(before + apart + after, document.path), language=document.language)


def leaving_out(hunks: Sequence[Hunk], lines: LineRange) -> tuple[Hunk, ...]:
    """Hunks of a document without these lines, as hunks of the whole document that delete them too."""
    a, b = lines.start, lines.stop
    before = [hunk for hunk in hunks if hunk.stop <= a and hunk.start < a]
    across = [hunk for hunk in hunks if hunk.start < a < hunk.stop]
    after = [hunk for hunk in hunks if hunk.start >= a]
    moved = [Hunk(hunk.start + b - a, hunk.stop + b - a, hunk.lines) for hunk in after]
    gone = Hunk(across[0].start, across[0].stop + b - a, across[0].lines) if across else Hunk(a, b, ())
    return _joined([*before, gone, *moved])


def _joined(hunks: Sequence[Hunk]) -> tuple[Hunk, ...]:
    """Hunks that touch become one."""
    joined: list[Hunk] = []
    for hunk in hunks:
        if joined and joined[-1].stop == hunk.start:
            last = joined.pop()
            hunk = Hunk(last.start, hunk.stop, last.lines + hunk.lines)
        joined.append(hunk)
    return tuple(joined)
