"""``add a parameter `encoding="utf-8"` to load``, and what else concerns one parameter or a return type."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tree_sitter import Node

from fastedit.edit.codemod.sentence import Sentences
from fastedit.edit.codemod.source import Codemod, Source, indent
from fastedit.edit.hunks import Hunk

_F = "{the}{function}"
_PARAMETER = "[parameter|argument|keyword argument]"
_DROP = "[remove|delete|drop|get rid of]"
_ADDED = Sentences(
    f"[add|append] [a|an|the|another|a new] {_PARAMETER} {{new:code}} to {_F}",
    f"[add|append] {{new:code}} [to the signature of|to the parameters of|as a parameter to|as an argument to] {_F}",
    f"give {_F} [a|an|another|a new] {_PARAMETER} {{new:code}}",
    f"[make|let|have] {_F} [take|accept|have] [a|an|another|a new] {_PARAMETER} {{new:code}}",
    f"{_F} [should|must] [take|accept|have] [a|an|another|a new] {_PARAMETER} {{new:code}}",
    f"{_F} [needs|takes] [a|an|another|a new] {_PARAMETER} {{new:code}}",
    f"extend the signature of {_F} [with|by] {{new:code}}",
)
_DROPPED = Sentences(
    f"{_DROP} {{the}}{{name}} [from|in] the [signature|parameters|parameter list|arguments] of {_F}",
    f"{_DROP} [the|its|a] {_PARAMETER} {{name}} [from|of|in] {_F}",
    f"take [the|its] {_PARAMETER} {{name}} out of {_F}",
    f"take {{the}}{{name}} out of the signature of {_F}",
    f"[the signature of |]{_F} [does not need|no longer needs] the {_PARAMETER} {{name}}[, drop it|, remove it|]",
)
_DEFAULTED = Sentences(
    f"[give|set|change] {{the}}[default|default value] [of|for] {{the}}{{name}} [in|of] {_F} to {{value:code}}",
    f"[give|set] {{the}}{{name}} [in|of] {_F} {{the}}[default|default value][ of|] {{value:code}}",
    f"give {{the}}{{name}} a [default|default value] of {{value:code}} in {_F}",
    f"[make|let] {{the}}{{name}} [in|of] {_F} default to {{value:code}}",
    f"make {{the}}{{name}} default to {{value:code}} in {_F}",
    f"{{the}}{{name}} [in|of] {_F} should default to {{value:code}}[ instead| now|]",
    f"{{the}}[default of|default value of] {{the}}{{name}} [in|of] {_F} should be {{value:code}}",
    f"[make|use] {{value:code}} [the|as the] default [of|for] {{the}}{{name}} in {_F}",
)
_ANNOTATED = Sentences(
    f"annotate {{the}}{{name}} [in|of] {_F} [as|with|by] {{type:code}}",
    f"annotate {{the}}{{name}} [as|with] {{type:code}} in {_F}",
    f"add {{the}}[type|annotation|type annotation|type hint] {{type:code}} to {{the}}{{name}} [in|of] {_F}",
    f"give {{the}}{{name}} [in|of] {_F} {{the}}[type|annotation|type annotation|type hint] {{type:code}}",
)
_RETURNED = Sentences(
    f"annotate {_F} [as returning|to return|with the return type] {{type:code}}",
    f"add {{the}}[return type|return annotation|return type annotation] {{type:code}} to {_F}",
    f"give {_F} {{the}}[return type|return annotation] {{type:code}}",
    f"[make|let|have] {_F} be annotated as returning {{type:code}}",
)
_NEW_NAME = re.compile(r"[^\w]*([\w$]+)")


@dataclass(frozen=True, slots=True)
class _Signature:
    """`whole` is the node from one parenthesis to the other."""

    whole: Node
    parameters: list[Node]


def signature(text: str, source: Source) -> Codemod | None:
    """None where the sentence speaks of no signature, or of one that the file has not or has twice."""
    for told in _ADDED.read(text):
        if "new" in told.quoted and (found := _signature(source, told["function"])):
            return _with_parameter(source, found, told["new"])
    for told in _DROPPED.read(text):
        found = _signature(source, told["function"])
        if found and (at := _parameter(source, found, told["name"])):
            return _without(source, found, at)
    if source.language != "python":
        return None
    for told in _DEFAULTED.read(text):
        if (found := _signature(source, told["function"])) and (
            at := _parameter(source, found, told["name"])
        ):
            return _with_default(source, at, told["value"])
    for told in _ANNOTATED.read(text):
        if (found := _signature(source, told["function"])) and (
            at := _parameter(source, found, told["name"])
        ):
            return _with_type(source, at, told["type"])
    for told in _RETURNED.read(text):
        if found := _signature(source, told["function"]):
            return _with_return(source, found, told["type"])
    return None


def _signature(source: Source, name: str) -> _Signature | None:
    function = source.only(name)
    if function is None or source.syntax is None:
        return None
    for node in source.syntax.find("(_ parameters: (_) @found)"):
        if function.header <= node.start_point.row <= function.body:
            return _Signature(node, [child for child in node.named_children if child.type != "comment"])
        if node.start_point.row > function.body:
            break
    return None


def _parameter(source: Source, found: _Signature, name: str) -> Node | None:
    assert source.syntax is not None
    named = (p for p in found.parameters if _name(source, p) == name)
    return next(named, None)


def _name(source: Source, parameter: Node) -> str:
    assert source.syntax is not None
    match = _NEW_NAME.match(source.syntax.text(parameter))
    return match[1] if match else ""


def _with_parameter(source: Source, found: _Signature, new: str) -> Codemod | None:
    assert source.syntax is not None
    texts = [source.syntax.text(p) for p in found.parameters]
    name = _NEW_NAME.match(new)
    if name is None or name[1] in [_name(source, p) for p in found.parameters] or "\n" in new:
        return None
    reasons = []
    if texts and re.match(r"\*|\.\.\.|&rest", texts[-1]):
        reasons.append(f"where it goes beside `{texts[-1]}` is left open")
    if texts and "=" in texts[-1] and "=" not in new:
        reasons.append("a parameter without a default follows one that has one")
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
    added = indent(source.lines[first]) + new
    if comma:
        return Codemod((Hunk(row + 1, row + 1, (added + ",",)),), tuple(reasons))
    ended = _spliced(source, row, last.end_point.column, ",")
    return Codemod((Hunk(row, row + 1, (ended, added)),), tuple(reasons))


def _without(source: Source, found: _Signature, gone: Node) -> Codemod | None:
    """The parameter goes with the comma and the blanks that set it apart; so does a line that held nothing else."""
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
        return Codemod((Hunk(row, row + 1, ()),)) if alone and not last else None
    start, stop = gone.start_point.column, gone.end_point.column
    if place + 1 < len(found.parameters):
        stop = found.parameters[place + 1].start_point.column
    elif place:
        start = found.parameters[place - 1].end_point.column
    row = gone.start_point.row
    line = source.lines[row].encode()
    return Codemod((Hunk(row, row + 1, ((line[:start] + line[stop:]).decode(errors="replace"),)),))


def _with_default(source: Source, parameter: Node, value: str) -> Codemod | None:
    old = parameter.child_by_field_name("value")
    if old is not None:
        return _over(source, old, value)
    if parameter.type not in ("identifier", "typed_parameter"):
        return None
    glue = " = " if parameter.type == "typed_parameter" else "="
    return _put(source, parameter.end_point.row, parameter.end_point.column, glue + value, [])


def _with_type(source: Source, parameter: Node, kind: str) -> Codemod | None:
    old = parameter.child_by_field_name("type")
    if old is not None:
        return _over(source, old, kind)
    if parameter.type == "default_parameter":
        name, value = parameter.child_by_field_name("name"), parameter.child_by_field_name("value")
        assert source.syntax is not None
        assert name is not None
        assert value is not None
        return _over(source, parameter, f"{source.syntax.text(name)}: {kind} = {source.syntax.text(value)}")
    if parameter.type != "identifier":
        return None
    return _put(source, parameter.end_point.row, parameter.end_point.column, f": {kind}", [])


def _with_return(source: Source, found: _Signature, kind: str) -> Codemod | None:
    assert found.whole.parent is not None
    old = found.whole.parent.child_by_field_name("return_type")
    if old is not None:
        return _over(source, old, kind)
    return _put(source, found.whole.end_point.row, found.whole.end_point.column, f" -> {kind}", [])


def _put(source: Source, row: int, column: int, text: str, reasons: list[str]) -> Codemod:
    return Codemod((Hunk(row, row + 1, (_spliced(source, row, column, text),)),), tuple(reasons))


def _over(source: Source, old: Node, text: str) -> Codemod | None:
    if old.start_point.row != old.end_point.row:
        return None
    row = old.start_point.row
    line = source.lines[row].encode()
    put = line[: old.start_point.column] + text.encode() + line[old.end_point.column :]
    return Codemod((Hunk(row, row + 1, (put.decode(errors="replace"),)),))


def _spliced(source: Source, row: int, column: int, text: str) -> str:
    line = source.lines[row].encode()
    return (line[:column] + text.encode() + line[column:]).decode(errors="replace")
