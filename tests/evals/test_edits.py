import io
import json
import tarfile
import zipfile
from dataclasses import asdict
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evals import edits
from evals.edits import RealEdit, changed_files, load, share_changed
from fastedit.errors import FileUnreadable
from fastedit.train import jsonl
from fastedit.train.sources.fetch import Unavailable
from fastedit.train.table import table


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
    jsonl.write(edits._data_file("dev", "edits"), map(asdict, found))
    assert load("dev") == found


def test_data_that_is_not_built_names_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(edits, "DATA", tmp_path)
    with pytest.raises(FileUnreadable, match=r"evals\.edits build"):
        load("test")


@pytest.mark.parametrize("name", edits.SETS)
def test_the_splits_share_no_package_and_every_release_is_pinned(name):
    locks = [json.loads(lock.read_text()) for lock in edits.SETS[name].locks]
    assert all(set(lock) == {"test", "dev", "train"} for lock in locks)
    packages = [{entry["package"] for lock in locks for entry in lock[split]} for split in locks[0]]
    assert len(set().union(*packages)) == sum(map(len, packages))
    for entry in (entry for lock in locks for entries in lock.values() for entry in entries):
        assert all(len(digest) == 64 for s in ("old", "new") for digest in entry[s]["files"].values())


def archive(path: Path, files: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as tar:
        for name, data in files.items():
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return path


def test_a_wheel_is_read_without_damage(tmp_path: Path):
    path = tmp_path / "some_pkg-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("pkg/a.py", "x = 'ä'\n")
        wheel.writestr("pkg/latin.py", b"\xe4")
        wheel.writestr("pkg/dos.py", "x = 1\r\n")
        wheel.writestr("pkg/data.txt", "no")
    assert list(edits.SETS["edits"].files(path, {})) == [("pkg/a.py", "x = 'ä'\n")]


def test_only_source_files_of_the_named_folders_are_read(tmp_path: Path):
    files = {
        "src/a.ts": b"let a = 1;\n",
        "src/readme.md": b"text\n",
        "src/windows.ts": b"let a = 1;\r\n",
        "src/built.js": b"x" * 500,
        "src/latin.c": b"// \xe9\n",
        "lib/a.js": b"var a = 1;\n",
    }
    found = edits.source_files(archive(tmp_path / "a.tgz", files), ["src"])
    assert dict(found) == {"src/a.ts": "let a = 1;\n"}


def test_a_package_to_train_on_that_cannot_be_had_is_listed_and_one_to_measure_on_ends_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "releases").mkdir()
    (tmp_path / "releases" / "left-1.0.0.tgz").write_bytes(b"something else")
    pinned = {"version": "1.0.0", "files": {"left-1.0.0.tgz": "0" * 64}}
    entry = {"package": "npm:left", "folders": ["src"], "old": pinned, "new": pinned}
    monkeypatch.setattr(edits, "DATA", tmp_path)
    for split, code in (("train", 0), ("dev", 1)):
        lock = tmp_path / f"{split}.json"
        lock.write_text(json.dumps({split: [entry]}))
        monkeypatch.setattr(edits, "SETS", {"edits": edits.EditSet([lock], edits.SETS["edits"].files)})
        assert CliRunner().invoke(edits.app, ["build"]).exit_code == code
        assert (tmp_path / f"edits-{split}.jsonl.gz").exists() == (split == "train")


def test_an_archive_with_another_hash_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(edits, "DATA", tmp_path)
    (tmp_path / "releases").mkdir()
    (tmp_path / "releases" / "left-1.0.0.tgz").write_bytes(b"something else")
    with pytest.raises(Unavailable, match="differs from the lock file"):
        edits.release("npm:left", "1.0.0", {"left-1.0.0.tgz": "0" * 64})


def test_tables_line_up_with_figures_to_the_right_and_words_to_the_left():
    assert table(["a", "b", "c"], [["x", "1", "yes"], ["long", "22", ""]]).split("\n") == [
        "| a    |  b | c   |",
        "| ---- | -: | --- |",
        "| x    |  1 | yes |",
        "| long | 22 |     |",
    ]
