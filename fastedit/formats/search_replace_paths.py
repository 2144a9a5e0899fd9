"""The path, the code fence and the XML tags in the lines above an edit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from fastedit.formats.fences import OPENING
from fastedit.formats.info_strings import names_a_language
from fastedit.source.languages import TEXT, notation_of

_MARKUP = re.compile(r"\s*<.*(?:>\w*|\[CDATA\[)\s*|\s*\]\]>.*")
_CLOSING_TAGS = re.compile(r"(?:\s*(?:</[A-Za-z_][\w.-]*>|\]\]>))+\s*")
_PATH_ELEMENT = re.compile(r"<([\w-]*(?:path|file)[\w-]*)>([^<>]+)</\1>")
_CODE = re.compile(r"`([^`]+)`")
_LABEL = re.compile(r"\w+(?: \w+)?:\s+(?=\S+$)")
_BEFORE = re.compile(r"(?:[#*>]+\s*|[-+]\s+|//\s+|\d+[.)]\s+)+")
_LINK = re.compile(r"\[([^\]\[]*)\]\(([^()\s]+)\)")
_BETWEEN = re.compile(r"[\s\u2013\u2014]+")
_TAG = re.compile(r"</?[a-z][^<>]*>")
_PLACE = re.compile(r"(?::\d+(?:[-:]\d+)?|#L\d+(?:-L?\d+)?)$")
_CITATION = re.compile(r"(?P<first>\d+):(?P<last>\d+):(?P<path>\S.*)")
_NOTE = re.compile(r"\s\([^()]*\)$")
_LEGAL = re.compile(r"""[^\s<>"'|?*`,;=]+""")
_SUFFIX = re.compile(r"[\w)\]]\.[^\W\d_]\w*$|(?:^|[/\\])\.\w[\w.-]*$")
_FOLDER = re.compile(r"[\w)\]][/\\][\w.@$(\[]")
_WORD = re.compile(r"[^\W\d_][\w-]*")


def is_path(text: str) -> bool:
    """Whether one word looks like a path: it has a folder, or a suffix as files do."""
    return bool(_LEGAL.fullmatch(text) and "://" not in text and (has_suffix(text) or _FOLDER.search(text)))


def has_suffix(path: str) -> bool:
    return _SUFFIX.search(path) is not None


def path_alone(line: str) -> str | None:
    """The path that is all a line says, without Markdown around it or a label such as `File:` before it."""
    text = _plain(line)
    if label := _LABEL.match(text):
        text = text[label.end() :]
    link = _LINK.fullmatch(text)
    if link and (shown := path_alone(link[1])) and f"/{_PLACE.sub('', link[2])}".endswith(f"/{shown}"):
        text = link[2]
    code = _CODE.fullmatch(text)
    name = _PLACE.sub("", code[1] if code else text)
    if code:
        return name if is_path(name.replace(" ", "_")) or _WORD.fullmatch(name) else None
    return name if is_path(name) else None


def names_alone(line: str) -> tuple[str, ...]:
    """All that a line says, and that without a label: the name of a file, if there is one that is called so."""
    text = _plain(line)
    return tuple(name.strip("`") for name in (text, text.partition(": ")[2]) if name)


def _last_name(line: str) -> tuple[str, ...]:
    """The last word of a line such as `In gradlew:`, where it has not the form of a path."""
    word = _plain(line).rpartition(" ")[2].strip("`")
    return () if is_path(word) else (word,)


def _plain(line: str) -> str:
    text = line.strip().replace("**", "")
    if begins := _BEFORE.match(text):
        text = text[begins.end() :]
    text = _NOTE.sub("", text.rstrip(" :*")).rstrip(" :*")
    emphasised = text[:1] == "_" == text[-1:] and has_suffix(text[1:-1])
    return text[1:-1] if emphasised else text


def path_in_prose(line: str) -> str | None:
    """The only path with a folder that a line of prose names."""
    in_folder = [file for file in files_in_prose(line) if _FOLDER.search(file)]
    return in_folder[0] if len(in_folder) == 1 else None


