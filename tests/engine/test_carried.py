"""An edit of the text that its author read, carried over to the file as it is now."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastedit import Document, EditRequest, Engine, Status
from fastedit.engine.edits.carried import CARRIED
from fastedit.engine.events import HunkReady, Resulted
from fastedit.errors import StaleFile, UsageError

BASE = """import os

LIMIT = 10


def load(path):
    return open(path).read()


def save(path, text):
    write(path, text)
"""
NOW = BASE.replace("LIMIT = 10", "LIMIT = 20  # since").replace("import os", "import os\nimport sys")
SKETCH = """import os

LIMIT = 10

# ... existing code ...

def save(path, text):
    check(path)
    write(path, text)
"""


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load()


def request(update: str, now: str = NOW, base: str = BASE) -> EditRequest:
    document = Document.from_text(now, Path("a.py"))
    return EditRequest(document, update=update, policy="merge", base=Document.from_text(base))


def test_what_changed_since_the_author_read_the_file_stays(engine):
    result = engine.apply(request(SKETCH))
    assert result.status is Status.OK
    assert result.text == NOW.replace("    write", "    check(path)\n    write")
    assert result.document.text == NOW
    assert CARRIED in result.notes


def test_an_edit_of_a_line_that_changed_since_is_refused_by_the_lines_of_the_base(engine):
    with pytest.raises(StaleFile, match=r"a\.py: line 3 of the base changed since"):
        engine.apply(request(SKETCH.replace("LIMIT = 10", "LIMIT = 30")))


def test_an_edit_right_next_to_a_line_that_came_since_is_refused_by_that(engine):
    with pytest.raises(
        StaleFile, match="line 3 of the base changed since, or what stands right next to that"
    ):
        engine.apply(
            request(SKETCH.replace("LIMIT = 10", "LIMIT = 30"), now=BASE.replace("LIMIT", "X = 1\nLIMIT", 1))
        )


def test_a_base_that_is_the_file_changes_nothing(engine):
    one = engine.apply(request(SKETCH, now=BASE))
    assert (one.status, CARRIED in one.notes) == (Status.OK, False)


def test_an_edit_that_somebody_else_made_is_unchanged(engine):
    assert engine.apply(request(SKETCH, now=engine.apply(request(SKETCH)).text)).status is Status.UNCHANGED


def test_a_carried_edit_is_checked_in_the_file_as_it_is_now(engine):
    added = "def check(path):\n    return path\n\n\n"
    update = BASE.replace("def load", added + "def load")
    now = NOW.replace("def save", added + "def save")
    result = engine.apply(request(update, now=now))
    assert engine.apply(request(update)).status is Status.OK
    assert result.status is Status.SUSPECT
    assert "check" in result.reasons[0]


def test_hunks_come_with_the_lines_of_the_file_as_it_is_now(engine):
    events = list(engine.stream(request(SKETCH)))
    assert [event.hunk for event in events if isinstance(event, HunkReady)] == list(events[-1].result.hunks)
    assert isinstance(events[-1], Resulted)
    assert events[-1].result.hunks[0].start == 11


def test_other_readings_are_carried_over_too(engine):
    base = "a()\nb()\n\na()\nb()\n"
    result = engine.apply(request("a()\nc()\nb()\n", now="top()\n" + base, base=base))
    assert result.status is Status.SUSPECT
    assert all(hunk.start > 0 for one in result.alternatives for hunk in one.hunks)
    assert result.alternatives


def test_a_base_that_is_no_document_is_refused():
    with pytest.raises(UsageError, match="the base of an EditRequest is a Document, not str"):
        EditRequest(Document.from_text(NOW), update=SKETCH, base=BASE)  # type: ignore[arg-type]
