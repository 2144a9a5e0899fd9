"""The registry of rivals."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from fastedit.sketch import rivals
from fastedit.sketch.rivals.base import Kind
from fastedit.sketch.rivals.kinds import KINDS
from tests.sketch.document import DOCUMENT, written


def test_each_kind_of_rivals_that_there_is_is_looked_at():
    folder = Path(*rivals.__path__)
    made = [path for path in folder.glob("*.py") if f"Final = {Kind.__name__}(" in path.read_text("utf-8")]
    assert len(made) == len(KINDS)


def test_a_sign_tells_of_one_kind():
    names = Counter(sign.name for kind in KINDS for sign in kind.signs)
    assert set(names.values()) == {1}


def test_the_document_asks_what_each_kind_leaves_open():
    assert written() == DOCUMENT.read_text("utf-8")
