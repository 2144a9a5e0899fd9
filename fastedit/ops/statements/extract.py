"""Extracts statements into a function."""

from __future__ import annotations

import re
from itertools import takewhile

from tree_sitter import Node

from fastedit.ops.base import FUNCTION, Operation, Outcome, option
from fastedit.ops.definitions.delete import makes, meant
from fastedit.ops.definitions.places import apart
from fastedit.ops.names.references import is_assigned
from fastedit.ops.names.resolve import resolve_definition
from fastedit.ops.source import Source, outwards
from fastedit.ops.structure.anchors import BLOCKS
from fastedit.ops.structure.blocks import StatementBlock, block_of
from fastedit.ops.structure.layout import deeper
from fastedit.ops.structure.leaving import AWAITING, HANDLING, PASSING, RETURNING, YIELDING
from fastedit.ops.uses.rename import check_name
from fastedit.source.hunks import Hunk
from fastedit.source.languages.scopes import kinds
from fastedit.source.names.site import Role, Site

_BOUND = kinds("global_statement nonlocal_statement this super delete_statement")
_LEAVING = PASSING | RETURNING | YIELDING | AWAITING | _BOUND
_IDENTIFIERS = ("identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern")
# What the function around decides over.
_PLACED = re.compile(r"super|locals|arguments|__class__|__\w*[^\W_]_?")
# What may run the functions that see a variable.
_RUNNING = kinds(
    "call call_expression new_expression for_statement for_in_statement for_in_clause with_statement"
)
_LOOPS = frozenset({"for_statement", "while_statement", "for_in_statement", "do_statement"})


