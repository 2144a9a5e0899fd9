from __future__ import annotations

import fcntl
import os
import random
import resource
import signal
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fastedit.errors import StaleFile, WriteFailed
from fastedit.files import folder, locks, staging, swap
from fastedit.files.change import ContentChange
from fastedit.files.swap import swap_one
from fastedit.files.write import rehearse, replacing
from tests.files.killing import kill_before_call, kill_before_line, run_forked

OLD, NEW = b"old\n" * 50_000, b"new\n" * 60_000


def replace(path: Path, old: bytes = OLD, new: bytes = NEW) -> None:
    swap_one(path.parent, ContentChange(path, str(path), old, new, like=path))


def put(path: str | Path, data: bytes) -> None:
    change = replacing(path, data)
    swap_one(change.path.parent, change)


def write_and_die_at(path: Path, line: int) -> None:
    """Writes, and kills the process before the given line that runs within the module."""
    kill_before_line(line, {module.__file__ for module in (folder, staging, swap)})
    replace(path)


def test_a_kill_before_any_line_leaves_the_file_wholly_old_or_wholly_new(tmp_path):
    path = tmp_path / "a.py"
    seen = []
    for line in range(1, 300, 4):
        path.write_bytes(OLD)
        status = run_forked(lambda line=line: write_and_die_at(path, line))
        seen.append(path.read_bytes())
        assert seen[-1] in (OLD, NEW)
        if status == 0:
            break
        assert os.WTERMSIG(status) == signal.SIGKILL
    assert seen[0] == OLD
    assert seen[-1] == NEW
    assert len(seen) > 15
    # Once new it stays new: there is one moment at which the file changes.
    assert seen == sorted(seen, key=lambda data: data == NEW)


def test_a_kill_at_a_random_moment_leaves_the_file_wholly_old_or_wholly_new(tmp_path):
    path = tmp_path / "a.py"
    path.write_bytes(OLD)
    moments = random.Random(7)
    for _ in range(25):
        child = os.fork()
        if child == 0:
            while True:
                put(path, NEW)
                put(path, OLD)
        time.sleep(moments.random() / 50)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        assert path.read_bytes() in (OLD, NEW)


def test_a_full_disk_leaves_the_file_untouched_and_nothing_behind(tmp_path):
    path = tmp_path / "a.py"
    path.write_bytes(OLD)

    def fill_up():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(NEW) // 2, len(NEW) // 2))
        with pytest.raises(WriteFailed, match="File too large; raise the limit"):
            replace(path)

    assert run_forked(fill_up) == 0
    assert path.read_bytes() == OLD
    assert os.listdir(tmp_path) == ["a.py"]


def test_a_failing_disk_is_one_line_with_a_way_out(tmp_path, monkeypatch):
    path = tmp_path / "a.py"
    path.write_bytes(OLD)

    def refuse(file, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", refuse)
    with pytest.raises(WriteFailed) as caught:
        replace(path)
    assert str(caught.value) == f"{path}: No space left on device; free some space and try again"
    assert path.read_bytes() == OLD
    assert os.listdir(tmp_path) == ["a.py"]


def test_a_rehearsal_finds_a_full_disk_and_leaves_nothing_behind(tmp_path):
    path = tmp_path / "a.py"
    path.write_bytes(OLD)

    def fill_up():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(OLD) // 2, len(OLD) // 2))
        with pytest.raises(WriteFailed, match="File too large; raise the limit"):
            rehearse(path, len(OLD))

    assert run_forked(fill_up) == 0
    assert run_forked(lambda: rehearse(path, len(OLD))) == 0
    assert path.read_bytes() == OLD
    assert os.listdir(tmp_path) == ["a.py"]


def test_a_rehearsal_that_is_killed_while_it_writes_leaves_nothing_behind(tmp_path):
    path = tmp_path / "a.py"
    path.write_bytes(OLD)

    def dying():
        kill_before_call(1, [(os, "write")])
        rehearse(path, len(OLD))

    assert os.WTERMSIG(run_forked(dying)) == signal.SIGKILL
    assert os.listdir(tmp_path) == ["a.py"]


def test_a_file_changed_or_removed_meanwhile_is_not_overwritten(tmp_path):
    path = tmp_path / "a.py"
    path.write_bytes(b"changed")
    with pytest.raises(StaleFile, match="changed on disk"):
        replace(path)
    assert path.read_bytes() == b"changed"
    path.unlink()
    with pytest.raises(StaleFile, match="removed"):
        replace(path)
    assert os.listdir(tmp_path) == []


def test_a_change_after_the_comparison_is_noticed_too(tmp_path, monkeypatch):
    path = tmp_path / "a.py"
    path.write_bytes(OLD)
    monkeypatch.setattr(staging, "fill", lambda file, data: path.write_bytes(b"changed"))
    with pytest.raises(StaleFile, match="while"):
        replace(path)
    assert path.read_bytes() == b"changed"
    assert os.listdir(tmp_path) == ["a.py"]


def test_the_mode_is_kept_and_a_new_file_gets_the_usual_one(tmp_path):
    path = tmp_path / "a.sh"
    path.write_bytes(OLD)
    path.chmod(0o750)
    replace(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o750
    assert path.read_bytes() == NEW
    (tmp_path / "usual").touch()
    put(tmp_path / "new", NEW)
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_symbolic_link_stays_and_its_target_is_written(tmp_path):
    (tmp_path / "folder").mkdir()
    target = tmp_path / "folder" / "a.py"
    target.write_bytes(OLD)
    link = tmp_path / "link.py"
    link.symlink_to("folder/a.py")
    put(link, NEW)
    assert link.is_symlink()
    assert target.read_bytes() == NEW
    assert os.listdir(target.parent) == ["a.py"]


def test_what_must_not_be_replaced_is_refused(tmp_path):
    path = tmp_path / "a.py"
    path.write_bytes(OLD)
    path.chmod(0o444)
    with pytest.raises(WriteFailed, match="read-only"):
        replace(path)
    with pytest.raises(WriteFailed, match="not a regular file"):
        put(tmp_path, NEW)
    with pytest.raises(WriteFailed, match="not a regular file"):
        put("/dev/null", NEW)
    with pytest.raises(WriteFailed, match="create its folder"):
        put(tmp_path / "no" / "a.py", NEW)
    for place, words in ((path, "read-only"), (tmp_path, "regular"), (tmp_path / "no" / "a", "create")):
        with pytest.raises(WriteFailed, match=words):
            rehearse(place, 1)
    assert path.read_bytes() == OLD


def test_a_write_waits_for_another_writer_and_then_finds_the_file_changed(tmp_path):
    path = tmp_path / "a.py"
    path.write_bytes(b"old")
    with path.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with ThreadPoolExecutor(1) as pool:
            late = pool.submit(replace, path, b"old", b"late")
            path.write_bytes(b"new")
            fcntl.flock(other, fcntl.LOCK_UN)
            with pytest.raises(StaleFile):
                late.result()
    assert path.read_bytes() == b"new"


def test_a_file_that_a_program_never_lets_go_is_written_all_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(locks, "_PATIENCE_S", 0.05)
    path = tmp_path / "a.py"
    path.write_bytes(b"old")
    with path.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        replace(path, b"old", b"new")
    assert path.read_bytes() == b"new"
