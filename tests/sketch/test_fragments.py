"""Pieces of data files: of keys that an update does not show nothing goes, and what a comment names does."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastedit.engine.merge.merge import Merge
from fastedit.request import LineRange
from fastedit.source.document import Document
from fastedit.source.hunks import apply_hunks

TOML = """[package]
name = "copier"
version = "0.4.1"
edition = "2021"
license = "MIT"
description = "Copies texts"
repository = "https://example.org/copier"

[dependencies]
serde = { version = "1.0", features = ["derive"] }
anyhow = "1.0.75"
tracing = "0.1"
walkdir = "2.4"

[dev-dependencies]
insta = { version = "1.34", features = ["glob"] }
tempfile = "3.8"
"""
JSON = """{
  "name": "copier",
  "scripts": {
    "test:unit": "vitest",
    "lint": "eslint src",
    "format": "prettier --write src",
    "release": "changeset publish",
    "build": "tsc --noEmit"
  },
  "dependencies": {
    "@types/node": "^20.1.0",
    "zod": "^3.22.0"
  }
}
"""
YAML = """name: tests
on: [push]
jobs:
  lint:
    runs-on: ubuntu-22.04
    timeout-minutes: 10
    steps:
      - uses: actions/checkout@v4
      - run: make lint
  unit:
    runs-on: ubuntu-22.04
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@v4
      - run: make test
"""
INI = """[testenv]
description = run the tests
deps = pytest
commands = pytest {posargs}

[testenv:lint]
description = check the style
skip_install = true
deps = ruff
commands = ruff check .
"""
CSS = """.card {
  display: flex;
  color: #222;
  padding: 8px;
}

.card:hover {
  outline: none;
  color: #333;
}
"""


def merged(name: str, old: str, update: str) -> str:
    document = Document.from_text(old, Path(name))
    return apply_hunks(document, Merge(document, update, LineRange(0, len(document.lines))).best.hunks)


@pytest.mark.parametrize(
    ("name", "old", "update", "changes"),
    [
        pytest.param(
            "Cargo.toml",
            TOML,
            '[package]\nversion = "0.4.2"\n\n[dependencies]\nanyhow = "1.0.80"\n',
            {"0.4.1": "0.4.2", "1.0.75": "1.0.80"},
            id="TOML, two tables",
        ),
        pytest.param(
            "Cargo.toml",
            TOML,
            '[dev-dependencies]\ninsta = { version = "1.34", features = ["glob", "json"] }\n',
            {'["glob"]': '["glob", "json"]'},
            id="TOML, one key",
        ),
        pytest.param(
            "package.json",
            JSON,
            '{\n  "dependencies": {\n    "@types/node": "^22.0.0"\n  }\n}\n',
            {"^20.1.0": "^22.0.0"},
            id="JSON, the whole path",
        ),
        pytest.param(
            "ci.yml",
            YAML,
            "jobs:\n  unit:\n    timeout-minutes: 40\n",
            {"timeout-minutes: 20": "timeout-minutes: 40"},
            id="YAML",
        ),
        pytest.param(
            "tox.ini",
            INI,
            "[testenv:lint]\ndeps = ruff>=0.5\n",
            {"deps = ruff\n": "deps = ruff>=0.5\n"},
            id="INI",
        ),
        pytest.param("card.css", CSS, ".card:hover {\n  color: #444;\n}\n", {"#333": "#444"}, id="CSS"),
    ],
)
def test_what_a_piece_of_data_does_not_show_stays(name, old, update, changes):
    wanted = old
    for one, other in changes.items():
        wanted = wanted.replace(one, other)
    assert merged(name, old, update) == wanted


def test_a_new_key_comes_next_to_one_that_is_shown():
    update = "[testenv]\ndeps = pytest\npassenv = CI\n"
    assert merged("tox.ini", INI, update) == INI.replace("deps = pytest\n", "deps = pytest\npassenv = CI\n")


def test_an_entry_goes_that_a_file_shown_whole_lacks():
    assert merged("tox.ini", INI, INI.replace("skip_install = true\n", "")) == INI.replace(
        "skip_install = true\n", ""
    )


@pytest.mark.parametrize(
    ("name", "old", "update", "gone"),
    [
        pytest.param("a.toml", TOML, '[dependencies]\n# remove "tracing"\n', 'tracing = "0.1"\n', id="TOML"),
        pytest.param(
            "a.ini", INI, "[testenv:lint]\n# removed skip_install\n", "skip_install = true\n", id="INI"
        ),
        pytest.param(
            "a.json",
            JSON,
            '  "scripts": {\n    // remove "release"\n  },\n',
            '    "release": "changeset publish",\n',
            id="JSON",
        ),
    ],
)
def test_the_entries_next_to_one_that_goes_stay(name, old, update, gone):
    assert merged(name, old, update) == old.replace(gone, "")


@pytest.mark.parametrize(
    ("update", "gone"),
    [
        ('  "dependencies": {\n    // "@types/node" removed\n  }\n', '    "@types/node": "^20.1.0",\n'),
        ('    "lint": "eslint src",\n    // drop "format"\n', '    "format": "prettier --write src",\n'),
    ],
)
def test_a_key_goes_whose_name_in_quotes_a_comment_says_is_dropped(update, gone):
    assert merged("package.json", JSON, update) == JSON.replace(gone, "")
