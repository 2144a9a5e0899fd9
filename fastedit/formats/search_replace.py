"""SEARCH/REPLACE blocks in the dialects of Aider, Cline, Roo and Zed.

Not read: Git's own merge conflicts (`<<<<<<< HEAD`). They say what a file holds, not which side is wanted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from fastedit.formats.base import FileOperation, Format, Modify, join_modifications, unreadable
from fastedit.formats.search_replace_blocks import Block, BlockScanner, may_be_marker
from fastedit.formats.search_replace_hunks import NAME, read_block
from fastedit.formats.search_replace_paths import wrapping_end

_MAY_BE_EDIT = re.compile(r"\s*(?:`{3}|~{3}|\*\*\* |@@|diff --git |--- \S|[{\[<])")


class Stream:
    """Reads a message line by line. A block is returned with the line that closes it."""

    def __init__(self) -> None:
        self._scanner = BlockScanner()
        self._path: str | None = None
        self._blocks = 0

    def feed(self, line: str) -> tuple[FileOperation, ...]:
        """Takes one line without its end. Raises UnreadableEdit."""
        return self._read(self._scanner.feed(line))

    def close(self) -> tuple[FileOperation, ...]:
        """Ends the message. Raises UnreadableEdit if a block breaks off."""
        return self._read(self._scanner.close())

    def _read(self, block: Block | None) -> tuple[FileOperation, ...]:
        if block is None:
            return ()
        self._blocks += 1
        hunks = read_block(block, self._blocks)
        if block.path is None and self._path and block.hint and not self._path.endswith(block.hint):
            problem = f"its file may be {block.hint}, which the text above names, or {self._path} as before"
            raise unreadable(NAME, self._blocks, problem, "write the path alone on the line above the block")
        self._path = block.path or self._path
        return (Modify(self._path, hunks),)


class SearchReplace:
    name = NAME

    def segments(self, lines: Sequence[str]) -> list[range]:
        found: list[range] = []
        has_path = False
        for block in _blocks(lines):
            end = wrapping_end(lines, block.stop, block.fenced)
            between = lines[found[-1].stop : block.start] if found else []
            # A block without a path takes it from the block above: only together can they be read.
            inherits = has_path and block.path is None and not any(map(_MAY_BE_EDIT.match, between))
            if found and (inherits or not any(map(str.strip, between))):
                found[-1] = range(found[-1].start, end)
            else:
                found.append(range(block.start, end))
            has_path |= block.path is not None
        return found

    def read(self, lines: Sequence[str]) -> tuple[FileOperation, ...]:
        blocks = Stream()
        operations = [operation for line in lines for operation in blocks.feed(line)]
        operations += blocks.close()
        if not operations:
            raise unreadable(NAME, None, "there is no block", "begin one with the line `<<<<<<< SEARCH`")
        return join_modifications(operations)


FORMAT: Format = SearchReplace()


def _blocks(lines: Sequence[str]) -> list[Block]:
    if not any(map(may_be_marker, lines)):
        return []
    scanner = BlockScanner()
    found = [scanner.feed(line) for line in lines]
    return [block for block in [*found, scanner.close()] if block]
