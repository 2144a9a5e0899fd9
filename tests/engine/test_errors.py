"""Errors carry their ways out as data; how these are spelled is each surface's own matter."""

from __future__ import annotations

import ast
import pickle
import re
from pathlib import Path

import pytest

from fastedit.errors import NARROWER, FasteditError, UnplacedHunk, UnreadableAnswer, WayOut

ROOT = Path(__file__).parents[2]
SURFACES = {"cli", "serve", "train"}
MODULES = [
    path
    for path in sorted((ROOT / "fastedit").rglob("*.py"))
    if path.relative_to(ROOT / "fastedit").parts[0] not in SURFACES
]
FLAG = re.compile(
    r"(?<![\w-])--(instruction|update|symbol|lines|language|policy|plan|model|choose|force)\b|\(-[iu]\)"
)


def test_a_way_out_is_spelled_as_the_surface_has_it_and_left_out_where_it_has_none():
    error = FasteditError("a.py: too long;\nnarrow the edit", ways_out=(*NARROWER, WayOut.MODEL))
    assert str(error) == "a.py: too long;\nnarrow the edit"
    assert error.worded({}) == "a.py: too long; narrow the edit"
    names = {WayOut.SYMBOL: "--symbol", WayOut.MODEL: "--model"}
    assert error.worded(names) == "a.py: too long; narrow the edit (--symbol, --model)"


@pytest.mark.parametrize(
    "error", [UnreadableAnswer("cut off", repairable=False, ways_out=NARROWER), UnplacedHunk("no place")]
)
def test_an_error_keeps_its_ways_out_on_the_way_between_processes(error):
    there = pickle.loads(pickle.dumps(error))
    assert (str(there), there.ways_out) == (str(error), error.ways_out)


def test_no_text_below_the_surfaces_names_a_flag():
    """But for whole commands, such as the examples of rules."""
    for path in MODULES:
        texts = [
            node.value for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant)
        ]
        flags = [
            text
            for text in texts
            if isinstance(text, str) and FLAG.search(text) and not text.startswith("fastedit ")
        ]
        assert flags == [], path
