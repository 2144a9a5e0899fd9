"""What holds for whatever data file: checked on made-up ones, with parsers that the operations do not use as theirs."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from fastedit.errors import OperationRefused
from fastedit.ops.keys.entry import KeyEntry
from fastedit.ops.keys.operations import opened
from fastedit.ops.source import Source
from fastedit.source.document import Document
from tests.ops.keys.keyed import (
    VALUES,
    add_item,
    delete_key,
    done,
    json_files,
    remove_item,
    rename_key,
    set_key,
    toml_files,
    yaml_files,
)

FILES = {"json": json_files(), "toml": toml_files(), "yaml": yaml_files()}
each = pytest.mark.parametrize("language", FILES)
REASONS = ("after dots in brackets", "the comment on line", "is of another type")


def entries(text: str, language: str) -> list[KeyEntry]:
    return list(opened(Source(Document.from_text(text).lines, language)).root.walk())


def pointer(*path: str) -> str:
    return "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in path)


def keys(text: str, language: str) -> list[KeyEntry]:
    return [at for at in entries(text, language) if at.parent is not None and at.parent.kind == "map"]


def some(data: st.DataObject, found: list[KeyEntry]) -> KeyEntry:
    return data.draw(st.sampled_from(found))


def kept(old: str, new: str) -> bool:
    """Whether the lines of one text are among those of the other, in order."""
    lines = iter(new.split("\n"))
    return all(line in lines for line in old.split("\n"))


@each
@given(st.data())
def test_a_key_renamed_there_and_back_is_the_identity(language, data):
    text = data.draw(FILES[language].filter(str.strip))
    entry = some(data, keys(text, language))
    new = done(f"a.{language}", text, rename_key(pointer(*entry.path), "fresh"))
    assert new != text
    assert done(f"a.{language}", new, rename_key(pointer(*entry.path[:-1], "fresh"), entry.key)) == text


@each
@given(st.data())
def test_a_new_key_keeps_all_lines_and_deleted_again_leaves_the_text(language, data):
    text = data.draw(FILES[language]).rstrip("\n") + "\n"
    entry = some(data, [at for at in entries(text, language) if at.kind == "map"])
    path = pointer(*entry.path, "fresh")
    new = attempted(f"a.{language}", text, set_key(path, 1))
    if new is None:
        return
    if entry.sections or language != "toml":
        assert done(f"a.{language}", new, delete_key(path)) == text
    if "{" not in text:
        assert kept(text, new)


@each
@given(st.data())
def test_an_item_added_and_removed_again_is_the_identity(language, data):
    text = data.draw(FILES[language]).rstrip("\n") + "\n"
    found = [
        at for at in entries(text, language) if at.kind == "list" and at.children and at.value is not None
    ]
    if not found:
        return
    path = pointer(*some(data, found).path)
    new = done(f"a.{language}", text, add_item(path, "fresh"))
    assert done(f"a.{language}", new, remove_item(path, "fresh")) == text


@each
@given(st.data())
def test_a_deleted_key_takes_only_its_lines(language, data):
    text = data.draw(FILES[language].filter(str.strip))
    entry = some(data, keys(text, language))
    new = attempted(f"a.{language}", text, delete_key(pointer(*entry.path)))
    if new is None:
        return
    assert new != text
    assert len(new) <= len(text)  # `- a:` becomes `- {}`
    brackets = any(mark in text for mark in "{}[]") or len(entry.parent.children) == 1
    assert brackets or language == "yaml" or kept(new.rstrip("\n"), text)


@given(json_files(), VALUES, st.data())
def test_a_value_that_is_set_in_json_is_all_that_changes(text, value, data):
    if "//" in text:
        return
    entry = some(data, [at for at in entries(text, "json") if at.path])
    new = attempted("a.json", text, set_key(pointer(*entry.path), value))
    wanted = json.loads(text)
    assign(wanted, entry, value)
    assert new is None or json.loads(new) == wanted


@given(yaml_files(), VALUES, st.data())
def test_a_value_that_is_set_in_yaml_is_all_that_changes(text, value, data):
    entry = some(data, [at for at in entries(text, "yaml") if at.path])
    new = attempted("a.yaml", text, set_key(pointer(*entry.path), value))
    if new is None or "yes" in text:
        return
    wanted = yaml.safe_load(text)
    assign(wanted, entry, value)
    assert yaml.safe_load(new) == wanted


def attempted(name: str, text: str, operation: dict[str, Any]) -> str | None:
    """The text after an operation; None where it is refused for one of the reasons that made-up files give."""
    try:
        return done(name, text, operation)
    except OperationRefused as error:
        if not any(reason in str(error) for reason in REASONS):
            raise
        return None


def assign(data: Any, entry: KeyEntry, value: object) -> None:
    for key in entry.path[:-1]:
        data = data[int(key) if isinstance(data, list) else key]
    data[int(entry.key) if isinstance(data, list) else entry.key] = value
