"""One place where a name stands: what it does there and from which scopes it is seen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from tree_sitter import Node

from fastedit.source.languages.base import Language

Word = re.Match[bytes]


class Role(Enum):
    NAME = "name"  # looked up in the scopes around it
    MEMBER = "member"  # of what stands before its dot
    KEYWORD = "keyword"  # names a parameter in a call
    FOREIGN = "foreign"  # means something in another file
    LABEL = "label"  # neither a name nor a member: a jump target, a key
    STRING = "string"
    COMMENT = "comment"
    UNSURE = "unsure"  # the grammar does not tell


class PathNode(NamedTuple):
    """A node on the way from the root, and the field of its parent that it fills.

    `stop` is the byte after it, `text` the role of what stands in it where that is text and no code.
    """

    node: Node
    field: str | None
    kind: str
    stop: int
    text: Role | None


class Scope(NamedTuple):
    """`key` tells scopes of a text apart; 0 is the file. `names` are what a definition adds to paths of what it holds.

    `point`: a binding is seen from where it stands, not in the whole scope. `sealed`: only what stands directly in the
    scope sees it, as in Python's class bodies. `opaque`: what stands in it sees nothing outside.
    """

    key: int
    kind: str  # file, function, class, block, or types: where the type parameters of Python's definitions are seen
    names: tuple[str, ...] = ()
    start: int = 0
    stop: int = 0
    point: bool = False
    sealed: bool = False
    opaque: bool = False


class Site(NamedTuple):
    """`start` and `stop` are bytes. `scopes` are those around it, the file first; a binding is made in the last.

    `declares` is "global" or "nonlocal" where the place says so. `visible` is the byte from which a binding is seen
    in a scope that goes by it. `template` is what stands there after a rename, of `{old}` and `{new}`.
    """

    start: int
    stop: int
    role: Role
    scopes: tuple[Scope, ...]
    steps: tuple[PathNode, ...]
    binds: bool = False
    parameter: bool = False
    declares: str = ""
    visible: int = 0
    template: str = "{new}"

    @property
    def scope(self) -> Scope:
        return self.scopes[-1]

    def around(self, *kinds: str) -> Node | None:
        """The innermost node of one of these kinds that it stands in."""
        return next((step.node for step in reversed(self.steps) if step.kind in kinds), None)


def walk(
    root: Node, words: Iterable[Word], language: Language
) -> Iterator[tuple[Word, tuple[PathNode, ...]]]:
    """Each of these rising words, and the nodes around it from the outermost, without the root. The language
    has fields for children without one, and nodes that are not looked into.

    The cursor climbs from one place to the next no further than it must: a name may stand everywhere in a long file.
    """
    cursor, fields, leaves = root.walk(), language.fields_of, language.scopes.leaves
    steps: list[PathNode] = []
    for word in words:
        at = word.start()
        while steps and steps[-1].stop <= at:
            steps.pop()
            cursor.goto_parent()
        while (not steps or steps[-1].kind not in leaves) and cursor.goto_first_child_for_byte(
            at
        ) is not None:
            node = cursor.node
            if node is None or node.start_byte > at:
                cursor.goto_parent()
                break  # white space between two nodes
            kind = node.type
            field = cursor.field_name
            if field is None and fields and steps and _is_first(node, kind):
                field = fields.get((steps[-1].kind, kind))
            steps.append(PathNode(node, field, kind, node.end_byte, _text(kind, steps)))
        yield word, tuple(steps)


def _is_first(node: Node, kind: str) -> bool:
    """Whether no child of its kind stands before a node."""
    before = node.prev_sibling
    while before is not None and before.type != kind:
        before = before.prev_sibling
    return before is None


def _text(kind: str, around: Sequence[PathNode]) -> Role | None:
    """The role of what stands in a node of this kind, as far as it is text."""
    if "comment" in kind or kind == "hash_bang_line":
        return Role.COMMENT
    if kind == "ERROR":
        return Role.UNSURE
    if kind in CODE_IN_STRINGS:
        return Role.UNSURE if any(step.kind == "ERROR" for step in around) else None
    if "string" in kind or kind in _TEXTS:
        return Role.STRING
    return around[-1].text if around else None


CODE_IN_STRINGS = frozenset(
    {
        "interpolation",
        "template_substitution",
        "format_expression",
        "interpolated_expression",
        "variable_name",
    }
)
_TEXTS = frozenset(
    {"jsx_text", "regex", "regex_pattern", "char_literal", "rune_literal", "system_lib_string"}
)
