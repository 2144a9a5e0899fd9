"""Reads a V4A patch line by line."""

from __future__ import annotations

import re

from fastedit.formats.base import FileOperation, unreadable
from fastedit.formats.v4a_lines import (
    BEGIN,
    END,
    ENVIRONMENT,
    FILE,
    ShellCommand,
    has_heredoc,
    is_indented,
    read_command,
)
from fastedit.formats.v4a_sections import NAME, AddSection, DeleteSection, Section, UpdateSection


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
        file = None if is_indented(line) else FILE.fullmatch(line)
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
