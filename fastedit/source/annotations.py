"""The annotations, attributes and decorators of a text, declaration by declaration."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from fastedit.source.outline import is_comment
from fastedit.source.syntax import Syntax

if TYPE_CHECKING:
    from tree_sitter import Node

_NAME = re.compile(r"[@#\[\s]*(?P<name>[\w.:]+)")


class Annotation(NamedTuple):
    """One annotation: what it is called, without its arguments, and its lines up to but not including `stop`."""

    name: str
    start: int
    stop: int


def annotated(syntax: Syntax) -> Iterator[list[Annotation]]:
    """Those of each declaration that has some."""
    found: list[Annotation] = []
    above: Node | None = None
    for node in syntax.nodes(syntax.language.annotations):
        if above is not None and not _beside(syntax, above, node):
            yield found
            found = []
        if named := _NAME.match(syntax.text(node)):
            found.append(Annotation(named["name"], *syntax.rows(node)))
        above = node
    if found:
        yield found


def _beside(syntax: Syntax, above: Node, below: Node) -> bool:
    """Whether two annotations stand at one declaration: nothing but comments between them."""
    between = syntax.data[above.end_byte : below.start_byte].decode(errors="replace").splitlines()
    return above.parent == below.parent and all(not line.strip() or is_comment(line) for line in between)
