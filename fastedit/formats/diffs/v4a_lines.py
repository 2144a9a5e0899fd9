"""The lines that frame a V4A patch: its envelope, file headers, and the shell command around it."""

from __future__ import annotations

import posixpath
import re
import shlex
from dataclasses import dataclass

# Some models close a marker as they open it: *** Begin Patch ***
BEGIN = re.compile(r"\s*\*\*\* Begin Patch(?: \*\*\*)?\s*")
END = re.compile(r"\s*\*\*\* End Patch(?: \*\*\*)?\s*")
END_OF_FILE = re.compile(r"\*\*\* End of File(?: \*\*\*)?\s*")
FILE = re.compile(r"\s*\*\*\* (Add|Delete|Update) File:\s*`?(\S(?:.*?\S)??)`?(?:\s++(?<= )\*\*\*)?\s*+")
MOVE = re.compile(r"\s*\*\*\* Move to:\s*`?(\S(?:.*?\S)??)`?(?:\s++(?<= )\*\*\*)?\s*+")
ENVIRONMENT = re.compile(r"\s*\*\*\* Environment ID:.*")

_WORD = r"""(?:"[^"]*"|'[^']*'|[^\s"'<>|&;]+)"""
_HEREDOC = r"""<<-?\s*+(?P<quote>['"]?)(?P<end>\w+)(?P=quote)"""
_COMMAND = re.compile(
    rf"\s*+(?:cd\s++(?P<directory>{_WORD})\s*+(?:&&\s*+|$))?(?:(?:apply_?patch|cat)\s*+)?(?:{_HEREDOC}\s*+)?"
    r"(?:\|\s*+apply_?patch\s*+)?"
)


@dataclass(frozen=True, slots=True)
class ShellCommand:
    """The line of a shell script above a patch: where it runs, and the line that ends its here-document."""

    directory: str | None = None
    end: str | None = None

    def path(self, path: str) -> str:
        return posixpath.normpath(posixpath.join(self.directory, path)) if self.directory else path

    def below(self, above: ShellCommand) -> ShellCommand:
        """This command after another one."""
        return ShellCommand(above.path(self.directory) if self.directory else above.directory, self.end)


def read_command(line: str) -> ShellCommand | None:
    """The command that applies the patch below it; None if it does more than that, or is no command."""
    command = _COMMAND.fullmatch(line) if line.strip() else None
    if command is None:
        return None
    directory = command["directory"]
    return ShellCommand("".join(shlex.split(directory)) if directory else None, command["end"])


def has_heredoc(line: str) -> bool:
    return re.search(_HEREDOC, line) is not None


def file_header(line: str) -> re.Match[str] | None:
    """The header of a file; an indented one is text."""
    return None if is_indented(line) else FILE.fullmatch(line)


def is_begin(line: str) -> bool:
    return not is_indented(line) and BEGIN.fullmatch(line) is not None


def is_indented(line: str) -> bool:
    return line[:1].isspace()
