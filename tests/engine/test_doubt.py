"""Why an update is held back, in one sentence, and the ways out that it names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fastedit.engine import Engine
from fastedit.engine.edits.plan import EditPlan
from fastedit.engine.merge.doubt import difference, unsure
from fastedit.request import EditRequest
from fastedit.result import Status
from fastedit.source.document import Document
from fastedit.source.hunks import apply_hunks
from tests.cli.caches import CACHES, UPDATE

POOL = """\
class Pool:
    \"\"\"Connections.\"\"\"

    def __init__(self, limit=4):
        self.limit = limit
        self.free = []
        self.lock = Lock()

    def give(self, item):
        with self.lock:
            self.free.append(item)
"""
HEAD = (
    "class Pool:\n    def __init__(self, limit=4):\n        self.limit = limit\n        self.lock = RLock()\n"
    "    # ... existing code ...\n"
)
RUST = """\
use std::fs;

pub fn load(path: &str) -> Vec<u8> {
    let data = fs::read(path).unwrap();
    data
}

pub fn save(path: &str, data: &[u8]) {
    fs::write(path, data).unwrap();
}
"""
SHORTER = (
    "pub fn load(path: &str) -> io::Result<Vec<u8>> {\n    fs::read(path)\n}\n// ... existing code ...\n"
)
UNSURE = [("a.py", CACHES, UPDATE), ("a.py", POOL, HEAD), ("a.rs", RUST, SHORTER)]


def asked(name: str, source: str, update: str, **more) -> EditRequest:
    return EditRequest(Document.from_text(source, Path(name)), update=update, policy="merge", **more)


@pytest.mark.parametrize(("name", "source", "update"), UNSURE)
def test_the_sentence_says_how_sure_which_lines_and_what_to_do(name, source, update):
    merge = EditPlan(asked(name, source, update)).merge
    said = unsure(merge)
    assert re.match(
        r"fastedit is \d+ % sure.*: (update|file) lines? \d+(-\d+)? \((`.+`|from `.+` on)\) ", said
    )
    assert said.endswith("write the edit as SEARCH/REPLACE blocks")
    assert ("choose a reading" in said) == any(not other.broken for other in merge.offered[1:])
    assert "choose" not in unsure(merge, by_model=True)


def test_a_result_that_is_held_back_has_the_sentence_among_its_reasons():
    request = asked("a.py", CACHES, UPDATE)
    assert unsure(EditPlan(request).merge) in Engine("/nowhere").apply(request).reasons


def test_lines_that_go_without_a_word_are_named_where_they_are_the_reason():
    said = unsure(EditPlan(asked("a.rs", RUST, SHORTER)).merge)
    assert ": file line 5 (`data`) goes, as nothing in the update keeps it; choose reading 1" in said


GUARD = "def put(item):\n    check(item)\n    if item.old:\n        return None\n    store(item)\n    return item\n"


def test_whether_an_old_line_next_to_new_ones_stays_is_the_question():
    update = (
        "def put(item):\n    check(item)\n    if item.old or item.gone:\n        raise Gone(item)\n"
        "    # ... existing code ...\n"
    )
    merge = EditPlan(asked("a.py", GUARD, update)).merge
    stays, goes, *_ = (merge.taken(reading) for reading in merge.offered)
    new = "update line 4 (`raise Gone(item)`) is new, "
    assert f": {new}next to file line 5 (`store(item)`), which stays, or in its place; " in unsure(merge)
    assert difference(merge, goes, stays) == f"{new}in place of file line 5 (`store(item)`), or next to it"


@pytest.mark.parametrize(("name", "source", "update"), UNSURE)
def test_each_reading_can_be_chosen_or_written_as_a_block(name, source, update):
    merge = EditPlan(asked(name, source, update)).merge
    document = Document.from_text(source, Path(name))
    for number, reading in enumerate(merge.offered, 1):
        text = apply_hunks(document, reading.hunks)
        chosen = Engine("/nowhere").apply(asked(name, source, update, choice=number))
        block = f"<<<<<<< SEARCH\n{source}=======\n{text}>>>>>>> REPLACE\n"
        written = Engine("/nowhere").apply(asked(name, source, block))
        assert written.text == chosen.text == text
        assert chosen.status is written.status is (Status.SUSPECT if reading.broken else Status.OK)


def test_whether_an_update_is_the_whole_file_is_one_question():
    store = (
        "import os\n\nLIMIT = 10\n\n\ndef load(path):\n    return open(path).read()\n\n\n"
        'def save(path, text):\n    open(path, "w").write(text)\n\n\ndef clear(path):\n    os.remove(path)\n'
    )
    without = store.replace('def save(path, text):\n    open(path, "w").write(text)\n\n\n', "")
    result = Engine().apply(asked("store.py", store, without.replace("10", "20")))
    assert result.status is Status.SUSPECT
    assert (
        "the update is the whole file anew, so that what it lacks goes, or a part of the file"
        in result.reasons[0]
    )


PLAIN = "def load(path):\n    check(path)\n    data = read(path)\n    return data\n"


@pytest.mark.parametrize(
    ("update", "said"),
    [
        ("    # remove the check\n    data = read(path)\n    return data\n", "update line 1"),
        (
            "def load(path):\n    check(path)\n    # rename data to text below\n    # ...\n",
            "changes nothing, but",
        ),
        ("def load(path):\n    check(path)\n    # ... existing code ...\n", None),
        ("# removed: seek\n# ...\n", None),
        (PLAIN, None),
    ],
)
def test_an_update_that_asks_for_something_and_changes_nothing_is_held_back(update, said):
    result = Engine.load().apply(asked("a.py", PLAIN, update))
    told = [reason for reason in result.reasons if "update line" in reason and not result.hunks]
    assert [said in reason for reason in told] == ([True] if said else [])


def test_an_update_that_says_what_is_gone_where_nothing_goes_is_held_back():
    long = "".join(f"  value{row} = 1\n" for row in range(25))
    blocks = f'variable "one" {{\n  type = one\n}}\n\nvariable "two" {{\n{long}}}\n'
    update = 'variable "one" {\n  type = any\n}\n\n# Removed: the second policy and its document\n'
    result = Engine.load().apply(EditRequest(Document.from_text(blocks, Path("a.tf")), update=update))
    assert result.status is Status.SUSPECT
    assert any("update line 5 (`# Removed: the second policy" in reason for reason in result.reasons)


def test_code_of_a_function_whose_head_goes_on_below_is_there():
    body = "{\n  using pt = kind;\n  check(c);\n  return pt::none;\n}\n"
    file = f"inline auto parse_kind(char c, type t)\n    -> kind {body}\nint main() {{ return 0; }}\n"
    update = "inline auto {}(char c, type t,\n    bool& upper) -> kind {{\n  using pt = kind;\n  // ...\n}}\n"
    for name, there in (("parse_kind", True), ("parse_other", False)):
        request = EditRequest(
            Document.from_text(file, Path("a.h")), None, update.format(name), language="cpp"
        )
        reason = f"a marker in the update stands for code of {name}, which the file does not have"
        assert (reason not in EditPlan(request).doubts) is there
