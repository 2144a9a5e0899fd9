"""Keys of YAML that lose what stands below them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastedit.check import check_merge
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk
from fastedit.source.markers import parse_update

JOBS = """\
jobs:
  test:
    # on Linux
    steps:
      - run: make test
  list:
  - a
  empty:
"""


def reasons(update: str, hunk: Hunk) -> list[str]:
    document = Document.from_text(JOBS, Path("ci.yml"))
    found = check_merge(document, (hunk,), parse_update(update, "yaml", document.lines))
    return [one.reason for one in found if one.rule.code == "FE126"]


@pytest.mark.parametrize(
    ("update", "hunk", "key"),
    [
        ("jobs:\n  # ...\n  docs:\n    steps:\n", Hunk(2, 2, ("  docs:",)), "test:"),
        ("jobs:\n  test:\n    # ...\n", Hunk(2, 5, ()), "test:"),
        ("  # ...\n  more: 1\n", Hunk(6, 6, ("  more: 1",)), "list:"),
        ("jobs:\n  test:\n  list:\n", Hunk(2, 5, ()), None),  # shown so
        ("  # ...\n  more: 1\n", Hunk(8, 8, ("  more: 1",)), None),  # never had any
        ("  test:\n    needs: a\n    # ...\n", Hunk(2, 2, ("    needs: a",)), None),
    ],
)
def test_a_key_that_is_left_with_nothing_below_it_is_objected_to_unless_shown_so(update, hunk, key):
    said = f"nothing is left below `{key}`, and the update does not show that"
    assert reasons(update, hunk) == ([said] if key else [])
