"""Releases are taken from archives as they are pinned, source files only."""

from __future__ import annotations

import io
import json
import tarfile

import pytest
from typer.testing import CliRunner

from evals import languages
from fastedit.train.fetch import Unavailable


def archive(path, files):
    with tarfile.open(path, "w:gz") as tar:
        for name, data in files.items():
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return path


def test_only_source_files_of_the_named_folders_are_read(tmp_path):
    files = {
        "src/a.ts": b"let a = 1;\n",
        "src/readme.md": b"text\n",
        "src/windows.ts": b"let a = 1;\r\n",
        "src/built.js": b"x" * 500,
        "src/latin.c": b"// \xe9\n",
        "lib/a.js": b"var a = 1;\n",
    }
    found = languages.source_files(archive(tmp_path / "a.tgz", files), ["src"])
    assert dict(found) == {"src/a.ts": "let a = 1;\n"}


def test_a_package_to_train_on_that_cannot_be_had_is_listed_and_one_to_measure_on_ends_the_build(
    tmp_path, monkeypatch
):
    (tmp_path / "releases").mkdir()
    (tmp_path / "releases" / "left-1.0.0.tgz").write_bytes(b"something else")
    pinned = {"version": "1.0.0", "files": {"left-1.0.0.tgz": "0" * 64}}
    entry = {"package": "npm:left", "folders": ["src"], "old": pinned, "new": pinned}
    monkeypatch.setattr(languages, "DATA", tmp_path)
    for split, code in (("train", 0), ("dev", 1)):
        lock = tmp_path / f"{split}.json"
        lock.write_text(json.dumps({split: [entry]}))
        monkeypatch.setattr(languages, "LOCK", lock)
        assert CliRunner().invoke(languages.app, ["build"]).exit_code == code
        assert (tmp_path / f"languages-{split}.jsonl.gz").exists() == (split == "train")


def test_an_archive_with_another_hash_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(languages, "DATA", tmp_path)
    (tmp_path / "releases").mkdir()
    (tmp_path / "releases" / "left-1.0.0.tgz").write_bytes(b"something else")
    with pytest.raises(Unavailable, match="differs from the lock file"):
        languages.release("npm:left", "1.0.0", {"left-1.0.0.tgz": "0" * 64})
