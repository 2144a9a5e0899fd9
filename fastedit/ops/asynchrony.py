"""Makes functions async, and takes that away again."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from fastedit.ops.base import FUNCTION, Candidate, Operation, Outcome, option
from fastedit.ops.calls import callee
from fastedit.ops.modifiers import SKIPPED
from fastedit.ops.names.lexicon import Lexicon
from fastedit.ops.names.members import relative_to
from fastedit.ops.references import members_of, places_of, symbol_of
from fastedit.ops.resolve import place, resolve_definition
from fastedit.ops.returns import is_generator
from fastedit.ops.source import Edit, Source
from fastedit.source.languages.scopes import kinds
from fastedit.source.names.names import Symbol
from fastedit.source.names.site import Site

_BEFORE_ASYNC = kinds("accessibility_modifier static override_modifier visibility_modifier const default")
_AWAITS = ("await", "await_expression")


class SetAsync(Operation, needs="async_functions", example="settings.py Store.load"):
    """Make a function async, or take that away; calls are reported and stay as they are."""

    function: str = option(FUNCTION)
    off: bool = option("take async away", False)

    def carry_out(self, source: Source) -> Outcome:
        node, definition = resolve_definition(source, self.function)
        value = node.child_by_field_name("value") or node.child_by_field_name("right")
        function = value if value is not None else node
        if (
            function.child_by_field_name("parameters") is None
            and function.child_by_field_name("parameter") is None
        ):
            raise source.refused(f"`{definition.dotted}` is a {definition.kind}; name a function")
        if re.fullmatch(r"__\w+__|constructor", definition.name):
            raise source.refused(f"`{definition.dotted}` is called by the language, not awaited")
        heads = [part for part in function.children if part.type in ("async", "function_modifiers")]
        words = [word for part in heads for word in (part, *part.children) if word.type == "async"]
        if bool(words) != self.off:
            said = "is not async" if self.off else "is async already"
            return Outcome((), (f"`{definition.dotted}` {said}",))
        if self.off:
            self._check_waits(source, [child for child in function.children if child not in heads])
            edits = [Edit(words[0].start_byte, source.ink(words[0].end_byte), "")]
        else:
            first = next(c for c in function.children if c.type not in SKIPPED | _BEFORE_ASYNC)
            inner = next((c for c in first.children if c.type in ("unsafe", "extern")), None)
            at = (inner or first).start_byte
            edits = [Edit(at, at, "async ")]
        body = function.child_by_field_name("body")
        generates = body is not None and is_generator(source, body)
        edits += self._result(source, function) if not generates else ()
        lexicon = Lexicon(source)
        symbol = symbol_of(lexicon, function.child_by_field_name("name") or node.child_by_field_name("name"))
        if symbol is None:
            rows = {node.start_point.row for node in source.syntax.identifier_nodes(definition.name)}
            said = f"may mean `{definition.name}`, which has to be followed then"
            left = [place(source, row, said) for row in sorted(rows - {definition.header})]
            return Outcome(source.hunks(edits), (), tuple(left))
        exported = any(_is_exported(site) for site in symbol.sites) and not symbol.is_local
        notes = (f"`{symbol.name}` is exported; calls in other files have to follow",) if exported else ()
        left = sorted(set(self._left(lexicon, symbol, generates)), key=lambda each: each.line)
        return Outcome(source.hunks(edits), notes, tuple(left))

    def _result(self, source: Source, function: Node) -> list[Edit]:
        """What the function says that it returns, where that is another type now."""
        form, said = source.language.async_result, function.child_by_field_name("return_type")
        if not form or said is None or not said.named_children:
            return []
        before, behind = form.split("{}")
        old = said.named_children[0]
        text = source.text(old)
        promised = text.startswith(before) and text.endswith(behind)
        if promised != self.off:
            return []
        new = text[len(before) : -len(behind)] if self.off else form.format(text)
        return [Edit(old.start_byte, old.end_byte, new)]

    def _left(self, lexicon: Lexicon, symbol: Symbol, generates: bool) -> Iterator[Candidate]:
        """The places that have to follow, each with what it has to do."""
        source, name = lexicon.source, symbol.name
        loop = "be iterated by an async loop" if generates else "be awaited"
        for site, _ in places_of(lexicon, symbol):
            call, row = callee(site), source.row(site.start)
            awaited = call is not None and call.parent is not None and call.parent.type in _AWAITS
            if site.binds or (awaited and not self.off) or _is_exported(site):
                continue
            if call is None:
                yield place(source, row, f"hands `{name}` on; what calls it has to follow")
            elif self.off:
                yield place(source, row, f"`{name}` gives its result at once now")
            else:
                around = _around(source, site)
                where = f", but `{around}` is not async" if around else ""
                yield place(source, row, f"`{name}` has to {loop} now{where}")
        if symbol.scope.kind == "class":
            for other in members_of(lexicon, name).relatives(symbol):
                yield place(source, source.row(other.binding.start), relative_to(other))

    def _check_waits(self, source: Source, pending: list[Node]) -> None:
        """Raises OperationRefused where the function awaits something itself."""
        while pending:
            node = pending.pop()
            if node.type in (*_AWAITS, "async"):
                line = source.number(node.start_point.row)
                raise source.refused(f"`{self.function}` awaits on line {line}; take that out first")
            if node.child_by_field_name("parameters") is None or node.type in ("call", "call_expression"):
                pending += node.children


def _is_exported(site: Site) -> bool:
    """Whether a place gives the name to other files: by what it declares, by a list of exports, or by `__all__`."""
    if site.binds:
        return any(step.kind.startswith("export_") for step in site.steps)
    return site.steps[-2].kind.startswith("export_") or site.steps[-1].text is not None


def _around(source: Source, site: Site) -> str:
    """The name of the function that a place stands in, where that is not async."""
    for step in reversed(site.steps[:-1]):
        function = step.node
        if (
            step.kind not in ("call", "call_expression")
            and function.child_by_field_name("parameters") is not None
        ):
            parts = [part for child in function.children for part in (child, *child.children)]
            name = function.child_by_field_name("name")
            is_async = any(part.type == "async" for part in parts)
            return "" if is_async or name is None else source.text(name)
    return ""
