"""Which key a path means, which values are taken, and what the command line makes of its words."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from fastedit.cli.app import app
from fastedit.errors import TargetUnresolved
from tests.ops.keys.keyed import (
    add_item,
    delete_key,
    done,
    outcome,
    refused,
    remove_item,
    rename_key,
    set_key,
)

JOBS = """\
name: CI
jobs:
  build:
    python: "3.14"
    steps:
      - run: make
  docs:
    python: "3.13"
    only: here
"""


@pytest.mark.parametrize(
    "key",
    [
        "jobs.build.steps.0.run",
        "jobs.build.steps[0].run",
        "/jobs/build/steps/0/run",
        'jobs."build".steps.0.run',
    ],
)
def test_a_path_is_written_with_dots_or_as_a_pointer(key):
    assert done("a.yml", JOBS, set_key(key, "test")) == JOBS.replace("run: make", "run: test")


def test_the_end_of_a_path_is_enough_where_one_key_has_it():
    text, found = outcome("a.yml", JOBS, delete_key("only"))
    assert text == JOBS.replace("    only: here\n", "")
    assert found.notes == ("only is `jobs.docs.only`",)


def test_several_keys_with_the_same_end_are_offered():
    with pytest.raises(TargetUnresolved) as error:
        done("a.yml", JOBS, delete_key("python"))
    assert [place.line for place in error.value.candidates] == [3, 7]
    assert "line 4: `jobs.build.python`; line 8: `jobs.docs.python`" in str(error.value)
    assert done("a.yml", JOBS, delete_key("python@8")) == JOBS.replace('    python: "3.13"\n', "")


def test_a_key_that_could_be_new_or_the_end_of_another_is_asked_for():
    said = refused("a.yml", JOBS, set_key("only", "there"))
    assert (
        said
        == "a.yml: only: is not there, but line 9: `jobs.docs.only`; name it in full, or /only for a new key"
    )
    assert done("a.yml", JOBS, set_key("/only", "there")) == JOBS + "only: there\n"
    assert done("a.yml", JOBS, set_key("docs.only", "there")) == JOBS.replace("only: here", "only: there")


def test_keys_above_are_created_only_where_that_is_asked_for():
    assert (
        refused("a.yml", JOBS, set_key("on.push.tags", "v*"))
        == "a.yml: set-key: `on` is not there; `parents` creates it"
    )
    new = done("a.yml", JOBS, set_key("on.push.tags", "v*", parents=True))
    assert new == JOBS + '"on":\n  push:\n    tags: v*\n'


@pytest.mark.parametrize(
    ("name", "text"), [("a.json", '{"a": 1, "b": 2, "a": 3}'), ("a.yml", "a: 1\nb: 2\na: 3\n")]
)
def test_a_key_that_stands_twice_is_refused_and_others_are_not(name, text):
    assert "a: is there 2 times" in refused(name, text, set_key("a", 4))
    assert done(name, text, set_key("b", 4)) == text.replace("2", "4")


def test_a_key_with_dots_is_found_by_its_spelling():
    text = '{"a.b": {"c/d": 1}}'
    for key in ("a.b.c/d", '"a.b"."c/d"', "/a.b/c~1d"):
        assert done("a.json", text, set_key(key, 2)) == '{"a.b": {"c/d": 2}}'


def test_a_key_with_slashes_is_named_by_the_path_that_means_it():
    text = '{"exports": {"./lib": 1, "./x": 2}}'
    for said in ("exports./lib", "/exports/./lib"):
        with pytest.raises(TargetUnresolved, match=r"line 1: `/exports/\.~1lib`"):
            done("a.json", text, delete_key(said))
    assert done("a.json", text, delete_key("/exports/.~1lib")) == '{"exports": {"./x": 2}}'


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        (set_key("a", "2"), '`a` is 1, and the string "2" is of another type'),
        (set_key("s", 3.1), '`s` is the string "3.10", and 3.1 is of another type'),
        (set_key("l.0.x", 1), "`l.0` cannot hold a key `x`"),
        (set_key("a.x", 1), "`a` cannot hold a key `x`"),
        (
            set_key("a..b", 1),
            "is not a path; write a.b.0, or for keys with dots, quotes or slashes /a/b/0 with ~1",
        ),
        (set_key("/a~2", 1), "has a ~ that is not ~0 or ~1"),
        (set_key("a", "x y", literal=True), "x y is not a value in json"),
        (set_key("a", 1, literal=True), "the value is text here"),
        (
            set_key("n.m", "1", literal=True, parents=True),
            "`n` is not there; add it before its value as text",
        ),
        (rename_key("l.0", "x"), "`l.0` has no name, only an index"),
        (rename_key("a", "s"), "`s` is there already, on line 1"),
        (add_item("a", 1), "`a` is not a list"),
        (add_item("l", 5), "`l` has it already, on line 1"),
        (add_item("l", "6"), "is of another type; give a value of the same type"),
        (add_item("x", 1), "x: is not in this file"),
        (remove_item("l", 9), "there is none, but line 1: `l.0`"),
        (remove_item("l", 7), "can mean 2 things (line 1: `l.1`; line 1: `l.2`); delete-key takes one"),
        (remove_item("a", 1), "`a` is not a list"),
        (delete_key("l.3"), "is not in this file"),
        (set_key("a", float("nan")), "takes a JSON value"),
        (set_key("a", {1: 2}), "takes a JSON value"),
    ],
)
def test_what_cannot_be_done_is_refused_by_name(operation, reason):
    assert reason in refused("a.json", '{"a": 1, "s": "3.10", "l": [5, 7, 7]}', operation)


def test_data_files_that_are_nested_too_deeply_are_refused():
    for name, text in (("a.json", "[" * 2000 + "]" * 2000), ("a.yml", "a: " + "[" * 200_000)):
        assert "cannot be read as" in refused(name, text, set_key("b", 1))


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("88", "88"),
        ("true", "true"),
        ("3.10", '"3.10"'),
        ("^1.2", '"^1.2"'),
        ("null", "null"),
        ('["a", 1]', '["a", 1]'),
    ],
)
def test_a_word_of_the_command_line_is_json_where_it_spells_it_exactly(tmp_path, monkeypatch, word, line):
    monkeypatch.setenv("FASTEDIT_STATE", str(tmp_path / "state"))
    path = tmp_path / "a.json"
    path.write_text('{"b": 0}')
    run = CliRunner().invoke(app, ["op", "set-key", str(path), "a", word, "--output", "-"])
    assert run.stdout.rstrip("\n") == f'{{"b": 0, "a": {line}}}'
