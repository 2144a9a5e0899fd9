"""The conditions of branches and loops, and statements that get one."""

from __future__ import annotations

import re

from tree_sitter import Node

from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.codemod.wrap import unit
from fastedit.edit.definitions import definitions
from fastedit.edit.hunks import Hunk
from fastedit.edit.instruction import whole_word
from fastedit.edit.outline import block_end, indent_width, indentation, is_comment

_TESTED = """if_statement elif_clause while_statement do_statement if_expression while_expression
    for_statement""".split()  # noqa: SIM905
_BRANCHES = ("if_statement", "if_expression")
_BRACKETS = ("parenthesized_expression", "condition_clause")
_OPPOSITE = {
    "==": "!=", "!=": "==", "===": "!==", "!==": "===", "<": ">=", ">=": "<", ">": "<=", "<=": ">",
    "is": "is not", "is not": "is", "in": "not in", "not in": "in",
}  # fmt: skip
_WORDED = frozenset({"is", "is not", "in", "not in"})
_SIMPLE = frozenset(
    """identifier attribute call subscript member_expression call_expression subscript_expression field_expression
    selector_expression index_expression method_invocation field_access array_access""".split()  # noqa: SIM905
)
_COMPARED = frozenset({"comparison_operator", "binary_expression", "boolean_operator"})
_AND_OR = {"and": "or", "or": "and", "&&": "||", "||": "&&"}
_STATEMENTS = frozenset(
    """expression_statement return_statement raise_statement throw_statement assert_statement
    break_statement continue_statement delete_statement pass_statement assignment_statement inc_statement
    dec_statement go_statement send_statement""".split()  # noqa: SIM905
)
BLOCKS = frozenset(
    "block module statement_block compound_statement statement_list program translation_unit".split()  # noqa: SIM905
)
_BARE = frozenset({"go", "rust"})
_LEAVES = re.compile(r"(?:return|raise|throw|continue|break)\b")
# What begins a statement of its own is no test.
_HEAD = re.compile(r"#|(?:if|elif|else|while|for|switch|match|with|try|do|unless|until|return)\b")


def condition(source: Source, text: str) -> Node | None:
    """The condition that is this text, which stands nowhere else."""
    if source.syntax is None or len(_rows(source, text)) != 1:
        return None
    found = [test for test in _tests(source) if source.syntax.text(test) == text]
    return found[0] if len(found) == 1 and source.holds(*source.syntax.rows(found[0])) else None


def conditions(source: Source) -> set[str]:
    """The texts of all conditions."""
    return set() if source.syntax is None else {source.syntax.text(test) for test in _tests(source)}


def _rows(source: Source, text: str) -> list[int]:
    pattern = whole_word(text)
    inside = range(source.scope.start, source.scope.stop)
    return [row for row in inside if text in source.lines[row] for _ in pattern.findall(source.lines[row])]


def _tests(source: Source) -> list[Node]:
    """All conditions, without the brackets that the language wants around them."""
    assert source.syntax is not None
    found = []
    for node in source.syntax.find(" ".join(f"({kind}) @found" for kind in source.syntax.known(_TESTED))):
        test = node.child_by_field_name("condition")
        if test is None and node.type == "for_statement" and source.language == "go":
            test = node.named_children[0]
        if test is None:
            continue
        bracketed = source.language != "python" and test.type in _BRACKETS and test.named_child_count == 1
        found.append(test.named_children[0] if bracketed else test)
    return found


def changed(source: Source, test: Node, text: str) -> Codemod:
    return Codemod((source.over(test, text),))


def negated(source: Source, test: Node) -> str | None:
    """The one plain way to say the opposite; None where there are several."""
    assert source.syntax is not None
    text = source.syntax.text(test)
    if test.type in ("not_operator", "unary_expression"):
        inner = test.named_children[-1]
        sign = text[: len(text) - len(source.syntax.text(inner))].strip()
        bare = sign in ("not", "!") and inner.type not in _BRACKETS
        return source.syntax.text(inner) if bare else None
    if test.type in _SIMPLE:
        return ("not " if source.language == "python" else "!") + text
    sign = operator(source, test)
    if sign not in _OPPOSITE or (sign in _WORDED and source.language != "python"):
        return None
    left, right = (source.syntax.text(node) for node in test.named_children)
    between = text[len(left) : len(text) - len(right)]
    return left + between.replace(sign, _OPPOSITE[sign]) + right


def operator(source: Source, node: Node) -> str:
    """What stands between the two sides of a comparison or another expression of two sides, else nothing."""
    assert source.syntax is not None
    if node.type not in _COMPARED or node.named_child_count != 2:
        return ""
    left, right = (source.syntax.text(child) for child in node.named_children)
    text = source.syntax.text(node)
    return re.sub(r"\s+", " ", text[len(left) : len(text) - len(right)].strip())


