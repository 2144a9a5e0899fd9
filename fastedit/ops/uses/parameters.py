"""Adds and removes parameters of Python functions, with the calls in the same file."""

from __future__ import annotations

from collections.abc import Iterable

from tree_sitter import Node

from fastedit.ops.base import FUNCTION, Operation, Outcome, option
from fastedit.ops.lists import items_of, put, taken
from fastedit.ops.names.references import symbol_of
from fastedit.ops.source import ByteEdit, Source
from fastedit.ops.uses.calls import Call, calls_of
from fastedit.ops.uses.signature import Parameter, Signature, check_expression, parse_parameter, signature_of
from fastedit.source.names.site import Role


class AddParameter(Operation, needs="signatures", example="settings.py load 'timeout: float = 3'"):
    """Add a parameter to a function, and an argument to the calls in the file that need one."""

    function: str = option(FUNCTION)
    code: str = option(
        "the parameter as the signature has it: timeout, timeout: float = 3, *names, **options"
    )
    argument: str | None = option(
        "what the calls in this file pass; needed where they cannot go without", None
    )
    after: str | None = option("the parameter after which it goes; by default as far back as it can", None)

    def carry_out(self, source: Source) -> Outcome:
        signature = signature_of(source, self.function)
        parsed, new = parse_parameter(source, self.code)
        default = None if new.default is None else parsed.text(new.default)
        if self.argument is not None:
            check_expression(source, "argument", self.argument)
        _check_free(source, signature, new)
        index = self._index(signature, new)
        edits = put(source, signature.holder, index, self.code.strip())
        found = calls_of(source, signature.node)
        if new.kind == "plain":
            value = self.argument or default
            for call in found.sure:
                edits += self._passed(source, signature, index, new, call, value)
        return Outcome(source.hunks(edits), (), tuple(found.left))

    def _index(self, signature: Signature, new: Parameter) -> int:
        parameters = signature.parameters
        if self.after is not None:
            return parameters.index(signature.named(self.after)) + 1
        last = len(parameters)
        if parameters and parameters[-1].kind == "keywords":
            last -= 1
        if new.kind == "keywords":
            return len(parameters)
        free = signature.keyword_only_from
        if new.kind == "splat" or (free < last and parameters[free].kind != "keywords"):
            return free if new.kind == "splat" else last
        if new.default is None:
            defaults = (i for i, p in enumerate(parameters[:free]) if p.default is not None)
            return next(defaults, free)
        return free

    def _passed(
        self, source: Source, signature: Signature, index: int, new: Parameter, call: Call, value: str | None
    ) -> list[ByteEdit]:
        """The argument in a call. Raises OperationRefused where it is not known, or not where it goes."""
        reached = index <= signature.keyword_only_from
        position = sum(p.kind == "plain" for p in signature.parameters[:index]) if reached else None
        line = source.number(call.row)
        count = len(call.positional)
        behind = signature.parameters[index : signature.keyword_only_from + 1]
        reaches = position is not None and (call.unpacks or count > position - call.skipped)
        shifts = reaches and any(p.kind in ("plain", "splat") for p in behind)
        if new.default is not None and self.argument is None and not shifts:
            return []
        if value is None:
            raise source.refused(f"the call on line {line} needs a value for `{new.name}`; give `argument`")
        if call.unpacks:
            raise source.refused(f"the call on line {line} unpacks its arguments; change it by hand first")
        if position is None or count < position - call.skipped:
            if index <= signature.positional_only:
                raise source.refused(
                    f"the call on line {line} cannot pass `{new.name}` by name; change `after`"
                )
            items = items_of(call.arguments)
            splats = (i for i, item in enumerate(items) if item.type == "dictionary_splat")
            return put(source, call.arguments, next(splats, len(items)), f"{new.name}={value}")
        return put(source, call.arguments, position - call.skipped, value)


class RemoveParameter(Operation, needs="signatures", example="settings.py load timeout", brings_code=False):
    """Remove a parameter that its function does not use, and the argument for it from the calls in the file."""

    function: str = option(FUNCTION)
    parameter: str = option("the parameter's name")

    def carry_out(self, source: Source) -> Outcome:
        signature = signature_of(source, self.function)
        gone = signature.named(self.parameter)
        if gone.kind != "plain":
            raise source.refused(f"`{self.parameter}` takes any number of arguments; remove it by hand")
        index = signature.parameters.index(gone)
        kinds = ["", *(parameter.kind for parameter in signature.parameters), ""]
        before, after = kinds[index], kinds[index + 2]
        found = calls_of(source, signature.node)
        if index == 0 and (found.bound or after == "/"):
            raise source.refused(f"`{self.parameter}` comes first for a reason; remove it by hand")
        self._check_unused(source, signature, gone)
        edits = taken(source, signature.holder, gone.node)
        if before == "*" and after != "plain":
            edits = [_with_star(signature, index)]
        passed = [edit for call in found.sure for edit in self._without(source, signature, index, call)]
        notes = dict[str, None]()
        for call in (call for edit in passed for call in _calls_in(source, edit.start, edit.stop)):
            line = source.number(call.start_point.row)
            notes[f"line {line} no longer calls `{source.text(call)}`"] = None
        return Outcome(source.hunks(_outermost(edits + passed)), tuple(notes), tuple(found.left))

    def _check_unused(self, source: Source, signature: Signature, gone: Parameter) -> None:
        symbol = symbol_of(source, gone.named)
        uses = [site for site in symbol.sites if not site.parameter] if symbol is not None else []
        if uses:
            shown = ", ".join(str(source.number(source.row(site.start))) for site in uses[:5])
            said = f"`{signature.definition.dotted}` uses `{gone.name}` (line {shown})"
            raise source.refused(f"{said}; take these uses out first")

    def _without(self, source: Source, signature: Signature, index: int, call: Call) -> list[ByteEdit]:
        keyword = call.keyword(source, self.parameter)
        if keyword is not None:
            return taken(source, call.arguments, keyword)
        position = signature.position(index)
        if position is None:
            return []
        line = source.number(call.row)
        given = call.positional
        at = position - call.skipped
        if call.unpacks:
            raise source.refused(f"the call on line {line} unpacks its arguments; change it by hand first")
        return taken(source, call.arguments, given[at]) if 0 <= at < len(given) else []


