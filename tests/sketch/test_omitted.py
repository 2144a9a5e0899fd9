"""Lines between two that a sketch shows next to each other without a word."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastedit.engine.merge.merge import Merge
from fastedit.request import LineRange
from fastedit.source.document import Document
from fastedit.source.hunks import apply_hunks

PACKAGE = """{
  "name": "common",
  "version": "1.0.0",
  "type": "module",
  "browserslist": {
    "production": ["not dead"],
    "development": ["last 1 chrome version"]
  },
  "dependencies": {
    "nanoid": "3.3.3",
    "roughjs": "4.6.4"
  },
  "devDependencies": {
    "typescript": "4.9.4"
  },
  "bugs": "https://example.org/issues",
  "license": "MIT",
  "scripts": {
    "build": "tsc"
  }
}
"""
DEPENDENCIES = PACKAGE[PACKAGE.index('  "dependencies"') : PACKAGE.index('  "bugs"')]
BROWSERS = '  "browserslist": {\n    // ...\n  },\n'
BUGS = '  "bugs": "https://example.org/issues",\n'


def merge_of(sketch: str) -> Merge:
    document = Document.from_text(PACKAGE, Path("package.json"))
    return Merge(document, f'{{\n  "name": "common",\n{sketch}}}\n', LineRange(0, len(document.lines)))


def offered(merge: Merge) -> list[str]:
    return [apply_hunks(merge._document, one.hunks) for one in merge.offered]


def test_they_may_be_to_go_where_the_update_says_nothing_else_up_to_the_next_marker():
    merge = merge_of(f'  "version": "1.1.0",\n  // ...\n{BROWSERS}{BUGS}  // ...\n')
    changed = PACKAGE.replace("1.0.0", "1.1.0")
    assert offered(merge)[:2] == [changed.replace(DEPENDENCIES, ""), changed]


@pytest.mark.parametrize(
    ("below", "old", "new"),
    [
        (BUGS.replace("org", "com"), "example.org", "example.com"),
        ('  "scripts": {\n    // ...\n    "test": "vitest"\n  }\n', '"tsc"', '"tsc",\n    "test": "vitest"'),
    ],
)
def test_they_stay_where_one_of_both_leads_to_a_change(below: str, old: str, new: str):
    merge = merge_of(f"  // ...\n{BROWSERS}{below}" + "  // ...\n" * (below[-2] == ","))
    assert offered(merge)[0] == PACKAGE.replace(old, new)
