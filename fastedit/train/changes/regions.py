"""Regions of real files to edit: whole definitions, or windows that begin and end anywhere."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping

from fastedit.source.languages import named
from fastedit.source.outline import block_end, definition_name, indentation
from fastedit.train.sources.corpus import SourceFile

DEFINITION = re.compile(r"\s*(async\s+def|def|class)\s+\w+")
# By how blocks are told, whether a line begins a definition.
_BEGINS: Mapping[str, Callable[[str], object]] = {
    "indent": DEFINITION.match,
    "braces": lambda line: line.endswith("{") and definition_name(line),
}
_CHARACTERS = 160  # of a line at most, on average: what lies further off is never looked at


def sample_region(rng: random.Random, file: SourceFile, least: int, most: int) -> tuple[str, ...] | None:
    """Between `least` and `most` consecutive lines of a file, without line ends; None where the file is too short."""
    text = file.text.removesuffix("\n")
    size = most * _CHARACTERS
    start = text.rfind("\n", 0, rng.randrange(len(text) + 1)) + 1
    if (roll := rng.random()) < 0.15:
        start = 0
    elif roll > 0.92 or text.count("\n", start) + 1 < least:
        start = _tail(text, rng.randint(least, most))
    lines = text[start : start + size].split("\n")
    if start + size < len(text):
        lines.pop()  # cut off
    if rng.random() < 0.6:
        region = _definition(lines, file.language)
        if region is not None and least <= len(region) <= most:
            return region
    return tuple(lines[: rng.randint(least, most)]) if len(lines) >= least else None


def _tail(text: str, count: int) -> int:
    """Where the last `count` lines begin."""
    return len(text) - len("\n".join(text.rsplit("\n", count)[-count:]))


def _definition(lines: list[str], language: str) -> tuple[str, ...] | None:
    """The first definition among the lines, whole; None where the language shows none or it is cut off."""
    blocks = named(language).blocks
    begins = _BEGINS.get(blocks or "")
    start = next((i for i, line in enumerate(lines) if begins and begins(line)), None)
    if start is None:
        return None
    found = tuple(lines[start : block_end(lines, start)])
    return found if blocks == "indent" or found[-1].lstrip().startswith("}") else None


def reindent(lines: tuple[str, ...] | list[str], indent: str) -> list[str]:
    """Shift lines so that the least indented one starts at `indent`."""
    least = min((len(indentation(line)) for line in lines if line.strip()), default=0)
    return [indent + line[least:] if line.strip() else "" for line in lines]
