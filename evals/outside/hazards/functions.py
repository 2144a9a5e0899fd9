"""The functions of a real file that a hazard can be laid into: head, body on lines of its own, end."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from tree_sitter import Node

from fastedit.source.outline import indentation
from fastedit.source.syntax import Syntax, has_grammar

LANGUAGES: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("languages.toml").read_text("utf-8")
)


@dataclass(frozen=True, slots=True)
class Function:
    """Rows count from 0. The head is `start` to `body`, the body `body` to `end`, and `stop` is behind the last row.

    `end` is the row of the closing brace where there is one, and `stop` otherwise. `class_row` is the row of the head
    of the class around it, None without one.
    """

    name: str
    start: int
    body: int
    end: int
    stop: int
    class_row: int | None

    def head(self, lines: Sequence[str]) -> list[str]:
        return list(lines[self.start : self.body])

    def inside(self, lines: Sequence[str]) -> list[str]:
        return list(lines[self.body : self.end])

    def tail(self, lines: Sequence[str]) -> list[str]:
        return list(lines[self.end : self.stop])


def functions(lines: Sequence[str], language: str) -> list[Function]:
    """Functions whose body is two or more lines below the head, none within another, without text of several lines.

    In order. Without a grammar there are none.
    """
    if not has_grammar(language) or language not in LANGUAGES:
        return []
    syntax = Syntax(lines, language)
    if syntax.damage:
        return []
    found: list[Function] = []
    for node in _nodes(syntax, LANGUAGES[language]["functions"]):
        function = _function(syntax, node)
        if function and (not found or function.start >= found[-1].stop):
            found.append(function)
    return found


def _nodes(syntax: Syntax, kinds: Sequence[str]) -> list[Node]:
    return syntax.find(" ".join(f"({kind}) @found" for kind in kinds))


def _function(syntax: Syntax, node: Node) -> Function | None:
    body, lines = node.child_by_field_name("body"), syntax.lines
    if body is None or _has_long_text(syntax, body):
        return None
    start, stop = syntax.rows(node)
    around = node.parent
    if around is not None and around.type in ("decorated_definition", "export_statement"):
        start = around.start_point.row
    if lines[stop - 1].strip() not in ("}", "},") and not syntax.language.is_indented:
        return None
    first, end = body.start_point.row, stop
    if not syntax.language.is_indented:
        first, end = first + 1, stop - 1
        if not lines[first - 1].rstrip().endswith("{"):
            return None
    if end - first < 2 or first <= start:
        return None
    # Two definitions that share a line are no hazard but a mess.
    return Function(_name(syntax, node), start, first, end, stop, _class_row(syntax, node))


def _has_long_text(syntax: Syntax, node: Node) -> bool:
    if ("string" in node.type or node.type.startswith("preproc")) and len(range(*syntax.rows(node))) > 1:
        return True
    return any(_has_long_text(syntax, child) for child in node.named_children)


def _name(syntax: Syntax, node: Node) -> str:
    named = node.child_by_field_name("name")
    while named is None:
        inner = node.child_by_field_name("declarator")
        if inner is None:
            return ""
        node = inner
        named = node if node.type.endswith("identifier") else None
    return syntax.text(named)


def _class_row(syntax: Syntax, node: Node) -> int | None:
    around = node.parent
    while around is not None:
        if around.type in LANGUAGES[syntax.language.name].get("classes", ()):
            return around.start_point.row
        around = around.parent
    return None


def unit(lines: Sequence[str]) -> str:
    """What the file indents by: its least indentation."""
    depths = {indentation(line) for line in lines if line.strip() and line[0] in " \t"}
    return min(depths, key=len, default="    ")


def moved(lines: Sequence[str], by: str) -> list[str]:
    """Lines further in by so much; blank ones as they are."""
    return [by + line if line.strip() else line for line in lines]


def pairs(found: Sequence[Function]) -> Iterator[tuple[Function, Function]]:
    """Functions that follow each other directly in one class, or outside of any."""
    for above, below in pairwise(found):
        if above.class_row == below.class_row:
            yield above, below
