"""Where code needs brackets that the grammar does not ask for: some bind an operator in another way than the language,
and read what it refuses."""

from __future__ import annotations

import re

from fastedit.ops.source import Source

_STRING = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`")
# A name with members and calls, or a literal.
_CLOSED = re.compile(r"[\w$@#](?:[\w$@#!]|\?(?=\.|$)|\.|::|->)*")
_OPERATOR = re.compile(r"[-+*/%&|^<>!~?]+=?")
_PREFIX = re.compile(r"[-+!~*&]+")
_SUFFIX = re.compile(r"(?:[\[(]|\?\.|\.(?!\.)|::|->).*|!!?|\?|\+\+|--", re.DOTALL)
_BESIDE = frozenset({"", "=>", *",;()[]{}="})  # what parts the tokens of a macro


def is_tight(source: Source, start: int, stop: int, code: str) -> bool:
    """Whether what stands beside these bytes would take a part of the code for its own."""
    *_, node = None, *source.spanning(start, stop)
    if node is None or node.parent is None:
        return False
    around, outside = node.parent, _outside(code)
    before, after = source.text(node.prev_sibling), source.text(node.next_sibling)
    if before == "new" and "(" in code:
        return True
    if _CLOSED.fullmatch(outside):
        return False
    if around.type == "token_tree":
        return not {before, after} <= _BESIDE
    unary = around.child_count == 2 and _PREFIX.fullmatch(before)
    follows = (
        node.next_sibling is not None and node.next_sibling.start_byte == stop and _SUFFIX.fullmatch(after)
    )
    if unary or (follows and node.prev_sibling is None):
        return True
    operators = {source.text(each) for each in around.children if _OPERATOR.fullmatch(source.text(each))}
    mine = {found[0] for found in _OPERATOR.finditer(outside)}
    exclusive = source.language.exclusive
    return bool(operators and mine and (operators | mine) & exclusive and operators != mine)


def _outside(code: str) -> str:
    """The code without what stands in brackets and strings."""
    made, depth = list[str](), 0
    for letter in _STRING.sub("s", code.strip()):
        depth -= letter in ")]}"
        made += [letter] if depth <= 0 and letter not in ")]}" and letter not in "([{" else []
        depth += letter in "([{"
    return "".join(made) or "s"
