"""Adds and removes comments and docstrings, and comments statements out."""

from __future__ import annotations

from fastedit.ops.base import DECORATED, STATEMENT, Operation, Outcome, option
from fastedit.ops.blocks import block_of, body_of, is_string
from fastedit.ops.delete import meant
from fastedit.ops.layout import cleared, reindented
from fastedit.ops.resolve import resolve_definition
from fastedit.ops.source import ByteEdit, Source
from fastedit.source.definitions import Definition
from fastedit.source.hunks import Hunk

_TARGET = "the definition or variable, or the function that has the statement: load, Store.load, LIMIT"


class AddComment(Operation, example="settings.py 'Read once.' load"):
    """Add a comment above a definition, a variable or a statement."""

    text: str = option("the comment, without its mark")
    target: str | None = option(_TARGET, None)
    anchor: str | None = option(STATEMENT, None)

    def carry_out(self, source: Source) -> Outcome:
        _, row = _above(source, self.target, self.anchor)
        lines = [f"{_mark(source)} {line}".rstrip() for line in self.text.strip("\n").split("\n")]
        return Outcome((Hunk(row, row, tuple(source.indent(row) + line for line in lines)),))


class RemoveComment(Operation, example="settings.py load"):
    """Remove the comment right above a definition, a variable or a statement, or behind it on its line."""

    target: str | None = option(_TARGET, None)
    anchor: str | None = option(STATEMENT, None)

    def carry_out(self, source: Source) -> Outcome:
        start, row = _above(source, self.target, self.anchor)
        if start < row:
            return Outcome((Hunk(start, row, ()),))
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
        node, definition = resolve_definition(source, self.target)
        if not source.language.docstring:
            start, stop = _documented(source, definition)
            new = _document(source, self.text, source.indent(definition.header)) if self.text else ()
        else:
            body = body_of(node)
            first = next((n for n in body.named_children if "comment" not in n.type), None) if body else None
            row, indent = block_of(source, self.target).place("first", None)
            start, stop = row, row
            if first is not None and is_string(first):
                start, stop = source.syntax.rows(first)
                if self.text is None:
                    return Outcome((cleared(source, first, start, stop),))
            new = tuple(reindented(source, _quoted(source, self.text), indent)) if self.text else ()
        if start == stop and not new:
            return Outcome((), (f"`{definition.dotted}` has no docstring",))
        return Outcome((Hunk(start, stop, new),))


def _mark(source: Source) -> str:
    assert source.language.comment is not None
    return source.language.comment[0]


def _above(source: Source, target: str | None, anchor: str | None) -> tuple[int, int]:
    """The line that begins the comment above what is meant, and the line below that comment."""
    if anchor is not None:
        row = block_of(source, target).at(anchor).start_point.row
        return source.syntax.comments_above(row), row
    if target is None:
        raise source.refused("name the `target` or the `anchor`")
    _, _, start, header, _ = meant(source, target)
    row = start
    while row < header and source.syntax.in_comment(row):
        row += 1
    return start, row


def _documented(source: Source, definition: Definition) -> tuple[int, int]:
    """The lines of the comment that documents a definition, right above it and what decorates it."""
    mark, stop = source.language.doc_comment, definition.start
    while stop < definition.header and source.syntax.in_comment(stop):
        stop += 1
    start = stop
    if mark == "/**":
        node = source.syntax.at(stop - 1) if stop > definition.start else None
        stands = node is not None and source.text(node).startswith(mark)
        return (node.start_point.row, stop) if node is not None and stands else (stop, stop)
    while start > definition.start and source.lines[start - 1].strip().startswith(mark):
        start -= 1
    return start, stop


def _document(source: Source, text: str, indent: str) -> tuple[str, ...]:
    """The comment that documents, as the language writes it."""
    mark, lines = source.language.doc_comment, text.strip("\n").split("\n")
    if mark != "/**":
        return tuple(f"{indent}{mark} {line}".rstrip() for line in lines)
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
