"""What an update is taken for, line by line, and why not otherwise."""

from __future__ import annotations

import re

import pytest
from typer.testing import CliRunner

from fastedit.cli.app import app
from fastedit.sketch.paths.weights import NAMES
from tests.cli.caches import CACHES


@pytest.fixture
def explained(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(CACHES)

    def run(update: str, *more: str):
        (tmp_path / "update").write_text(update)
        return CliRunner().invoke(app, ["explain", "a.py", "-u", "update", *more])

    return run


POOL = """\
class Pool:
    def take(self):
        with self.lock:
            return self.free.pop()

    def close(self):
        for item in self.free:
            item.close()
        self.free = []


class Queue:
    def take(self):
        with self.lock:
            return self.items.pop()
"""
STORE = """\
export class Store {
  load(path: string): Row[] {
    const text = open(path);
    this.rows = parse(text);
    return this.rows;
  }

  save(path: string): void {
    write(path, this.rows);
  }
}
"""
LOAD = """\
package store

import "os"

func Load(path string) ([]byte, error) {
\tdata, err := os.ReadFile(path)
\tif err != nil {
\t\treturn nil, err
\t}
\treturn data, nil
}
"""
FILES = """\
pub fn load(path: &str) -> Vec<u8> {
    let data = fs::read(path).unwrap();
    data
}

pub fn save(path: &str, data: &[u8]) {
    fs::write(path, data).unwrap();
}
"""
BUILD = """\
name: build
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: make test
  lint:
    runs-on: ubuntu-latest
    steps:
      - run: make lint
"""
SKETCHES = [
    (
        "a.py",
        "# ...\n    def take(self, wait):\n        # ...\n    def close(self):\n        # removed: the loop\n"
        "        self.free = []\n# ...\n",
        ["update line 2 changes file line 2", "update line 5 says that file lines 7-8 go"],
    ),
    (
        "a.py",
        "    def take(self):\n        count()\n        with self.lock:\n",
        ["update line 2 is new, after file line 2; in reading 1 it is new, after file line 13"],
    ),
    (
        "a.py",
        "# ...\nclass Queue:\n    # ...\n\n    def close(self):\n        self.items = []\n",
        ["update line 1 is a marker for file lines 1-11", "update lines 4-6 are new, after file line 15"],
    ),
    (
        "a.ts",
        "// ...\n  load(path: string, most = 9): Row[] {\n    // ...\n    return this.rows.slice(most);\n  }\n// ...\n",
        ["update line 3 is a marker for file lines 3-4", "update line 4 changes file line 5"],
    ),
    (
        "a.ts",
        "export class Store {\n  // ...\n\n  clear(): void {\n    this.rows = [];\n  }\n}\n",
        ["update line 2 is a marker for file lines 2-10", "update lines 3-6 are new, after file line 10"],
    ),
    (
        "a.go",
        'import (\n\t"errors"\n\t"os"\n)\n\n// ...\n',
        ["file lines 1-2 stay without a marker", "update line 6 is a marker for file lines 5-11"],
    ),
    (
        "a.go",
        LOAD[LOAD.index("func") :].replace("nil, err", "nil, wrap(err)"),
        ["update lines 1-3 are file lines 5-7", "update line 4 changes file line 8"],
    ),
    (
        "a.rs",
        "pub fn load(path: &str) -> io::Result<Vec<u8>> {\n    fs::read(path)\n}\n// ...\n",
        ["update lines 1-2 change file lines 1-2", "file line 3 goes, as nothing in the update keeps it"],
    ),
    (
        "a.yml",
        "jobs:\n  # ...\n  lint:\n    # ...\n    steps:\n      - run: make lint types\n",
        ["update line 2 is a marker for file lines 3-6", "update line 6 changes file line 10"],
    ),
    (
        "a.yml",
        "    steps:\n      - run: make\n      - run: make test\n",
        ["update line 1 is file line 5", "update line 2 is new, after file line 5"],
    ),
]


@pytest.mark.parametrize(
    ("name", "update", "wanted"), SKETCHES, ids=[f"{name} {at}" for at, (name, *_) in enumerate(SKETCHES)]
)
def test_each_line_of_an_update_is_told_with_what_it_is_taken_for(
    tmp_path, monkeypatch, name, update, wanted
):
    monkeypatch.chdir(tmp_path)
    source = {"a.py": POOL, "a.ts": STORE, "a.go": LOAD, "a.rs": FILES, "a.yml": BUILD}[name]
    (tmp_path / name).write_text(source)
    (tmp_path / "update").write_text(update)
    said = CliRunner().invoke(app, ["explain", name, "-u", "update"]).stdout
    assert said.startswith("reading 1 of ")
    assert [line for line in wanted if f"  {line}\n" not in said] == [], said


def test_numbers_and_names_of_features_are_told_where_they_are_asked_for(explained):
    update = "        return None\n"
    run = explained(update)
    assert "reading 2 of " in run.stdout
    assert "  for reading 1: in reading " in run.stdout
    features = re.findall(r"^ +[+-]\d+\.\d\d  (.+)$", explained(update, "--features").stdout, re.MULTILINE)
    assert features
    assert set(features) <= set(NAMES)
    assert not any(feature in run.stdout for feature in NAMES if ": " in feature)


def test_an_update_of_which_nothing_stands_in_the_file_is_refused(explained):
    run = explained("def other():\n    pass\n")
    assert run.exit_code == 4
    assert "nothing in the update tells where it belongs" in run.stderr


def test_the_newest_edit_is_explained_on_the_file_as_it_was_before(explained, tmp_path, monkeypatch):
    monkeypatch.setenv("FASTEDIT_STATE", str(tmp_path / "state"))
    update = "# ... existing code ...\n" + CACHES.splitlines()[-1] + "\nx = 1\n"
    wanted = explained(update).stdout
    assert CliRunner().invoke(app, ["apply", "a.py", "-u", "update", "--write", "--force"]).exit_code == 0
    assert CliRunner().invoke(app, ["explain"]).stdout == wanted


def test_without_an_edit_or_with_half_of_the_arguments_the_way_out_is_told(explained, tmp_path, monkeypatch):
    monkeypatch.setenv("FASTEDIT_STATE", str(tmp_path / "state"))
    nothing = CliRunner().invoke(app, ["explain"])
    assert nothing.exit_code == 4
    assert "name a file and its --update" in nothing.stderr
    half = CliRunner().invoke(app, ["explain", "a.py"])
    assert half.exit_code == 2
    assert "give both" in half.stderr
