"""Adds and removes the words before a declaration: public, static, final, const, export, async and their kind."""

from __future__ import annotations

import re

from tree_sitter import Node

from fastedit.ops.base import Candidate, Operation, Outcome, option
from fastedit.ops.names.references import is_assigned, symbols_of
from fastedit.ops.names.resolve import place
from fastedit.ops.names.variables import resolve_either
from fastedit.ops.source import ByteEdit, Source, outwards
from fastedit.ops.structure.anchors import statement_on
from fastedit.ops.structure.leaving import AWAITING
from fastedit.source.definitions import whole_statement
from fastedit.source.languages.scopes import kinds
from fastedit.source.names.site import Site

_TARGET = (
    "the definition, variable or field: Store.load, LIMIT, Store.size; add @LINE to choose among several"
)
SKIPPED = kinds(
    "decorator annotation marker_annotation comment line_comment block_comment attribute_item attribute_list "
    "attribute_declaration"
)


class AddModifier(Operation, needs="modifiers", example="store.ts Store.size readonly"):
    """Add a modifier such as static, final, const or export in its place, or in place of the one that it rules out."""

    target: str = option(_TARGET)
    modifier: str = option("the word: public, static, final, readonly, const, export, pub, mut ...")

    def carry_out(self, source: Source) -> Outcome:
        groups = _groups(source)
        rank = next((i for i, group in enumerate(groups) if self.modifier in group), None)
        if rank is None:
            known = ", ".join(word for group in groups for word in group)
            raise source.refused(f"{self.modifier} is none of {source.language.name}'s; there are {known}")
        declaration, name = _declaration(source, self.target, self.modifier)
        if self.modifier in ("export", "default") and not _is_outermost(declaration):
            raise source.refused(f"`{self.target}` does not stand in the file itself")
        words = _words(source, declaration, groups)
        if any(word == self.modifier for word, _, _ in words):
            return Outcome((), (f"`{self.target}` is {self.modifier} already",))
        sites = _sites(source, name, declaration)
        if self.modifier == "const":
            _check_constant(source, self.target, sites)
        left = _declared_too(source, declaration, sites)
        for word, start, stop in words:
            if word in groups[rank]:
                return Outcome(source.hunks([ByteEdit(start, stop, self.modifier)]), (), left)
        earlier = [stop for word, _, stop in words if any(word in group for group in groups[:rank])]
        at = earlier[-1] if earlier else _begin(source, declaration)
        text = f" {self.modifier}" if earlier else f"{self.modifier} "
        return Outcome(source.hunks([ByteEdit(at, at, text)]), (), left)


class RemoveModifier(Operation, needs="modifiers", example="store.ts Store.size public"):
    """Remove a modifier such as public, final or export."""

    target: str = option(_TARGET)
    modifier: str = option("the word: public, static, final, readonly, export, pub ...")

    def carry_out(self, source: Source) -> Outcome:
        declaration, name = _declaration(source, self.target, self.modifier)
        if self.modifier == "async":
            _check_awaits(source, declaration)
        words = _words(source, declaration, _groups(source))
        for word, start, stop in words:
            if word == self.modifier:
                hunks = source.hunks([ByteEdit(start, source.non_blank(stop), "")])
                new = source.changed(hunks)
                left = statement_on(new, declaration.start_point.row, new.syntax.root)
                if left is not None and left.type == "expression_statement":
                    raise source.refused(f"{word} is what declares `{self.target}`; replace it by another")
                sites = _sites(source, name, declaration)
                return Outcome(hunks, (), _declared_too(source, declaration, sites))
        has = ", ".join(word for word, _, _ in words) or "none"
        raise source.refused(f"`{self.target}` has no {self.modifier}; it has {has}")


def _groups(source: Source) -> list[list[str]]:
    """The modifiers of the language in their order, those that rule each other out together."""
    return [group.split() for group in source.language.modifiers.split(",")]