def files_in_prose(line: str, info: str = "") -> list[str]:
    """The files that a line of prose names, each once: words with a suffix, and a folder or a suffix that is known or
    that `info`, the info string of the fence below, repeats."""
    text = _TAG.sub(" ", _LINK.sub(r" \2 ", line))
    plain = (word.lstrip("(*\"'").rstrip(".:,;!?)*\"'") for word in _BETWEEN.split(_CODE.sub(" ", text)))
    files = (_PLACE.sub("", word).removeprefix("./") for word in (*_CODE.findall(text), *plain))
    return list(dict.fromkeys(file for file in files if _is_named(file, info)))


def _is_named(word: str, info: str) -> bool:
    suffix = Path(word).suffix[1:].lower()
    known = notation_of(Path(word), "") != TEXT or suffix == info.lower() != "" or names_a_language(suffix)
    if word and word.lower() == info.lower():
        return known or not names_a_language(word)
    return _is_file(word) and (known or _FOLDER.search(word) is not None)


def _is_file(word: str) -> bool:
    return is_path(word) and has_suffix(word)


def path_in_info(info: str) -> str | None:
    """The path in a code fence's info string: `src/a.py`, `python:src/a.py`, `python title="src/a.py"`."""
    name = re.split(r"[\s:=]", _NOTE.sub("", info.strip()))[-1].strip("\"'{}")
    return name if is_path(name) and citation(info) is None else None


def citation(info: str) -> re.Match[str] | None:
    """The lines of a file that a fence shows, as Cursor has models cite them: `12:14:src/a.py`."""
    return _CITATION.fullmatch(info.strip())


class Lead:
    """What the lines since the last edit say about the next one.

    Its file is the first of `names` that there is, else `path`. `hint` is a source file that prose above names: the
    same file, or only mentioned.
    `start` is the first of the lines that belong to it. `fenced` tells whether the last line is inside a code fence.
    """

    def __init__(self) -> None:
        self.fenced = False
        self._lines_in_fence = 0
        self.reset()

    def reset(self) -> None:
        self.path: str | None = None
        self.names: tuple[str, ...] = ()
        self.hint: str | None = None
        self.start: int | None = None
        self._outer: str | None = None  # the tag that it begins with

    def feed(self, index: int, line: str) -> None:
        fence = OPENING.fullmatch(line)
        if fence:
            self._feed_fence(index, fence["info"])
        elif _MARKUP.fullmatch(line):
            self._feed_markup(index, line)
        elif line.strip():
            self._lines_in_fence += 1
            self._feed_text(index, line)

    def _feed_fence(self, index: int, info: str) -> None:
        closes = self.fenced and not info.strip()
        self.fenced = not closes
        has_only_path = self._lines_in_fence == 1 and is_path(self.path or "")
        if closes and not has_only_path:
            self.reset()
            return
        self._lines_in_fence = 0
        self._begin(index)
        self.path = path_in_info(info) or self.path

    def _feed_markup(self, index: int, line: str) -> None:
        element = _PATH_ELEMENT.search(line)
        text = _TAG.sub("", line).strip()
        if element:
            self.path = element[2].strip()
        elif self.path is None and is_path(text) and has_suffix(text):
            self.path = text
        if not _CLOSING_TAGS.fullmatch(line):
            self._begin(index)
            self._outer = self._outer or line.strip().strip("<>")
        elif self._outer and f"</{self._outer}>" in line:
            self.start = self._outer = None  # the element that it begins with is over

    def _feed_text(self, index: int, line: str) -> None:
        wrapping = self.start if self.path is None else None
        self.reset()
        text = line.strip()
        alone = text if _WORD.fullmatch(text) else path_alone(line)
        self.path = alone or path_in_prose(line)
        self.names = () if alone else (*names_alone(line), *_last_name(line))
        if self.path is not None:
            self.start = index if wrapping is None else wrapping
            return
        sources = [file for file in files_in_prose(line) if notation_of(Path(file), "") != TEXT]
        self.hint = sources[-1] if sources else None

    def _begin(self, index: int) -> None:
        self.start = index if self.start is None else self.start


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
