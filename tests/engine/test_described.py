"""What is told of an instruction beside an update."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastedit import Document, EditRequest, Engine
from fastedit.engine.changes.change import ChangeRequest, change
from tests.engine.test_changes import Memory

SOURCE = "def load(p):\n    return 1\n\n\ndef save(p):\n    return 2\n"
BLOCK = "a.py\n<<<<<<< SEARCH\n    return 2\n=======\n    return 3\n>>>>>>> REPLACE\n"
NOTE = "`rename load to read` describes the update and is not carried out besides; send it on its own"


def notes(update: str, instruction: str) -> tuple[str, ...]:
    document = Document.from_text(SOURCE, Path("a.py"))
    return Engine().apply(EditRequest(document, instruction, update)).notes


@pytest.mark.parametrize("update", [BLOCK, "def save(p):\n    return 3\n"])
def test_a_command_that_the_update_does_not_carry_out_is_noted(update):
    assert notes(update, "rename load to read") == (NOTE,)


def test_a_command_that_the_update_carries_out_and_words_that_are_none_are_not_noted():
    renamed = "a.py\n<<<<<<< SEARCH\ndef load(p):\n=======\ndef read(p):\n>>>>>>> REPLACE\n"
    assert notes(renamed, "rename load to read") == ()
    assert notes(BLOCK, "delete nothing at all") == ()
    assert notes(BLOCK, "return three from save") == ()


def test_a_command_beside_a_change_of_several_files_is_noted_once():
    files = Memory({"a.py": SOURCE, "b.py": SOURCE})
    request = ChangeRequest(BLOCK + BLOCK.replace("a.py", "b.py"), instruction="rename load to read")
    result = change(Engine(), request, files)
    assert (result.status, result.notes) == ("ok", (NOTE,))
