"""Escapes of strings and of XML that stand in a text because it was escaped once more than its format asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from fastedit.formats.base import Replacement
from fastedit.formats.text.changes import TextChange, apply
from fastedit.formats.text.views import ViewedText, lines_of
from fastedit.source.syntax import Syntax, parse

_IN_STRINGS = re.compile(r"""\\([ntr"'`\\])""")
_MEANS = {"n": "\n", "t": "\t", "r": "\r"}
_BREAK = re.compile(r"(?:\\r)?\\n")
# A backslash in front of a letter that begins no escape, neither of strings nor of JSON.
_COMMAND = re.compile(r"\\[^\W\d_bfnrtu]")
_ENTITY = re.compile(r"&(lt|gt|amp|quot|apos|#39);")
_BARE = re.compile(rf"<|&(?!{_ENTITY.pattern[1:]})")
# `xml.sax.saxutils` would import an HTTP client with each start.
_SIGNS = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'", "#39": "'"}


def unescaped(hunk: Replacement) -> Iterator[Replacement]:
    """The hunk with one level of escapes less, of each kind that its old text shows and its new text has throughout."""
    shown = set(_IN_STRINGS.findall(hunk.old))
    if shown and shown.issuperset(_IN_STRINGS.findall(hunk.new)):
        old, new = (
            _IN_STRINGS.sub(lambda escape: _MEANS.get(escape[1], escape[1]), part)
            for part in (hunk.old, hunk.new)
        )
        if hunk.whole_lines and old.endswith("\n\n") and (not new or new.endswith("\n\n")):
            old, new = old[:-1], new[:-1]
        if old:
            yield replace(hunk, old=old, new=new)
    if _ENTITY.search(hunk.old) and not (_BARE.search(hunk.old) or _BARE.search(hunk.new)):
        old, new = (_ENTITY.sub(lambda found: _SIGNS[found[1]], part) for part in (hunk.old, hunk.new))
        yield replace(hunk, old=old, new=new)


def escapes_in(text: str) -> set[str]:
    """The escapes, of strings and of XML, that a text shows."""
    return {found[0] for pattern in (_IN_STRINGS, _ENTITY) for found in pattern.finditer(text)}


def break_written_out(text: ViewedText, hunk: Replacement, rows: range) -> str | None:
    """A new line that is one of the file's, where the hunk goes, and another one behind or before a written `\\n`.

    In a string of several lines that is how a line break is written, and so it is in the value of a setting. A file
    without syntax that has words behind backslashes, as TeX does, may mean one.
    """
    if not _BREAK.search(hunk.new):
        return None
    known = {line.strip() for line in text.lines[rows.start : rows.stop]}
    old = set(lines_of(hunk.old))
    for line in lines_of(hunk.new):
        parts = {part.strip() for part in _BREAK.split(line)} - {""}
        if (
            line not in old
            and len(parts) > 1
            and any(_are_lines(part, parts - {part}) for part in parts & known)
        ):
            syntax = parse(tuple(text.lines), text.language)
            is_text = _COMMAND.search(text.whole) if syntax is None else rows.start in syntax.strings
            return None if is_text else line
    return None


def _are_lines(known: str, others: set[str]) -> bool:
    """Whether what stands next to a line of the file may be lines as it is: where that sets a value, they do."""
    return "=" not in known or any("=" in other for other in others)


def entity_in_code(text: ViewedText, hunk: Replacement, changes: Sequence[TextChange]) -> str | None:
    """An entity of XML that a hunk writes where the language has no text but code, and reads an operator and a name
    that nothing has."""
    new = set(_ENTITY.findall(hunk.new))
    new -= set(_ENTITY.findall(text.whole)) if new else set()
    if not new or _BARE.search(hunk.new):
        return None
    syntax = parse(tuple(lines_of(apply(text.whole, changes))), text.language)
    return None if syntax is None else next(_operators(syntax, new), None)


def _operators(syntax: Syntax, entities: set[str]) -> Iterator[str]:
    for entity in sorted(entities):
        if re.search(rf"(?<!&)\b{entity}\b".encode(), syntax.data):
            continue
        written = f"&{entity};"
        for found in re.finditer(written.encode(), syntax.data):
            node = syntax.root.descendant_for_byte_range(found.start(), found.start() + 1)
            if node is not None and not node.is_named:
                yield written
