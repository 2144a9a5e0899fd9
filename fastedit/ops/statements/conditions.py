"""Negates the condition of an if or a loop, and leaves a function early."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from fastedit.ops.base import FUNCTION, WITHIN, Operation, Outcome, option
from fastedit.ops.lists import items_of
from fastedit.ops.source import ByteEdit, Source
from fastedit.ops.structure.anchors import BLOCKS, expression_of, lines_at, rows_of, statement_on
from fastedit.ops.structure.blocks import block_of
from fastedit.ops.structure.layout import reindented
from fastedit.ops.structure.leaving import LOOPS, leaves, parts_of
from fastedit.source.hunks import Hunk
from fastedit.source.languages.scopes import kinds
from fastedit.source.names.names import Names
from fastedit.source.names.site import Role, Site

# Each is false exactly where the other is true; `<` and `>=` are not, where a value is no number.
_OPPOSITES = {"==": "!=", "===": "!==", "is": "is not", "in": "not in", "true": "false", "True": "False"}
_OPPOSITES |= {opposite: word for word, opposite in _OPPOSITES.items()}
# What binds closer than a negation before it.
_CLOSE = kinds(
    "identifier call call_expression attribute member_expression field_expression subscript "
    "method_invocation field_access selector_expression subscript_expression index_expression "
    "parenthesized_expression array_access scoped_identifier macro_invocation this self"
)

_HOISTED = re.compile(r"\w*function_\w+|\w+_item")
_LEAVING = re.compile("call|invocation|assert")
_BRACKETS = ("parenthesized_expression", "condition_clause")
_AROUND = {"braces": (" {", "}"), "indent": (":", ""), "end": ("", "end")}  # what opens and closes a block
_BRANCHES = ("if_statement", "if_expression")
_BINDING = ("let_condition", "let_chain", "declaration")


class Negate(Operation, example="settings.py 'if path.exists():' load"):
    """Turn the condition of an if or a while into its opposite."""

    anchor: str = option("the first line of the if or while, or @LINE")
    function: str | None = option(WITHIN, None)

    def carry_out(self, source: Source) -> Outcome:
        statement = expression_of(self._clause(source) or block_of(source, self.function).at(self.anchor))
        if len(statement.children_by_field_name("condition")) > 1:
            raise source.refused("the statement has several conditions; negate them by hand")
        condition = statement.child_by_field_name("condition")
        if statement.type == "for_statement" and condition is None and source.language.conditional_for:
            condition = next((c for c in statement.named_children if c.type.endswith("expression")), None)
        if condition is not None and condition.type in _BRACKETS and not source.language.bare_conditions:
            condition = condition.child_by_field_name("value") or items_of(condition)[0]
        if condition is None or condition.type in _BINDING:
            raise source.refused("the statement has no condition to negate")
        edit = ByteEdit(condition.start_byte, condition.end_byte, _negated(source, condition))
        return Outcome(source.hunks([edit]))

    def _clause(self, source: Source) -> Node | None:
        """The one `elif` or `else if` that the anchor names, which is no statement of its own."""
        rows = lines_at(source, self.anchor, rows_of(source, self.function, None))
        if len(rows) != 1:
            return None
        node = source.syntax.at(rows[0])
        if node is not None and node.type == "elif_clause":
            return node
        branches = (each for each in source.syntax.nodes(_BRANCHES) if each.start_point.row == rows[0])
        found = [each for each in branches if each.parent is not None and _is_else(each, each.parent)]
        return found[0] if len(found) == 1 else None


def _is_else(branch: Node, around: Node) -> bool:
    return around.type == "else_clause" or branch in around.children_by_field_name("alternative")


class Guard(Operation, example="settings.py load 'path is None' 'return None'"):
    """Leave a function at its start where a condition holds."""

    function: str = option(FUNCTION)
    condition: str = option("the condition under which it is left")
    code: str = option("the statements that leave it: return, return None, raise ValueError(path)")

    def carry_out(self, source: Source) -> Outcome:
        block = block_of(source, self.function)
        row, indent = block.place("first", None)
        code, condition = self.code.strip("\n"), self.condition.strip()
        code += source.semicolon if code[-1:] not in ";}" else ""
        head = f"if {condition}" if source.language.bare_conditions else f"if ({condition})"
        begin, end = _AROUND[source.language.blocks]
        body = reindented(source, code, indent + source.unit)
        lines = [*reindented(source, head + begin, indent), *body, *([indent + end] if end else [])]
        hunk = Hunk(row, row, tuple(lines))
        new = source.changed((hunk,))
        if new.syntax.damage > source.syntax.damage:
            return Outcome((hunk,))  # which is refused elsewhere, by its line
        self._check_form(source, hunk, new)
        self._check_values(source, hunk, new, block.header)
        return Outcome((hunk,), tuple(self._leaving(source, hunk, new)))

    def _leaving(self, source: Source, hunk: Hunk, new: Source) -> Iterator[str]:
        """A note where the code calls something last, which may leave the function or not.

        Raises OperationRefused where it does neither.
        """
        whole = statement_on(new, hunk.start, new.syntax.root)
        ways = parts_of(new, expression_of(whole)) if whole is not None else []
        if not ways or leaves(new, ways[0]):
            return
        if not _may_leave(new, ways[0]):
            problem = f"the code does not leave `{self.function}`, or not always"
            raise source.refused(f"{problem}; end it with a return or an error")
        last = self.code.strip().split("\n")[-1].strip()
        yield f"`{last}` is taken to leave `{self.function}`"

    def _check_values(self, source: Source, hunk: Hunk, new: Source, header: int) -> None:
        """Raises OperationRefused where a local variable is used that gets its first value below."""
        rows = range(hunk.start, hunk.start + len(hunk.lines))
        begin, end = new.start(rows.start), new.start(rows.stop)
        for name in [name for name, at in new.syntax.identifiers.items() if any(row in rows for row in at)]:
            names = new.names(source.language.sigil + name)
            inside = [site for site in names.sites if begin <= site.start < end]
            if any(site.role is Role.UNSURE and site.binds for site in inside):
                continue
            for site in inside:
                if site.role is not Role.NAME or site.binds:
                    continue
                made = _made_around(source, names, site, new.start(header))
                if made and all(each.start >= end and not _is_hoisted(new, each) for each in made):
                    line = source.number(new.row(made[0].start) - len(hunk.lines))
                    problem = f"`{name}` has no value there, as line {line} gives it the first one"
                    raise source.refused(f"{problem}; name another")

    def _check_form(self, source: Source, hunk: Hunk, new: Source) -> None:
        """Raises OperationRefused where the code declares something last, as C and Java read `raise x`."""
        last = self.code.strip().split("\n")[-1]
        row = hunk.start + len(hunk.lines) - (1 if source.language.is_indented else 2)
        found = statement_on(new, row, new.syntax.root)
        if found is not None and re.search("declaration|local_function", found.type):
            raise source.refused(
                f"`{last}` leaves nothing in {source.language.name}; write it as that has it"
            )


def _may_leave(source: Source, node: Node) -> bool:
    """Whether what is run last may leave a function, as `sys.exit()` does: it calls something, or may."""
    ends = node
    while source.kind(ends) in BLOCKS and (inside := items_of(ends)):
        ends = inside[-1]
    if LOOPS.fullmatch(ends.type) or (ends.type in _BRANCHES and len(parts_of(source, ends)) == 1):
        return False
    if source.language.acting and ends.type == "identifier":
        return True
    return any(_LEAVING.search(child.type) for child in _within(ends))


def _within(node: Node) -> Iterator[Node]:
    left = [node]
    while left:
        yield (node := left.pop())
        left += node.named_children


def _made_around(source: Source, names: Names, site: Site, start: int) -> list[Site]:
    """What binds a name in the function from byte `start` on, where a place means that or nothing that is known."""
    home = names.home(site)
    own = [scope for scope in site.scopes if scope.start >= start and scope.kind != "class"]
    # Above the variable of its name, a field is meant.
    fields = [scope for scope in site.scopes if scope.kind == "class" and source.language.scopes.bare]
    if (home is not None and home.start < start) or any(map(names.binds, fields)):
        return []
    return [bound for scope in own for bound in names.binds(scope)]


def _is_hoisted(source: Source, site: Site) -> bool:
    """Whether what a function declares is there above it too, as functions of JavaScript and items of Rust are."""
    declared = (
        _HOISTED.fullmatch(site.steps[-2].kind) is not None or site.around("use_declaration") is not None
    )
    return declared and not source.by_functions


def _negated(source: Source, node: Node) -> str:
    """The opposite of a condition: by its operator where that has an exact one, else by a `not` before it."""
    text = source.text(node)
    mark = source.language.negation
    if text in _OPPOSITES:
        return _OPPOSITES[text]
    if source.kind(node) in ("not_operator", "unary_expression") and text.startswith(mark.strip()):
        if node.children[0].is_named:
            return text[len(mark) :]  # to some grammars what stands behind binds less close than the mark
        inner = node.named_children[-1]
        inside = inner.named_children
        # Brackets stay with a comment in them, and around a `yield`.
        if inner.type == "parenthesized_expression" and len(inside) == 1 and inside[0].type != "yield":
            inner = inside[0]
        return source.text(inner)
    if source.kind(node) in _CLOSE and text.startswith(mark):
        return text[len(mark) :]  # some grammars let the mark bind closer than a call
    operators = [child for child in node.children if not child.is_named]
    compares = source.kind(node) in ("comparison_operator", "binary_expression") and len(operators) == 1
    # An operator that can be overloaded may be anything.
    if compares and not source.language.overloads_operators:
        operator = source.text(operators[0])
        opposite = _OPPOSITES.get(operator)
        if opposite is not None and (mark == "not " or not operator[0].isalpha()):  # words of Python's
            start, stop = (at - node.start_byte for at in (operators[0].start_byte, operators[0].end_byte))
            return (text.encode()[:start] + opposite.encode() + text.encode()[stop:]).decode()
    return mark + text if source.kind(node) in _CLOSE else f"{mark}({text})"
