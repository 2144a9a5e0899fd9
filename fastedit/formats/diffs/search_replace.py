"""SEARCH/REPLACE blocks in the dialects of Aider, Cline, Roo and Zed.

Not read: Git's own merge conflicts (`<<<<<<< HEAD`). They say what a file holds, not which side is wanted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from fastedit.files.paths import slashed
from fastedit.formats.base import (
    ALONE,
    Beside,
    FileOperation,
    Format,
    FoundEdit,
    IsFile,
    ModifyFile,
    no_file,
    unreadable,
)
from fastedit.formats.diffs.search_replace_blocks import BlockScanner, SearchReplaceBlock, may_be_marker
from fastedit.formats.diffs.search_replace_hunks import NAME, read_block
from fastedit.formats.markdown.lead import wrapping_end

MAY_BE_EDIT = re.compile(r"\s*(?:`{3}|~{3}|\*\*\* |@@|diff --git |--- \S|[{\[<])")


class BlockReader:
    """Reads the blocks of a message in their order. One without a path is for the file of the one before."""

    def __init__(self, is_file: IsFile = no_file) -> None:
        self._scanner, self._is_file, self._blocks = BlockScanner(), is_file, 0
        self._path: str | None = None

    def feed(self, line: str) -> tuple[FileOperation, ...]:
        """Takes one line without its end: a block is returned with the line that closes it. Raises UnreadableEdit."""
        block = self._scanner.feed(line)
        if block is None:
            return ()
        self._blocks += 1
        return (self.read(block, self._blocks),)

    def read(self, block: SearchReplaceBlock, number: int) -> ModifyFile:
        """`number` is that of the block in its message. Raises UnreadableEdit."""
        path = block.lead.file(self._is_file)
        hunks = read_block(block, number, path or self._path)
        hint = block.lead.hint and slashed(block.lead.hint)
        if path is None and self._path and hint and not slashed(self._path).endswith(hint):
            problem = (
                f"its file may be {block.lead.hint}, which the text above names, or {self._path} as before"
            )
            raise unreadable(NAME, number, problem, "write the path alone on the line above the block")
        self._path = path or self._path
        return ModifyFile(self._path, hunks)


def find(lines: Sequence[str]) -> list[FoundEdit]:
    groups: list[list[tuple[range, SearchReplaceBlock, int]]] = []
    has_path = False
    for number, block in enumerate(_blocks(lines), 1):
        start, end = block.lead.start, wrapping_end(lines, block.stop, block.fenced)
        above = groups[-1][-1][0] if groups else None
        between = lines[above.stop : start] if above is not None else []
        # A block without a path takes it from the block above: only together can they be read.
        inherits = has_path and block.lead.path is None and not any(map(MAY_BE_EDIT.match, between))
        if above is not None and (inherits or not any(map(str.strip, between))):
            groups[-1].append((range(start, end), block, number))
        else:
            groups.append([(range(start, end), block, number)])
        has_path |= block.lead.path is not None
    return list(map(_edit, groups))


FORMAT = Format(NAME, (find,))


def _edit(group: Sequence[tuple[range, SearchReplaceBlock, int]]) -> FoundEdit:
    parts = tuple(lines for lines, _, _ in group)
    read = partial(_read, [(block, number) for _, block, number in group])
    return FoundEdit(range(parts[0].start, parts[-1].stop), read, read, parts)


def _read(blocks: Sequence[tuple[SearchReplaceBlock, int]], beside: Beside = ALONE) -> list[ModifyFile]:
    reader = BlockReader(beside.is_file)
    return [reader.read(block, number) for block, number in blocks]


def _blocks(lines: Sequence[str]) -> list[SearchReplaceBlock]:
    if not any(map(may_be_marker, lines)):
        return []
    scanner = BlockScanner()
    found = [scanner.feed(line) for line in lines]
    return [block for block in [*found, scanner.close()] if block]