class ExtractFunction(
    Operation,
    needs="has_scopes new_function",
    example="settings.py load 'check(path)' 'found = parse(path)' read",
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
        span = nodes[0].start_byte, nodes[-1].end_byte
        ends = source.kind(nodes[-1]) in RETURNING
        for left in source.syntax.nodes(_LEAVING, span):
            if left.start_byte >= span[0] and not (ends and left == nodes[-1]):  # nor around them
                line, word = source.number(left.start_point.row), source.text(left).split()[0]
                raise source.refused(f"`{word}` on line {line} cannot be taken out")
        for leaf in source.syntax.nodes(_IDENTIFIERS, span):
            if _PLACED.fullmatch(source.text(leaf)):
                raise source.refused(f"`{source.text(leaf)}` means another thing elsewhere")
        if any(site.role is Role.NAME for site in source.names(self.new).sites):
            raise source.refused(f"`{self.new}` is a name of this file already; choose another")
        given, made = self._flow(source, block, nodes)
        _, definition = resolve_definition(source, self.function, into=True)
        outermost = meant(source, f"{definition.path[0]}@{source.number(definition.header)}")
        form, end = source.language.new_function, source.semicolon
        assert form is not None
        indent, inner = source.indent(start), source.indent(outermost.header) + source.unit
        body = deeper(source, start, stop, inner[len(indent) :], max(0, len(indent) - len(inner)))
        call = f"{self.new}({', '.join(given)})"
        if ends:  # nothing below is run then
            call = f"return {call}"
        elif made:
            result = ", ".join(made) if len(made) == 1 else form.several.format(", ".join(made))
            call, body = form.kept.format(result, call), [*body, f"{inner}return {result}{end}"]
        head = form.head.format(self.new, ", ".join(given.values())).split("\n")  # as a type may have lines
        lines = [*head, *body, *form.foot]
        return Outcome((apart(source, outermost.start, lines), Hunk(start, stop, (f"{indent}{call}{end}",))))

    def _flow(
        self, source: Source, block: StatementBlock, nodes: list[Node]
    ) -> tuple[dict[str, str], list[str]]:
        """The names that the statements take from the function, with their types, and those that it uses of theirs."""
        start, stop, around = nodes[0].start_byte, nodes[-1].end_byte, nodes[0].parent
        function = block.node.parent
        assert around is not None
        assert function is not None
        above = takewhile(lambda node: node != block.node, outwards(around))
        loop = next((node for node in above if node.type in _LOOPS), None)
        again = range(loop.start_byte, start) if loop is not None else range(0)
        runs = bool(source.syntax.nodes(_RUNNING, (start, stop)))
        given: dict[str, str] = {}
        made: list[str] = []
        for name in dict.fromkeys(map(source.text, source.syntax.nodes(_IDENTIFIERS, (start, stop)))):
            names = source.names(name)
            inside = [s for s in names.sites if start <= s.start < stop and s.role is Role.NAME]
            homes = {home.key: home for site in inside if (home := names.home(site)) is not None}
            for key, home in homes.items():
                changes = any(_changes(s) and names.home(s) == home for s in inside)
                if source.by_functions and changes and home.start < start and key != function.id:
                    raise source.refused(f"`{name}` is changed for another scope, as `global` says")
                if home.kind == "file" or home.start >= start or home.stop < stop:
                    continue
                sites = [site for site in names.sites if (h := names.home(site)) is not None and h.key == key]
                mine = [s for s in sites if start <= s.start < stop]
                changed = [s for s in mine if _changes(s)]
                if any(s.scopes[-1].kind == "function" and s.scopes[-1].start >= start for s in changed):
                    raise source.refused(f"a function in these statements changes `{name}`")
                within = [s for s in sites if _in_function(s, key)]
                outer = [s for s in within if s not in mine]
                late = [s for s in sites if s not in mine and (s.start >= stop or s.start in again)]
                sees = len(outer) < len(within) and any(map(_changes, late + outer))
                if sees or (runs and outer and (changed or any(map(_changes, outer)))):
                    raise source.refused(f"`{name}` changes, and a function within this one sees it do so")
                earliest = min(mine, key=lambda site: site.start)
                renewed = source.by_functions and _renews(earliest, mine) and _is_sure(earliest, around)
                before = [s for s in sites if s.binds and s.start < start and not renewed]
                # What another function has of it is run whenever that is called.
                later = late + [s for s in sites if s.start < start and s.scopes[-1].key != key]
                used = [s for s in later if not makes(s)]
                outside = before or any(is_assigned(s) for s in sites if s.start >= stop)
                if not source.by_functions and changed and outside:
                    raise source.refused(f"`{name}` is assigned here and outside of these statements")
                if before and not any(s.parameter or _is_sure(s, around) for s in before):
                    raise source.refused(f"`{name}` may have no value yet")
                if before or not changed:
                    given[name] = name + _type_of(source, next((s for s in sites if s.binds), sites[0]))
                own = range(around.start_byte, around.end_byte)
                if not source.by_functions and changed and any(s.start not in own for s in used):
                    raise source.refused(f"`{name}` is used outside of the block that has it")
                if changed and used:
                    if any(_handles(s, start) for s in used):
                        raise source.refused(f"`{name}` is used where the `try` around these statements ends")
                    if not before and not any(_is_sure(s, around) for s in changed):
                        raise source.refused(f"`{name}` does not have a value in every case")
                    made.append(name)
        first = {name: given.pop(name) for name in ("self", "cls") if name in given}
        return first | given, made


def _renews(first: Site, mine: list[Site]) -> bool:
    """Whether the first place of a variable in the statements gives it a value that nothing there has to do with."""
    kinds_of = {step.kind for step in first.steps[-3:]}
    return (
        "assignment" in kinds_of and first.binds and all(first.visible <= s.start for s in mine if s != first)
    )


def _handles(site: Site, start: int) -> bool:
    """Whether a place stands in what is run where a statement from this byte on, of the block above, is left."""
    handlers = (step.node for step in site.steps if step.kind in HANDLING)
    tries = (handler.parent for handler in handlers if start < handler.start_byte)
    return any(node is not None and node.start_byte < start for node in tries)


def _in_function(site: Site, home: int) -> bool:
    """Whether a place stands in a function within the scope of this key, which sees what that has."""
    keys = [scope.key for scope in site.scopes]
    return home in keys and any(scope.kind == "function" for scope in site.scopes[keys.index(home) + 1 :])


def _changes(site: Site) -> bool:
    return site.binds or is_assigned(site)


def _type_of(source: Source, bound: Site) -> str:
    """The annotation with which TypeScript declares a variable, if there is one."""
    said = bound.steps[-2].node.child_by_field_name("type") if len(bound.steps) > 1 else None
    return source.text(said) if said is not None and said.type == "type_annotation" else ""


def _is_sure(site: Site, around: Node) -> bool:
    """Whether the name has a value from this place on whenever the block around the statements is run."""
    above = [*outwards(around)]
    for step in reversed(site.steps):
        if step.node in above:
            return True
        if step.kind == "assignment" and step.node.child_by_field_name("right") is None:
            return False  # a type alone
        if step.kind in _LOOPS or step.kind == "named_expression" or step.kind in BLOCKS:
            return False
    return True
