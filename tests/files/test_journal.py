from __future__ import annotations

import os
import resource
import signal
import sqlite3
import stat
from functools import partial
from pathlib import Path

import pytest

from fastedit.errors import InputRefused, JournalUnavailable, StaleFile, WriteFailed
from fastedit.files import journal as journal_module
from fastedit.files import save as save_module
from fastedit.files import staging, swap, transaction
from fastedit.files.entry import EntryStatus, JournalEntry
from fastedit.files.journal import Journal
from fastedit.files.save import save
from fastedit.files.undo import undo as take_back
from fastedit.source.document import Document
from tests.files.killing import kill_before_line, run_at_once, run_forked


def never(line: str) -> None:
    raise AssertionError(line)


def edit(path: Path, data: bytes, instruction: str = "change it") -> None:
    save(Document.read(path), data, instruction, 1, never)


def undo(target: Path | int | None = None) -> None:
    with Journal.open() as journal:
        take_back(journal, target)


def entries() -> list[JournalEntry]:
    with Journal.open() as journal:
        return journal.entries()


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "a.py"
    path.write_bytes(b"one\r\n")
    return path


def test_edits_are_undone_one_by_one_to_the_very_bytes(path):
    edit(path, b"two\r\n")
    edit(path, b"three")
    assert path.read_bytes() == b"three"
    undo(path)
    assert path.read_bytes() == b"two\r\n"
    undo(path)
    assert path.read_bytes() == b"one\r\n"
    with pytest.raises(InputRefused, match="no edit left to undo"):
        undo(path)


def test_the_log_lists_the_newest_edit_first(path):
    edit(path, b"two", "rename\n  one   to two " + "x" * 1000)
    edit(path, b"three")
    undo(path)
    newest, oldest = entries()
    assert (newest.status, oldest.status) == (EntryStatus.UNDONE, EntryStatus.WRITTEN)
    assert newest.files[0].before_sha256 == oldest.files[0].after_sha256
    assert oldest.files[0].path == path
    assert oldest.instruction.startswith("rename one to two xxx")
    assert len(oldest.instruction) == 200
    assert oldest.files[0].kept


def test_a_state_folder_that_cannot_be_made_is_told_so():
    with pytest.raises(
        JournalUnavailable, match="its folder cannot be made there; set FASTEDIT_STATE to a writable"
    ):
        Journal.open(Path("/proc/nope"))


def test_an_edit_is_undone_by_its_id_and_through_a_link(path, tmp_path):
    edit(path, b"two")
    undo(entries()[0].id)
    assert path.read_bytes() == b"one\r\n"
    edit(path, b"two")
    link = tmp_path / "link"
    link.symlink_to(path)
    undo(link)
    assert path.read_bytes() == b"one\r\n"
    assert link.is_symlink()


def test_a_file_changed_or_removed_after_the_edit_is_left_alone(path):
    edit(path, b"two")
    path.write_bytes(b"by hand")
    with pytest.raises(StaleFile, match="take later changes back"):
        undo(path)
    assert path.read_bytes() == b"by hand"
    path.unlink()
    with pytest.raises(StaleFile, match="put it back"):
        undo(path)
    assert not path.exists()


def test_a_failed_write_leaves_no_entry(path):
    document = Document.read(path)
    path.write_bytes(b"by hand")
    with pytest.raises(StaleFile):
        save(document, b"two", "", 1, never)
    path.chmod(0o444)
    with pytest.raises(WriteFailed):
        edit(path, b"two")
    assert entries() == []


def save_and_die_at(path: Path, line: int) -> None:
    """Edits the file, and kills the process before the given line that runs in what saves it."""
    files = {module.__file__ for module in (journal_module, save_module, staging, swap, transaction)}
    kill_before_line(line, files)
    edit(path, b"three")


def test_a_kill_before_any_line_leaves_an_edit_that_happened_and_can_be_undone_or_did_not(path):
    edit(path, b"two")
    undone = {b"two": b"one\r\n", b"three": b"two"}
    for line in range(1, 1000, 20):  # every save waits for the disk
        status = run_forked(lambda line=line: save_and_die_at(path, line))
        found = path.read_bytes()
        assert found in undone
        undo(path)
        assert path.read_bytes() == undone[found]
        if status == 0:
            break
        assert os.WTERMSIG(status) == signal.SIGKILL
        path.write_bytes(b"one\r\n")
        edit(path, b"two")
    assert found == b"three"
    assert line > 50


def test_the_newest_bytes_are_kept_and_the_oldest_dropped(path, monkeypatch):
    monkeypatch.setattr(journal_module, "KEPT_BYTES", 1500)
    for _ in range(6):
        edit(path, os.urandom(500).hex().encode())
    kept = [entry.files[0].kept for entry in entries()]
    assert kept[0]
    assert not kept[-2]
    assert kept == sorted(kept, reverse=True)
    monkeypatch.setattr(journal_module, "KEPT_ENTRIES", 3)
    monkeypatch.setattr(journal_module, "KEPT_BYTES", 0)
    edit(path, b"small")
    assert [entry.files[0].kept for entry in entries()] == [True, False, False]
    undo(path)
    with pytest.raises(InputRefused, match="no longer kept"):
        undo(path)


def test_processes_write_at_the_same_time(tmp_path):
    def work(number: int) -> None:
        path = tmp_path / f"{number}.py"
        path.write_bytes(b"0")
        for i in range(1, 6):
            edit(path, f"{number} {i}".encode())
        undo(path)

    assert run_at_once(partial(work, number) for number in range(4)) == [0] * 4
    assert [(tmp_path / f"{n}.py").read_bytes() for n in range(4)] == [f"{n} 4".encode() for n in range(4)]
    with Journal.open() as journal:
        assert len(journal.entries(100)) == 20