class ReorderParameters(Operation, needs="signatures", example="settings.py load 'path, *, strict'"):
    """Put the parameters of a function, its * and /, and the arguments of the calls in the file in another order."""

    function: str = option(FUNCTION)
    order: str = option("all parameters by name, and the * and / that it is to have: path, *, strict")

    def carry_out(self, source: Source) -> Outcome:
        signature = signature_of(source, self.function)
        old = signature.parameters
        known = {p.name: p for p in old}
        words = [word.strip() for word in self.order.split(",")]
        names = [word.lstrip("*") or word for word in words]
        if not old or {*names, "*", "/"} != {*known, "*", "/"} or len(set(names)) < len(names):
            has = ", ".join(known) or "none"
            raise source.refused(f"`order` names each parameter once; there are {has}")
        found = calls_of(source, signature.node)
        if found.bound and names[0] != old[0].name:
            raise source.refused(f"`{old[0].name}` comes first for a reason; leave it there")
        texts = [source.text(known[name].node) if name in known else name for name in names]
        if len(texts) == len(old):
            pairs = zip(old, texts, strict=True)
            edits = [ByteEdit(p.node.start_byte, p.node.end_byte, text) for p, text in pairs]
        elif "\n" in source.text(signature.holder):
            raise source.refused("the parameters stand on several lines; add or drop the `*` by hand")
        else:
            holder = signature.holder
            edits = [ByteEdit(holder.start_byte, holder.end_byte, f"({', '.join(texts)})")]
        for call in found.sure:
            edits += self._passed(source, signature, names, call)
        changed = (e for e in edits if source.data[e.start : e.stop].decode() != e.text)
        return Outcome(source.hunks(changed), (), tuple(found.left))

    def _passed(self, source: Source, signature: Signature, names: list[str], call: Call) -> list[ByteEdit]:
        """The arguments of a call that go by position, in the new order; by name where no position reaches them."""
        line = source.number(call.row)
        nameless = names[: names.index("/")] if "/" in names else []
        reached = [p.name for p in signature.parameters[: signature.keyword_only_from] if p.kind == "plain"]
        ends = {"*", *(p.name for p in signature.parameters if p.kind in ("splat", "keywords"))}
        stop = next((at for at, name in enumerate(names) if name in ends), len(names))
        now = [name for name in names[:stop] if name != "/"][call.skipped :]
        values = call.positional
        passed = dict(zip(reached[call.skipped :], map(source.text, values), strict=False))
        placed = now[: next((at for at, name in enumerate(now) if name not in passed), len(now))]
        late = [name for name in passed if name not in placed]
        for name in nameless:
            if name in late or call.keyword(source, name) is not None:
                raise source.refused(f"the call on line {line} cannot pass `{name}` by name")
        if now == reached[call.skipped :]:
            return []
        if call.unpacks or len(passed) < len(values):
            raise source.refused(
                f"the call on line {line} does not tell what it passes; change it by hand first"
            )
        texts = [passed[name] for name in placed] + [f"{name}={passed[name]}" for name in late]
        return [ByteEdit(v.start_byte, v.end_byte, text) for v, text in zip(values, texts, strict=True)]


def _calls_in(source: Source, start: int, stop: int) -> list[Node]:
    """The calls that begin in these bytes."""
    found = source.syntax.nodes(["call"], (start, stop))
    return [call for call in found if start <= call.start_byte < stop]


def _with_star(signature: Signature, index: int) -> ByteEdit:
    """Takes the parameter at `index` away together with the `*` before it, which would stand alone."""
    nodes = [parameter.node for parameter in signature.parameters]
    if index + 1 < len(nodes):
        return ByteEdit(nodes[index - 1].start_byte, nodes[index + 1].start_byte, "")
    start = nodes[index - 2].end_byte if index > 1 else nodes[index - 1].start_byte
    return ByteEdit(start, nodes[index].end_byte, "")


def _outermost(edits: Iterable[ByteEdit]) -> list[ByteEdit]:
    """Without those that stand within what another deletes."""
    kept: list[ByteEdit] = []
    for edit in sorted(set(edits), key=lambda edit: (edit.start, -edit.stop)):
        if not kept or edit.stop > kept[-1].stop:
            kept.append(edit)
    return kept


def _check_free(source: Source, signature: Signature, new: Parameter) -> None:
    """Raises OperationRefused where the body of the function has the name already, for whatever it means."""
    body = signature.node.child_by_field_name("body")
    names = source.names(new.name)
    for site in names.sites:
        if site.role is Role.NAME and body is not None and body.start_byte <= site.start < body.end_byte:
            home = names.home(site)
            if home is None or home.start <= signature.node.start_byte or home.key == signature.node.id:
                line = source.number(source.row(site.start))
                problem = f"`{signature.definition.dotted}` has the name `{new.name}` already (line {line})"
                raise source.refused(f"{problem}; choose another")
