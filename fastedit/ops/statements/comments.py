"""Adds and removes comments and docstrings, and comments statements out."""

from __future__ import annotations

import re
from itertools import takewhile

from fastedit.ops.base import DECORATED, STATEMENT, Operation, Outcome, option
from fastedit.ops.definitions.delete import meant
from fastedit.ops.names.resolve import resolve_definition
from fastedit.ops.source import ByteEdit, Source
from fastedit.ops.structure.blocks import block_of, is_string
from fastedit.ops.structure.layout import cleared, own_comments
from fastedit.source.definitions import Definition
from fastedit.source.hunks import Hunk

_DIRECTIVE = re.compile(r"//\w+:\S")  # of Go's compiler or of a tool, below the documentation
_MARK = re.compile(r"([^\w\s]*).*", re.DOTALL)  # what a comment begins with
_TARGET = "the definition or variable, or the function that has the statement: load, Store.load, LIMIT"


class AddComment(Operation, example="settings.py 'Read once.' load"):
    """Add a comment above a definition, a variable or a statement."""

    text: str = option("the comment, without its mark")
    target: str | None = option(_TARGET, None)
    anchor: str | None = option(STATEMENT, None)

    def carry_out(self, source: Source) -> Outcome:
        _, row = _above(source, self.target, self.anchor)
        assert source.language.comment is not None
        return Outcome((_commented(source, row, row, source.language.comment[0], self.text),))


class RemoveComment(Operation, example="settings.py load"):
    """Remove the comment right above a definition, a variable or a statement, or after it on its line."""

    target: str | None = option(_TARGET, None)
    anchor: str | None = option(STATEMENT, None)

    def carry_out(self, source: Source) -> Outcome:
        start, row = _above(source, self.target, self.anchor)
        if start < row:
            return Outcome((Hunk(_lowest(source, start, row), row, ()),))
        end = len(source.lines[row].encode()) + source.start(row)
        node = source.syntax.root.descendant_for_byte_range(end - 1, end)
        if node is None or "comment" not in node.type or node.start_point.row != row:
            raise source.refused(f"line {source.number(row)} has no comment above or after it")
        before = source.data[source.start(row) : node.start_byte].rstrip()
        return Outcome(source.hunks([ByteEdit(source.start(row) + len(before), end, "")]))


class SetDocstring(Operation, example="settings.py load 'Read the settings.'"):
    """Give a function or class a docstring, or the comment that is one in its language; change it or take it away."""

    target: str = option(DECORATED)
    text: str | None = option(
        "the text, without quotes or marks; leave it out to take the docstring away", None
    )

    def carry_out(self, source: Source) -> Outcome:
        _, definition = resolve_definition(source, self.target)
        hunks = self._string(source) if source.language.docstring else self._comment(source, definition)
        return Outcome(hunks, () if hunks else (f"`{definition.dotted}` has no docstring",))

    def _string(self, source: Source) -> tuple[Hunk, ...]:
        block = block_of(source, self.target)
        row, indent = block.place("first", None)
        old = next(filter(is_string, block.statements[:1]), None)
        if self.text is None:
            if old is None:
                return ()
            source.check_alone(old)
            return (cleared(source, old, *source.syntax.rows(old)),)
        lines = tuple(f"{indent}{line}".rstrip() for line in _quoted(source, self.text).split("\n"))
        if old is None:
            return (Hunk(row, row, lines),)
        return source.hunks([ByteEdit(old.start_byte, old.end_byte, "\n".join(lines).lstrip())])

    def _comment(self, source: Source, definition: Definition) -> tuple[Hunk, ...]:
        start, stop = _documented(source, definition)
        if self.text is None:
            return (Hunk(start, stop, ()),) if start < stop else ()
        mark = source.language.doc_comment
        if mark != "/**":
            return (_commented(source, start, stop, mark, self.text),)
        return (Hunk(start, stop, _document(source, self.text, source.indent(definition.header))),)


def _commented(source: Source, start: int, stop: int, mark: str, text: str) -> Hunk:
    """The text in comments of one line each, in place of some lines.

    Raises OperationRefused where they would take the line below along, as a backslash of C's does.
    """
    lines = [f"{source.indent(stop)}{mark} {line}".rstrip() for line in text.strip("\n").split("\n")]
    hunk, end = Hunk(start, stop, tuple(lines)), start + len(lines)
    new = source.changed((hunk,)).syntax
    last = new.at(end - 1)
    if last is not None and new.rows(last)[1] > end:
        raise source.refused(f"`{lines[-1].strip()}` would go on in the line below; end it in another way")
    return hunk


def _above(source: Source, target: str | None, anchor: str | None) -> tuple[int, int]:
    """The line that begins the comment above what is meant, and the line below that comment."""
    if anchor is not None:
        row = block_of(source, target).at(anchor).start_point.row
        return own_comments(source, source.syntax.comments_above(row), row), row
    if target is None:
        raise source.refused("name the `target` or the `anchor`")
    found = meant(source, target)
    row = found.start
    while row < found.header and source.syntax.in_comment(row):
        row += 1
    return found.start, row


def _lowest(source: Source, start: int, row: int) -> int:
    """The first line of the comment that ends right above a line, among those that begin on line `start`: of lines with
    one mark, or between its own ends."""
    lines = [line.strip() for line in source.lines[start:row]]
    node = source.syntax.at(row - 1) if lines else None
    if node is not None and node.start_point.row < row - 1:
        return max(start, node.start_point.row)
    marks = [_MARK.sub(r"\1", line) for line in reversed(lines)]
    alike = takewhile(lambda mark: mark == marks[0], marks)
    return row - len([*alike])


def _documented(source: Source, definition: Definition) -> tuple[int, int]:
    """The lines of the comment that documents a definition, right above it and what decorates it."""
    stop, lines = definition.start, [line.strip() for line in source.lines[: definition.header]]
    while stop < definition.header and source.syntax.in_comment(stop):
        stop += 1
    while stop > definition.start and _DIRECTIVE.match(lines[stop - 1]):
        stop -= 1
    start = _lowest(source, definition.start, stop)
    start = max([start, *(row + 1 for row in range(start, stop) if _DIRECTIVE.match(lines[row]))])
    documents = lines[start:stop] and lines[start].startswith(source.language.doc_comment)
    return (start if documents else stop), stop


def _document(source: Source, text: str, indent: str) -> tuple[str, ...]:
    """The comment between `/**` and its end."""
    lines = text.strip("\n").split("\n")
    if "*/" in text:
        raise source.refused("`*/` would end the comment; write it in another way")
    if len(lines) == 1:
        return (f"{indent}/** {lines[0]} */",)
    return (f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in lines), f"{indent} */")


def _quoted(source: Source, text: str) -> str:
    """The text as a docstring of Python's."""
    text = text.strip("\n")
    quotes = 'r"""' if "\\" in text else '"""'
    if '"""' in text or text.endswith('"'):
        raise source.refused("the quotes in it would end the docstring; write it in another way")
    return f'{quotes}{text}\n"""' if "\n" in text else f'{quotes}{text}"""'
