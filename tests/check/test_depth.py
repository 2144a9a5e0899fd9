"""Lines that stay stand where they stood, whatever is written above them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastedit.check import check_literal, check_written
from fastedit.source.document import Document
from fastedit.source.hunks import diff_lines

STORE = """\
class Store:
    def load(self):
        return self.notes

    # How many there are.
    def size(self):
        return len(self.notes)
"""
JOBS = "jobs:\n  build:\n    steps: []\n  deploy:\n    steps: []\n"
LOOP = """\
def run(items):
    for item in items:
        if item:
            a(item)
        b(item)
"""


def objections(name, old, new):
    document = Document.from_text(old, Path(name))
    hunks = diff_lines(document.lines, Document.from_text(new).lines)
    literal, strong = check_literal(document, hunks), check_written(document, hunks, None)
    of_both = [[one.reason for one in found if one.rule.code == "FE124"] for found in (literal, strong)]
    assert of_both[0] == of_both[1]
    return of_both[0]


LOAD = "    def load(self):\n        return self.notes\n"


@pytest.mark.parametrize(
    ("name", "text", "old", "new", "said"),
    [
        (
            "a.py",
            STORE,
            LOAD,
            "def load(self):\n    return []\n",
            "6 `def size(self):` now stands in `def load(self):`",
        ),
        (
            "a.py",
            STORE,
            LOAD,
            "def load(a):\n    return self.notes\n",
            "6 `def size(self):` now stands in `def load(a):`",
        ),
        (
            "c.yml",
            JOBS,
            "  build:\n    steps: []\n",
            "build:\n  steps: [a]\n",
            "4 `deploy:` now stands in `build:`",
        ),
    ],
)
def test_what_a_block_written_at_the_margin_takes_in_is_objected_to(name, text, old, new, said):
    assert objections(name, text, text.replace(old, new)) == [f"result line {said}, next to which it stood"]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("a.py", STORE, STORE.replace("\n    # How", "\n\nclass Sized:\n    # How")),
        ("a.py", STORE, STORE.replace("    def load", "    @cached\n    def load")),
        ("a.py", LOOP, LOOP.replace("        b(", "        else:\n            b(")),
        (
            "a.py",
            LOOP,
            LOOP.replace("            a(item)\n", "            a(item)\n        else:\n            c()\n"),
        ),
        (
            "a.py",
            LOOP,
            "def run(items):\n    if item:\n        a(item)\n    for item in items:\n        b(item)\n",
        ),
        ("a.ts", "class A {\n  a() {\n  }\n  b() {\n  }\n}\n", "class A {\na() {\n}\n  b() {\n  }\n}\n"),
        ("ci.yaml", JOBS, JOBS.replace("  deploy:", "on:\n  deploy:")),
    ],
)
def test_a_new_block_above_lines_that_stay_may_hold_them(name, old, new):
    assert objections(name, old, new) == []


TWO = "    def two(self):\n        return 2\n"
PARTS = f"class A:\n    def one(self):\n        return 1\n\n{TWO}\n\ndef f():\n    return 0\n"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (TWO, "def two(self):\n    return 3\n", "result line 5 `def two(self):` left A"),
        (
            TWO,
            "        def two(self):\n            return 3\n",
            "result line 5 `def two(self):` now stands in A.one",
        ),
        (
            "def f():\n    return 0\n",
            "    def f():\n        return 1\n",
            "result line 9 `def f():` now stands in A",
        ),
    ],
)
def test_a_definition_that_leaves_its_block_by_depth_alone_is_objected_to(old, new, said):
    assert objections("a.py", PARTS, PARTS.replace(old, new)) == [said]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (TWO, "def two(store):\n    return 2\n"),
        (TWO, "    class B:\n        def two(self):\n            return 2\n"),
        ("def f():\n    return 0\n", "if True:\n    def f():\n        return 0\n"),
        ("class A:", "class B:"),
    ],
    ids=["another head", "in a new class", "in a new block", "in a class of another name"],
)
def test_a_definition_may_go_elsewhere_on_purpose(old, new):
    assert objections("a.py", PARTS, PARTS.replace(old, new)) == []
