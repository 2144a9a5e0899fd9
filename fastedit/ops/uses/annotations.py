"""Sets and drops defaults, types and return types of Python functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tree_sitter import Node

from fastedit.ops.base import FUNCTION, Candidate, Operation, Outcome, option
from fastedit.ops.source import ByteEdit, Source
from fastedit.ops.uses.calls import calls_of
from fastedit.ops.uses.signature import Parameter, Signature, check_expression, signature_of

_PARAMETER = "the parameter's name"


class SetDefault(Operation, needs="signatures", example="settings.py load timeout 3"):
    """Give a parameter a default, change it, or take it away."""

    function: str = option(FUNCTION)
    parameter: str = option(_PARAMETER)
    default: str | None = option("the default; leave it out to take the default away", None)

    def carry_out(self, source: Source) -> Outcome:
        signature = signature_of(source, self.function)
        parameter = signature.named(self.parameter)
        without = self.default is None and parameter.default is not None
        left = self._without(source, signature, parameter) if without else ()
        at, form = (parameter.type or parameter.named).end_byte, "={}" if parameter.type is None else " = {}"
        edits = _edits(source, "default", self.default, parameter.default, at, form)
        return _outcome(source, f"`{parameter.name}` has no default", edits, left)

    def _without(self, source: Source, signature: Signature, parameter: Parameter) -> tuple[Candidate, ...]:
        """The places that may rely on the default. Raises OperationRefused where a call does."""
        position = signature.position(signature.parameters.index(parameter))
        found = calls_of(source, signature.node)
        for call in found.sure:
            given = position is not None and len(call.positional) > position - call.skipped
            if not (given or call.keyword(source, parameter.name) or call.unpacks or call.unpacks_keywords):
                line = source.number(call.row)
                raise source.refused(f"the call on line {line} relies on the default; pass the value first")
        return tuple(found.left)


class SetType(Operation, needs="signatures", example="settings.py load timeout float"):
    """Annotate a parameter, change its annotation, or take it away."""

    function: str = option(FUNCTION)
    parameter: str = option(_PARAMETER)
    type: str | None = option("the annotation; leave it out to take the annotation away", None)

    def carry_out(self, source: Source) -> Outcome:
        parameter = signature_of(source, self.function).named(self.parameter)
        old, default, at = parameter.type, parameter.default, parameter.named.end_byte
        edits = [*_edits(source, "type", self.type, old, at, ": {}")]
        if default is not None and (old is None) != (self.type is None):
            end = at if old is None else old.end_byte
            edits.append(ByteEdit(end, default.start_byte, " = " if old is None else "="))
        return _outcome(source, f"`{parameter.name}` has no annotation", edits)


class SetReturnType(Operation, needs="signatures", example="settings.py load Settings"):
    """Annotate what a function returns, change the annotation, or take it away."""

    function: str = option(FUNCTION)
    type: str | None = option("the annotation; leave it out to take the annotation away", None)

    def carry_out(self, source: Source) -> Outcome:
        signature = signature_of(source, self.function)
        old = signature.node.child_by_field_name("return_type")
        edits = _edits(source, "type", self.type, old, signature.holder.end_byte, " -> {}")
        return _outcome(source, f"`{signature.definition.dotted}` has no return type", edits)


def _edits(
    source: Source, field: str, code: str | None, old: Node | None, at: int, form: str
) -> Iterator[ByteEdit]:
    """Puts code in the place of the old, or in this form after the byte `at`; takes the old away without any."""
    if code is not None:
        check_expression(source, field, code)
        start, stop = (at, at) if old is None else (old.start_byte, old.end_byte)
        yield ByteEdit(start, stop, form.format(code.strip()) if old is None else code.strip())
    elif old is not None:
        yield ByteEdit(at, old.end_byte, "")


def _outcome(
    source: Source, otherwise: str, edits: Iterable[ByteEdit], left: tuple[Candidate, ...] = ()
) -> Outcome:
    """The edits, or a note where there are none."""
    hunks = source.hunks(edits)
    return Outcome(hunks, (), left) if hunks else Outcome((), (otherwise,))
