"""``set `timeout` to `30` ``: the one place where a value is given to a name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from fastedit.edit.codemod.sentence import Sentences, Told
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.codemod.value import changes_kind, spelled
from fastedit.edit.request import LineRange

_SET = "{verb=set|change|update|bump|raise|lower|increase|decrease|reduce}"
_SENTENCES = Sentences(
    f"{_SET} {{the}}{{name:code}} to {{value:code}}{{in}}",
    f"{_SET} {{the}}{{name:code}} from {{old:code}} to {{value:code}}{{in}}",
    f"{_SET} {{the}}[value of |value for |]{{name:code}}{{in}} to {{value:code}}",
    "set {the}{name:code}[ =|=|= ] {value:code}{in}",
    "[initialize|initialise|start] {the}{name:code} [with|as|to] {value:code}{in}",
    "{the}value of {name:code}{in} should be {value:code}",
    "let {name:code} be {value:code}{in}",
    "make {the}{name:code} {value:code}{in}",
)
_FIELDS = (
    ("left", "right"),
    ("name", "value"),
    ("declarator", "value"),
    ("key", "value"),
    ("pattern", "value"),
)
_GIVING = (
    ""
    "assignment assignment_expression variable_declarator init_declarator const_spec let_declaration const_item"
    ""
    " static_item preproc_def public_field_definition field_definition"
)
_ENTRIES = "pair"
# Types, whose names begin with a capital, and what makes a number.
_WRAPS = re.compile(r"\b[A-Z]\w*|\A(?:int|float)\Z")
_NUMBER = re.compile(r"([\"']?)-?\d[\d_.]*\1")
# An entry that passes on what was given elsewhere is not where its value is set.
_COMPUTED = re.compile(r"identifier|member|attribute|call|subscript")


def assign(text: str, source: Source) -> Codemod | None:
    """None where the name gets a value nowhere, in several places, or a value of several lines."""
    for told in _SENTENCES.read(text):
        if (made := _carried_out(source, told)) is not None:
            return made
    return None


def _carried_out(source: Source, told: Told) -> Codemod | None:
    place = place_of(source, told.get("place"))
    if place is None or source.syntax is None or not told.is_code("value") or "\n" in told["value"]:
        return None
    found = list(values(source, told["name"], place))
    if len(found) != 1 or found[0].start_point.row != found[0].end_point.row:
        return None
    node = replaced(source, found[0], told["value"])
    old = source.syntax.text(node)
    if "old" in told.parts and told["old"] not in (old, old.strip("\"'")):
        return None
    new = spelled(told["value"], told.literals.get("value"), old, source.language)
    reasons = [*changes_kind(old, new), *_wrong_way(told.get("verb") or "", old, new)]
    return Codemod((source.over(node, new),), tuple(reasons))


def place_of(source: Source, name: str | None) -> LineRange | None:
    """As elsewhere; the name may also be that of a variable with a table that spans several lines."""
    place = source.place(name)
    if place is not None or name is None or source.syntax is None:
        return place
    found = list(values(source, name, source.scope))
    return LineRange(*source.syntax.rows(found[0])) if len(found) == 1 else None


def values(source: Source, name: str, place: LineRange) -> Iterator[Node]:
    """What is given to the name in a place, or stands behind it in a table."""
    assert source.syntax is not None
    kinds = source.syntax.known([*_GIVING.split(), _ENTRIES])
    for node in source.syntax.find(" ".join(f"({kind}) @found" for kind in kinds)):
        if not place.start <= node.start_point.row < place.stop:
            continue
        for field, value in _FIELDS:
            left, right = node.child_by_field_name(field), node.child_by_field_name(value)
            if left is not None and right is not None and _names(source.syntax.text(left), name):
                if node.type != _ENTRIES or not _COMPUTED.search(right.type):
                    yield right
                break


def replaced(source: Source, value: Node, new: str) -> Node:
    """What a new value takes the place of: a number in `RATE = Decimal("0.5")` that of the number alone."""
    assert source.syntax is not None
    passed = value.child_by_field_name("arguments")
    given = passed.named_children if passed is not None else []
    made = source.syntax.text(value).partition("(")[0]
    wraps = len(given) == 1 and _WRAPS.search(made) is not None
    inside = wraps and _NUMBER.fullmatch(source.syntax.text(given[0])) and _NUMBER.fullmatch(new)
    return given[0] if inside else value


def _names(left: str, name: str) -> bool:
    return (
        left in (name, f'"{name}"', f"'{name}'")
        or re.fullmatch(rf"\*?\s*{re.escape(name)}", left) is not None
    )


def _wrong_way(verb: str, old: str, new: str) -> list[str]:
    try:
        more = float(new.replace("_", "")) - float(old.replace("_", ""))
    except ValueError:
        return []
    up, down = verb.lower() in ("raise", "increase"), verb.lower() in ("lower", "decrease", "reduce")
    return (
        [f"{old} to {new} is no way to {verb.lower()} it"] if (up and more < 0) or (down and more > 0) else []
    )
