"""The keys of a data file that a text written anew leaves out: a model easily forgets one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from fastedit.errors import OperationRefused
from fastedit.ops.keys.operations import opened
from fastedit.ops.source import Source
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, changed_lines
from fastedit.source.language import notation_in

_WORD = re.compile(r"\w+")


def lost_keys(document: Document, hunks: Sequence[Hunk], instruction: str | None) -> list[str]:
    """The paths of the keys that go without another one in their place, and that the instruction does not name."""
    language = notation_in(document)
    try:
        before = _values(document.lines, language)
        after = _values(tuple(changed_lines(document.lines, hunks)), language)
    except OperationRefused:
        return []  # which the checks say
    asked = frozenset(_WORD.findall(instruction or ""))
    return [".".join(path) for path in _gone(before, after) if asked.isdisjoint(_WORD.findall(path[-1]))]


def _values(lines: tuple[str, ...], language: str) -> Any:
    return opened(Source(lines, language)).values


def _gone(before: Any, after: Any) -> Iterator[tuple[str, ...]]:
    """The paths of the keys that maps have lost which have fewer now."""
    waiting: list[tuple[tuple[str, ...], Any, Any]] = [((), before, after)]
    while waiting:
        path, old, new = waiting.pop()
        if isinstance(old, dict) and isinstance(new, dict):
            if len(new) < len(old):
                yield from ((*path, str(key)) for key in old if key not in new)
            waiting += [((*path, str(key)), old[key], new[key]) for key in reversed(old) if key in new]
        elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            pairs = reversed(list(enumerate(zip(old, new, strict=True))))
            waiting += [((*path, str(index)), *pair) for index, pair in pairs]
