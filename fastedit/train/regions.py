"""Regions of real files to edit: whole definitions, or windows that begin and end anywhere."""

from __future__ import annotations

import random
import re

from fastedit.source.languages import named
from fastedit.source.outline import definition_name, indent_width, indentation
from fastedit.train.corpus import SourceFile

DEFINITION = re.compile(r"\s*(async\s+def|def|class)\s+\w+")
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
        region = _definition(lines, file.language, most)
        if region is not None and least <= len(region) <= most:
            return region
    return tuple(lines[: rng.randint(least, most)]) if len(lines) >= least else None


def _tail(text: str, count: int) -> int:
    """Where the last `count` lines begin."""
    start = len(text)
    for _ in range(count):
        start = text.rfind("\n", 0, max(0, start))
        if start < 0:
            return 0
    return start + 1


def _definition(lines: list[str], language: str, most: int) -> tuple[str, ...] | None:
    """The first definition among the lines, whole; None where the language shows none or it is too long."""
    blocks = named(language).blocks
    if blocks == "indent":
        start = next((i for i, line in enumerate(lines) if DEFINITION.match(line)), None)
        return None if start is None else definition_at(lines, start)[: most + 1]
    if blocks != "braces":
        return None
    start = next((i for i, line in enumerate(lines) if line.endswith("{") and definition_name(line)), None)
    if start is None:
        return None
    indent = indent_width(lines[start])
    for stop in range(start + 1, min(len(lines), start + most)):
        line = lines[stop]
        if line.strip() and indent_width(line) <= indent and not line.startswith("#"):
            return tuple(lines[start : stop + 1]) if line.lstrip().startswith("}") else None
    return None


def definition_at(lines: list[str], start: int) -> tuple[str, ...]:
    """The definition whose first line is `start`: everything deeper than it, without trailing blank lines."""
    indent = indentation(lines[start])
    stop = start + 1
    while stop < len(lines) and (
        not lines[stop].strip()
        or len(indentation(lines[stop])) > len(indent)
        or lines[stop].lstrip()[:1] in (")", "]", "}")
    ):
        stop += 1
    while not lines[stop - 1].strip():
        stop -= 1
    return tuple(lines[start:stop])


def reindent(lines: tuple[str, ...] | list[str], indent: str) -> list[str]:
    """Shift lines so that the least indented one starts at `indent`."""
    least = min((len(indentation(line)) for line in lines if line.strip()), default=0)
    return [indent + line[least:] if line.strip() else "" for line in lines]
