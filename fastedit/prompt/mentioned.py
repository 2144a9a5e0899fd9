"""Where an instruction names what stands in a region."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence

from fastedit.edit.instruction import Instruction, Mention

_IMPORT = re.compile(
    r"\s*(?:import\b|from\s+[\w.]+\s+import\b|#\s*include\b|using\s|use\s+[\w:]+|(?:const|let|var)\s.*\brequire\()"
)

# Words that instructions are made of; unquoted, they name no code even where the code has them too.
_SENTENCE = frozenset(
    """add after also an and around as at be before begin below above block by call called catch change code delete
    document drop each early end every file find first fix get give if import in insert instead into is it its last
    let line make must need needed needs new no not of on or over please put raise rather remove rename replace return
    returns rid say says set should start surround swap take than the them then there this to top try type up update
    use used we when where with wrap write""".split()  # noqa: SIM905 - a list would take a line a word
) | frozenset(keyword.kwlist)


def mentioned(instruction: str, lines: Sequence[str]) -> list[tuple[int, list[int]]]:
    """For each thing named that the lines have: the place in the instruction behind it, and the lines' indices.

    An import that is handed over names the last line of the lines' first run of imports, behind which it belongs.
    """
    said, places = Instruction(instruction), []
    for mention in said.mentions:
        if mention.sure or mention.text.lower() not in _SENTENCE:
            found = _standing(mention, lines)
            if found:
                places.append((mention.end, found))
    if any(_IMPORT.match(text) for text in said.given):
        run = _first_run(lines)
        places += [(len(instruction), [run.stop - 1])] if run else []
    return places


def _first_run(lines: Sequence[str]) -> range:
    """The first lines in a row that import something."""
    start = next((i for i, line in enumerate(lines) if _IMPORT.match(line)), len(lines))
    stop = start
    while stop < len(lines) and _IMPORT.match(lines[stop]):
        stop += 1
    return range(start, stop)


def _standing(mention: Mention, lines: Sequence[str]) -> list[int]:
    """The lines that are the text, else those that hold it, else those that hold the last part of a dotted name."""
    text = mention.text.strip()
    whole = [i for i, line in enumerate(lines) if line.strip() in (text, mention.literal)]
    return whole or _holding(text, lines) or _holding(re.split(r"\.|::|#", text)[-1], lines)


def _holding(text: str, lines: Sequence[str]) -> list[int]:
    if not text:
        return []
    left = r"(?<![\w$])" if re.match(r"[\w$]", text) else ""
    right = r"(?![\w$])" if re.search(r"[\w$]\Z", text) else ""
    pattern = re.compile(left + re.escape(text) + right)
    return [i for i, line in enumerate(lines) if pattern.search(line)]
