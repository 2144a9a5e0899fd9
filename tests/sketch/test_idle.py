"""Entries that change next to a marker that stands for nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastedit.engine.merge.merge import Merge
from fastedit.request import LineRange
from fastedit.source.document import Document
from fastedit.source.hunks import changed_lines

ITEM = "    {\n        name: '{}',\n        url: '{}.dev',\n    },\n"
TEST = "describe('a', () => {{\n{}    it('runs', () => {{\n        go({});\n    }});\n}});\n"
MARKER = "    // ... existing items ...\n"


def item(name: str) -> str:
    return ITEM.replace("{}", name)


def merged(old: str, sketch: str) -> tuple[bool, str]:
    document = Document.from_text(old, Path("a.js"))
    found = Merge(document, sketch, LineRange(0, len(document.lines)))
    return found.best.sure, "\n".join(changed_lines(document.lines, found.best.hunks)) + "\n"


@pytest.mark.parametrize(
    ("new", "meant"),
    [
        (MARKER + item("b"), item("a") + item("b")),
        (item("b") + MARKER, item("b") + item("a")),
    ],
    ids=["below", "above"],
)
def test_the_one_entry_of_a_list_stays_next_to_a_marker_and_a_new_one_like_it(new, meant):
    assert merged(f"x = [\n{item('a')}];\n", f"x = [\n{new}];\n") == (True, f"x = [\n{meant}];\n")


def test_a_condition_below_a_marker_that_stands_for_nothing_is_not_surely_the_one_of_the_file():
    old = "function f(x) {\n    if (x) {\n        go(1);\n    }\n    return x;\n}\n"
    sure, _ = merged(
        old, old.replace("go(1)", "stop(2)").replace("    if", "    // ... existing code ...\n    if")
    )
    assert not sure


def test_an_entry_that_is_told_by_its_first_line_changes_below_a_marker_that_stands_for_nothing():
    assert merged(TEST.format("", 1), TEST.format(MARKER, 2)) == (True, TEST.format("", 2))
