"""Names that lose the line which gave them their value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from fastedit.sketch.read.names import is_outside, rows_with, words_of
from fastedit.sketch.read.reading import is_import, target_of
from fastedit.sketch.text.written import Written


def of_definitions(written: Written) -> Iterator[str]:
    file = written.file
    ranges: dict[int | None, range] = {}
    for row in written.gone:
        head = file.chains[row][-1] if file.chains[row] else None
        if head not in ranges:
            stop = len(file.texts) if head is None else file.block_end(head)
            ranges[head] = range(0 if head is None else head, stop)
    gone = frozenset(written.gone)
    scopes = (_Scope(written, old, gone) for old in ranges.values())
    if any(scope.is_orphan(name) for scope in scopes for name in scope.touched):
        yield "a name loses its first line"


class _Scope:
    """The names of a definition before and after; `old` are its lines in the file."""

    def __init__(self, written: Written, old: range, gone: frozenset[int]) -> None:
        self._written, self._old, self._gone = written, old, gone

    @cached_property
    def touched(self) -> list[str]:
        """The names on its lines that go, in order."""
        rows = [row for row in self._old if row in self._gone]
        return list(dict.fromkeys(word for row in rows for word in words_of(self._written.file.texts[row])))

    @cached_property
    def _before(self) -> dict[str, list[int]]:
        lines, names = self._written.file.texts, self.touched
        return _rows_of(lines, rows_with(lines, names, self._old), names)

    @cached_property
    def _after(self) -> dict[str, list[int]]:
        written, names = self._written, self.touched
        return _rows_of(written.new, written.rows_with(names, written.around(self._old)), names)

    def _is_outside(self, name: str) -> bool:
        """Whether a name stands in the file outside of it too."""
        return is_outside(self._written.file.texts, name, self._old)

    def is_orphan(self, name: str) -> bool:
        """Whether the line that had a name first goes, and a line that stays has it first now without binding it."""
        before, after = self._before[name], self._after[name]
        if before[0] not in self._gone or not after or self._is_outside(name):
            return False
        origin, line = self._written.origins[after[0]], self._written.new[after[0]]
        return origin is not None and not _binds(line, name) and not is_import(line)


def _binds(line: str, name: str) -> bool:
    """Whether a line gives the name its value; `self.name = name` uses it."""
    return target_of(line) == name and name in words_of(line.partition("=")[0])


def _rows_of(lines: Sequence[str], rows: Iterable[int], names: Iterable[str]) -> dict[str, list[int]]:
    """On which of these rows each name stands."""
    found: dict[str, list[int]] = {name: [] for name in names}
    for row in rows:
        for word in words_of(lines[row]):
            if word in found:
                found[word].append(row)
    return found
