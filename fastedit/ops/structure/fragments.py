"""Finds a piece of code in a text: the same tokens, whatever white space stands between them, and whole nodes only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import dedent

from tree_sitter import Node

from fastedit.ops.source import ByteEdit, Source
from fastedit.ops.structure.brackets import is_tight
from fastedit.ops.structure.layout import reindented
from fastedit.source.names.site import CODE_IN_STRINGS, PathNode, Role, walk
from fastedit.source.syntax import error_in

_TOKEN = re.compile(r"\w+|[^\w\s]")
_SEVERAL = ("comma_expression", "sequence_expression")
_GLUED = re.compile(r"\w\w|[-+*/%&|^<>=!?:.]{2}")  # characters between which white space tells tokens apart


def fragments(source: Source, code: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """The bytes of each place between `start` and `stop` that has the tokens of `code` and is made of whole nodes."""
    code = code.strip()
    first = _TOKEN.match(code)
    assert first is not None
    after = start
    words = re.finditer(re.escape(first[0]).encode(), source.data)
    for word, _ in walk(source.syntax.root, words, source.language):
        at = word.start()
        end = _matched(source, at, code) if after <= at < stop else None
        if end is not None and end <= stop and whole(source, at, end):
            yield at, end
            after = end


def texts(source: Source, text: str, role: Role | None, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """The bytes of each place between `start` and `stop` where the words stand in a string, a comment, or anywhere."""
    pattern = re.escape(text).encode()
    if role is not None:
        before, after = (
            rb"(?<!\w%s)" % pattern if text[0].isalnum() else b"",
            rb"(?!\w)" if text[-1].isalnum() else b"",
        )
        pattern += before + after
    for word, steps in walk(source.syntax.root, re.finditer(pattern, source.data), source.language):
        at, end = word.span()
        inside = role is None or any(step.text is role and step.stop >= end for step in steps)
        if start <= at < stop and (inside or (role is Role.STRING and _quoted(source, at, steps))):
            yield at, end


def _quoted(source: Source, at: int, steps: Sequence[PathNode]) -> bool:
    """Whether a place in the text of a macro of C stands between quotes."""
    if not steps or steps[-1].kind != "preproc_arg":
        return False
    return re.sub(rb"\\.", b"", source.data[steps[-1].node.start_byte : at]).count(b'"') % 2 == 1


def whole(source: Source, start: int, stop: int) -> bool:
    """Whether these bytes are one node, or several that follow each other in another."""
    node = source.syntax.root.descendant_for_byte_range(start, stop)
    if node is None or (node.start_byte, node.end_byte) == (start, stop):
        return node is not None
    first = next((child for child in node.children if child.start_byte == start), None)
    last = next((child for child in node.children if child.end_byte == stop), None)
    if first is None or last is None:
        return False
    # Python's `a < b < c` is one node, in which `a < b` is no expression.
    chained = node.child_by_field_name("operators") is not None
    return not (chained and first.is_named and last.is_named)


def _matched(source: Source, begin: int, code: str) -> int | None:
    """Where the tokens of `code` end that begin at a byte; None where others stand there."""
    at, done = begin, 0
    while (token := _token(source, at)) is not None and token.start_byte == at:
        text = source.text(token)
        if not text or not code.startswith(text, done):
            return None
        end, done = token.end_byte, done + len(text)
        if done == len(code):
            return end if _is_shaped(source, begin, end, code) else None
        at, gone = source.non_blank(end), done
        done = len(code) - len(code[done:].lstrip())
        if (at > end) != (done > gone) and _GLUED.match(text[-1] + code[done]):
            return None
    return None


def _is_shaped(source: Source, start: int, stop: int, code: str) -> bool:
    """Whether lines whose indentation counts are indented among each other as those of `code`."""
    if not source.language.is_indented or "\n" not in code:
        return True
    text = source.data[start:stop].decode()
    return text == code or dedent(source.indent(source.row(start)) + text) == dedent(code)


def _token(source: Source, at: int) -> Node | None:
    """The string, the comment or the smallest node that a byte stands in."""
    cursor = source.syntax.root.walk()
    found: Node | None = None
    text = False
    while cursor.goto_first_child_for_byte(at) is not None:
        node = cursor.node
        if node is None or node.start_byte > at:
            break
        kind = node.type
        text = text and kind not in CODE_IN_STRINGS
        if not text:
            found = node
            text = "comment" in kind or "string" in kind or kind == "char_literal"
    return found


def fitted(source: Source, spans: Sequence[tuple[int, int]], code: str, old: str = "") -> list[ByteEdit]:
    """The code in place of each of the spans, in brackets where it would be torn apart without. `old` is how whoever
    wrote the code spells a span: where its further lines are as deep as the file's, so are those of the code.

    Raises OperationRefused where even these do not hold it together.
    """
    code = code.strip("\n")
    one_line = "\n" not in code
    tight = [one_line and is_tight(source, start, stop, code) for start, stop in spans]
    for bracketed in (tight, [one_line] * len(spans)):
        edits = [
            ByteEdit(start, stop, _indented(source, start, stop, f"({code})" if between else code, old))
            for (start, stop), between in zip(spans, bracketed, strict=True)
        ]
        if _fits(source, edits, bracketed):
            return edits
    raise source.refused(f"{code!r} would not be read as one there; replace more around it")


def _indented(source: Source, start: int, stop: int, code: str, old: str) -> str:
    """The code with its further lines as deep as the line it begins on, unless they are of the file's depth: as in
    `old`, or as they compile."""
    if "\n" not in code:
        return code.lstrip()
    theirs, mine = (_further_depths(text) for text in (source.data[start:stop].decode(), old.strip("\n")))
    if mine and mine == theirs:
        return code.lstrip()
    indent = source.indent(source.row(start))
    readings = ["\n".join(reindented(source, each, indent)).lstrip() for each in (code, indent + code)]
    changed = (source.changed(source.hunks([ByteEdit(start, stop, each)])) for each in readings)
    errors = (error_in(new.language.name, new.lines) for new in changed)
    return next((each for each, error in zip(readings, errors, strict=True) if error is None), readings[0])


def _further_depths(text: str) -> list[str]:
    """The indentation of all lines but the first and blank ones."""
    return [line[: len(line) - len(line.lstrip())] for line in text.split("\n")[1:] if line.strip()]


def _fits(source: Source, edits: Sequence[ByteEdit], bracketed: Sequence[bool]) -> bool:
    """Whether what replaces stands in the new text as whole nodes, in what the old ones stood in."""
    new = source.changed(source.hunks(edits))
    if new.syntax.damage > source.syntax.damage:
        return True  # which is refused elsewhere, by its line
    shift = 0
    for edit, between in zip(edits, bracketed, strict=True):
        start, shift = edit.start + shift, shift + len(edit.text.encode()) - (edit.stop - edit.start)
        old = _around(source, edit.start, edit.stop)
        if not whole(new, start, edit.stop + shift) or _around(new, start, edit.stop + shift) != old:
            return False
        inner = new.syntax.root.descendant_for_byte_range(start + 1, edit.stop + shift - 1)
        if between and (inner is None or inner.type in _SEVERAL):
            return False
        if old == ("arrow_function", False) and edit.text.startswith("{"):
            return False  # a block to JavaScript, whatever the grammar takes it for
    return True


def _around(source: Source, start: int, stop: int) -> tuple[str, bool]:
    """The kind of what the bytes stand in, and whether they are a statement there."""
    whole = source.spanning(start, stop)
    around = whole[-1].parent if whole else source.syntax.root.descendant_for_byte_range(start, stop)
    statement = bool(whole) and whole[-1].type.endswith(("statement", "block", "declaration"))
    return ("" if around is None else around.type), statement
