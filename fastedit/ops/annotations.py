"""Sets and drops defaults, types and return types of Python functions."""

from __future__ import annotations

from fastedit.ops.base import FUNCTION, Operation, Outcome, option
from fastedit.ops.calls import calls_of
from fastedit.ops.signature import Parameter, Signature, check_expression, signature_of
from fastedit.ops.source import Edit, Source


class SetDefault(Operation, needs="signatures", example="settings.py load timeout 3"):
    """Give a parameter a default, change it, or take it away."""

    function: str = option(FUNCTION)
    parameter: str = option("the parameter's name")
    default: str | None = option("the default; leave it out to take the default away", None)

    def carry_out(self, source: Source) -> Outcome:
        signature = signature_of(source, self.function)
        parameter = _plain(signature, self.parameter)
        assert parameter.name_node is not None
        if self.default is None:
            return self._without(source, signature, parameter)
        check_expression(source, "default", self.default)
        new = self.default.strip()
        if parameter.default is not None:
            edit = Edit(parameter.default.start_byte, parameter.default.end_byte, new)
            return Outcome(source.hunks([edit]))
        index = signature.parameters.index(parameter)
        bare = [p for p in signature.parameters[index + 1 : signature.keyword_only_from] if p.kind == "plain"]
        late = [p.name for p in bare if p.default is None]
        if index < signature.keyword_only_from and late:
            raise source.refused(f"`{late[0]}` follows without a default; give it one first")
        end = (parameter.type or parameter.name_node).end_byte
        text = f" = {new}" if parameter.type is not None else f"={new}"
        return Outcome(source.hunks([Edit(end, end, text)]))

    def _without(self, source: Source, signature: Signature, parameter: Parameter) -> Outcome:
        assert parameter.name_node is not None
        if parameter.default is None:
            return Outcome((), (f"`{parameter.name}` has no default",))
        index = signature.parameters.index(parameter)
        early = [p.name for p in signature.parameters[:index] if p.default is not None]
        position = signature.position(index)
        if position is not None and early:
            raise source.refused(f"`{early[0]}` before it has a default; take that away first")
        found = calls_of(source, signature.node)
        for call in found.sure:
            given = position is not None and len(call.positional) > position - call.skipped
            if not (given or call.keyword(source, parameter.name) or call.unpacks or call.unpacks_keywords):
                line = source.number(call.row)
                raise source.refused(f"the call on line {line} relies on the default; pass the value first")
        end = (parameter.type or parameter.name_node).end_byte
        return Outcome(source.hunks([Edit(end, parameter.default.end_byte, "")]), (), tuple(found.left))


class SetType(Operation, needs="signatures", example="settings.py load timeout float"):
    """Annotate a parameter, change its annotation, or take it away."""

    function: str = option(FUNCTION)
    parameter: str = option("the parameter's name")
    type: str | None = option("the annotation; leave it out to take the annotation away", None)

    def carry_out(self, source: Source) -> Outcome:
        signature = signature_of(source, self.function)
        parameter = signature.named(self.parameter)
        assert parameter.name_node is not None
        at, old, default = parameter.name_node.end_byte, parameter.type, parameter.default
        if self.type is None:
            if old is None:
                return Outcome((), (f"`{parameter.name}` has no annotation",))
            edits = [Edit(at, old.end_byte, "")]
            if default is not None:
                edits = [Edit(at, default.start_byte, "=")]
            return Outcome(source.hunks(edits))
        check_expression(source, "type", self.type)
        new = self.type.strip()
        if old is not None:
            return Outcome(source.hunks([Edit(old.start_byte, old.end_byte, new)]))
        edits = (
            [Edit(at, at, f": {new}")] if default is None else [Edit(at, default.start_byte, f": {new} = ")]
        )
        return Outcome(source.hunks(edits))


class SetReturnType(Operation, needs="signatures", example="settings.py load Settings"):
    """Annotate what a function returns, change the annotation, or take it away."""

    function: str = option(FUNCTION)
    type: str | None = option("the annotation; leave it out to take the annotation away", None)

    def carry_out(self, source: Source) -> Outcome:
        signature = signature_of(source, self.function)
        old = signature.node.child_by_field_name("return_type")
        end = signature.holder.end_byte
        if self.type is None:
            if old is None:
                return Outcome((), (f"`{signature.definition.dotted}` has no return type",))
            return Outcome(source.hunks([Edit(end, old.end_byte, "")]))
        check_expression(source, "type", self.type)
        new = self.type.strip()
        edit = Edit(end, end, f" -> {new}") if old is None else Edit(old.start_byte, old.end_byte, new)
        return Outcome(source.hunks([edit]))


def _plain(signature: Signature, name: str) -> Parameter:
    parameter = signature.named(name)
    if parameter.kind != "plain":
        raise signature.source.refused(f"`{name}` takes any number of arguments and has no default")
    return parameter
