"""Where an instruction names what stands in a region."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence

from fastedit.edit.instruction import Instruction, Mention

# Words that instructions are made of; unquoted, they name no code even where the code has them too.
_SENTENCE = frozenset(
    """add after also an and around as at be before begin below above block by call called catch change code delete
    document drop each early end every file find first fix get give if import in insert instead into is it its last
    let line make must need needed needs new no not of on or over please put raise rather remove rename replace return
    returns rid say says set should start surround swap take than the them then there this to top try type up update
    use used we when where with wrap write""".split()  # noqa: SIM905 - a list would take a line a word
) | frozenset(keyword.kwlist)


def mentioned(instruction: str, lines: Sequence[str]) -> list[tuple[int, list[int]]]:
    """For each thing named that the lines have: the place in the instruction behind it, and the lines' indices."""
    places = []
    for mention in Instruction(instruction).mentions:
        if mention.sure or mention.text.lower() not in _SENTENCE:
            found = _standing(mention, lines)
            if found:
                places.append((mention.end, found))
    return places


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
