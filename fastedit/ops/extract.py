"""Extracts an expression into a variable or constant, and statements into a function."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from tree_sitter import Node

from fastedit.ops.anchors import commented, own_rows
from fastedit.ops.base import FUNCTION, Operation, Outcome, option
from fastedit.ops.blocks import Block, block_of, is_block
from fastedit.ops.delete import meant
from fastedit.ops.layout import deeper
from fastedit.ops.names.lexicon import Lexicon, by_functions
from fastedit.ops.places import apart
from fastedit.ops.rename import check_name
from fastedit.ops.replace import places_of
from fastedit.ops.returns import gives_several
from fastedit.ops.source import Edit, Source
from fastedit.ops.variables import variables
from fastedit.source.hunks import Hunk
from fastedit.source.languages.scopes import kinds
from fastedit.source.names.site import Role, Site

# In these an expression is evaluated later than its statement, not always or more than once, but for one field.
_LATER = {"boolean_operator": "left", "ternary_expression": "condition", "for_statement": "right"}
_LATER |= dict.fromkeys(
    """arrow_function assert_statement case_clause case_statement class_body closure_expression
    conditional_expression dictionary_comprehension do_statement elif_clause else_clause expression_case
    field_declaration_list formal_parameters func_literal function_expression generator_expression
    lambda lambda_expression list_comprehension macro_invocation match_arm parameter_list
    set_comprehension switch_block_statement_group switch_case switch_rule while_expression
    while_statement""".split(),  # noqa: SIM905
    "",
)
# What an expression stands in that is changed or referred to, by way of lists of several.
_CHANGING = kinds("update_expression inc_statement dec_statement delete_statement reference_expression")
_CHANGING |= {"as_pattern_target"}
_UNARY, _TO_PLACE = ("unary_expression", "pointer_expression"), ("&", "delete")
_TARGETED = ("assignment", "assignment_expression", "assignment_expr", "assignment_statement")
_GROUPS = kinds(
    "pattern_list tuple_pattern list_pattern array_pattern object_pattern pair_pattern expression_list "
    "tuple_expression parenthesized_expression"
)
_SHORT = ("&&", "||", "??")  # operators that may not evaluate what is on their right
_CALLS = frozenset(
    {"call", "call_expression", "new_expression", "method_invocation", "object_creation_expression", "await"}
)
_MEMBERS = frozenset(
    {"attribute", "member_expression", "field_expression", "selector_expression", "field_access", "subscript"}
    | {"subscript_expression", "index_expression", "array_access"}
)
_LEAVING = frozenset(
    {"return_statement", "break_statement", "continue_statement", "yield", "yield_expression", "await"}
    | {"await_expression", "global_statement", "nonlocal_statement", "this", "super", "delete_statement"}
)
_PLACED = re.compile(
    r"super|locals|arguments|__class__|__\w*[^\W_]_?"
)  # what the function around decides over
_ASSIGNING = frozenset(
    {"assignment_expression", "augmented_assignment_expression", "compound_assignment_expr"}
)
_LOOPS = frozenset({"for_statement", "while_statement", "for_in_statement", "do_statement"})


class ExtractVariable(Operation, needs="new_variable", example="settings.py 'len(paths) + 1' count load"):
    """Give an expression a name: that of a variable before its statement, or of a constant of the file."""

    code: str = option("the expression as it stands; white space does not matter")
    new: str = option("the name of the variable")
    function: str | None = option("the definition to look in: load, Store.load; by default the file", None)
    anchor: str | None = option("the line on which the expression begins, or @LINE", None)
    every: bool = option("put the name in all the places that have the expression", False)
    where: Literal["statement", "file"] = option(
        "before the statement, or as a constant of the file", "statement"
    )
    type: str | None = option("the type that it is declared with", None)

    def carry_out(self, source: Source) -> Outcome:
        check_name(source, self.new)
        spans = places_of(source, self, self.code, self.function)
        node = source.syntax.root.descendant_for_byte_range(*spans[0])
        alone = node is None or (node.start_byte, node.end_byte) != spans[0] or "comment" in node.type
        if (
            node is None
            or alone
            or node.type.endswith("statement")
            or (node.parent is not None and node.parent.type == "expression_statement")
        ):
            raise source.refused(f"{self.code!r} is not an expression within a statement")
        if any(gives_several(source, source.syntax.root.descendant_for_byte_range(*span)) for span in spans):
            raise source.refused(f"{self.code!r} has several values there, which one variable cannot hold")
        for span in spans:
            if _is_place(source, source.syntax.root.descendant_for_byte_range(*span)):
                number = source.number(source.row(span[0]))
                raise source.refused(f"line {number} needs the place of {self.code!r}, not its value alone")
        lexicon = Lexicon(source)
        function = node.parent if self.where == "statement" else None
        while function is not None and function.child_by_field_name("parameters") is None:
            function = function.parent
        if function is None and self.where == "statement" and source.language.order == "any":
            raise source.refused(f"{self.code!r} stands in no function; take `where` file")
        seen = function or source.syntax.root
        taken = [
            site
            for site in lexicon.names(self.new).sites
            if site.role is Role.NAME and seen.start_byte <= site.start < seen.end_byte
        ]
        if taken:
            where = source.number(source.row(taken[0].start))
            raise source.refused(f"`{self.new}` is there on line {where} already; choose another name")
        if self.where == "file":
            row, indent, form = self._constant(source, lexicon, node), "", source.language.new_constant
        else:
            statement = self._statement(source, lexicon, node, spans)
            row = commented(source, own_rows(source, statement)[0])
            indent, form = source.indent(statement.start_point.row), source.language.new_variable
        kind = "" if self.type is None else f"{source.language.type_mark}{self.type}"
        line = form.format(self.new, source.text(node), kind)
        if not source.semicolon:
            line = line.removesuffix(";")
        written = (indent + line).split("\n")
        lines = apart(source, row, written).lines if self.where == "file" else tuple(written)
        at = source.start(row)
        edits = [
            Edit(at, at, "\n".join((*lines, ""))),
            *(Edit(*_unbracketed(source, start, stop), self.new) for start, stop in spans),
        ]
        return Outcome(source.hunks(edits))

    def _constant(self, source: Source, lexicon: Lexicon, node: Node) -> int:
        """The line before which a constant of the file goes."""
        language = source.language
        if not language.new_constant or (language.typed_constants and self.type is None):
            raise source.refused(f"a constant of {language.name} needs its `type`, or another place")
        if next(_within(node, _CALLS), None) is not None:
            raise source.refused(f"{self.code!r} calls something, and would do so only once")
        top = node
        while top.parent is not None and top.parent.parent is not None:
            top = top.parent
        known = (v.statement for v in variables(source) if len(v.path) == 1 and v.is_statement)
        above = [s for s in known if s.end_byte <= top.start_byte and s.start_point.column == 0]
        row = source.syntax.rows(above[-1])[1] if above else commented(source, top.start_point.row)
        for name in map(source.text, _identifiers(node)):
            bound = [
                s for s in lexicon.names(name).sites if s.role is Role.NAME and (s.binds or _assigned(s))
            ]
            if any(s.scope.kind != "file" or source.row(s.start) >= row for s in bound) or len(bound) > 1:
                raise source.refused(f"`{name}` may have another value in the whole file")
        return row

    def _statement(self, source: Source, lexicon: Lexicon, node: Node, spans: list[tuple[int, int]]) -> Node:
        """The statement before which the variable goes. Raises OperationRefused where its value may be another."""
        around = source.syntax.root.descendant_for_byte_range(spans[0][0], spans[-1][1])
        while around is not None and around.parent is not None and not is_block(around):
            around = around.parent
        assert around is not None
        found = next(child for child in around.children if child.end_byte > spans[0][0])
        for start, stop in spans:
            inner = source.syntax.root.descendant_for_byte_range(start, stop)
            while inner is not None and inner != around:
                if _is_later(source, inner, start):
                    line = source.number(source.row(start))
                    raise source.refused(f"on line {line} it is evaluated later, or not once")
                inner = inner.parent
        called = next(_within(node, _CALLS), None) is not None
        if called and any(call.end_byte <= spans[0][0] for call in _within(found, _CALLS)):
            raise source.refused(f"{self.code!r} would be called before what its statement calls first")
        names = {source.text(name) for name in _identifiers(node)}
        sites = [s for name in names for s in lexicon.names(name).sites if s.binds or _assigned(s)]
        for site in sites:
            holder = site.steps[-2].node
            own = holder.start_byte <= spans[0][0] and spans[-1][1] <= holder.end_byte
            if found.start_byte <= site.start < spans[-1][1] and not own:
                raise source.refused(f"{self.code!r} may have another value before its statement")
        if len(spans) > 1 and (called or next(_within(node, _MEMBERS), None) is not None):
            raise source.refused(f"{self.code!r} may have another value in each of the places")
        return found


class ExtractFunction(
    Operation, needs="new_function", example="settings.py load 'check(path)' 'found = parse(path)' read"
):
    """Make a function of statements of another, with parameters for what they need and a result for what is used."""

    function: str = option(FUNCTION)
    anchor: str = option("the first line of the first statement, or @LINE")
    last: str = option("the first line of the last statement, or @LINE")
    new: str = option("the name of the new function, which goes before the old one")

    def carry_out(self, source: Source) -> Outcome:
        check_name(source, self.new)
        block = block_of(source, self.function)
        start, stop = block.between(self.anchor, self.last)
        around = block.at(self.anchor).parent
        assert around is not None
        nodes = [node for node in around.named_children if start <= node.start_point.row < stop]
        for node in nodes:
            left = next(_within(node, _LEAVING), None)
            if left is not None:
                line, word = source.number(left.start_point.row), source.text(left).split()[0]
                raise source.refused(f"`{word}` on line {line} cannot be taken out")
            for leaf in _identifiers(node):
                if _PLACED.fullmatch(source.text(leaf)):
                    raise source.refused(f"`{source.text(leaf)}` means another thing elsewhere")
        lexicon = Lexicon(source)
        if any(site.role is Role.NAME for site in lexicon.names(self.new).sites):
            raise source.refused(f"`{self.new}` is a name of this file already; choose another")
        given, made = self._flow(source, lexicon, block, nodes)
        _, _, first, header, _ = meant(source, self.function.split(".")[0].split("@")[0])
        form, end = source.language.new_function, source.semicolon
        assert form is not None
        indent, inner = source.indent(start), source.indent(header) + source.unit
        body = deeper(source, start, stop, inner[len(indent) :], max(0, len(indent) - len(inner)))
        call = f"{self.new}({', '.join(given)})"
        if made:
            result = ", ".join(made) if len(made) == 1 else form.several.format(", ".join(made))
            call, body = form.kept.format(result, call), [*body, f"{inner}return {result}{end}"]
        lines = [form.head.format(self.new, ", ".join(given.values())), *body, *form.foot]
        return Outcome((apart(source, first, lines), Hunk(start, stop, (f"{indent}{call}{end}",))))

    def _flow(
        self, source: Source, lexicon: Lexicon, block: Block, nodes: list[Node]
    ) -> tuple[dict[str, str], list[str]]:
        """The names that the statements take from the function, with their types, and those that it uses of theirs."""
        start, stop, around = nodes[0].start_byte, nodes[-1].end_byte, nodes[0].parent
        function = block.node.parent
        assert around is not None
        assert function is not None
        loop = nodes[0].parent
        while loop is not None and loop.type not in _LOOPS and loop != block.node:
            loop = loop.parent
        again = range(loop.start_byte, start) if loop is not None and loop.type in _LOOPS else range(0)
        given: dict[str, str] = {}
        made: list[str] = []
        for name in dict.fromkeys(source.text(leaf) for node in nodes for leaf in _identifiers(node)):
            names = lexicon.names(name)
            inside = [s for s in names.sites if start <= s.start < stop and s.role is Role.NAME]
            homes = {home.key: home for site in inside if (home := names.home(site)) is not None}
            for key, home in homes.items():
                changes = any((s.binds or _assigned(s)) and names.home(s) == home for s in inside)
                if by_functions(source) and changes and home.start < start and key != function.id:
                    raise source.refused(f"`{name}` is changed for another scope, as `global` says")
                if home.kind == "file" or home.start >= start or home.stop < stop:
                    continue
                sites = [site for site in names.sites if (h := names.home(site)) is not None and h.key == key]
                mine = [s for s in sites if start <= s.start < stop]
                changed = [s for s in mine if s.binds or _assigned(s)]
                if any(s.scopes[-1].kind == "function" and s.scopes[-1].start >= start for s in changed):
                    raise source.refused(f"a function in these statements changes `{name}`")
                before = [s for s in sites if s.binds and s.start < start]
                # What another function has of it is run whenever that is called.
                later = [s for s in sites if s not in mine and (s.start >= stop or s.start in again)]
                later += [s for s in sites if s.start < start and s.scopes[-1].key != key]
                used = [s for s in later if not s.binds]
                outside = before or any(_assigned(s) for s in sites if s.start >= stop)
                if not by_functions(source) and changed and outside:
                    raise source.refused(f"`{name}` is assigned here and outside of these statements")
                if before and not any(s.parameter or _is_sure(s, around) for s in before):
                    raise source.refused(f"`{name}` may have no value yet")
                if before or not changed:
                    given[name] = name + _type_of(source, next((s for s in sites if s.binds), sites[0]))
                if changed and used:
                    if not before and not any(_is_sure(s, around) for s in changed):
                        raise source.refused(f"`{name}` does not have a value in every case")
                    made.append(name)
        first = {name: given.pop(name) for name in ("self", "cls") if name in given}
        return first | given, made


def _is_place(source: Source, node: Node | None) -> bool:
    """Whether an expression is assigned, deleted, referred to or called as a method, for which its value will not do:
    that of a method lacks its object, and that of an object may be a copy, of which a part is assigned or called."""
    inner, language = node, source.language
    copied = node is not None and language.copies and node.type in _MEMBERS | {"identifier"}
    while inner is not None and (around := inner.parent) is not None:
        first = around.children[0] == inner
        if around.type in _CALLS and around.child_by_field_name("function") == inner:
            method = inner == node and inner.type in _MEMBERS and not language.bound_methods
            return method or (copied and inner != node)
        if around.type in _CHANGING or (around.type in _UNARY and source.text(around).startswith(_TO_PLACE)):
            return True
        if around.type.endswith(_TARGETED) or around.type.startswith("for_"):
            return around.child_by_field_name("left") == inner
        if around.type not in _GROUPS and not (copied and around.type in _MEMBERS and first):
            return False
        inner = around
    return False


def _unbracketed(source: Source, start: int, stop: int) -> tuple[int, int]:
    """The bytes with the brackets around them, which a name needs not among operators."""
    node = source.syntax.root.descendant_for_byte_range(start, stop)
    around = node.parent if node is not None else None
    beside = around.parent if around is not None else None
    if around is None or beside is None or around.type != "parenthesized_expression":
        return start, stop
    edges = (
        source.data[around.start_byte - 1 : around.start_byte],
        source.data[around.end_byte : around.end_byte + 1],
    )
    glued = any(edge.isalnum() or edge == b"_" for edge in edges)
    operators = beside.type.endswith(("operator", "binary_expression", "unary_expression"))
    if glued or not operators or around.named_child_count > 1:
        return start, stop
    return around.start_byte, around.end_byte


def _within(node: Node, kinds: frozenset[str]) -> Iterator[Node]:
    """The nodes of these kinds in a node, itself among them."""
    if node.type in kinds:
        yield node
    for child in node.children:
        yield from _within(child, kinds)


def _identifiers(node: Node) -> Iterator[Node]:
    return _within(node, frozenset({"identifier", "shorthand_property_identifier"}))


def _assigned(site: Site) -> bool:
    """Whether the place gives the variable another value."""
    holder = site.steps[-2].kind if len(site.steps) > 1 else ""
    return holder == "update_expression" or (holder in _ASSIGNING and site.steps[-1].field == "left")


def _type_of(source: Source, bound: Site) -> str:
    """The annotation with which TypeScript declares a variable, if there is one."""
    said = bound.steps[-2].node.child_by_field_name("type") if len(bound.steps) > 1 else None
    return source.text(said) if said is not None and said.type == "type_annotation" else ""


def _is_sure(site: Site, around: Node) -> bool:
    """Whether the name has a value from this place on whenever the block around the statements is run."""
    above: list[Node] = []
    node: Node | None = around
    while node is not None:
        above.append(node)
        node = node.parent
    for step in reversed(site.steps):
        if step.node in above:
            return True
        if step.kind in _LOOPS or step.kind == "named_expression" or is_block(step.node):
            return False
    return True


def _is_later(source: Source, node: Node, at: int) -> bool:
    """Whether what stands at a byte of a node is evaluated later than its statement, not always or more than once."""
    if node.type == "binary_expression":
        operator, right = node.child_by_field_name("operator"), node.child_by_field_name("right")
        return (
            operator is not None
            and right is not None
            and source.text(operator) in _SHORT
            and at >= right.start_byte
        )
    if node.type not in _LATER:
        return False
    first = node.child_by_field_name(_LATER[node.type])
    return first is None or not first.start_byte <= at < first.end_byte
