import json
import zipfile
from pathlib import Path

import pytest

from evals import edits, pypi
from evals.edits import LOCK, RealEdit, changed_files, load, share_changed
from evals.table import table


def numbered(count: int) -> list[str]:
    return [f"line {i}" for i in range(count)]


def test_the_share_changed_counts_each_replaced_inserted_and_deleted_line_once():
    lines = numbered(20)
    assert share_changed(lines, lines) == 0.0
    assert share_changed(lines, ["other", *lines[1:]]) == pytest.approx(1 / 20)
    assert share_changed(lines, [*lines, "more"]) == pytest.approx(1 / 21)
    assert share_changed(lines, lines[2:]) == pytest.approx(2 / 20)


def test_only_files_of_both_releases_that_differ_are_edits():
    text = "\n".join(numbered(12))
    old = {"same.py": text, "gone.py": text, "edited.py": text, "short.py": "x = 1\n"}
    new = {"same.py": text, "new.py": text, "edited.py": text + "\nmore", "short.py": "x = 2\n"}
    (found,) = changed_files(old, new, "pkg")
    assert found == RealEdit("pkg", "edited.py", text, text + "\nmore", round(1 / 13, 5))


def test_a_saved_split_is_loaded_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(edits, "DATA", tmp_path)
    found = [RealEdit("pkg", "a.py", "old\u2028\n", "new\n", 0.5)]
    edits.write(edits._data_file("dev"), found)
    assert load("dev") == found


def test_data_that_is_not_built_names_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(edits, "DATA", tmp_path)
    with pytest.raises(FileNotFoundError, match=r"evals\.edits build"):
        load("test")


def test_the_splits_share_no_package_and_every_release_is_pinned():
    lock = json.loads(LOCK.read_text())
    names = [entry["package"] for entries in lock.values() for entry in entries]
    assert set(lock) == {"test", "dev", "train"}
    assert len(names) == len(set(names))
    for entries in lock.values():
        for entry in entries:
            assert all(len(entry[side]["sha256"]) == 64 for side in ("old", "new"))


def test_a_wheel_is_recognised_by_its_hash_and_read_without_damage(tmp_path: Path):
    path = tmp_path / "some_pkg-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("pkg/a.py", "x = 'ä'\n")
        archive.writestr("pkg/latin.py", b"\xe4")
        archive.writestr("pkg/dos.py", "x = 1\r\n")
        archive.writestr("pkg/data.txt", "no")
    digest = pypi.hashlib.sha256(path.read_bytes()).hexdigest()
    assert pypi.wheel(pypi.Release("some-pkg", "1.0", digest), tmp_path) == path
    assert pypi.wheel(pypi.Release("some-pkg", "1.0", "0" * 64), tmp_path) is None
    assert list(pypi.python_files(path)) == [("pkg/a.py", "x = 'ä'\n")]


def test_tables_line_up():
    assert table(["a", "b"], [["x", "1"], ["long", "22"]]).split("\n") == [
        "| a    |  b |",
        "| ---- | -: |",
        "| x    |  1 |",
        "| long | 22 |",
    ]