def test_of_edits_of_one_file_at_the_same_time_those_that_said_they_wrote_are_in_it(path):
    path.write_bytes(b"".join(b"%d\n" % n for n in range(8)))

    def work(number: int) -> None:
        document = Document.read(path)
        changed = document.encode(document.text.replace(f"{number}\n", f"{number}!\n"))
        try:
            save(document, changed, "", 1, never)
        except StaleFile:
            os._exit(2)

    codes = [os.waitstatus_to_exitcode(one) for one in run_at_once(partial(work, n) for n in range(8))]
    assert set(codes) <= {0, 2}
    assert 0 in codes
    wanted = (b"%d!\n" % n if code == 0 else b"%d\n" % n for n, code in enumerate(codes))
    assert path.read_bytes() == b"".join(wanted)
    assert len(entries()) == codes.count(0)


def test_a_journal_that_cannot_be_used_does_not_stop_the_edit(path, monkeypatch):
    state = Path(os.environ["FASTEDIT_STATE"])
    (state / "journal.sqlite3").write_bytes(b"this is no database, however long one looks at it" * 99)
    lines = []
    assert not save(Document.read(path), b"two", "", 1, lines.append)
    assert path.read_bytes() == b"two"
    assert len(lines) == 1
    assert "not a database" in lines[0]
    assert "cannot be undone" in lines[0]
    monkeypatch.setenv("FASTEDIT_STATE", str(path))
    save(Document.read(path), b"three", "", 1, lines.append)
    assert path.read_bytes() == b"three"
    with pytest.raises(JournalUnavailable):
        undo(path)


def test_a_journal_without_room_or_permission_is_not_to_be_moved_away(path, monkeypatch):
    edit(path, b"two")

    def fill_up() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
        with pytest.raises(JournalUnavailable, match=r"disk I/O error; is its disk full\? free some space"):
            undo()

    assert run_forked(fill_up) == 0

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    # The superuser may read anything, so the refusal itself has to be played.
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(JournalUnavailable, match="Permission denied; make it readable and writable"):
        undo()
    monkeypatch.undo()
    assert path.read_bytes() == b"two"


def test_a_journal_of_a_newer_edition_is_left_alone(path):
    entries()
    with sqlite3.connect(Path(os.environ["FASTEDIT_STATE"]) / "journal.sqlite3") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(JournalUnavailable, match="newer"):
        undo(path)


def test_damaged_bytes_are_never_restored(path):
    edit(path, b"two")
    with sqlite3.connect(Path(os.environ["FASTEDIT_STATE"]) / "journal.sqlite3") as connection:
        connection.execute("UPDATE files SET before = x'00ff'")
    connection.close()
    with pytest.raises(JournalUnavailable, match="damaged"):
        undo(path)
    assert path.read_bytes() == b"two"


@pytest.mark.parametrize(
    "change",
    [
        "entries SET status = 'lost'",
        "entries SET time = 'today'",
        "entries SET time = 1e300",
        "entries SET instruction = x'ff'",
        "entries SET hunks = 'two'",
        "entries SET root = 'folder'",
        "entries SET folders = 'folder'",
        "entries SET undoes = 'one'",
        "files SET path = 'a.py'",
        "files SET path = x'6100'",
        "files SET after_sha256 = x'01'",
        "files SET mode = 'rw'",
        "files SET temporary = x'01'",
        "files SET entry = 2",
    ],
)
def test_an_entry_that_makes_no_sense_is_one_line(path, change):
    edit(path, b"two")
    with sqlite3.connect(Path(os.environ["FASTEDIT_STATE"]) / "journal.sqlite3") as connection:
        connection.execute(f"UPDATE {change}")
    connection.close()
    with pytest.raises(JournalUnavailable, match="edit 1 is damaged; move it away"):
        entries()
    with pytest.raises(JournalUnavailable, match="edit 1 is damaged"):
        undo()
    assert path.read_bytes() == b"two"


def test_no_other_user_can_read_the_journal(path, monkeypatch, tmp_path):
    monkeypatch.setenv("FASTEDIT_STATE", str(tmp_path / "new" / "state"))
    edit(path, b"two")
    assert stat.S_IMODE((tmp_path / "new" / "state").stat().st_mode) == 0o700
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in (tmp_path / "new" / "state").iterdir())


def test_the_state_folder_is_the_users_own_by_default(monkeypatch, tmp_path):
    monkeypatch.delenv("FASTEDIT_STATE")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert entries() == []
    assert list(tmp_path.rglob("journal.sqlite3"))


@pytest.mark.parametrize("journal", [True, False])
@pytest.mark.parametrize("replaced", ["inner", "inner/a.py"])
def test_a_link_that_takes_a_place_after_reading_leads_no_edit_out_of_the_root(
    tmp_path, monkeypatch, replaced, journal
):
    root, outside = tmp_path / "root", tmp_path / "outside"
    (root / "inner").mkdir(parents=True)
    (root / "inner" / "a.py").write_text("a = 1\n")
    document = Document.read(root / "inner" / "a.py")
    (root / replaced).rename(outside)
    (root / replaced).symlink_to(outside)
    if not journal:
        monkeypatch.setenv(
            "FASTEDIT_STATE", str(tmp_path / "outside" / "a.py" if outside.is_dir() else outside)
        )
    with pytest.raises(WriteFailed):
        save(document, b"a = 2\n", "", 1, never, root=root)
    assert (outside / "a.py" if outside.is_dir() else outside).read_text() == "a = 1\n"
