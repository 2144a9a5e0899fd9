"""Adds and removes decorators, and what other languages have for them: annotations and attributes."""

from __future__ import annotations

import re

from tree_sitter import Node

from fastedit.ops.base import DECORATED, Operation, Outcome, option
from fastedit.ops.lists import items_of
from fastedit.ops.names.variables import resolve_either
from fastedit.ops.source import ByteEdit, Source
from fastedit.ops.structure.anchors import DECLARING
from fastedit.source.definitions import whole_statement
from fastedit.source.hunks import Hunk

_TARGET = DECORATED.replace("function or class", "function, class or field")
_HOLDERS = ("modifiers", "attribute_list")
_KINDS = ("decorator", "annotation", "marker_annotation", "attribute_item")


class AddDecorator(Operation, needs="decorator", example="settings.py load functools.cache"):
    """Add a decorator, annotation or attribute to a function, class or field, above those that it has."""

    target: str = option(_TARGET)
    decorator: str = option("the decorator, with or without its mark: @, #[] or []")

    def carry_out(self, source: Source) -> Outcome:
        node, said = _decorated(source, self.target)
        wanted = _bare(self.decorator)
        found = decorators(source, node)
        for other in found:
            if written(source, other) == wanted:
                has = f"{_spelled(source, wanted)} already (line {source.number(other.start_point.row)})"
                return Outcome((), (f"`{said}` has {has}",))
        first = found[0] if found else whole_statement(source.syntax, node)
        row = first.start_point.row
        if source.beside(first)[0]:
            raise source.refused(f"line {source.number(row)} holds other code too; break it up first")
        lines = tuple(source.indent(row) + part for part in _spelled(source, wanted).split("\n"))
        return Outcome((Hunk(row, row, lines),))


class RemoveDecorator(Operation, needs="decorator", example="settings.py load functools.cache"):
    """Remove a decorator, annotation or attribute from a function, class or field."""

    target: str = option(_TARGET)
    decorator: str = option("the decorator, with or without its mark: @, #[] or [] and its arguments")

    def carry_out(self, source: Source) -> Outcome:
        node, said = _decorated(source, self.target)
        wanted = _bare(self.decorator)
        texts = [(other, written(source, other)) for other in decorators(source, node)]
        found = [other for other, text in texts if text == wanted]
        found = found or [other for other, text in texts if text.split("(")[0].strip() == wanted]
        if len(found) != 1:
            has = ", ".join(_spelled(source, text) for _, text in texts) or "none"
            problem = f"{'several' if found else 'no'} {_spelled(source, wanted)}"
            raise source.refused(f"`{said}` has {problem}; it has {has}; name one of these")
        if source.beside(found[0]) == (b"", b""):
            return Outcome((Hunk(*source.syntax.rows(found[0]), ()),))
        return Outcome(source.hunks([ByteEdit(found[0].start_byte, source.non_blank(found[0].end_byte), "")]))


def _decorated(source: Source, target: str) -> tuple[Node, str]:
    """The definition or the field that a target means, and what errors call it. Raises TargetUnresolved."""
    found, field = resolve_either(source, target, declared=True)
    if found is not None:
        return found[0], found[1].dotted
    assert field is not None
    around = field.statement.parent
    if around is None or source.kind(around) not in DECLARING:
        raise source.refused(f"`{field.dotted}` can have no decorator; name a function, a class or a field")
    if not field.alone:
        raise source.refused(
            f"`{field.dotted}` stands among others, which would have it too; break them up first"
        )
    return field.statement, field.dotted


def decorators(source: Source, node: Node) -> list[Node]:
    """The decorators of a definition, from the top."""
    whole = whole_statement(source.syntax, node)
    holders = dict.fromkeys([whole, node, *(child for child in node.children if child.type in _HOLDERS)])
    found = [child for holder in holders for child in holder.named_children if source.kind(child) in _KINDS]
    before = whole.prev_named_sibling
    while before is not None and (source.kind(before) in _KINDS or "comment" in before.type):
        found[:0] = [before] if source.kind(before) in _KINDS else []
        before = before.prev_named_sibling
    return found


def _spelled(source: Source, decorator: str) -> str:
    return source.language.decorator.format(decorator)


def written(source: Source, decorator: Node) -> str:
    """A decorator without its mark, and without the comment after it."""
    items = items_of(decorator)
    stop = decorator.end_byte if decorator.children[-1].type == ")" else items[-1].end_byte
    return source.data[items[0].start_byte : stop].decode()


def _bare(text: str) -> str:
    """What was asked for without its mark."""
    text = text.strip()
    bracketed = re.fullmatch(r"#?\[(.*)\]", text, re.DOTALL)
    return bracketed[1].strip() if bracketed else text.removeprefix("@").strip()
