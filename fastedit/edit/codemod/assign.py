"""``set `timeout` to `30` ``: the one place where a value is given to a name."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from fastedit.edit.codemod.sentence import Sentences
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.hunks import Hunk
from fastedit.edit.request import LineRange

_SENTENCES = Sentences(
    "[set|change|bump|raise|lower|increase|decrease] {the}{name:code} to {value:code}{in}",
    "[set|change] {the}[value of |value for ]{name:code}{in} to {value:code}",
    "[initialize|initialise|start] {the}{name:code} [with|as|to] {value:code}{in}",
    "{the}value of {name:code}{in} should be {value:code}",
    "let {name:code} be {value:code}{in}",
)
_FIELDS = (("left", "right"), ("name", "value"), ("declarator", "value"), ("key", "value"))
_GIVING = "assignment assignment_expression variable_declarator init_declarator const_spec let_declaration const_item"


def assign(text: str, source: Source) -> Codemod | None:
    """None where the name gets a value nowhere, in several places, or a value of several lines."""
    for told in _SENTENCES.read(text):
        place = source.place(told.get("place"))
        if place is None or source.syntax is None or not told.is_code("value"):
            continue
        found = list(_values(source, told["name"], place))
        if "\n" in told["value"] or len(found) != 1 or found[0].start_point.row != found[0].end_point.row:
            continue
        row, line = found[0].start_point.row, source.lines[found[0].start_point.row].encode()
        put = line[: found[0].start_point.column] + told["value"].encode() + line[found[0].end_point.column :]
        return Codemod((Hunk(row, row + 1, (put.decode(errors="replace"),)),))
    return None


def _values(source: Source, name: str, place: LineRange) -> Iterator[Node]:
    """What is assigned to the name in a place."""
    assert source.syntax is not None
    for node in source.syntax.find(
        " ".join(f"({kind}) @found" for kind in source.syntax.known(_GIVING.split()))
    ):
        if not place.start <= node.start_point.row < place.stop:
            continue
        for field, value in _FIELDS:
            left, right = node.child_by_field_name(field), node.child_by_field_name(value)
            if left is not None and right is not None and source.syntax.text(left) == name:
                yield right
                break
