"""The sections of a V4A patch: one for each file it adds, deletes or updates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from fastedit.errors import UnreadableEdit
from fastedit.formats.base import CreateFile, DeleteFile, FileOperation, ModifyFile, RenameFile, unreadable
from fastedit.formats.udiff_hunk import (
    HunkHeader,
    is_hunk_header,
    read_hunk_body,
    read_hunk_header,
    replacement,
)
from fastedit.formats.v4a_lines import END_OF_FILE, MOVE

NAME = "v4a"


class Section(Protocol):
    """Takes the lines below a file header. Operations are returned as soon as they are complete."""

    def take(self, line: str) -> tuple[FileOperation, ...]: ...

    def close(self) -> tuple[FileOperation, ...]: ...


class AddSection:
    def __init__(self, path: str) -> None:
        self._path = path
        self._open = False
        self._blanks = 0
        self.lines: list[str] = []

    def take(self, line: str) -> tuple[FileOperation, ...]:
        if line.startswith("+"):
            self.lines += [""] * self._blanks + [line[1:]]
            self._blanks = 0
        elif not line.strip():
            self._blanks += 1
        elif line.startswith("\\ "):
            self._open = True
        elif self.lines or not is_hunk_header(line):
            problem = f"the new file {self._path} has the line {line!r} without +"
            raise unreadable(NAME, None, problem, "start all its lines with +")
        return ()

    def close(self) -> tuple[FileOperation, ...]:
        end = "" if self._open or not self.lines else "\n"
        return (CreateFile(self._path, "\n".join(self.lines) + end),)


class DeleteSection:
    def __init__(self, path: str) -> None:
        self._path = path

    def take(self, line: str) -> tuple[FileOperation, ...]:
        if line.strip():
            problem = f"the line {line!r} stands below *** Delete File: {self._path}"
            raise unreadable(NAME, None, problem, "end the patch or start the next file there")
        return ()

    def close(self) -> tuple[FileOperation, ...]:
        return (DeleteFile(self._path),)


class UpdateSection:
    """`hunks` counts the hunks of the patch that are complete."""

    def __init__(self, path: str, hunks: int = 0, locate: Callable[[str], str] = str) -> None:
        self._path = path
        self._locate = locate
        self._to: str | None = None
        self._header = HunkHeader()
        self._lines: list[str] = []
        self._at_end = False
        self._empty = True
        self.hunks = hunks

    def take(self, line: str) -> tuple[FileOperation, ...]:
        move = MOVE.fullmatch(line)
        if move and self._empty and not self._lines:
            self._to = self._locate(move[1])
        elif END_OF_FILE.fullmatch(line):
            if not self._has_lines():
                raise self._error(
                    "nothing stands above *** End of File", "write the lines at the end of the file there"
                )
            self._at_end = True
            return self._finish()
        elif is_hunk_header(line):
            done = self._finish()
            self._header = read_hunk_header(line).below(self._header)
            self._at_end = False
            return done
        elif line.startswith("***"):
            raise self._error(
                f"the line {line!r} does not belong to an update", "start context lines with one blank"
            )
        elif self._at_end and line.strip():
            raise self._error(
                f"the line {line!r} stands below *** End of File", "start the next hunk with @@"
            )
        else:
            self._lines.append(line)
        return ()

    def close(self) -> tuple[FileOperation, ...]:
        done = self._finish()
        if self._empty and self._to is None:
            problem = f"*** Update File: {self._path} changes nothing"
            raise unreadable(NAME, None, problem, "start removed lines with - and added lines with +")
        return done if self._to is None else (*done, RenameFile(self._path, self._to))

    def _has_lines(self) -> bool:
        return any(line.strip() for line in self._lines)

    def _finish(self) -> tuple[FileOperation, ...]:
        """The hunk so far. Without lines it is none, and its header stacks on the next."""
        lines, self._lines = self._lines, []
        if not any(line.strip() for line in lines):
            return ()
        self.hunks += 1
        header, self._header = self._header, HunkHeader()
        body = read_hunk_body(lines)
        if not body.changed:
            return ()
        self._empty = False
        hunk = replacement(body, header, self._at_end)
        # What follows a range is the heading of a diff program.
        return (ModifyFile(self._path, (replace(hunk, named=bool(hunk.scopes) and header.start is None),)),)

    def _error(self, problem: str, way_out: str) -> UnreadableEdit:
        return unreadable(NAME, self.hunks + 1, problem, way_out)
