"""The parser of `commands.lark`. Apart from what else reads the grammar: most instructions are plainly no command, and
to import and build it takes longer than an edit."""

from __future__ import annotations

from functools import cache

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput
from lark.visitors import CollapseAmbiguities

from fastedit.english.grammar import source

_READINGS = 16


def readings(text: str) -> list[Tree[Token]]:
    """The ways to read a text as commands; none where it is something else."""
    try:
        tree = _parser().parse(text)
    except UnexpectedInput:
        return []
    ambiguous = any(tree.find_data("_ambig"))
    return CollapseAmbiguities().transform(tree)[:_READINGS] if ambiguous else [tree]


@cache
def _parser() -> Lark:
    return Lark(source(), parser="earley", ambiguity="explicit", propagate_positions=True)
