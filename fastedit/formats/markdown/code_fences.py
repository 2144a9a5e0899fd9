"""Which code fences of a message hold the text of a file that may have fences of its own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fastedit.files.paths import slashed
from fastedit.formats.markdown.info_strings import PLAIN, SHELLS, is_no_code, said, says_commands
from fastedit.formats.markdown.paths import path_in_info
from fastedit.source.document import Document
from fastedit.source.fences import Fence, Nested, fences, first_word, outermost, pairs_up
from fastedit.source.language import language_in, notation_in
from fastedit.source.languages import TEXT, Language, languages, named, notation_of
from fastedit.source.syntax import parse


def code_fences(lines: Sequence[str], document: Document) -> list[Fence]:
    """The fences of a message for a document, or the one around them all where the text in it has fences of its own.

    That one says what the document is, or nothing. It is meant where without it a fence is left open, or where lines of
    the document stand between fences and more are inside and outside of fences as they are in the document.
    """
    whole = fence_around(lines)
    if whole is not None and whole.tag and is_all_code(whole.text(lines), lines, document):
        return [whole]
    apart, around = fences(lines), outermost(lines)
    if around is None or apart == [around] or not (not around.info or names_kind(around.info, document)):
        return apart
    if not all(fence.closed and pairs_up([lines[at] for at in fence.inside]) for fence in apart):
        return [around]
    inside = [lines[at] for at in around.inside]
    between = set(around.inside).difference(*(fence.lines for fence in apart))
    known = set(filter(str.strip, document.lines))
    if known.isdisjoint(lines[at] for at in between):
        return apart
    return [around] if _agreement(inside, document) > _agreement(lines, document) else apart


def fence_around(lines: Sequence[str]) -> Fence | None:
    """The fence that holds all of a message."""
    shown = [at for at, line in enumerate(lines) if line.strip()]
    fence = Nested(lines).fence(shown[0]) if shown else None
    return fence if fence is not None and fence.closed and fence.lines[-1] == shown[-1] else None


def is_one_fence(lines: Sequence[str], path: str) -> bool:
    """Whether a text of a file that has no fences is all in one."""
    found = fences(lines)
    around = len(found) == 1 and found[0].closed and found[0].lines == range(len(lines))
    return around and not named(notation_of(Path(path), "")).fences


def is_all_code(part: Sequence[str], lines: Sequence[str], document: Document) -> bool:
    """Whether a part of the lines can be text of a document and all of them cannot, by its language."""
    language = language_in(document)
    syntax, inner = parse(tuple(lines), language), parse(tuple(part), language)
    return syntax is not None and syntax.has_error and inner is not None and not inner.has_error


def names_kind(info: str, document: Document) -> bool:
    """Whether the info string of a fence says what a document is: its path, its language, or a suffix of that."""
    path = document.path
    word = first_word(info)
    suffix = path.suffix.lower().removeprefix(".") if path is not None else ""
    if path is not None and (inside := path_in_info(info)) is not None:
        return slashed(inside).rpartition("/")[2] == path.name
    if word == suffix:
        return bool(word)
    language = named(notation_in(document))
    return language.name != TEXT and word in said(language)


def names_language(info: str, path: Path) -> bool:
    """Whether the info string of a fence may be said of the text of a file, or says nothing.

    Where the language of the file is known, it is called by a name of that or of one whose grammar reads the other."""
    word = first_word(info)
    if word in ("", path.suffix.lower().removeprefix("."), path.name.lower()):
        return True
    language = named(notation_of(path, ""))
    if language.name == TEXT:
        commands = path.suffix.lower().removeprefix(".") in SHELLS
        return word in SHELLS if commands else word not in SHELLS | PLAIN
    return any(word in said(each) for each in _family(language))


def is_beside(info: str, path: Path, text: Sequence[str]) -> bool:
    """Whether a fence below a path says that it is not the text of that file but about it: code is neither commands nor
    plain text, and of other files commands that have the name run it."""
    language = named(notation_of(path, ""))
    if not is_no_code(info) or language.commands:
        return False
    return language.is_code or (says_commands(info) and any(path.name in line for line in text))


def _family(language: Language) -> list[Language]:
    """The language, those that it extends, and those that extend it."""
    found = [language]
    while found[-1].extends:
        found.append(named(found[-1].extends))
    above = {language.name}
    for each in languages() * 2:
        if each.extends in above and each.name not in above:
            above.add(each.name)
            found.append(each)
    return found


def _fenced(lines: Sequence[str]) -> dict[str, bool]:
    """For each line that is there once, whether it stands in a fence."""
    inside = {index for fence in fences(lines) for index in fence.lines}
    found: dict[str, bool] = {}
    repeated = set[str]()
    for index, line in enumerate(lines):
        repeated |= {line} & found.keys()
        found[line] = index in inside
    return {line: is_inside for line, is_inside in found.items() if line not in repeated and line.strip()}


def _agreement(lines: Sequence[str], document: Document) -> int:
    """How many lines of the document stand in fences, or outside, as they do there, beyond those that do not."""
    mine, theirs = _fenced(lines), _fenced(document.lines)
    return sum(1 if mine[line] is theirs[line] else -1 for line in mine.keys() & theirs.keys())
