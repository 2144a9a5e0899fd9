"""What an edit request refuses before anything is done."""

from __future__ import annotations

import pytest

import fastedit
from fastedit import EditRequest
from fastedit.errors import UsageError


def test_a_text_in_place_of_a_document_is_refused_with_the_ways_to_make_one():
    with pytest.raises(UsageError, match=r"is a Document, not str: .*Document\.read\(path\)"):
        EditRequest("x = 1\n", instruction="rename x to y")


def test_operations_can_be_parsed_with_what_the_package_exports():
    (operation,) = fastedit.parse_operations('{"op": "rename", "target": "a", "new": "b"}')
    assert operation.name == "rename"
