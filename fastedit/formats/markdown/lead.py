"""What the lines above an edit say about its file, and which of them belong to it.

What is an edit for sure, as a block is, has the path right above it, with code fences and tags between them, however it
is spelled (`Lead`). Any other code fence has it on a line that is nothing but that (`stated`), or its file is named in
words, which may be about it (`Prose`). A path in the info string of a fence or in a tag comes first for all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, dropwhile
from pathlib import Path
from typing import NamedTuple

from fastedit.files.paths import slashed
from fastedit.formats.base import IsFile
from fastedit.formats.markdown import paths
from fastedit.formats.markdown.info_strings import names_a_language
from fastedit.formats.markdown.paths import path_alone, path_in_info
from fastedit.source.fences import OPENING
from fastedit.source.languages import TEXT, notation_of

_MARKUP = re.compile(r"\s*<.*(?:>\w*|\[CDATA\[)\s*|\s*\]\]>.*")
_CLOSING_TAGS = re.compile(r"(?:\s*(?:</[A-Za-z_][\w.-]*>|\]\]>))+\s*")
_CLOSING_TAG = re.compile(r"</([\w.-]+)>")
_PATH_ELEMENT = re.compile(r"<([\w-]*(?:path|file)[\w-]*)>([^<>]+)</\1>")
_PATH_ATTRIBUTE = re.compile(r"""\s(?:path|file|filename)=["']([^"'<>]+)["']""", re.IGNORECASE)
_HEADING = re.compile(r"(?P<marks>#{1,6})\s")


def stated(lines: Sequence[str], at: int, floor: int, info: str) -> tuple[int, str | None]:
    """The first line of a code fence that opens at a line, and its path: in its info string, or alone on the line above
    that belongs to it then, above a blank one if it has a suffix. `floor` is the first line that may be it.

    A name without suffix is one if it is marked as code, or if the info string repeats it (`Makefile`).
    """
    if path := path_in_info(info):
        return at, path
    row = next((row for row in range(at - 1, floor - 1, -1) if lines[row].strip()), None)
    if row is None:
        return at, None
    above = lines[row]
    path = paths.file_alone(above)
    if path is None and row == at - 1:
        name = above.strip()
        is_alike = name.lower() == info.lower()
        is_language = names_a_language(name) and notation_of(Path(name), "") == TEXT
        path = (path_alone(above) if "`" in above else None) or (
            name if is_alike and not is_language else None
        )
    return (at if path is None else row), path


class EditLead(NamedTuple):
    """What is said about an edit that is one for sure. Its first line is `start`, and its file the first of `names`
    that there is, else `path`. `hint` is a source file that prose above names: the same file, or only mentioned."""

    start: int
    path: str | None = None
    names: tuple[str, ...] = ()
    hint: str | None = None

    def file(self, is_file: IsFile) -> str | None:
        return next(filter(is_file, self.names), self.path)


class Lead:
    """Takes the lines above edits. `fenced` tells whether the last one is inside a code fence."""

    def __init__(self) -> None:
        self.fenced = False
        self._run: list[tuple[int, str]] = []  # the lines since the last edit or fence that are not blank

    def reset(self) -> None:
        self._run = []

    def feed(self, index: int, line: str) -> None:
        fence = OPENING.fullmatch(line)
        if fence is not None and self.fenced and not fence["info"].strip():
            self.fenced = False
            if not self._shows_path():
                self.reset()
        elif line.strip():
            self.fenced |= fence is not None
            self._run.append((index, line))

    def above(self, at: int) -> EditLead:
        """What they say about an edit that begins at a line."""
        run, path = self._run[:], None
        start, named = _outside(run, at)
        if named is not None or not run:
            return EditLead(start, named)
        row, line = run.pop()
        text = line.strip()
        files = paths.files_in_prose(line)
        in_folder = list(filter(paths.has_folder, files))
        alone = text if paths.is_word(text) else path_alone(line)
        path = alone or (in_folder[0] if len(in_folder) == 1 else None)
        names = () if alone else (*paths.names_alone(line), *paths.names_at_end(line))
        if paths.is_word(text):
            names = (text,)  # of a file, or a word that a chat has below the path
            above = list(dropwhile(lambda each: paths.is_word(each[1].strip()), reversed(run)))
            if above and (file := paths.file_alone(above[0][1])):
                run, (row, _), path = above[:0:-1], above[0], file
        if path is not None:
            return EditLead(_outside(run, row)[0], path, names)
        sources = [file for file in files if notation_of(Path(file), "") != TEXT]
        return EditLead(start, None, names, sources[-1] if sources else None)

    def _shows_path(self) -> bool:
        """Whether all that a fence which ends here has is a path."""
        lines = [line for _, line in self._run[-2:]]
        return len(lines) == 2 and bool(
            OPENING.fullmatch(lines[0]) and paths.is_path(path_alone(lines[1]) or "")
        )


def _outside(run: list[tuple[int, str]], start: int) -> tuple[int, str | None]:
    """Takes the marks of fences and the tags around an edit from the end of the lines above it: the first of them, and
    the path that they have."""
    path, over = None, dict[str, int]()
    while run and (mark := OPENING.fullmatch(run[-1][1]) or _MARKUP.fullmatch(run[-1][1])):
        row, line = run.pop()
        path = path or (path_in_info(mark["info"]) if "info" in mark.groupdict() else _path_in_tags(line))
        if _CLOSING_TAGS.fullmatch(line):
            over |= dict.fromkeys(_CLOSING_TAG.findall(line), start)
        else:
            start = over.get(line.strip().strip("<>"), row)  # an element that is over is no part of it
    return start, path


def _path_in_tags(line: str) -> str | None:
    element = _PATH_ELEMENT.search(line) or _PATH_ATTRIBUTE.search(line)
    text = paths.TAG.sub("", line).strip() if element is None else element[element.re.groups].strip()
    return text if element is not None or paths.is_file_name(text) else None


def wrapping_end(lines: Sequence[str], stop: int, fenced: bool) -> int:
    """The line after the closing fence and closing tags below an edit that ends before line `stop`."""
    for index in range(stop, len(lines)):
        fence = OPENING.fullmatch(lines[index])
        if fenced and fence and not fence["info"].strip():
            fenced = False
        elif lines[index].strip() and not _CLOSING_TAGS.fullmatch(lines[index]):
            break
        if lines[index].strip():
            stop = index + 1
    return stop


class Prose:
    """The prose above a fence, fed line by line: since the last fence, and the headings of its section.

    `names`: it may name the file, and `is_file` tells where a whole line is a name."""

    def __init__(self, names: bool, is_file: IsFile) -> None:
        self._names, self._is_file = names, is_file
        self._headings: list[str] = []
        self._run: list[str] = []

    def feed(self, line: str) -> None:
        if level := _level(line):
            self._headings = [*(each for each in self._headings if _level(each) < level), line]
        if line.strip():
            self._run.append(line)

    def end_run(self) -> None:
        self._run = []

    def goes_on(self, path: str) -> bool:
        """Whether it stays with the file of the edit above: it begins no section, and names no other file."""
        named = (name for line in self._run for name in self._named(line, ""))
        return not any(map(_level, self._run)) and all(slashed(name) == slashed(path) for name in named)

    @property
    def last(self) -> str:
        """The line above, empty where another fence is."""
        return self._run[-1] if self._run else ""

    def files(self, info: str, *, for_sure: bool = False) -> list[str]:
        """The files that a fence may be for, several where that is open: what the line above it names, else a line that
        is nothing but a path, else the heading of its section. An edit `for_sure` says itself what it replaces: any
        line above may name its file."""
        if not self._names:
            return []
        if found := self._named(self.last, info):
            return found
        others: dict[str, None] = {}
        for line in reversed(self._run):
            if _level(line):
                break
            if (alone := self._alone(line)) is not None:
                return list({alone: None} | others)
            others |= dict.fromkeys(self._named(line, info))
        titles = (self._named(line, info) for line in reversed(self._headings))
        titled = next(filter(None, titles), [])
        return list(dict.fromkeys(titled) | others) if titled or for_sure else []

    @property
    def alone(self) -> str | None:
        """The file that is all that the line above says."""
        return self._alone(self.last) if self._names else None

    def _alone(self, line: str) -> str | None:
        return paths.file_alone(line) or next(self._known(line), None)

    def _known(self, line: str) -> Iterator[str]:
        return filter(self._is_file, paths.names_alone(line))

    def _named(self, line: str, info: str) -> list[str]:
        with_blanks = filter(self._is_file, (name for name in paths.names_at_end(line) if " " in name))
        return (
            list(chain(self._known(line), with_blanks))[:1]
            or paths.files_in_prose(line, info)
            or list(filter(self._is_file, dict.fromkeys(paths.CODE.findall(line))))
        )


def _level(line: str) -> int:
    """The level of a heading, 0 for any other line."""
    heading = _HEADING.match(line)
    return 0 if heading is None else len(heading["marks"])
