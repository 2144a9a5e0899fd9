"""Paths in the lines of a message: alone, in prose, and in the info string of a code fence."""

from __future__ import annotations

import re
from pathlib import Path

from fastedit.formats.markdown.info_strings import names_a_language
from fastedit.source.languages import TEXT, notation_of

CODE = re.compile(r"`([^`]+)`")
_LABEL = re.compile(r"\w+(?: \w+)?:\s+(?=\S+$)")
_BEFORE = re.compile(r"(?:[#*>]+\s*|[-+]\s+|//\s+|\d+[.)]\s+)+")
_LINK = re.compile(r"\[([^\]\[]*)\]\(([^()\s]+)\)")
_BETWEEN = re.compile(r"[\s\u2013\u2014]+")
TAG = re.compile(r"</?[a-z][^<>]*>")
_PLACE = re.compile(r"(?::\d+(?:[-:]\d+)?|#L\d+(?:-L?\d+)?)$")
_CITATION = re.compile(r"(?P<first>\d+):(?P<last>\d+):(?P<path>\S.*)")
_NOTE = re.compile(r"\s\([^()]*\)$")
_LEGAL = re.compile(r"""[^\s<>"'|?*`,;=]+""")
_SUFFIX = re.compile(r"[\w)\]]\.[^\W\d_]\w*$|(?:^|[/\\])\.\w[\w.-]*$")
_FOLDER = re.compile(r"[\w)\]][/\\][\w.@$(\[]")
_WORD = re.compile(r"[^\W\d_][\w-]*")
_LONGEST = 255  # characters of a file's name


def is_path(text: str) -> bool:
    """Whether one word looks like a path: it has a folder, or a suffix as files do."""
    return bool(_LEGAL.fullmatch(text) and "://" not in text and (has_suffix(text) or has_folder(text)))


def is_file_name(text: str) -> bool:
    """Whether one word looks like a path with a suffix."""
    return is_path(text) and has_suffix(text)


def has_suffix(path: str) -> bool:
    return _SUFFIX.search(path) is not None


def has_folder(path: str) -> bool:
    return _FOLDER.search(path) is not None


def is_word(text: str) -> bool:
    return _WORD.fullmatch(text) is not None


def path_alone(line: str) -> str | None:
    """The path that is all a line says, without Markdown around it or a label such as `File:` before it."""
    text = _plain(line)
    if label := _LABEL.match(text):
        text = text[label.end() :]
    link = _LINK.fullmatch(text)
    if link and (shown := path_alone(link[1])) and f"/{_PLACE.sub('', link[2])}".endswith(f"/{shown}"):
        text = link[2]
    code = CODE.fullmatch(text)
    name = _PLACE.sub("", code[1] if code else text)
    if code:
        return name if is_path(name.replace(" ", "_")) or is_word(name) else None
    return name if is_path(name) else None


def file_alone(line: str) -> str | None:
    """The same where it has a suffix."""
    path = path_alone(line)
    return path if path is not None and has_suffix(path) else None


def names_alone(line: str) -> tuple[str, ...]:
    """All that a line says, and that without a label: the name of a file, if there is one that is called so."""
    text = _plain(line)
    return tuple(name.strip("`") for name in (text, text.partition(": ")[2]) if name)


def names_at_end(line: str) -> tuple[str, ...]:
    """The last words of a line such as `In My Docs/a b.py:`, most words first, without those that look like a path."""
    words = _plain(line)[-_LONGEST:].split(" ")
    runs = (" ".join(words[at:]).strip("`") for at in range(len(words)))
    return tuple(run for run in runs if not is_path(run))


def _plain(line: str) -> str:
    text = line.strip().replace("**", "")
    if begins := _BEFORE.match(text):
        text = text[begins.end() :]
    text = _NOTE.sub("", text.rstrip(" :*")).rstrip(" :*")
    emphasised = text[:1] == "_" == text[-1:] and has_suffix(text[1:-1])
    return text[1:-1] if emphasised else text


def files_in_prose(line: str, info: str = "") -> list[str]:
    """The files that a line of prose names, each once: words with a suffix, and a folder or a suffix that is known or
    that `info`, the info string of the fence below, repeats."""
    text = TAG.sub(" ", _LINK.sub(r" \2 ", line))
    plain = (word.lstrip("(*\"'").rstrip(".:,;!?)*\"'") for word in _words(CODE.sub(" ", text)))
    files = (_PLACE.sub("", word).removeprefix("./") for word in (*CODE.findall(text), *plain))
    return list(dict.fromkeys(file for file in files if _is_named(file, info)))


def _words(text: str) -> list[str]:
    """The words of prose, where a folder goes on in the next word, as in `My Docs/a b.py`."""
    words: list[str] = []
    for word in _BETWEEN.split(text):
        above = words[-1].rpartition(" ")[2] if words else ""
        if has_folder(above) and not has_suffix(above) and is_path(above) and above[-1].isalnum():
            words[-1] += f" {word}"
        else:
            words.append(word)
    return words


def _is_named(word: str, info: str) -> bool:
    is_info = bool(word) and word.lower() == info.lower()
    if not (is_info or is_file_name(word.replace(" ", "_") if has_folder(word.partition(" ")[0]) else word)):
        return False  # most words of prose
    suffix = Path(word).suffix[1:].lower()
    known = notation_of(Path(word), "") != TEXT or suffix == info.lower() != "" or names_a_language(suffix)
    return known or (not names_a_language(word) if is_info else has_folder(word))


def path_in_info(info: str) -> str | None:
    """The path in a code fence's info string: `src/a.py`, `python:src/a.py`, `python title="src/a.py"`."""
    name = re.split(r"[\s:=]", _NOTE.sub("", info.strip()))[-1].strip("\"'{}")
    return name if is_path(name) and citation(info) is None else None


def citation(info: str) -> re.Match[str] | None:
    """The lines of a file that a fence shows, as Cursor has models cite them: `12:14:src/a.py`."""
    return _CITATION.fullmatch(info.strip())
