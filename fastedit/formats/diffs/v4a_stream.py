"""Reads a V4A patch line by line: its sections, one for each file that it adds, deletes or updates."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from fastedit.errors import UnreadableEdit
from fastedit.formats.base import CreateFile, DeleteFile, FileOperation, ModifyFile, RenameFile, unreadable
from fastedit.formats.diffs.udiff_hunk import (
    HunkHeader,
    is_hunk_header,
    read_hunk_body,
    read_hunk_header,
    replacement,
)
from fastedit.formats.diffs.v4a_lines import (
    BEGIN,
    END,
    END_OF_FILE,
    ENVIRONMENT,
    FILE,
    MOVE,
    ShellCommand,
    file_header,
    has_heredoc,
    is_indented,
    read_command,
)

NAME = "v4a"


class AddSection:
    """The lines below a file header. Like its siblings, it returns operations as soon as they are complete."""

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


Section = AddSection | DeleteSection | UpdateSection


class PatchStream:
    """Each hunk is returned with the line that shows that it is complete.

    Text around the patch is skipped. A patch has an envelope, or starts with a file header.
    """

    def __init__(self) -> None:
        self._envelope = False
        self._section: Section | None = None
        self._hunks = 0
        self._command = ShellCommand()
        self._unknown_command: str | None = None

    def close(self) -> tuple[FileOperation, ...]:
        """Ends the message. Raises UnreadableEdit if the patch breaks off: then nothing of it may be written."""
        if self._envelope:
            hunk = self._section.hunks + 1 if isinstance(self._section, UpdateSection) else None
            problem = "the patch breaks off: there is no *** End Patch"
            raise unreadable(NAME, hunk, problem, "send the whole patch again")
        return self.end()

    def feed(self, line: str) -> tuple[FileOperation, ...]:
        """Takes one line without its end. Raises UnreadableEdit."""
        if not self._envelope and self._section is None:
            return self._outside(line)
        framed = not (is_indented(line) and isinstance(self._section, UpdateSection))
        if framed and END.fullmatch(line):
            return self.end()
        if framed and (file := FILE.fullmatch(line)):
            return self._end_section() + self._start_section(file)
        if framed and BEGIN.fullmatch(line):
            return self._begin()
        if self._section:
            return self._section.take(line)
        if line.strip() and not ENVIRONMENT.fullmatch(line):
            way_out = "start each file with *** Add File:, *** Update File: or *** Delete File:"
            raise unreadable(NAME, None, f"the line {line!r} stands where a file header should", way_out)
        return ()

    def _outside(self, line: str) -> tuple[FileOperation, ...]:
        file = file_header(line)
        if not file and not BEGIN.fullmatch(line):
            self._read_command(line)
            return ()
        if self._unknown_command is not None:
            problem = f"the command {self._unknown_command!r} does more than apply the patch"
            raise unreadable(
                NAME, None, problem, "send the patch alone, with paths from the project's folder"
            )
        return self._start_section(file) if file else self._begin()

    def _read_command(self, line: str) -> None:
        if not line.strip():
            return
        command = read_command(line)
        self._unknown_command = line.strip() if command is None and has_heredoc(line) else None
        self._command = command.below(self._command) if command else ShellCommand()

    def _begin(self) -> tuple[FileOperation, ...]:
        done = self._end_section()
        self._envelope = True
        return done

    def end(self) -> tuple[FileOperation, ...]:
        """Ends the patch, as its last line does."""
        done = self._end_section()
        self._envelope = False
        self._command = ShellCommand()
        return done

    def _start_section(self, file: re.Match[str]) -> tuple[FileOperation, ...]:
        path = self._command.path(file[2])
        match file[1]:
            case "Add":
                self._section = AddSection(path)
            case "Delete":
                self._section = DeleteSection(path)
            case _:
                self._section = UpdateSection(path, self._hunks, self._command.path)
        return ()

    def _end_section(self) -> tuple[FileOperation, ...]:
        section, self._section = self._section, None
        if section is None:
            return ()
        done = section.close()
        if isinstance(section, UpdateSection):
            self._hunks = section.hunks
        return done
