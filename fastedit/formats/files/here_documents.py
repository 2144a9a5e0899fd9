"""Files that a code fence of commands writes, each in a here-document: `cat > src/a.py <<'EOF'`."""

from __future__ import annotations

import re
import shlex
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from fastedit.formats.base import (
    FileOperation,
    Format,
    FoundEdit,
    ModifyFile,
    Replacement,
    WriteFile,
    unreadable,
)
from fastedit.formats.files.whole import NAME, edit_kind
from fastedit.formats.markdown.info_strings import says_commands
from fastedit.formats.text.views import ended
from fastedit.source.fences import Closings, Fence

_PATH = r"""(?P<path>"[^"$`\\]+"|'[^']+'|[^\s"'<>|&;$`\\~/][^\s"'<>|&;$`\\]*)"""
_WORD = r"""<<(?P<dash>-?)\s*+(?P<quote>['"]?)(?P<end>\w+)(?P=quote)"""
_TO = rf">(?P<append>>?)\s*+{_PATH}"
_COMMANDS = [
    re.compile(rf"\s*+cat\s*+{first}\s*+{second}\s*+") for first, second in ((_TO, _WORD), (_WORD, _TO))
]
_HARMLESS = re.compile(r"\s*+(?:#.*|mkdir -p [^<>|&;$`]+)?")
_EXPANDED = re.compile(r"[$`\\]")


class _HereDocument(NamedTuple):
    command: re.Match[str]
    lines: tuple[str, ...]

    @property
    def path(self) -> str:
        return shlex.split(self.command["path"])[0]


def find(lines: Sequence[str]) -> list[FoundEdit]:
    """The fences of commands that do nothing but this."""
    found, closings = list[FoundEdit](), Closings(lines)
    ends: dict[str, list[int]] = {}  # where lines stand that may end one
    for at, line in enumerate(lines):
        ends.setdefault(line.strip(), []).append(at)
    at = 0
    while at < len(lines):
        fence = closings.fence(at)
        if fence is not None and says_commands(fence.info):
            fence = _whole(fence, lines, closings, ends)
            documents = list(_documents(fence.text(lines))) if fence.closed else []
            whole = [each for each in documents if each is not None]
            if (
                whole
                and len(whole) == len(documents)
                and all(edit_kind(each.path, "", each.lines) is not None for each in whole)
            ):
                found.append(FoundEdit(fence.lines, partial(_read, whole)))
        at = at + 1 if fence is None else fence.lines.stop
    return found


# Not for a file at hand: one that has fences may show such commands.
FORMAT = Format(NAME, (find,))


def _whole(
    fence: Fence, lines: Sequence[str], closings: Closings, ends: Mapping[str, Sequence[int]]
) -> Fence:
    """The fence up to the mark that closes it below all of its here-documents, whose text may have such marks."""
    at = fence.lines.start + 1
    while at < fence.lines.stop:
        command = _command(fence.inner(lines[at]))
        if command is not None:
            rows = ends.get(command["end"], ())
            below = bisect_right(rows, at)
            if below == len(rows):
                return fence
            at = rows[below]
            if at >= fence.lines[-1]:
                fence = closings.fence(fence.lines.start, at) or fence
        at += 1
    return fence


def _command(line: str) -> re.Match[str] | None:
    """The command that begins a here-document, if the line is one."""
    return next(filter(None, (each.fullmatch(line) for each in _COMMANDS)), None)


def _documents(lines: Sequence[str]) -> Iterator[_HereDocument | None]:
    """The here-documents in a script; None for any other command, and for one without an end."""
    rows = iter(lines)
    for line in rows:
        command = _command(line)
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