def extended(source: Source, test: Node, more: str) -> Codemod | None:
    """The condition with `more` behind it, which begins with "and" or "or"; None where brackets would be needed."""
    assert source.syntax is not None
    sign, _, clause = more.partition(" ")
    words = ("and", "or") if source.language == "python" else ("&&", "||")
    mixed = re.search(rf"(?<!\w){re.escape(_AND_OR.get(sign, sign))}(?!\w)", more)
    plain = test.type in _SIMPLE | _COMPARED | {"not_operator", "unary_expression"}
    if sign not in words or not clause.strip() or mixed or not plain:
        return None
    if operator(source, test) in (_AND_OR[sign], "??"):
        return None
    return changed(source, test, f"{source.syntax.text(test)} {more}")


def branch(source: Source, text: str) -> Node | None:
    """The `if` whose first line is this text, but for what opens its block."""
    if source.syntax is None:
        return None
    wanted = text.strip().rstrip("{:").rstrip()
    rows = [n for n in range(source.scope.start, source.scope.stop) if _headed(source.lines[n], wanted)]
    kinds = source.syntax.known(_BRANCHES)
    found = [
        node
        for node in source.syntax.find(" ".join(f"({kind}) @found" for kind in kinds))
        if rows == [node.start_point.row]
    ]
    return found[0] if len(found) == 1 else None


def _headed(line: str, wanted: str) -> bool:
    line = line.strip()
    return line.endswith((":", "{")) and line.rstrip("{:").rstrip() == wanted


def with_else(source: Source, node: Node, code: str) -> Codemod | None:
    """None where it has one, or its block is not laid out on lines of its own."""
    row, lines = node.start_point.row, source.lines
    margin, inner = indentation(lines[row]), indentation(lines[row + 1]) if row + 1 < len(lines) else ""
    if node.child_by_field_name("alternative") is not None or indent_width(inner) <= indent_width(margin):
        return None
    last = node.end_point.row
    if source.language == "python":
        stop = block_end(lines, row)
        commented = all(is_comment(line) or not line.strip() for line in lines[last + 1 : stop])
        new = (f"{margin}else:", inner + code)
        return Codemod((Hunk(stop, stop, new),)) if last < stop and commented else None
    if lines[last] != f"{margin}}}" or not source.holds(row, last + 1):
        return None
    return Codemod((Hunk(last, last + 1, (f"{margin}}} else {{", inner + code, f"{margin}}}")),))


def without_branch(source: Source, node: Node, *, leaving: bool) -> Codemod | None:
    """None where it has an `else`, or is to be one that only leaves the function and is not."""
    assert source.syntax is not None
    start, stop = source.syntax.rows(node)
    inside = [line.strip() for line in source.lines[start + 1 : stop] if line.strip(" \t{}")]
    closed = source.language == "python" or source.lines[stop - 1].strip() == "}"
    alone = closed and source.lines[start].lstrip().startswith("if")
    leaves = len(inside) == 1 and _LEAVES.match(inside[0]) is not None
    if node.child_by_field_name("alternative") is not None or not alone or (leaving and not leaves):
        return None
    unused = source.language == "go" and _unused_without(source, start, stop)
    reasons = ("Go wants each variable of its test to be used",) if unused else ()
    return Codemod((Hunk(start, stop, ()),), reasons) if source.holds(start, stop) else None


def _unused_without(source: Source, start: int, stop: int) -> bool:
    """Whether a name of the line is in no more than one place around, which is where it is declared."""
    assert source.syntax is not None
    around = [d for d in definitions(source.syntax) if d.start <= start and stop <= d.stop]
    inner = min(around, key=lambda d: d.stop - d.start, default=None)
    rows = range(inner.header, inner.stop) if inner else range(len(source.lines))
    others = "\n".join(source.lines[row] for row in rows if not start <= row < stop)
    names = set(re.findall(r"(?<![\w.\"])[a-z]\w*(?![\w(\"])", source.lines[start])) - {
        "if",
        "nil",
        "true",
        "false",
    }
    return any(len(re.findall(rf"\b{name}\b", others)) == 1 for name in names)


def guarded(source: Source, row: int, test: str) -> Codemod | None:
    """The statement of a line inside of an `if`; None where others need what it declares, or it is more or less than
    one statement.
    """
    line = source.lines[row]
    node = _statement(source, row)
    if node is None or (test.startswith("(") and test.endswith(")")) or _HEAD.match(test):
        return None
    margin, step = indentation(line), unit(source, row)
    if source.language == "python":
        return Codemod((Hunk(row, row + 1, (f"{margin}if {test}:", step + line)),))
    head = f"if {test} {{" if source.language in _BARE else f"if ({test}) {{"
    return Codemod((Hunk(row, row + 1, (margin + head, step + line, f"{margin}}}")),))


def _statement(source: Source, row: int) -> Node | None:
    """The one statement that is the whole line."""
    if source.syntax is None:
        return None
    line = source.lines[row]
    start, stop = len(indentation(line).encode()), len(line.rstrip().encode())
    node = source.syntax.root.named_descendant_for_point_range((row, start), (row, stop))
    while node is not None and node.type not in _STATEMENTS and node.parent is not None:
        if node.start_point.row != row:
            return None
        node = node.parent
    if node is None or node.parent is None or node.parent.type not in BLOCKS:
        return None
    whole = node.start_point == (row, start) and node.end_point == (row, stop)
    documents = node.type == "expression_statement" and node.named_children[0].type == "string"
    return node if whole and not documents else None
