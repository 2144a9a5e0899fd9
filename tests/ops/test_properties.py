"""What holds for whatever file: checked on made-up programs, and on the package's own sources."""

from __future__ import annotations

import dis
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import CodeType

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastedit
from fastedit.errors import OperationRefused
from fastedit.ops.source import Source
from tests.ops.carried import carried, op, rename

# The longest, which have something of everything.
SOURCES = sorted(Path(fastedit.__file__).parent.glob("source/*.py"), key=lambda path: -path.stat().st_size)[
    :12
]
NAMES = st.sampled_from("abcd")
SPACES = st.sampled_from(["", " ", "  "])


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Programs in which few names mean many things, with odd white space and comments."""
    lines: list[str] = []

    def block(indent: str, depth: int) -> None:
        for _ in range(draw(st.integers(1, 3))):
            a, b, c = draw(NAMES), draw(NAMES), draw(NAMES)
            gap = draw(SPACES)
            kinds = ["use", "assign", "comprehension", "lambda", "call", "loop", "string", "try", "import"]
            kind = draw(st.sampled_from([*kinds, "def", "class"] if depth < 3 else kinds))
            if kind in ("def", "class", "loop", "try"):
                default = draw(st.sampled_from(["", f", {b}x={c}"]))
                heads = {
                    "def": f"def {a}({b}{gap}{default}):  # {c}",
                    "class": f"class {a}:",
                    "loop": f"for {a} in{gap} {b}:",
                    "try": f"with {a} as{gap} {b}:",
                }
                lines.append(indent + heads[kind])
                block(indent + "    ", depth + 1)
                continue
            texts = {
                "use": f"{a}{gap}.{b}  # {c}",
                "assign": f"{a}{gap}={b}, {c}.{a}",
                "comprehension": f"[{a} for {b}{gap} in {c} if ({a}) for {a} in {b}]",
                "lambda": f"{a} = lambda {b}, {a}={c}:{gap} ({a}, {b}, {c})",
                "call": f"{a}({b}{gap}, {c}={a})",
                "string": f'{a} = f"{b} {{{c}}}{gap}" "{a}"',
                "import": f"from {a} import {b}, {c} as {a if a != c else 'e'}",
            }
            lines.append(indent + texts[kind])

    block("", 0)
    return "\n".join(lines) + draw(st.sampled_from(["\n", "", "\n\n"]))


def targets(text: str, names: str) -> list[str]:
    """Every binding, by its path and one of its lines."""
    source = Source(tuple(text.split("\n")), "python")
    return [
        f"{'.'.join(symbol.path)}@{source.row(symbol.binding.start) + 1}"
        for name in names
        for symbol in source.names(name).symbols
    ]


@given(programs(), st.data())
def test_a_rename_there_and_back_is_the_identity(text, data):
    found = targets(text, "abcd")
    if not found:
        return
    target = data.draw(st.sampled_from(found))
    path, line = target.split("@")
    old = path.split(".")[-1]
    try:
        new = carried(text, rename(target, "fresh"))
    except OperationRefused:
        return  # several bindings of one path on one line
    back = ".".join([*path.split(".")[:-1], "fresh"])
    assert new != text
    assert new.count("fresh") > 0
    try:
        again = carried(new, rename(f"{back}@{line}", old))
    except OperationRefused:
        assert re.search(rf"\b{old}\b", new)  # which means something else there
    else:
        assert again == text


@given(programs(), st.data())
def test_a_parameter_added_and_removed_again_is_the_identity(text, data):
    source = Source(tuple(text.split("\n")), "python")
    found = [node.start_point.row + 1 for node in source.syntax.find("(function_definition) @found")]
    if not found:
        return
    line = data.draw(st.sampled_from(found))
    name = text.split("\n")[line - 1].split("def ")[1][0]
    code = data.draw(st.sampled_from(["fresh", "fresh: int = 1", "fresh=None"]))
    function = f"{name}@{line}"
    argument = "0" if code == "fresh" else None
    try:
        new = carried(text, {"op": "add-parameter", "function": function, "code": code, "argument": argument})
    except OperationRefused:
        return
    assert "fresh" in new
    assert carried(new, {"op": "remove-parameter", "function": function, "parameter": "fresh"}) == text


def shape(code: CodeType, new: str, old: str) -> Iterator[list[tuple[str, object]]]:
    """The instructions of all functions, with the new name as the old one."""
    yield [
        (step.opname, old if step.argval == new else step.argval)
        for step in dis.get_instructions(code)
        if not step.opname.endswith("CONST") and isinstance(step.argval, str)
    ]
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from shape(constant, new, old)


@pytest.mark.parametrize("path", SOURCES, ids=[path.stem for path in SOURCES])
def test_renamed_sources_compile_to_the_same_instructions(path):
    text = path.read_text(encoding="utf-8")
    before = compile(text, "a.py", "exec", dont_inherit=True)
    for name in top_level_names(text)[:3]:
        new = carried(text, rename(name, "fresh"))
        after = compile(new, "a.py", "exec", dont_inherit=True)
        assert list(shape(after, "fresh", name)) == list(shape(before, "fresh", name))
        assert carried(new, rename("fresh", name)) == text


def top_level_names(text: str) -> list[str]:
    source = Source(tuple(text.split("\n")), "python")
    nodes = source.syntax.root.named_children
    inner = [node.child_by_field_name("definition") or node for node in nodes]
    named = [node.child_by_field_name("name") for node in inner if node.type.endswith("_definition")]
    return [source.text(name) for name in named if name is not None]


@pytest.mark.parametrize("path", SOURCES[:6], ids=[path.stem for path in SOURCES[:6]])
def test_a_comment_on_a_line_of_a_source_is_undone(path):
    text = path.read_text(encoding="utf-8")
    source = Source(tuple(text.split("\n")), "python")
    done = 0
    for node in source.syntax.find("(expression_statement) @found")[::25]:
        line = node.start_point.row + 1
        try:
            new = carried(text, op(f"add-comment Fresh. --anchor @{line}"))
        except OperationRefused:
            continue  # one of several on its line
        done += 1
        assert new != text
        assert carried(new, op("replace '# Fresh.'")) == text
    assert done


@pytest.mark.parametrize("path", SOURCES[:6], ids=[path.stem for path in SOURCES[:6]])
def test_a_definition_that_is_moved_to_the_end_is_moved_back(path):
    text = path.read_text(encoding="utf-8")
    names = top_level_names(text)
    for name, following in list(pairwise(names))[:3]:
        try:
            new = carried(text, {"op": "move", "target": name, "where": "last"})
        except OperationRefused:
            continue  # what stands below it needs it
        assert sorted(new.split("\n")) == sorted(text.split("\n"))
        assert carried(new, {"op": "move", "target": name, "where": "before", "anchor": following}) == text
