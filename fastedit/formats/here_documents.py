"""Files that a code fence of commands writes, each in a here-document: `cat > src/a.py <<'EOF'`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from fastedit.formats.base import (
    FileOperation,
    FoundEdit,
    ModifyFile,
    Replacement,
    WriteFile,
    unreadable,
)
from fastedit.formats.fences import fences
from fastedit.formats.info_strings import says_commands
from fastedit.formats.views import ended

_PATH = r"""(?P<path>"[^"$`\\]+"|'[^']+'|[^\s"'<>|&;$`\\~/][^\s"'<>|&;$`\\]*)"""
_WORD = r"""<<(?P<dash>-?)\s*+(?P<quote>['"]?)(?P<end>\w+)(?P=quote)"""
_TO = rf">(?P<append>>?)\s*+{_PATH}"
_COMMANDS = [
    re.compile(rf"\s*+cat\s*+{first}\s*+{second}\s*+") for first, second in ((_TO, _WORD), (_WORD, _TO))
]
_HARMLESS = re.compile(r"\s*+(?:#.*|mkdir -p [^<>|&;$`]+)?")
_EXPANDED = re.compile(r"[$`\\]")


@dataclass(frozen=True, slots=True)
class _HereDocument:
    command: re.Match[str]
    lines: tuple[str, ...]

    @property
    def path(self) -> str:
        return shlex.split(self.command["path"])[0]


def find(lines: Sequence[str], is_text: Callable[[str, Sequence[str]], bool]) -> list[FoundEdit]:
    """The fences of commands that do nothing but this. `is_text`: whether lines are the text of a file of this path."""
    found = []
    for fence in fences(lines):
        if fence.closed and says_commands(fence.info):
            documents = list(_documents(fence.text(lines)))
            whole = [each for each in documents if each is not None]
            if (
                whole
                and len(whole) == len(documents)
                and all(is_text(each.path, each.lines) for each in whole)
            ):
                found.append(FoundEdit(fence.lines, partial(_read, whole)))
    return found


def _documents(lines: Sequence[str]) -> Iterator[_HereDocument | None]:
    """The here-documents in a script; None for any other command, and for one without an end."""
    rows = iter(lines)
    for line in rows:
        command = next(filter(None, (each.fullmatch(line) for each in _COMMANDS)), None)
        if command is None:
            if not _HARMLESS.fullmatch(line):
                yield None
            continue
        body: list[str] = []
        for text in rows:
            text = text.lstrip("\t") if command["dash"] else text
            if text == command["end"]:
                yield _HereDocument(command, tuple(body))
                break
            body.append(text)
        else:
            yield None


def _read(documents: Sequence[_HereDocument]) -> list[FileOperation]:
    return list(map(_operation, documents))


def _operation(document: _HereDocument) -> FileOperation:
    text, command = ended(document.lines), document.command
    if not command["quote"] and _EXPANDED.search(text):
        problem = f"a shell would expand the text of {document.path}"
        raise unreadable("whole", None, problem, f"write <<'{command['end']}'")
    if command["append"]:
        return ModifyFile(document.path, (Replacement("", text, whole_lines=True, at_end=True),))
    return WriteFile(document.path, text)
