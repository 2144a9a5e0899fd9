"""Update sketches of real edits: what a model would write instead of the whole new file."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from itertools import pairwise

from evals.edits import opcodes
from fastedit.source.outline import indentation

_COMMENT = {"python": "#", "shell": "#", "yaml": "#", "toml": "#"}
_HEADER = re.compile(
    r"\s*(?:(?:export|default|pub|public|private|protected|static|async|final|abstract)\s+)*"
    r"(?:def|class|function|func|fn|impl|struct|enum|interface|trait|type)\b"
)
_TELLING = 3  # letters and digits of a line that says where it stands
_SHORT_GAP = 2  # lines; writing them out is no longer than a marker


def sketch(old_lines: Sequence[str], new_lines: Sequence[str], language: str, rng: random.Random) -> str:
    """The changed lines with one to three lines of context, and markers for what stays.

    Lines are given without line ends, and an edit must change something. Around a deletion both neighbours are
    shown with nothing between them, for that is how a sketch says that lines go. Mostly the `def` and `class`
    lines that enclose a hunk are shown too. The same arguments give the same sketch.
    """
    shown = _shown(old_lines, new_lines, rng)
    comment = _COMMENT.get(language, "//")
    written: list[str] = []
    for index, line in enumerate(new_lines):
        if index in shown:
            if index and index - 1 not in shown:
                written.append(f"{indentation(line)}{comment} ... existing code ...")
            written.append(line)
    if len(new_lines) - 1 not in shown:
        written.append(f"{comment} ... existing code ...")
    return "\n".join(written)


def _shown(old: Sequence[str], new: Sequence[str], rng: random.Random) -> set[int]:
    """Indices of the new lines that the sketch spells out."""
    shown: set[int] = set()
    for tag, _, _, start, stop in opcodes(old, new):
        if tag == "equal":
            continue
        first = _context(new, start, -1, rng.randint(1, 3))
        last = _context(new, stop - 1, 1, rng.randint(1, 3))
        shown.update(range(first, last + 1))
        if rng.random() < 0.8:
            shown.update(_headers(new, first))
    for above, below in pairwise(sorted(shown)):
        if below - above - 1 <= _SHORT_GAP:
            shown.update(range(above + 1, below))
    return shown


def _context(lines: Sequence[str], index: int, step: int, count: int) -> int:
    """The line reached from `index` by passing `count` telling lines (more than brackets), or the last line."""
    while count and 0 <= index + step < len(lines):
        index += step
        count -= sum(map(str.isalnum, lines[index])) >= _TELLING
    return index


def _headers(lines: Sequence[str], index: int) -> list[int]:
    """The lines above `index` that open the definitions around it, innermost first."""
    found: list[int] = []
    width = len(indentation(lines[index])) if lines[index].strip() else 0
    for above in range(index - 1, -1, -1):
        if width == 0:
            break
        line = lines[above]
        if line.strip() and len(indentation(line)) < width:
            width = len(indentation(line))
            if _HEADER.match(line):
                found.append(above)
    return found
