"""What terminals, viewers and chats put around the lines of a text that is copied from them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, takewhile
from pathlib import PurePath
from typing import NamedTuple

from tree_sitter import Node

from fastedit.source.document import Document
from fastedit.source.language import notation_in
from fastedit.source.languages import named
from fastedit.source.markers import looks_like_marker
from fastedit.source.syntax import Syntax, has_grammar, parse

_AFTER_NUMBER = ("[\t→]", " ", " ?[|│:]", " ?[|│:] ")
NUMBER = re.compile(rf"\s*(\d+)(?:{'|'.join(_AFTER_NUMBER)})\s*\S")
_VIEWS = [re.compile(rf"\s*+(\d++){sign}") for sign in _AFTER_NUMBER] + [re.compile("()[$>] ")]
_WRITES = re.compile(r"""cat\s*>\s*(['"]?)(?P<path>[^\s'"<>|&;$]+)\1\s*<<-?\s*(['"]?)(?P<end>\w+)\3""")
_WORD, _VALUE = re.compile(r"[\w$]+"), re.compile(r"[\w$.]+")
_SIGNS = re.compile(r"[-+*/%.<>{}\[\],:]+")  # those of neither a call nor an assignment


class Copied(NamedTuple):
    """Lines without these, what is said of them, and whether a command writes all of the file."""

    lines: Sequence[str]
    said: list[str]
    is_file: bool


def without_copied(lines: Sequence[str], document: Document) -> Copied:
    """What lines for a document are."""
    language, said = notation_in(document), list[str]()
    shown = [row for row, line in enumerate(lines) if line.strip()]
    command = _WRITES.fullmatch(lines[shown[0]].strip()) if len(shown) > 2 else None
    name = document.path.name if document.path is not None else None
    is_written = command and (PurePath(command["path"]).name, command["end"]) == (name, lines[shown[-1]])
    if command and is_written:
        lines = lines[shown[0] + 1 : shown[-1]]
        said.append(f"the command `{command[0]}`, which writes the file,")
    if not named(language).prose and (view := _without_view(lines, document.lines)) is not None:
        lines = view
        said.append("what each line begins with, a number or a prompt,")
    found = _strays(lines, language, document.lines)
    said += (f"`{lines[row].strip()}`, which does nothing," for row in sorted(found))
    left = [line for row, line in enumerate(lines) if row not in found]
    return Copied(left, said, bool(is_written) and not any(map(looks_like_marker, left)))


def _without_view(lines: Sequence[str], file: Sequence[str]) -> list[str] | None:
    """Lines without the rising number or the prompt that each begins with, if only so some are lines of the file and
    others are new."""
    views = [read for view in _VIEWS if (read := _read_as(view, lines)) is not None]
    if not views:
        return None
    known = {line.rstrip() for line in file if any(map(str.isalnum, line))}
    best = max(views, key=lambda read: len(known.intersection(read)))
    if known.isdisjoint(best) or not known.isdisjoint(lines):
        return None
    new = (line for line in best if any(map(str.isalnum, line)) and line not in known)
    return None if all(map(looks_like_marker, new)) else best


def _read_as(view: re.Pattern[str], lines: Sequence[str]) -> list[str] | None:
    """Lines without what a view puts before each; None if one lacks it that is no marker, or numbers do not rise."""
    read, numbers = list[str](), list[int]()
    for line in lines:
        found = view.match(f"{line} ")
        if found is None and line.strip() and not looks_like_marker(line):
            return None
        read.append(line if found is None else line[found.end() :].rstrip())
        numbers += [int(found[1])] if found and found[1] else []
    return read if numbers == sorted({*numbers}) else None


def _strays(lines: Sequence[str], language: str, file: Sequence[str]) -> set[int]:
    """The first and last lines that do nothing: statements at the margin, of names and literals alone, where nothing
    else in the text or the file has one of these names. Buttons and labels of a chat are copied with its code."""
    about = named(language)
    # Elsewhere a name alone may be a call or a macro.
    is_plain = about.blocks in ("braces", "indent") and not about.macros and not about.is_data
    shown = [row for row, line in enumerate(lines) if line.strip()]
    # Most texts begin and end with lines that do something by themselves: these need not be parsed.
    if not (is_plain and any(_is_idle_alone(lines[row], language) for row in (*shown[:1], *shown[-1:]))):
        return set()
    syntax = parse((*lines, ""), language)
    if syntax is None:
        return set()
    at_margin = ((node.start_point.row, node) for node in syntax.root.children if not node.start_point.column)
    nodes = ((row, node) for row, node in at_margin if not looks_like_marker(lines[row]))
    idle = {row for row, node in nodes if syntax.text(node) == lines[row].rstrip() and _is_idle(node)}
    ends = [list(takewhile(idle.__contains__, rows)) for rows in (shown, shown[::-1])]
    rest = [lines[row] for row in {*shown}.difference(*ends) if not looks_like_marker(lines[row])]
    if not rest or not any(ends):
        return set()
    used = {word for line in chain(file, rest) for word in _WORD.findall(line)}
    return {
        row for end in ends for row in takewhile(lambda row: used.isdisjoint(_WORD.findall(lines[row])), end)
    }


def _is_idle_alone(line: str, language: str) -> bool:
    """Whether a line at the margin does nothing, and is no marker: `...` is such a statement of Python."""
    if line[:1].isspace() or looks_like_marker(line) or not has_grammar(language):
        return False
    return any(map(_is_idle, Syntax((line, ""), language).root.children))


def _is_idle(statement: Node) -> bool:
    """Whether it is of names and literals alone, and no string, which may be a directive or a docstring."""
    nodes = [statement]
    for node in nodes:
        nodes += () if "string" in node.type else node.children
    leaves = [node for node in nodes if not node.children and "string" not in node.type]
    texts = ((_VALUE if leaf.is_named else _SIGNS, (leaf.text or b"").decode()) for leaf in leaves)
    return (
        "statement" in statement.type
        and not statement.has_error
        and not any("assignment" in node.type for node in nodes)
        and any(leaf.is_named for leaf in leaves)
        and all(kind.fullmatch(text) for kind, text in texts)
    )
