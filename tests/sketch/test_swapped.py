"""Neighbouring lines that a sketch shows in another order, with what is above or below them alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastedit.engine.merge.merge import Merge
from fastedit.request import LineRange
from fastedit.sketch.rivals.swapped import STAYS_BESIDE
from fastedit.source.document import Document
from fastedit.source.hunks import apply_hunks

REST = "".join(f"\ndef other{at}(value):\n    return value + {at}\n" for at in range(4))
START = (
    "def start(self):\n    self.opened = False\n    self.count = 0\n    self.limit = 5\n    self.names = []\n"
)
FIELDS = "".join(f"  column_{at}   TEXT,\n" for at in range(9))
TABLE = f"CREATE TABLE jobs (\n{FIELDS}  region   TEXT NOT NULL,\n  location JSON,\n  summary  BLOB\n);\n"
IMPORTS = (
    'package a\n\nimport (\n\t"bytes"\n\t"errors"\n\t"fmt"\n\t"net/http"\n\t"os"\n)\n\n'
    "func run() {\n\tgo(os.Args)\n}\n"
)


def merged(name: str, old: str, update: str) -> tuple[str, Merge]:
    """The text that is likeliest meant."""
    document = Document.from_text(old, Path(name))
    merge = Merge(document, update, LineRange(0, len(document.lines)))
    return apply_hunks(document, merge.best.hunks), merge


@pytest.mark.parametrize(
    ("name", "old", "update", "moved"),
    [
        ("a.py", START + REST, "    self.opened = False\n    self.limit = 5\n    self.count = 0\n", (2, 3)),
        ("a.py", START + REST, "    self.limit = 5\n    self.count = 0\n    self.names = []\n", (2, 3)),
        (
            "a.py",
            START + REST,
            "    self.opened = False\n    self.limit = 5\n    self.count = 0\n    # ...\n",
            (2, 3),
        ),
        ("a.sql", TABLE, "  column_8   TEXT,\n  location JSON,\n  region   TEXT NOT NULL,\n", (10, 11)),
        ("a.go", IMPORTS, '\t"bytes"\n\t"fmt"\n\t"errors"\n', (4, 5)),
    ],
)
def test_a_line_that_is_shown_above_its_neighbour_moves_there(name, old, update, moved):
    lines, (above, below) = old.split("\n"), moved
    lines[above], lines[below] = lines[below], lines[above]
    text, merge = merged(name, old, update)
    assert text == "\n".join(lines)
    assert merge.best.posterior > 0.9


@pytest.mark.parametrize(
    "update",
    [
        "    self.opened = False\n    if fast:\n        self.limit = 5\n        return\n    self.count = 0\n",
        "    self.opened = False\n    self.limit = 5\n    self.count = 0\n    self.limit = 5\n",
    ],
)
def test_a_line_that_comes_into_another_block_or_is_shown_twice_stays_where_it_is_too(update):
    text, merge = merged("a.py", START + REST, update)
    assert text.count("self.limit = 5") == 2
    assert STAYS_BESIDE.name not in merge.best.evidence


def test_a_comment_that_would_stand_twice_in_a_block_is_rather_that_of_the_file():
    old, update = (
        f"module a {{\n  source = {source}\n\n  {key}name = c\n\n  # EKS Addons\n"
        f"  {key}addons = {{\n    {inner} = {{}}\n  }}\n\n  {end}\n}}\n"
        for source, key, inner, end in (
            ("b", "cluster_", "dns", "vpc = d"),
            ("e", "", "proxy", "# ... rest ..."),
        )
    )
    _, merge = merged("a.tf", old, update)
    assert not merge.best.sure
    assert any(apply_hunks(Document.from_text(old), one.hunks).count("# EKS") == 1 for one in merge.readings)
