from __future__ import annotations

import fcntl
import itertools
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fastedit.errors import InputRefused
from fastedit.files import recovery
from fastedit.files.change import ContentChange
from fastedit.files.entry import EntryStatus
from fastedit.files.journal import Journal
from fastedit.files.state import recover, state_folder
from fastedit.files.transaction import commit
from tests.files.dying import HALF, killed_at, undo_newest
from tests.files.killing import run_forked
from tests.files.trees import NEW, OLD, effects, files_in, grow, replace, sha256


@pytest.fixture
def grown(tmp_path, monkeypatch):
    """A function that makes the old tree anew, with a journal of its own."""
    numbers = itertools.count()

    def grow_anew() -> Path:
        number = next(numbers)
        monkeypatch.setenv("FASTEDIT_STATE", str(tmp_path / f"state-{number}"))
        (tmp_path / f"root-{number}").mkdir()
        return grow(tmp_path / f"root-{number}")

    return grow_anew


@pytest.mark.parametrize("action", ["commit", "undo", "recover"])
def test_a_kill_at_any_step_leaves_the_whole_old_tree_or_the_whole_new_one(action):
    # A kill takes nothing from what was written, synced or not, so memory does for a disk.
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        run = subprocess.run(
            [sys.executable, "-m", "tests.files.dying", action, folder],
            capture_output=True,
            text=True,
            check=True,
        )
    at_kill, recovered, undone = zip(*json.loads(run.stdout), strict=True)
    assert at_kill.count("neither") > 8
    assert set(recovered) <= {"old", "new"}
    assert recovered[-1] == ("new" if action == "commit" else "old")
    assert set(undone) == {"old"}


def half_written(root: Path) -> None:
    assert killed_at(HALF, lambda: commit(root, effects(), "move things", 1))
    assert files_in(root) not in (OLD, NEW)


def test_what_was_rolled_back_is_said_once(grown):
    half_written(grown())
    assert recover() == ["rolled back edit 1, which was interrupted: move things"]
    assert recover() == []


def test_without_a_crash_recovering_does_not_even_load_the_journal():
    program = (
        "import sys; from fastedit.files.state import recover; print(recover(), 'sqlite3' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "[] False\n"


def test_undo_and_the_next_edit_roll_back_first(grown):
    root = grown()
    half_written(root)
    with pytest.raises(InputRefused, match="no edit left"):
        undo_newest()
    assert files_in(root) == OLD
    root = grown()
    half_written(root)
    commit(root, effects(), "", 1)
    assert files_in(root) == NEW


def test_a_file_changed_after_the_crash_is_left_alone(grown):
    root = grown()
    half_written(root)
    (root / "src" / "old.py").write_bytes(b"by hand")
    recover()
    assert files_in(root) == OLD | {"src/old.py": b"by hand"}


def test_the_same_change_by_another_program_after_the_crash_is_left_alone(grown):
    for step in range(1, 60):
        root = grown()
        assert killed_at(step, lambda root=root: commit(root, effects(), "", 1))
        if (root / "src" / "moved.py").exists() or list(root.glob("src/.fastedit-*")):
            break
    assert (root / "a.py").read_bytes() == OLD["a.py"]  # all still are
    (root / "a.py").write_bytes(NEW["a.py"])
    (root / "src" / "b.py").unlink()
    recover()
    assert files_in(root) == {name: data for name, data in OLD.items() if name != "src/b.py"} | {
        "a.py": NEW["a.py"]
    }


def test_an_edit_that_was_written_but_not_marked_is_kept_though_a_file_was_changed_since(grown):
    root = grown()

    def dying_at_the_end():
        Journal.finish = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
        commit(root, effects(), "", 1)

    assert os.WTERMSIG(run_forked(dying_at_the_end)) == signal.SIGKILL
    (root / "a.py").write_bytes(b"by hand")
    assert recover() == []
    assert files_in(root) == NEW | {"a.py": b"by hand"}
    with Journal.open() as journal:
        assert journal.get(1).status is EntryStatus.WRITTEN


def test_a_root_that_is_away_is_rolled_back_once_it_is_there_again(grown, tmp_path):
    root = grown()
    half_written(root)
    root.rename(tmp_path / "away")
    with Journal.open() as journal:
        assert recovery.recover(journal) == []
    (tmp_path / "away").rename(root)
    with Journal.open() as journal:
        recovery.recover(journal)
    assert files_in(root) == OLD


def test_what_cannot_be_rolled_back_is_said_and_tried_again(grown, monkeypatch):
    root = grown()
    half_written(root)

    def refuse(*args, **kwargs):
        raise PermissionError(1, "Operation not permitted")

    with monkeypatch.context() as broken:
        broken.setattr(os, "replace", refuse)
        with Journal.open() as journal:
            (line,) = recovery.recover(journal)
        assert "edit 1 was interrupted and cannot be rolled back yet" in line
        assert "Operation not permitted" in line
    with Journal.open() as journal:
        assert recovery.recover(journal) == ["rolled back edit 1, which was interrupted: move things"]
    assert files_in(root) == OLD


def test_undo_says_why_the_journal_cannot_let_go_of_an_edit_that_was_taken_back(grown):
    root = grown()
    half_written(root)
    refuses = "CREATE TRIGGER full BEFORE DELETE ON entries BEGIN SELECT RAISE(FAIL, 'disk is full'); END"
    with sqlite3.connect(state_folder() / "journal.sqlite3") as journal:
        journal.execute(refuses)
    with pytest.raises(
        InputRefused, match=r"edit 1 was interrupted and cannot be rolled back yet: .*disk is full"
    ):
        undo_newest()
    assert files_in(root) == OLD
    journal.execute("DROP TRIGGER full")
    journal.close()
    with pytest.raises(InputRefused, match="no edit left to undo"):
        undo_newest()


def test_what_a_living_process_is_writing_is_waited_for(grown):
    root = grown()
    half_written(root)
    state = Path(os.environ["FASTEDIT_STATE"])
    with (state / "journal.lock").open() as lock, ThreadPoolExecutor(1) as pool:
        fcntl.flock(lock, fcntl.LOCK_EX)
        late = pool.submit(recover)
        assert files_in(root) not in (OLD, NEW)
        fcntl.flock(lock, fcntl.LOCK_UN)
        late.result()
    assert files_in(root) == OLD


def test_what_is_pending_keeps_its_bytes_however_much_is_written_since(grown, monkeypatch):
    root = grown()
    half_written(root)
    monkeypatch.setattr("fastedit.files.journal.KEPT_BYTES", 0)
    with Journal.open() as journal:
        journal.add(root, [ContentChange(root / "z", "z", b"z", None)], [], "", 1, None)
        kept = [file.kept for file in journal.get(1).files]
    assert kept == [True] * 7


def test_a_single_file_leaves_no_temporary_file_behind(grown):
    root = grown()
    replaced = [replace("a.py", NEW["a.py"], sha256(OLD["a.py"]))]
    assert killed_at(4, lambda: commit(root, replaced, "", 1))
    assert len(files_in(root)) == 5
    recover()
    assert files_in(root) == OLD
