"""What goes on elsewhere, so that nothing below it in its block is run."""

from __future__ import annotations

import re

from tree_sitter import Node

from fastedit.ops.lists import items_of
from fastedit.ops.source import Source
from fastedit.ops.structure.anchors import BLOCKS, expression_of
from fastedit.ops.structure.blocks import NO_STATEMENTS
from fastedit.source.languages.scopes import kinds

# What goes on elsewhere: out of a loop, out of a function, by an error, or when a value is asked for or is there.
PASSING = kinds("break_statement continue_statement break_expression continue_expression")
RETURNING = kinds("return_statement return_expression co_return_statement")
THROWING = kinds("raise_statement throw_statement throw_expression goto_statement exit_statement")
YIELDING = kinds("yield yield_expression yield_statement try_expression")
AWAITING = kinds("await await_expression")
LOOPS = re.compile(r"(?:for|foreach|while|loop|do|enhanced_for)_.*")
SWITCHES = re.compile(r"(?:\w+_)?(?:switch|select)_.*")

_BRANCHES = kinds("if_statement if_expression if elsif unless")
_FURTHER = kinds("elif_clause else_if_clause")  # what no `else` need follow
_CATCHES = kinds("except_clause except_group_clause catch_clause catch_block")
_CLAUSES = _FURTHER | _CATCHES | kinds("else_clause")
_LAST = kinds("finally_clause finally_block")
HANDLING = _CATCHES | _LAST  # what is run where a statement of the block above is left
_TRIES = kinds("try_statement try_with_resources_statement try_expression do_statement")
_AROUND = kinds(
    "with_statement synchronized_statement lock_statement using_statement unsafe_block unsafe_statement "
    "checked_statement fixed_statement"
)
_MATCHES = kinds("match_statement match_expression when_expression")
_CASES = re.compile(
    r"(?:\w+_)?case|case_\w+|default_\w+|switch_(?:case|default|entry|rule|section|block_statement_group)"
    r"|when_entry|match_arm"
)
_FALLING = kinds("case_statement switch_case switch_block_statement_group switch_section")
_RUN = BLOCKS | PASSING | RETURNING | THROWING | _BRANCHES | _CLAUSES | _LAST
_PARTS = ("consequence", "alternative", "body")
_ELSE = re.compile(r"(?:default|else)\b|case\s+_\s*:")
_ENDLESS = re.compile(r"(?:'?\w+:)?(?:for(?:\(;;\)|;;)?|loop|while\(?(?:true|True|1)\)?:?)\{?")


def leaves(source: Source, statement: Node, swallowing: bool = False) -> bool:
    """Whether nothing below a statement in its block is run, whatever it does; False where that is not seen.

    `swallowing`: a `with` of Python's may swallow an error, and go on below, also where it gives a result back.
    """
    node = expression_of(statement)
    kind = source.kind(node)
    ended = kind in YIELDING and any(child.type == "break" for child in node.children)
    if ended or kind in PASSING | RETURNING | THROWING:
        return True
    if SWITCHES.fullmatch(node.type) or node.type in _MATCHES:
        return _switch_leaves(source, node, swallowing) and not _breaks(source, node)
    parts = parts_of(source, node) if kind not in BLOCKS else []
    if node.type in _BRANCHES:
        return _branches_leave(source, node, swallowing)
    leaving = [leaves(source, part, swallowing) for part in parts]
    if node.type in _TRIES:
        return _try_leaves(parts, leaving) and not _breaks(source, node)
    if node.type in _CLAUSES | _LAST | _AROUND:
        return leaving != [] and all(leaving) and not _swallows(source, node, swallowing)
    if LOOPS.fullmatch(node.type) and parts:
        head = source.data[node.start_byte : parts[0].start_byte].decode()
        return _ENDLESS.fullmatch("".join(head.split())) is not None and not _breaks(source, node)
    last = items_of(node)[-1:] if kind in BLOCKS else []
    return any(each.type not in NO_STATEMENTS and leaves(source, each, swallowing) for each in last)


def parts_of(source: Source, node: Node) -> list[Node]:
    """What is run of a statement, one or the other or all of it."""
    found = [part for field in _PARTS for part in node.children_by_field_name(field)]
    others = [*found, *node.children_by_field_name("condition")]
    found += [part for part in node.named_children if source.kind(part) in _RUN and part not in others]
    return sorted(found, key=lambda part: part.start_byte)


def _branches_leave(source: Source, branch: Node, swallowing: bool) -> bool:
    """Whether an `if` leaves by all ways, one of which is always taken; of its `else if` there may be thousands."""
    while branch.type in _BRANCHES:
        *parts, last = parts_of(source, branch) or [branch]
        if not parts or last.type in _FURTHER or not all(leaves(source, p, swallowing) for p in parts):
            return False
        inside = parts_of(source, last) if last.type == "else_clause" else []
        branch = expression_of(inside[0]) if len(inside) == 1 else last
    return leaves(source, branch, swallowing)


def _try_leaves(parts: list[Node], leaving: list[bool]) -> bool:
    """Whether a `try` leaves by its end, or by all ways through it."""
    left = dict(zip(parts, leaving, strict=True))
    if any(left[part] for part in parts if part.type in _LAST):
        return True
    body = [part for part in parts if part.type not in _CLAUSES | _LAST or part.type == "else_clause"]
    handlers = [part for part in parts if part not in body and part.type not in _LAST]
    return any(left[part] for part in body) and all(left[part] for part in handlers)


def _swallows(source: Source, node: Node, swallowing: bool) -> bool:
    """Whether a `with` may swallow an error: where it is left by an error alone, that may be what it is there for."""
    given = re.search(r"\b(?:return|break|continue)\b", source.text(node)) is not None
    return node.type == "with_statement" and (swallowing or not given)


def _switch_leaves(source: Source, node: Node, swallowing: bool) -> bool:
    """Whether all cases of a `switch` leave, and one is always taken."""
    cases = [
        case for case in items_of(node.child_by_field_name("body") or node) if _CASES.fullmatch(case.type)
    ]
    # A `select` waits for one of its cases, and a match of arms has one for each value.
    whole = any(_ELSE.match(source.text(case)) or case.type == "match_arm" for case in cases)
    if not cases or not (whole or node.type == "select_statement"):
        return False
    falling = [case.type in _FALLING and _is_empty(case) for case in cases]
    said = zip(cases, falling, strict=True)
    return not falling[-1] and all(
        falls or any(leaves(source, last, swallowing) for last in items_of(case)[-1:]) for case, falls in said
    )


def _is_empty(case: Node) -> bool:
    """Whether a case has no statements, so that the next one's are run."""
    value = case.child_by_field_name("value")
    return all(part == value or part.type.endswith(("_label", "_pattern")) for part in items_of(case))


def _breaks(source: Source, node: Node) -> bool:
    """Whether something in a loop or a switch may end it alone; a `do` with its condition below is asked that again."""
    words = r"\b(?:break|continue)\b" if node.type == "do_statement" else r"\bbreak\b"
    return re.search(words, source.text(node)) is not None
