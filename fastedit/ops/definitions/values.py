"""Sets what a constant, variable, attribute, field or entry has as its value, or as its type."""

from __future__ import annotations

import re

from fastedit.ops.base import Operation, Outcome, option
from fastedit.ops.names.variables import Variable, resolve_variable
from fastedit.ops.source import ByteEdit, Source
from fastedit.ops.structure.fragments import fitted

# The value of a macro, without the blanks and the comment after it, which the grammar takes for a part of it.
_MACRO = re.compile(rb"""(?:"(?:\\.|[^"\\\n])*+"|\\\n|(?!\s*(?:/[/*]|$)).)++""", re.MULTILINE)
_TARGET = (
    "the constant, variable, attribute, field or entry: LIMIT, Store.size, load.text, SIZES.small; "
    "add @LINE to choose"
)


class SetValue(Operation, on="variable", example="settings.py TIMEOUT 30"):
    """Set the value of a constant, variable, attribute, field, member of an enum or entry of a literal."""

    target: str = option(_TARGET)
    value: str = option("the value, as code")

    def carry_out(self, source: Source) -> Outcome:
        variable = resolve_variable(source, self.target)
        _check_shared(source, variable)
        old = variable.value
        if old is not None:
            macro = _MACRO.match(source.data, old.start_byte) if old.type == "preproc_arg" else None
            if macro is not None:
                return Outcome(source.hunks([ByteEdit(*macro.span(), self.value.strip())]))
            return Outcome(source.hunks(fitted(source, [(old.start_byte, old.end_byte)], self.value)))
        if not variable.alone or source.text(variable.statement).endswith("}"):
            raise source.refused(f"`{variable.dotted}` has no value to set; write it by hand")
        end = max(node.end_byte for node in (variable.name, variable.type) if node is not None)
        mark = " " if variable.node.type == "preproc_def" else " = "
        return Outcome(source.hunks([ByteEdit(end, end, mark + self.value.strip())]))


def _check_shared(source: Source, variable: Variable) -> None:
    """Raises OperationRefused where others get the value too, or a part of it: those of `a = b = 1` and of Go's
    `var a, b = 1, 2`, and a constant of Go's below that has none of its own."""
    value, line = variable.value, source.number(variable.node.start_point.row)
    assigns = value is not None and value.type in source.language.variables
    if assigns or (value is not None and len(variable.node.children_by_field_name("name")) > 1):
        raise source.refused(
            f"line {line} gives other names a value along with `{variable.dotted}`; replace it"
        )
    below = variable.node.next_named_sibling
    while below is not None and "comment" in below.type:
        below = below.next_named_sibling
    if below is not None and below.type == "const_spec" and below.child_by_field_name("value") is None:
        line = source.number(below.start_point.row)
        raise source.refused(f"line {line} repeats the value of `{variable.dotted}`; give it its own first")


class Annotate(Operation, on="variable", needs="types", example="settings.py load.found 'dict[str, int]'"):
    """Give a variable, attribute or field a type, change it, or take it away."""

    target: str = option(_TARGET)
    type: str | None = option("the type; leave it out to take the type away", None)

    def carry_out(self, source: Source) -> Outcome:
        variable = resolve_variable(source, self.target, declared=True)
        old = variable.type
        if old is not None and variable.shares_type:
            raise source.refused(f"the type of `{variable.dotted}` is that of others too")
        if self.type is None:
            return self._without(source, variable)
        new = self.type.strip()
        if old is not None:
            return Outcome(source.hunks(fitted(source, [(old.start_byte, old.end_byte)], new)))
        if variable.node.type in _UNTYPED or source.language.types != "after":
            raise source.refused(f"`{variable.dotted}` cannot have a type")
        end = variable.name.end_byte
        return Outcome(source.hunks([ByteEdit(end, end, source.language.type_mark + new)]))

    def _without(self, source: Source, variable: Variable) -> Outcome:
        if variable.type is None:
            return Outcome((), (f"`{variable.dotted}` has no type",))
        if variable.value is None or source.language.types != "after":
            raise source.refused(f"`{variable.dotted}` needs its type")
        return Outcome(source.hunks([ByteEdit(variable.name.end_byte, variable.type.end_byte, "")]))


_UNTYPED = frozenset(
    {"pair", "assignment_expression", "assignment_statement", "short_var_declaration"}
    | {"keyed_element", "field_initializer", "enum_variant", "enum_assignment", "preproc_def"}
)
