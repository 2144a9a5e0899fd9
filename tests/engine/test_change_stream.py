"""Hunks of a message that is still being written."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastedit.engine.changes.change_stream import ChangeStream
from fastedit.source.document import Document
from fastedit.source.hunks import apply_hunks

TEXT = "def a():\n    return 1\n\n\ndef b():\n    return 2\n\n\ndef c():\n    return 1\n"
BLOCKS = """\
m.py
<<<<<<< SEARCH
    return 2
=======
    return 20
>>>>>>> REPLACE

m.py
<<<<<<< SEARCH
def c():
    return 1
=======
def c():
    return 10
>>>>>>> REPLACE
"""
PATCH = """\
*** Begin Patch
*** Update File: m.py
@@ def b():
-    return 2
+    return 20
@@ def c():
-    return 1
+    return 10
*** End Patch
"""
WANTED = TEXT.replace("2\n", "20\n").replace("def c():\n    return 1", "def c():\n    return 10")


class Held:
    def read(self, path: str) -> Document | None:
        return Document.from_text(TEXT, Path(path)) if path == "m.py" else None


@pytest.mark.parametrize("message", [BLOCKS, PATCH])
@given(cuts=st.lists(st.integers(0, 200), max_size=4))
@settings(max_examples=20, deadline=None)
def test_hunks_find_their_places_however_the_message_is_cut(message, cuts):
    stream = ChangeStream(Held())
    edges = sorted({0, len(message), *(min(cut, len(message)) for cut in cuts)})
    arrivals = [placed for start, stop in pairwise(edges) for placed in stream.feed(message[start:stop])]
    assert stream.message == message
    assert [placed.report.number for placed in arrivals] == [1, 2]
    hunks = [hunk for placed in arrivals for hunk in placed.hunks]
    assert apply_hunks(Document.from_text(TEXT), hunks) == WANTED


def test_a_hunk_is_placed_as_soon_as_it_is_complete():
    stream = ChangeStream(Held())
    first, rest = BLOCKS.split("\n\n", 1)
    assert [placed.report.number for placed in stream.feed(first + "\n")] == [1]
    assert [placed.report.number for placed in stream.feed("\n" + rest)] == [2]


def test_an_ambiguous_hunk_and_one_of_a_file_that_is_not_there_are_left_for_the_whole_message():
    either = "m.py\n<<<<<<< SEARCH\n    return 1\n=======\n    return 3\n>>>>>>> REPLACE\n"
    assert ChangeStream(Held()).feed(either) == []
    assert ChangeStream(Held()).feed(either.replace("m.py", "other.py")) == []


def test_a_broken_patch_places_nothing_more():
    stream = ChangeStream(Held())
    assert stream.feed("*** Begin Patch\nnonsense\n" + PATCH) == []
