"""Data files made up for tests, and the operations on their keys as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from fastedit.errors import OperationRefused
from fastedit.ops import Outcome, carry_out, from_json
from fastedit.source.document import Document
from fastedit.source.hunks import apply_hunks


def outcome(name: str, text: str, *operations: dict[str, Any]) -> tuple[str, Outcome]:
    """The text of the file `name` after the operations."""
    document = Document.from_text(text, Path(name))
    found = carry_out(document, [from_json(operation) for operation in operations])
    return apply_hunks(document, found.hunks), found


def done(name: str, text: str, *operations: dict[str, Any]) -> str:
    return outcome(name, text, *operations)[0]


def refused(name: str, text: str, *operations: dict[str, Any]) -> str:
    """What is said of operations that are not carried out."""
    with pytest.raises(OperationRefused) as error:
        done(name, text, *operations)
    return str(error.value)


def set_key(key: str, value: object, **more: object) -> dict[str, Any]:
    return {"op": "set-key", "key": key, "value": value, **more}


def delete_key(key: str) -> dict[str, Any]:
    return {"op": "delete-key", "key": key}


def rename_key(key: str, new: str) -> dict[str, Any]:
    return {"op": "rename-key", "key": key, "new": new}


def add_item(key: str, item: object) -> dict[str, Any]:
    return {"op": "add-item", "key": key, "item": item}


def remove_item(key: str, item: object) -> dict[str, Any]:
    return {"op": "remove-item", "key": key, "item": item}


WORDS = [
    "a b",
    "1",
    "1.0",
    "yes",
    "on",
    "null",
    "- x",
    "#no",
    "x: y",
    "'q'",
    '"q"',
    "é\U0001f600",
    "a\tb",
    "~",
    "",
]
SCALARS = st.one_of(
    st.booleans(),
    st.integers(-99, 99),
    st.floats(-9, 9).map(lambda number: round(number, 2)),
    st.sampled_from([*WORDS, "plain"]),
    st.text("ab :#'\"\\-[]{},&*!|>%@`?\n", max_size=5),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("pqrs"), inner, max_size=3),
    max_leaves=5,
)
KEYS = ["a", "b", "c", "d-e", "f g", "h.i"]
COMMENTS = st.sampled_from(["", "", "", "# a note", "", "# b: 1"])
ENDS = st.sampled_from(["\n", "", "\n\n"])


@st.composite
def yaml_files(draw: st.DrawFn) -> str:
    lines: list[str] = []
    step = draw(st.sampled_from(["  ", "    "]))
    dashed = draw(st.sampled_from(["", "  "]))

    def aside(indent: str) -> None:
        if draw(st.integers(0, 5)) == 0:
            lines.append("")
        if draw(st.integers(0, 3)) == 0:
            lines.append(f"{indent}# a note")

    def scalar() -> str:
        said = draw(
            st.sampled_from(
                ["1", "x", '"y"', "'z'", "yes", "3.10", '"3.10"', "[]", "{}", "[1, x]", "{p: 1}", ""]
            )
        )
        return said + draw(st.sampled_from(["", "  # beside"])) if said else said

    def mapping(indent: str, depth: int, first: str | None = None) -> None:
        for key in draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=3, unique=True)):
            if first is None:
                aside(indent)
            head = (indent if first is None else first) + key + ":"
            first = None
            kind = draw(st.sampled_from(["scalar", "scalar", "text", "map", "list"] if depth else ["scalar"]))
            if kind == "map":
                lines.append(head)
                mapping(indent + step, depth - 1)
            elif kind == "list":
                lines.append(head)
                items(indent + dashed, depth - 1)
            elif kind == "text":
                lines.extend([f"{head} |", f"{indent}{step}one", "", f"{indent}{step}# two"])
            else:
                lines.append(f"{head} {scalar()}".rstrip())

    def items(indent: str, depth: int) -> None:
        for _ in range(draw(st.integers(1, 3))):
            aside(indent)
            if depth > 0 and draw(st.booleans()):
                mapping(f"{indent}  ", depth - 1, f"{indent}- ")
            else:
                lines.append(f"{indent}- {scalar()}".rstrip())

    mapping("", 3)
    return "\n".join(lines) + draw(ENDS)


@st.composite
def toml_files(draw: st.DrawFn) -> str:
    lines: list[str] = []
    used: set[str] = set()

    def value() -> str:
        return draw(
            st.sampled_from(
                [
                    "1",
                    "0x1f",
                    "1.50",
                    "true",
                    "'x'",
                    '"y"',
                    '"""\nz\n# z"""',
                    "1979-05-27",
                    "[]",
                    "[1, 2]",
                    "[\"a\", 'b']",
                    '[\n  # one\n  "a", # two\n  "b"\n]',
                    "[\n    1,\n]",
                    "{}",
                    "{ p = 1, q.r = 2 }",
                    "[{ p = 1 }, { p = 2 }]",
                ]
            )
        )

    def key() -> str:
        return draw(st.sampled_from(["a", "b", "c", '"d.e"', "'f g'"]))

    def pairs() -> None:
        names = draw(
            st.lists(st.sampled_from(["a", "b", "c.d", "c.e", '"d.e"', "'f g'"]), max_size=4, unique=True)
        )
        for name in names:
            if draw(st.integers(0, 5)) == 0:
                lines.append("")
            if draw(st.integers(0, 3)) == 0:
                lines.append("# a note")
            lines.append(
                f"{name}{draw(st.sampled_from([' = ', '=']))}{value()}{draw(st.sampled_from(['', ' # beside']))}"
            )

    pairs()
    headers = draw(st.lists(st.sampled_from(["s", "t.u", "t", "t.u.v", "[w]", "[w]", "[w.x]"]), max_size=5))
    for header in headers:
        if header in used and not header.startswith("["):
            continue
        if header == "[w.x]" and "[w]" not in used:
            continue
        used.add(header)
        lines.extend(draw(st.sampled_from([[""], [], ["", "# above"], ["# tail", ""]])))
        lines.append(f"[{header}]")
        pairs()
    return "\n".join(lines) + draw(ENDS)


@st.composite
def json_files(draw: st.DrawFn) -> str:
    value = draw(st.dictionaries(st.sampled_from(KEYS), VALUES, min_size=1, max_size=4))
    text = json.dumps(value, indent=draw(st.sampled_from([None, 2, 4, "\t"])), ensure_ascii=False)
    lines: list[str] = []
    for line in text.split("\n"):
        if line.lstrip().startswith('"') and draw(st.integers(0, 4)) == 0:
            lines.append(line[: len(line) - len(line.lstrip())] + "// a note")
        lines.append(line + draw(st.sampled_from(["", "", "", " // beside"])) if "\n" in text else line)
    return "\n".join(lines) + draw(ENDS)
