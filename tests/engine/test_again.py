"""Edits of files that changed between reading and writing; the steps of both sides are driven by hand."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from fastedit.engine import Engine
from fastedit.engine.changes.again import changed_again, edited_again
from fastedit.engine.changes.change import ChangeRequest, change
from fastedit.errors import StaleFile
from fastedit.ops.uses.rename import Rename
from fastedit.request import EditRequest, LineRange
from fastedit.result import Status
from fastedit.retry import written
from fastedit.source.document import Document
from tests.engine.test_changes import Memory

OLD = "def load(path):\n    return path\n\n\nLIMIT = 1\nDEPTH = 2\n"
BLOCK = "<<<<<<< SEARCH\nLIMIT = 1\n=======\nLIMIT = 8\n>>>>>>> REPLACE\n"


def python(text: str) -> Document:
    return Document.from_text(text, Path("a.py"))


def again(now: str, **asked):
    """The result for the file as it is now, of an edit made for OLD."""
    engine = Engine.load()
    request = EditRequest(python(OLD), **asked)
    return edited_again(request, engine.apply(request), partial(python, now), engine.apply)


@pytest.mark.parametrize("theirs", ["DEPTH = 3\n", "DEPTH = 2\nWIDTH = 3\n", "TOP = 4\nDEPTH = 2\n"])
def test_an_edit_of_other_lines_is_made_of_the_new_text(theirs):
    now = OLD.replace("DEPTH = 2\n", theirs)
    assert again(now, update=BLOCK).text == now.replace("LIMIT = 1", "LIMIT = 8")


def test_an_edit_that_was_made_meanwhile_is_unchanged():
    made = again(OLD.replace("LIMIT = 1", "LIMIT = 8"), update=BLOCK)
    assert (made.status, made.hunks) == (Status.UNCHANGED, ())


def test_an_edit_of_the_same_lines_is_not_made_again():
    assert again(OLD.replace("LIMIT = 1", "LIMIT = 3"), update=BLOCK) is None


def test_a_rename_is_not_made_again_where_the_new_text_has_another_use_of_the_name():
    renaming = {"operations": (Rename("load", "read"),)}
    assert again(OLD + "load(1)\n", **renaming) is None
    assert again(OLD + "print(1)\n", **renaming).text == OLD.replace("load", "read") + "print(1)\n"


def test_lines_that_an_edit_counts_are_those_of_the_text_that_it_was_made_for():
    asked = {"update": "LIMIT = 8\n", "lines": LineRange(4, 5)}
    assert again("# above\n" + OLD, **asked) is None
    assert again(OLD + "# below\n", **asked).text == OLD.replace("LIMIT = 1", "LIMIT = 8") + "# below\n"


def test_a_model_is_not_asked_again_but_what_it_wrote_may_stand_there_already():
    engine = Engine.load()
    request = EditRequest(python(OLD), update=BLOCK)
    result = engine.apply(request)
    result = replace(result, receipt=replace(result.receipt, passes=1))
    edited = partial(edited_again, request, result, apply=engine.apply)
    assert edited(lambda: python(OLD + "# below\n")) is None
    assert edited(lambda: python(result.text)).status is Status.UNCHANGED


def test_every_write_that_finds_another_text_is_tried_anew_until_nothing_is_sure():
    read = iter("bcd")

    def write(result: str) -> str:
        if result < "c":
            raise StaleFile(result)
        return result.upper()

    assert written(write, "a", lambda _: next(read)) == ("C", "c")
    with pytest.raises(StaleFile, match="a"):
        written(write, "a", lambda _: None)


@pytest.mark.parametrize(
    ("theirs", "expected"),
    [
        ("LIMIT = 1\nDEPTH = 3\n", "LIMIT = 8\nDEPTH = 3\n"),
        ("LIMIT = 2\nDEPTH = 2\n", None),
    ],
)
def test_a_change_of_many_files_is_made_of_the_new_texts(theirs, expected):
    engine, request = Engine.load(), ChangeRequest(f"a.py\n{BLOCK}\nb.py\n{BLOCK}")
    files = {"a.py": "LIMIT = 1\nDEPTH = 2\n", "b.py": "LIMIT = 1\n"}
    result = change(engine, request, Memory(files))
    found = changed_again(engine, request, result, Memory(files | {"a.py": theirs}))
    assert (found and found.files[0].after.text) == expected


def test_a_change_that_was_made_meanwhile_is_unchanged():
    engine, request = Engine.load(), ChangeRequest(f"a.py\n{BLOCK}")
    result = change(engine, request, Memory({"a.py": "LIMIT = 1\n"}))
    found = changed_again(engine, request, result, Memory({"a.py": "LIMIT = 8\n"}))
    assert (found.status, found.effects()) == (Status.UNCHANGED, ())


def test_a_change_that_deletes_a_file_which_others_edited_is_not_made_again():
    patch = "*** Begin Patch\n*** Delete File: a.py\n*** End Patch\n"
    engine, request = Engine.load(), ChangeRequest(patch)
    result = change(engine, request, Memory({"a.py": "a = 1\n"}))
    assert changed_again(engine, request, result, Memory({"a.py": "a = 2\n"})) is None
