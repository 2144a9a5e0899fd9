"""Comments of the file amid new code."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastedit.engine.merge.merge import Merge
from fastedit.request import LineRange
from fastedit.source.document import Document
from fastedit.source.hunks import apply_hunks

APP = "import os\n\napp = make()\n\n# type: ignore\napp.first(1)\n\napp.patch(\n    1,\n)\n"
OTHER = "import os\n\n# ... existing code ...\n\nother = make()\n\n# type: ignore\n"


def merged(old: str, sketch: str) -> Merge:
    document = Document.from_text(old, Path("a.py"))
    return Merge(document, sketch, LineRange(0, len(document.lines)))


@pytest.mark.parametrize("new", ["other.first(2)", "none.close()"])
def test_a_comment_of_the_file_amid_new_code_may_be_of_that(new):
    merge = merged(APP, f"{OTHER}{new}\n")
    assert not merge.best.sure
    texts = (apply_hunks(merge._document, one.hunks) for one in merge.offered)
    assert any(text.startswith(APP) and text.endswith(f"# type: ignore\n{new}\n") for text in texts)


@pytest.mark.parametrize("line", ["app.first(1)", "app.first(1, deep=True)"])
def test_above_its_own_line_it_is_the_files(line):
    merge = merged(APP, f"{OTHER}{line}\n# ... existing code ...\n")
    assert merge.best.sure
    [text] = [apply_hunks(merge._document, merge.best.hunks)]
    assert text == APP.replace("# type", "other = make()\n\n# type").replace("app.first(1)", line)
