"""Updates copied from terminals, viewers and chats, with what stands around their lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastedit import Document, EditRequest, EditResult, Engine, Status

OLD = """\
import os


def load(path):
    with open(path) as file:
        return file.read()


print(load(os.sep))
"""
SKETCH = [
    "# ... existing code ...",
    "def load(path):",
    '    with open(path, encoding="utf-8") as file:',
    "        return file.read()",
    "# ... existing code ...",
]
NEW = OLD.replace("(path) as", '(path, encoding="utf-8") as')
DOCKER = "FROM python\nWORKDIR /app\nRUN pip install x\nCMD x\n"


def applied(update: str, old: str = OLD, path: str = "a.py", **asked: str) -> EditResult:
    document = Document.from_text(old, Path(path))
    return Engine().apply(EditRequest(document, update=update, policy="merge", **asked))


def text(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize(
    ("above", "below"),
    [
        (["python", "Copy", "Edit"], []),
        (["src/a.py"], ["2 / 2"]),
        (["{code:python}"], ["{code}"]),
        ([], ["EOF"]),
    ],
)
def test_words_that_do_nothing_above_and_below_a_sketch_are_left_out_and_told(
    above: list[str], below: list[str]
):
    result = applied(text(*above, *SKETCH, *below))
    assert result.status is Status.OK
    assert result.text == NEW
    assert all(any(f"`{word}`" in note for note in result.notes) for word in above + below)


def test_a_name_that_the_file_has_a_string_and_what_does_something_stay():
    for line in ("load", '"""Loads."""', "pass", "limit: int", "run()", "limit = 1"):
        assert line in (applied(text(line, *SKETCH)).text or "").splitlines()


def test_dots_alone_are_a_marker_though_as_a_statement_they_do_nothing():
    sketch = (line.replace("# ... existing code ...", "...") for line in SKETCH)
    result = applied(text("Copy", *sketch))
    assert (result.status, result.text) == (Status.OK, NEW)
    assert result.notes == ("`Copy`, which does nothing, is left out",)
    assert applied(NEW + "...\n", format="whole").status is Status.OK


def test_a_whole_file_with_a_word_that_does_nothing_is_held():
    result = applied("Copy\n" + NEW, format="whole")
    assert result.status is Status.SUSPECT
    assert "`Copy`, which does nothing, would be written into the file (FE104)" in result.reasons


@pytest.mark.parametrize("shape", ["{:6d}\t{}", "{:4d} {}", "{:5d}→{}", "{:3d} | {}", "{}:{}", "{}: {}"])
def test_a_sketch_whose_lines_carry_their_numbers_is_read_without_them(shape: str):
    lines = (shape.format(row, line).rstrip() for row, line in enumerate(SKETCH, 3))
    result = applied(text(*lines))
    assert (result.status, result.text) == (Status.OK, NEW)
    assert "what each line begins with, a number or a prompt, is left out" in result.notes


@pytest.mark.parametrize("prompt", ["$ ", "> "])
def test_a_text_whose_lines_begin_with_a_prompt_is_read_without_it(prompt: str):
    new = DOCKER.replace("install x", "install y")
    result = applied("".join(prompt + line for line in new.splitlines(True)), DOCKER, "Dockerfile")
    assert (result.status, result.text) == (Status.OK, new)


def test_numbers_that_the_file_has_or_gets_stay():
    numbered = "1: one\n2: two\n3: three\n"
    assert applied("2: two\n3: drei\n", numbered, "a.txt").text == "1: one\n2: two\n3: drei\n"
    assert applied(numbered, "one\ntwo\nthree\n", "a.txt").text == numbered


def test_a_block_that_writes_the_number_of_its_line_is_held():
    block = text("<<<<<<< SEARCH", "RUN pip install x", "=======", "3 RUN pip install y", ">>>>>>> REPLACE")
    result = applied(block, DOCKER, "Dockerfile")
    assert result.status is Status.SUSPECT
    assert "`3 RUN pip install y` begins with the number of its line (FE104)" in result.reasons


def test_numbers_come_into_new_files_and_those_that_have_some():
    assert applied("1\n2\n", "", "a.txt", format="whole").status is Status.OK
    block = text("<<<<<<< SEARCH", "1 one", "=======", "1 one", "2 two", ">>>>>>> REPLACE")
    assert applied(block, "1 one\n3 three\n", "a.txt").status is Status.OK


def test_a_here_document_that_writes_the_file_is_all_of_its_text():
    new = "FROM python:3\nCMD y\n"
    result = applied(f"cat > Dockerfile <<'END'\n{new}END\n", DOCKER, "Dockerfile")
    assert (result.status, result.text) == (Status.OK, new)
