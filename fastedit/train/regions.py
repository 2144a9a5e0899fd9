"""Regions of real files to edit: whole definitions where the language shows them by indentation, else windows."""

from __future__ import annotations

import random
import re

from fastedit.train.corpus import SourceFile

DEFINITION = re.compile(r"\s*(async\s+def|def|class)\s+\w+")


def sample_region(rng: random.Random, file: SourceFile, least: int, most: int) -> tuple[str, ...] | None:
    """Between `least` and `most` consecutive lines of a file, without line ends; None where the file is too short."""
    lines = file.text.split("\n")
    if len(lines) < least:
        return None
    if file.language == "python" and rng.random() < 0.6:
        start = rng.randrange(len(lines))
        while start < len(lines) and not DEFINITION.match(lines[start]):
            start += 1
        region = definition_at(lines, start)[: most + 1] if start < len(lines) else ()
        if least <= len(region) <= most:
            return region
    count = min(len(lines), rng.randint(least, most))
    start = rng.randrange(len(lines) - count + 1)
    if rng.random() < 0.15:
        start = 0
    return tuple(lines[start : start + count])


def definition_at(lines: list[str], start: int) -> tuple[str, ...]:
    """The definition whose first line is `start`: everything deeper than it, without trailing blank lines."""
    indent = indent_of(lines[start])
    stop = start + 1
    while stop < len(lines) and (
        not lines[stop].strip()
        or indent_of(lines[stop]) > indent
        or lines[stop].lstrip()[:1] in (")", "]", "}")
    ):
        stop += 1
    while not lines[stop - 1].strip():
        stop -= 1
    return tuple(lines[start:stop])


def indent_of(line: str) -> int:
    return len(line) - len(line.lstrip())


def reindent(lines: tuple[str, ...] | list[str], indent: str) -> list[str]:
    """Shift lines so that the least indented one starts at `indent`."""
    least = min((indent_of(line) for line in lines if line.strip()), default=0)
    return [indent + line[least:] if line.strip() else "" for line in lines]
