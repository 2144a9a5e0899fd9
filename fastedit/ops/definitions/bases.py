"""Adds and removes what a class derives from."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Literal

from tree_sitter import Node

from fastedit.errors import TargetUnresolved
from fastedit.ops.base import Candidate, Operation, Outcome, option
from fastedit.ops.lists import items_of, positional, put, taken
from fastedit.ops.names.resolve import place, resolve_definition
from fastedit.ops.source import ByteEdit, Source
from fastedit.source.languages.base import Bases
from fastedit.source.languages.scopes import kinds

_TARGET = "the class, interface or trait: Store; add @LINE to choose among several"
# What belongs to the name of a class, before what it derives from.
_HEAD = kinds(
    "type_parameters type_parameter type_parameter_list formal_parameters parameter_list virtual_specifier"
)
_ACCESS = re.compile(r"^(?:(?:public|private|protected|virtual)\s+)+")


class AddBase(Operation, needs="bases", on="class", example="settings.py Store Mapping"):
    """Let a class derive from another, after those that it derives from already."""

    target: str = option(_TARGET)
    base: str = option("the class, interface or trait from which it derives")
    kind: Literal["extends", "implements"] | None = option("which, for a class of Java or TypeScript", None)

    def carry_out(self, source: Source) -> Outcome:
        node, kind = _class(source, self.target)
        forms, base = _forms(source), self.base.strip()
        clauses = _clauses(source, node)
        if any(_bare(text) == _bare(base) for clause in clauses for text, _, _ in _items(source, clause)):
            return Outcome((), (f"`{self.target}` derives from {base} already",))
        if forms.mark == "(":
            end, last = _named(node, _HEAD), len(positional(items_of(clauses[0]))) if clauses else 0
            new = [ByteEdit(end, end, f"({base})")]
            return Outcome(source.hunks(put(source, clauses[0], last, base) if clauses else new))
        word = forms.mark.strip() or self._word(source, kind)
        if forms.access and kind == "class" and not _ACCESS.match(base):
            base = forms.access + base
        for clause in clauses:
            if forms.clauses[clause.type] == word:
                if word == "extends" and kind == "class":
                    said = source.text(clause)
                    raise source.refused(f"`{self.target}` {said} already; remove that first")
                edit = ByteEdit(clause.end_byte, clause.end_byte, forms.separator + base)
                return Outcome(source.hunks([edit]))
        end = _named(node, (*_HEAD, *forms.clauses) if word == "implements" else _HEAD)
        edit = ByteEdit(end, end, f"{forms.mark or f' {word}'} {base}")
        body = node.child_by_field_name("body") if word == "extends" else None
        return Outcome(source.hunks([edit]), (), tuple(_unprepared(source, body)))

    def _word(self, source: Source, kind: str) -> str:
        """Which of the words stands before the new base."""
        words = _forms(source).words
        if len(words) == 1 or kind == "interface":
            return words[0]
        if kind in ("enum", "record"):
            return "implements"
        try:
            _, found = resolve_definition(source, self.base.split("<")[0].strip())
        except TargetUnresolved:
            if self.kind is None:
                raise source.refused(
                    f"{self.base} is not in this file; say in `kind` whether it is extended"
                ) from None
            return self.kind
        return self.kind or ("implements" if found.kind == "interface" else "extends")


class RemoveBase(Operation, needs="bases", on="class", example="settings.py Store Mapping"):
    """Let a class no longer derive from another."""

    target: str = option(_TARGET)
    base: str = option("the class, interface or trait from which it derives")

    def carry_out(self, source: Source) -> Outcome:
        node, _ = _class(source, self.target)
        has = []
        for clause in _clauses(source, node):
            items = _items(source, clause)
            has += [text for text, _, _ in items]
            for at, (text, _, _) in enumerate(items):
                if _bare(self.base) == _bare(text):
                    left = tuple(_needing(source, node, clause, self.base))
                    return Outcome(source.hunks(_without(source, clause, items, at)), (), left)
        shown = ", ".join(has) or "nothing"
        raise source.refused(f"`{self.target}` does not derive from {self.base}, but from {shown}")


def _named(node: Node, following: Collection[str]) -> int:
    """The byte after the name of a class and what of these kinds follows it."""
    end = node.child_by_field_name("name")
    assert end is not None
    while end.next_sibling is not None and end.next_sibling.type in following:
        end = end.next_sibling
    return end.end_byte


def _without(source: Source, clause: Node, items: list[tuple[str, int, int]], at: int) -> list[ByteEdit]:
    """One of the bases of a clause goes, and the clause with the last one."""
    if len(items) == 1:
        return [ByteEdit(len(source.data[: clause.start_byte].rstrip()), clause.end_byte, "")]
    if _forms(source).mark == "(":
        return taken(source, clause, items_of(clause)[at])
    start, stop = (items[0][1], items[1][1]) if at == 0 else (items[at - 1][2], items[at][2])
    return [ByteEdit(start, stop, "")]


def _unprepared(source: Source, body: Node | None) -> Iterator[Candidate]:
    """The constructor of a class of JavaScript that calls none above it, as it must where it derives from another."""
    for node in body.named_children if body is not None and source.language.constructor else ():
        named = source.text(node.child_by_field_name("name")) == source.language.constructor
        if named and not source.syntax.nodes(["super"], (node.start_byte, node.end_byte)):
            yield place(source, node.start_point.row, "has to call `super` now")


def _needing(source: Source, node: Node, clause: Node, base: str) -> Iterator[Candidate]:
    """The places in a class that name the base which a clause of its head has, or ask for what it derives from."""
    inherits = _forms(source).clauses.get(clause.type) != "implements"
    words = rf"\b(?:{re.escape(_bare(base))}{'|super|base' if inherits else ''})\b".encode()
    rows = set[int]()
    for found in re.compile(words).finditer(source.data, clause.end_byte, node.end_byte):
        leaf = source.syntax.root.descendant_for_byte_range(*found.span())
        said = found[0].decode()
        # To most languages `base` is a name like any other.
        if leaf is not None and (leaf.type == said or (said != "base" and "identifier" in leaf.type)):
            rows.add(leaf.start_point.row)
    yield from (place(source, row, f"may need `{base}`") for row in sorted(rows))


def _class(source: Source, target: str) -> tuple[Node, str]:
    node, definition = resolve_definition(source, target)
    if definition.kind not in _forms(source).holders:
        raise source.refused(f"`{definition.dotted}` is a {definition.kind}; name a class")
    return node, definition.kind


def _forms(source: Source) -> Bases:
    assert source.language.bases is not None
    return source.language.bases


def _clauses(source: Source, node: Node) -> list[Node]:
    """The parts of a head that name bases."""
    given = node.child_by_field_name("superclasses")
    if given is not None:
        return [given]
    parts = [part for child in node.children for part in (child, *child.children)]
    found = [part for part in parts if part.type in _forms(source).clauses]
    return [part for part in found if part.type != "class_heritage" or part.children[0].type == "extends"]


def _items(source: Source, clause: Node) -> list[tuple[str, int, int]]:
    """The bases of a clause, each with its bytes."""
    if clause.type == "argument_list":
        return [(source.text(item), item.start_byte, item.end_byte) for item in items_of(clause)]
    first = clause.children[0]
    found, depth, start = [], 0, source.non_blank(first.end_byte)
    for at in range(start, clause.end_byte + 1):
        letter = source.data[at : at + 1]
        depth += (letter in b"<([") - (letter in b">)]") if letter else 0
        if at == clause.end_byte or (letter == _forms(source).separator.strip().encode() and not depth):
            text = source.data[start:at].decode().strip()
            found.append((text, start, start + len(text.encode())))
            start = source.non_blank(at + 1)
    return found


def _bare(base: str) -> str:
    """A base without its access and its arguments."""
    return _ACCESS.sub("", base.strip()).split("<")[0].split("[")[0].strip()
