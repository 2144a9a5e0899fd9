"""Which replica an edit goes to."""

from __future__ import annotations

import random
from pathlib import Path

from fastedit.engine.changes.change import ChangeRequest
from fastedit.engine.models.chat import ChatRequest
from fastedit.request import EditRequest
from fastedit.serve.cluster.affinity import key_of, ranks
from fastedit.serve.jobs.held import HeldChange
from fastedit.source.document import Document

NAMES = [f"replica-{i}" for i in range(16)]


def of(text: str, name: str | None = None) -> bytes:
    return key_of(EditRequest(Document.from_text(text, Path(name) if name else None), update="x"))


def order(key: bytes, names: list[str] = NAMES) -> list[str]:
    return [name for group in ranks(key, names, names) for name in group]


def test_a_file_keeps_its_replica_through_most_edits():
    draw = random.Random(1)
    kept = 0
    for _ in range(200):
        lines = [f"line {draw.random()}" for _ in range(100)]
        before = of("\n".join(lines), "settings.py")
        for _ in range(2):
            lines[draw.randrange(100)] = f"changed {draw.random()}"
        kept += of("\n".join(lines), "settings.py") == before
    assert kept >= 180  # two lines of a hundred: about 96 % are expected


def test_a_change_goes_where_its_first_file_is_edited():
    files = {name: Document.from_text(name, Path(name)) for name in ("x.py", "y.py")}
    assert key_of(HeldChange(ChangeRequest("any"), files)) == of("x.py", "x.py")
    assert key_of(HeldChange(ChangeRequest("any"), {})) == of("")


def test_files_of_one_name_are_told_apart_and_so_are_names_with_one_text():
    assert of("a = 1\nb = 2\n", "x.py") != of("c = 3\nd = 4\n", "x.py")
    assert of("a = 1\n", "x.py") != of("a = 1\n", "y.py")
    assert of("", "x.py") == of("\n\n", "x.py")


def test_line_ends_and_indentation_move_no_file():
    assert of("a = 1\nb = 2\n") == of("a = 1\r\n    b = 2\r\n")


def test_the_turns_of_a_conversation_stay_together():
    opening = (("system", "be brief"), ("user", "what is this?"))
    later = (*opening, ("assistant", "a file"), ("user", "and that?"))
    assert key_of(ChatRequest(opening)) == key_of(ChatRequest(later))
    assert key_of(ChatRequest(opening)) != key_of(ChatRequest((opening[0], ("user", "who?"))))


def test_a_replica_that_goes_moves_only_its_own_files():
    keys = [of(f"x = {i}\n") for i in range(500)]
    before = [order(key)[0] for key in keys]
    after = [order(key, NAMES[1:])[0] for key in keys]
    moved = [old for old, new in zip(before, after, strict=True) if old != new]
    assert set(moved) == {NAMES[0]}
    assert len(moved) == before.count(NAMES[0])


def test_files_spread_evenly_and_every_replica_is_tried_in_groups_that_grow():
    first = [order(of(f"x = {i}\n"))[0] for i in range(1600)]
    assert all(60 <= first.count(name) <= 150 for name in NAMES)
    groups = list(ranks(b"key", NAMES, NAMES))
    assert [len(group) for group in groups] == [1, 1, 2, 4, 8]
    assert sorted(order(b"key")) == sorted(NAMES)
    assert list(ranks(b"key", [], [])) == []
