"""Sentences about JSON, TOML and YAML, which no parser reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastedit import Engine
from fastedit.edit.document import Document
from fastedit.edit.request import EditRequest
from fastedit.edit.result import Status
from fastedit.errors import UsageError

from .reading import doubted, surely

PACKAGE = """\
{
  "name": "demo",
  "version": "1.2.0",
  "scripts": {
    "lint": "eslint src"
  },
  "devDependencies": {
    "eslint": "^8.50.0",
    "vitest": "^0.34.0"
  },
  "timeout": 30
}
"""
COMPOSE = """\
version: "3.8"
services:
  web:
    image: shop/web:1.4.2
    debug: true
    environment:
      LOG_LEVEL: info
      quiet: "true"
"""


@pytest.mark.parametrize(
    ("file", "text", "source", "old", "new"),
    [
        ("package.json", "set the timeout to 60", PACKAGE, "30", "60"),
        ("compose.yml", "remove the version key", COMPOSE, 'version: "3.8"\n', ""),
        ("compose.yaml", "set debug to false", COMPOSE, "debug: true", "debug: false"),
        ("a.toml", "set lto to false", "lto = true\n", "true", "false"),
    ],
)
def test_the_engine_reads_sentences_about_data_files_in_their_notation(file, text, source, old, new):
    request = EditRequest(Document.from_text(source, Path(file)), instruction=text, policy="merge")
    result = Engine().apply(request)
    assert (result.status, result.text) == (Status.OK, source.replace(old, new, 1))


def test_of_a_text_file_without_a_notation_no_keys_are_read():
    request = EditRequest(
        Document.from_text(COMPOSE, Path("a.txt")), instruction="remove the version key", policy="merge"
    )
    with pytest.raises(UsageError):
        Engine().apply(request)


@pytest.mark.parametrize("text", ["remove eslint", "move vitest to scripts", "turn off vitest"])
def test_a_key_that_others_may_lean_on_or_that_moves_is_not_surely_changed(text):
    assert doubted(text, PACKAGE, "json")


@pytest.mark.parametrize(
    ("text", "source", "language", "old", "new"),
    [
        ("set LOG_LEVEL to debug", COMPOSE, "yaml", "LEVEL: info", "LEVEL: debug"),
        ("set quiet to false", COMPOSE, "yaml", '"true"', '"false"'),
        ("image should be `shop/web:2.0`", COMPOSE, "yaml", "web:1.4.2", "web:2.0"),
        ("rename the key name to title", PACKAGE, "json", '"name"', '"title"'),
        ("change name to web", PACKAGE, "json", '"demo"', '"web"'),
        ("delete timeout", PACKAGE, "json", '  },\n  "timeout": 30\n', "  }\n"),
    ],
)
def test_plain_words_are_names_and_values_of_data(text, source, language, old, new):
    assert surely(text, source, language) == source.replace(old, new, 1)


@pytest.mark.parametrize(
    "text",
    [
        "set debug to maybe",
        "set LOG_LEVEL to default",
        "don't set LOG_LEVEL to debug",
        "rename web to front",
        "set image to x in db",
        "set missing to debug",
    ],
)
def test_a_word_that_is_no_value_of_the_key_or_a_key_that_others_name_is_not_sure(text):
    assert doubted(text, COMPOSE + "links:\n  - web\n", "yaml")


CARGO = """\
[package]
version = "0.4.1"

[dependencies]
serde = { version = "1.0", features = ["derive"] }
rand = "0.8"

[dev-dependencies]
rand = "0.8"
"""
LOCKED = """\
services:
  db:
    image: postgres:14
  cache:
    image: redis:7-alpine
requires:
  - "requests>=2.28"
  - "click>=8.0,<9"
"""


@pytest.mark.parametrize(
    ("text", "source", "language", "old", "new"),
    [
        ("bump postgres to 16", LOCKED, "yaml", "postgres:14", "postgres:16"),
        ("upgrade requests to 2.31", LOCKED, "yaml", ">=2.28", ">=2.31"),
        ("bump eslint to 9.0.0", PACKAGE, "json", "^8.50.0", "^9.0.0"),
        ("update serde to 1.0.200", CARGO, "toml", '"1.0"', '"1.0.200"'),
        ("bump the version to 0.5.0", CARGO, "toml", "0.4.1", "0.5.0"),
    ],
)
def test_a_version_is_bumped_within_the_range_that_it_begins(text, source, language, old, new):
    assert surely(text, source, language) == source.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "source", "language"),
    [
        ("bump rand to 0.9", CARGO, "toml"),
        ("pin requests to 2.31", LOCKED, "yaml"),
        ("bump redis to 8", LOCKED, "yaml"),
        ("bump click to 9", LOCKED, "yaml"),
        ("bump postgres to 14", LOCKED, "yaml"),
        ("don't bump postgres to 16", LOCKED, "yaml"),
        ("bump postgres to 16 unless it breaks", LOCKED, "yaml"),
        ("bump postgres", LOCKED, "yaml"),
    ],
)
def test_a_version_that_is_bounded_marked_or_given_twice_is_not_surely_bumped(text, source, language):
    assert doubted(text, source, language)


@pytest.mark.parametrize(
    ("text", "source", "language"),
    [
        ("restart should be no", "restart: always\nport: 1\n", "yaml"),
        ("remove the port value", "restart: always\nport: 1\n", "yaml"),
        ("set the timeout to 60s", PACKAGE, "json"),
        ("add click>=8.1 to dependencies", 'dependencies = ["click>=8.0"]\n', "toml"),
    ],
)
def test_what_a_key_is_to_be_is_no_reason_to_remove_it_nor_to_write_it_twice(text, source, language):
    assert doubted(text, source, language)
