"""Those statements of a long file that a rename has to look at, so that the others need not be parsed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from fastedit.edit.stretch import at_top_level
from fastedit.ops.names.names import Symbol
from fastedit.ops.resolve import Target
from fastedit.ops.source import Source

_LONG_FILE = 1000  # lines, below which parsing takes no time that anybody notices
_RARE = 25  # lines to one that has the name, from which on most of a file can be left out
_DEFINITION = re.compile(r"(?:def|class|async|@)\b|@")


def views(source: Source, target: Target, new: str) -> Iterator[tuple[Source, Callable[[Symbol], bool]]]:
    """The source with ever fewer lines left blank, each with whether that is enough for what the target means there.

    The last one is the source itself.
    """
    lines = source.lines
    long = source.language == "python" and len(lines) > _LONG_FILE
    rare = long and sum(target.name in line for line in lines) * _RARE < len(lines)
    chunks = _chunks(source) if rare or (long and len(target.path) > 1) else None
    if chunks is not None and len(target.path) > 1:
        yield _blanked(source, chunks, lambda text: all(p in text for p in target.path)), _is_local_of(target)
    if chunks is not None and rare:
        yield _blanked(source, chunks, lambda text: target.name in text or new in text), _is_plain
    yield source, lambda symbol: True


def _is_local_of(target: Target) -> Callable[[Symbol], bool]:
    def enough(symbol: Symbol) -> bool:
        """What a function binds for itself, by its whole path, stands in the function."""
        own = symbol.scope.kind in ("function", "block") and not any(site.parameter for site in symbol.sites)
        return own and symbol.path == target.path

    return enough


def _is_plain(symbol: Symbol) -> bool:
    """Whether it is found by its name alone: no member, and no parameter that calls may name."""
    return symbol.scope.kind != "class" and not any(site.parameter for site in symbol.sites)


def _chunks(source: Source) -> list[tuple[int, int, str]] | None:
    """The definitions at the margin with what follows each; None where one may stand in a string."""
    starts = [0]
    for row, line in enumerate(source.lines):
        if line[:1] in _FIRST and _DEFINITION.match(line) and row:
            # What is decorated goes with its decorators.
            if source.lines[starts[-1]].startswith("@") and not _has_definition(source, starts[-1], row):
                continue
            starts.append(row)
    made = []
    for start, stop in zip(starts, [*starts[1:], len(source.lines)], strict=True):
        text = "\n".join(source.lines[start:stop])
        if not at_top_level(text, "python"):
            return None
        made.append((start, stop, text))
    return made


_FIRST = frozenset("dca@")


def _has_definition(source: Source, start: int, row: int) -> bool:
    return any(source.lines[at].startswith(("def ", "class ", "async ")) for at in range(start, row))


def _blanked(source: Source, chunks: list[tuple[int, int, str]], wanted: Callable[[str], bool]) -> Source:
    lines: list[str] = []
    for start, stop, text in chunks:
        lines += source.lines[start:stop] if wanted(text) else [""] * (stop - start)
    return Source(tuple(lines), source.language, source.origins)
