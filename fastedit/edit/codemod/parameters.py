"""Parameters and return types of the functions in a file, and how one is added, taken away or changed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tree_sitter import Node

from fastedit.edit.codemod.names import Role, occurrences
from fastedit.edit.codemod.source import Codemod, Source, holding
from fastedit.edit.codemod.types import fits_type
from fastedit.edit.codemod.value import spelled
from fastedit.edit.definitions import Definition
from fastedit.edit.hunks import Hunk
from fastedit.edit.outline import indentation
from fastedit.edit.request import LineRange
from fastedit.edit.syntax import Syntax

_NEW_NAME = re.compile(r"[^\w]*([\w$]+)")
_CALLS = "call call_expression method_invocation new_expression"
_AFTER_DEFAULTS = frozenset(
    "comment list_splat_pattern dictionary_splat_pattern keyword_separator rest_pattern optional_parameter".split()  # noqa: SIM905
)
_CONSTANT = re.compile(r"[A-Z][A-Z\d]*(?:_[A-Z\d]+)*")
_RECEIVER = re.compile(r"(?:self|cls|&?(?:mut )?self|this)\b")
_OWN = frozenset({"self", "cls", "&self", "&mut self"})


@dataclass(frozen=True, slots=True)
class Signature:
    """`whole` is the node from one parenthesis to the other."""

    syntax: Syntax
    function: Definition
    whole: Node
    parameters: list[Node]

    def parameter(self, name: str) -> Node | None:
        return next((p for p in self.parameters if self.name(p) == name), None)

    def name(self, parameter: Node) -> str:
        return _name(self.syntax, parameter)

    def calls(self) -> list[Node]:
        """The arguments of each call in the file that may be one of this function."""
        path = self.function.path
        called = path[-2] if self.function.name == "__init__" and len(path) > 1 else self.function.name
        found = []
        for node in self.syntax.find(" ".join(f"({k}) @found" for k in self.syntax.known(_CALLS.split()))):
            function = node.child_by_field_name("function") or node.child_by_field_name("name")
            arguments = node.child_by_field_name("arguments")
            text = "" if function is None else self.syntax.text(function)
            # What is called behind a dot is no function outside of all classes.
            named = text == called or (len(path) > 1 and re.split(r"\W", text)[-1] == called)
            if named and arguments is not None:
                found.append(arguments)
        return found


def signature_of(source: Source, name: str) -> Signature | None:
    function = source.only(name)
    return None if function is None else _signature(source, function)


def signatures_of(source: Source, name: str) -> list[Signature]:
    """Those of all functions that the name can mean."""
    return [found for item in source.named(name) if (found := _signature(source, item)) is not None]


def _signature(source: Source, function: Definition) -> Signature | None:
    syntax = source.syntax
    if syntax is None:
        return None
    for node in syntax.find("(_ parameters: (_) @found)"):
        if function.header <= node.start_point.row <= function.body:
            parameters = [child for child in node.named_children if child.type != "comment"]
            return Signature(syntax, function, node, parameters)
        if node.start_point.row > function.body:
            break
    return None


def default_of(source: Source, name: str) -> Node | None:
    """The one parameter of this name in the file that has a default, or else the only one; None where a variable has
    the name as well.
    """
    if source.syntax is None:
        return None
    found = [
        child
        for node in source.syntax.find("(_ parameters: (_) @found)")
        for child in node.named_children
        if _default(child) is not None
        and _name(source.syntax, child) == name
        and source.holds(*source.syntax.rows(child))
    ]
    return found[0] if len(found) == 1 else None if found else parameter_of(source, name, source.scope)


def parameter_of(source: Source, name: str, place: LineRange | None) -> Node | None:
    """The one parameter of this name in a place; None where a variable has the name as well."""
    if source.syntax is None or place is None:
        return None
    found = [
        child
        for node in source.syntax.find("(_ parameters: (_) @found)")
        if place.start <= node.start_point.row < place.stop
        for child in node.named_children
        if _name(source.syntax, child) == name and source.holds(*source.syntax.rows(child))
    ]
    bound = [
        o
        for o in occurrences(source.syntax, name)
        if o.role is Role.BINDING and not o.parameter and place.start <= o.line < place.stop
    ]
    return found[0] if len(found) == 1 and not bound else None


def _name(syntax: Syntax, parameter: Node) -> str:
    match = _NEW_NAME.match(syntax.text(parameter))
    return match[1] if match else ""


def _default(parameter: Node) -> Node | None:
    return parameter.child_by_field_name("value") or parameter.child_by_field_name("right")


def with_parameter(source: Source, found: Signature, new: str) -> Codemod | None:
    texts = [found.syntax.text(p) for p in found.parameters]
    name = _NEW_NAME.match(new)
    if name is None or name[1] in [found.name(p) for p in found.parameters] or "\n" in new:
        return None
    reasons = []
    if texts and re.match(r"\*|\.\.\.|&rest", texts[-1]):
        reasons.append(f"where it goes beside `{texts[-1]}` is left open")
    if texts and "=" in texts[-1] and "=" not in new:
        reasons.append("a parameter without a default follows one that has one")
    if "=" not in new and not re.match(r"\*|\.\.\.|\w+\?", new) and (calls := found.calls()):
        reasons.append(f"the call on line {calls[0].start_point.row + 1} does not pass it")
    return _put_last(source, found, new, reasons)


def with_first_parameter(source: Source, found: Signature, new: str) -> Codemod | None:
    """Before all others but the object itself."""
    name = _NEW_NAME.match(new)
    if name is None or name[1] in [found.name(p) for p in found.parameters] or "\n" in new:
        return None
    behind = [p for p in found.parameters if not _RECEIVER.match(found.syntax.text(p))]
    if not behind or behind[0].start_point.row != found.whole.start_point.row:
        return None
    calls = found.calls()
    reasons = [f"the call on line {calls[0].start_point.row + 1} passes others first"] if calls else []
    if "=" in new and "=" not in found.syntax.text(behind[0]):
        reasons.append("a parameter without a default follows one that has one")
    return _put(source, behind[0].start_point.row, behind[0].start_point.column, f"{new}, ", reasons)


def _put_last(source: Source, found: Signature, new: str, reasons: list[str]) -> Codemod:
    if not found.parameters:
        return _put(source, found.whole.start_point.row, found.whole.start_point.column + 1, new, reasons)
    last = found.parameters[-1]
    row, first = last.end_point.row, last.start_point.row
    alone = (
        first > found.whole.start_point.row
        and not source.lines[first].encode()[: last.start_point.column].strip()
    )
    if not alone:
        return _put(source, row, last.end_point.column, f", {new}", reasons)
    behind = source.lines[row].encode()[last.end_point.column :].decode(errors="replace")
    comma = behind.startswith(",")
    if found.whole.end_point.row == row:
        return _put(source, row, last.end_point.column, f", {new}", reasons)
    added = indentation(source.lines[first]) + new
    if comma:
        return Codemod((Hunk(row + 1, row + 1, (added + ",",)),), tuple(reasons))
    ended = source.spliced(row, last.end_point.column, last.end_point.column, ",")
    return Codemod((Hunk(row, row + 1, (ended, added)),), tuple(reasons))


def without_parameter(source: Source, found: Signature, gone: Node) -> Codemod | None:
    """The parameter goes with the comma and the blanks that set it apart; so does a line that held nothing else."""
    reasons = tuple(_still_needed(found, gone))
    rows = {node.start_point.row for node in (found.whole, gone)} | {
        gone.end_point.row,
        found.whole.end_point.row,
    }
    place = found.parameters.index(gone)
    if len(rows) > 1:
        row = gone.start_point.row
        alone = source.syntax is not None and source.lines[row].strip().rstrip(",") == source.syntax.text(
            gone
        )
        last = place == len(found.parameters) - 1 and not source.lines[row].rstrip().endswith(",")
        return Codemod((Hunk(row, row + 1, ()),), reasons) if alone and not last else None
    start, stop = gone.start_point.column, gone.end_point.column
    if place + 1 < len(found.parameters):
        stop = found.parameters[place + 1].start_point.column
    elif place:
        start = found.parameters[place - 1].end_point.column
    row = gone.start_point.row
    return Codemod((Hunk(row, row + 1, (source.spliced(row, start, stop, ""),)),), reasons)


def _still_needed(found: Signature, gone: Node) -> list[str]:
    """Where the function uses the parameter, and where it is called with it."""
    name, function = found.name(gone), found.function
    used = [
        o.line
        for o in occurrences(found.syntax, name)
        if function.start <= o.line < function.stop
        and o.role in (Role.USE, Role.BINDING)
        and not gone.start_point.row <= o.line <= gone.end_point.row
    ]
    if used:
        return [f"`{name}` is still used on line {used[0] + 1}"]
    counted = [p for p in found.parameters if found.syntax.text(p) not in _OWN]
    place = counted.index(gone) if gone in counted else 0
    for arguments in found.calls():
        given = [a for a in arguments.named_children if a.type != "comment"]
        keys = [found.syntax.text(a).split("=")[0].strip() for a in given if a.type == "keyword_argument"]
        if name in keys or len(given) - len(keys) > place:
            return [f"the call on line {arguments.start_point.row + 1} passes it"]
    return []


def with_default(source: Source, parameter: Node, value: str, literal: str | None) -> Codemod | None:
    """`literal` is the value with the sentence's quotes, where these may be the code's."""
    assert source.syntax is not None
    old = _default(parameter)
    value = spelled(value, literal, "" if old is None else source.syntax.text(old), source.language)
    if old is not None:
        made = _over(source, old, value)
        named = () if _CONSTANT.fullmatch(value) else _constant(source.syntax.text(old))
        return made and Codemod(made.hunks, named)
    if parameter.type not in ("identifier", "typed_parameter", "required_parameter"):
        return None
    behind = parameter.next_named_sibling
    bare = behind is not None and _default(behind) is None and behind.type not in _AFTER_DEFAULTS
    reasons = ["a parameter without a default follows"] if bare else []
    glue = "=" if parameter.type == "identifier" and source.language == "python" else " = "
    return _put(source, parameter.end_point.row, parameter.end_point.column, glue + value, reasons)


def _constant(default: str) -> tuple[str, ...]:
    """The reason to doubt a change of a default that has a name of its own, which may be what is to change."""
    return (f"its default is {default}, which may be meant",) if _CONSTANT.fullmatch(default) else ()


def without_default(source: Source, parameter: Node) -> Codemod | None:
    value, old = (
        _default(parameter),
        parameter.child_by_field_name("name") or parameter.child_by_field_name("left"),
    )
    if value is None or value.start_point.row != parameter.start_point.row:
        return None
    assert source.syntax is not None
    kept = source.spliced(parameter.start_point.row, 0, parameter.start_point.column, "")
    text = source.syntax.text(parameter)[: value.start_byte - parameter.start_byte].rstrip(" =")
    made = _over(source, parameter, text) if kept and old is not None else None
    return made and Codemod(made.hunks, _constant(source.syntax.text(value)))


def with_type(source: Source, parameter: Node, kind: str) -> Codemod | None:
    kind, old = kind.removeprefix(":").strip(), parameter.child_by_field_name("type")
    if old is not None:
        return _over(source, old, f": {kind}" if old.type == "type_annotation" else kind)
    if (
        parameter.type == "required_parameter"
        and (name := parameter.child_by_field_name("pattern")) is not None
    ):
        return _put(source, name.end_point.row, name.end_point.column, f": {kind}", [])
    if parameter.type == "default_parameter":
        name, value = parameter.child_by_field_name("name"), parameter.child_by_field_name("value")
        assert source.syntax is not None
        assert name is not None
        assert value is not None
        return _over(source, parameter, f"{source.syntax.text(name)}: {kind} = {source.syntax.text(value)}")
    if parameter.type != "identifier":
        return None
    return _put(source, parameter.end_point.row, parameter.end_point.column, f": {kind}", [])


def with_variable_type(source: Source, name: str, kind: str) -> Codemod | None:
    """Where a module of Python sets the variable first, if no parameter or other variable has the name."""
    assert source.syntax is not None
    bound = [o for o in occurrences(source.syntax, name) if o.role is Role.BINDING]
    outside = [o for o in bound if not o.scope and not o.in_class]
    head = re.compile(rf"{re.escape(name)}(?= = \S)")
    if not outside or any(o.parameter for o in bound) or not head.match(source.lines[outside[0].line]):
        return None
    row = outside[0].line
    put = head.sub(f"{name}: {kind}", source.lines[row], count=1)
    others = {o.scope for o in bound} - {0}
    shared = any(re.fullmatch(rf"\s*global {re.escape(name)}", line) for line in source.lines)
    doubts = {
        f"`{name}` is also a name of a function's own": others and not shared,
        "its value is of another type": not fits_type(source.lines[row].partition(" = ")[2].strip(), kind),
    }
    reasons = holding(doubts)
    return Codemod((Hunk(row, row + 1, (put,)),), reasons)


def without_type(source: Source, parameter: Node) -> Codemod | None:
    """Python's alone: elsewhere a parameter without a type may be none."""
    assert source.syntax is not None
    kind, value = parameter.child_by_field_name("type"), _default(parameter)
    if source.language != "python" or kind is None:
        return None
    name = source.syntax.text(parameter).split(":")[0].rstrip()
    return _over(source, parameter, name if value is None else f"{name}={source.syntax.text(value)}")


def with_return(source: Source, found: Signature, kind: str, *, adding: bool) -> Codemod | None:
    assert found.whole.parent is not None
    old = found.whole.parent.child_by_field_name("return_type")
    if old is not None:
        made, known = (
            _over(source, old, f": {kind}" if old.type == "type_annotation" else kind),
            found.syntax.text(old),
        )
        there = (f"it is said to return {known} already",) if adding and known != kind else ()
        return None if made is None else Codemod(made.hunks, there)
    arrow = {"python": " -> ", "rust": " -> ", "typescript": ": ", "tsx": ": "}.get(source.language)
    end = found.whole.end_point
    waits = re.search(r"\basync\b", source.lines[found.function.header]) and not kind.startswith("Promise")
    reasons = ["an async function returns a promise"] if arrow == ": " and waits else []
    return None if arrow is None else _put(source, end.row, end.column, arrow + kind, reasons)


def _put(source: Source, row: int, column: int, text: str, reasons: list[str]) -> Codemod:
    return Codemod((Hunk(row, row + 1, (source.spliced(row, column, column, text),)),), tuple(reasons))


def _over(source: Source, old: Node, text: str) -> Codemod | None:
    if old.start_point.row != old.end_point.row:
        return None
    return Codemod((source.over(old, text),))