def _declaration(source: Source, target: str, modifier: str) -> tuple[Node, str]:
    """The node that begins with the modifiers, and its name. Raises OperationRefused where it declares several."""
    found, variable = resolve_either(source, target, declared=True)
    if found is not None:
        return whole_statement(source.syntax, found[0]), found[1].name
    assert variable is not None
    if not variable.alone or not variable.is_statement or variable.statement.type == "expression_statement":
        raise source.refused(f"`{target}` stands among others; declare it alone first")
    pointed = variable.name.type in ("pointer_declarator", "reference_declarator")
    if modifier.startswith("const") and pointed:
        raise source.refused(f"`{target}` is a pointer; write by hand what of it is const")
    return variable.statement, variable.path[-1]


def _sites(source: Source, name: str, declaration: Node) -> tuple[Site, ...]:
    """The places that mean what a declaration gives its name."""
    inside = range(declaration.start_byte, declaration.end_byte)
    found = (s.sites for s in symbols_of(source, name))
    return next((sites for sites in found if any(s.binds and s.start in inside for s in sites)), ())


def _declared_too(source: Source, declaration: Node, sites: tuple[Site, ...]) -> tuple[Candidate, ...]:
    """The other declarations of the same, as prototypes of C are: a modifier may have to be there too."""
    if source.language.overloads:
        return ()
    inside = range(declaration.start_byte, declaration.end_byte)
    rows = sorted({source.row(site.start) for site in sites if site.binds and site.start not in inside})
    return tuple(place(source, row, "declares it too") for row in rows)


def _is_outermost(declaration: Node) -> bool:
    """Whether a declaration stands in the file itself or in a namespace."""
    around = declaration.parent
    body = around.parent if around is not None and around.type == "statement_block" else around
    return body is not None and body.type in ("program", "internal_module", "module", "export_statement")


def _begin(source: Source, declaration: Node) -> int:
    """Where the first modifier goes: after decorators, and after `let` where `mut` is one."""
    node = declaration
    while node.children and node.children[0].type in ("modifiers", "export_statement", "lexical_declaration"):
        node = node.children[0]
    first = next((child for child in node.children if source.kind(child) not in SKIPPED), None)
    if node.type == "modifiers" and first is None:
        return source.non_blank(node.end_byte)
    at = declaration.start_byte if first is None else first.start_byte
    skips = source.data[at : at + 4] == b"let " and any("mut" in group for group in _groups(source))
    return source.non_blank(at + 3) if skips else at


def _words(source: Source, declaration: Node, groups: list[list[str]]) -> list[tuple[str, int, int]]:
    """The modifiers that a declaration has, each with its bytes."""
    found = []
    at = _begin(source, declaration)
    known = sorted((word for group in groups for word in group), key=len, reverse=True)
    pattern = re.compile(rb"(%s)(?![\w$(])\s*" % b"|".join(re.escape(word).encode() for word in known))
    while (match := pattern.match(source.data, at)) is not None:
        found.append((match[1].decode(), at, match.end(1)))
        at = match.end()
    return found


def _check_awaits(source: Source, declaration: Node) -> None:
    """Raises OperationRefused where the function itself awaits something."""
    for node in source.syntax.nodes(AWAITING, (declaration.start_byte, declaration.end_byte)):
        functions = source.language.scopes.functions
        around = next((each for each in outwards(node.parent) if each.type in functions), None)
        if around is not None and whole_statement(source.syntax, around) == declaration:
            line = source.number(node.start_point.row)
            raise source.refused(f"line {line} awaits, which an async function alone can; change that first")


def _check_constant(source: Source, target: str, sites: tuple[Site, ...]) -> None:
    """Raises OperationRefused where the variable is assigned again."""
    for site in sites:
        if is_assigned(site) and not site.binds:
            line = source.number(source.row(site.start))
            raise source.refused(f"`{target}` is assigned again on line {line}")
