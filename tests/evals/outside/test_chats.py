from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from evals.outside.chats import HISTORY, answers, edits, main, outcome
from evals.outside.outcome import Outcome
from fastedit.engine import Engine

OLD, NEW = "a = 1\nb = 2\n", "a = 1\nb = 3\n"
BLOCK = "a.py\n```python\n<<<<<<< SEARCH\nb = 2\n=======\nb = 3\n>>>>>>> REPLACE\n```\n"
HEAD = (
    "# aider chat started at 2025-01-01\n\n> Aider v1  \n> Main model: some/model with diff edit format  \n"
)


def said(message: str, commit: str, path: str = "a.py") -> str:
    done = f"> Tokens: 1k sent.  \n> Applied edit to {path}  \n> Commit {commit} feat: b  \n"
    return f"\n#### change b  \n\n{message}\n{done}"


def git(folder: Path, *words: str) -> str:
    own = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    return subprocess.run(
        ["git", "-C", str(folder), *own, *words], check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A file that a commit changes, and the chat that this commit is of."""
    git(tmp_path, "init", "-q")
    Path(tmp_path, "a.py").write_text(OLD, "utf-8")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "begin")
    Path(tmp_path, "a.py").write_text(NEW, "utf-8")
    git(tmp_path, "commit", "-qam", "feat: b")
    commit = git(tmp_path, "rev-parse", "--short", "HEAD")
    Path(tmp_path, HISTORY).write_text(HEAD + said(BLOCK, commit), "utf-8")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "chat")
    return tmp_path


def test_an_answer_is_paired_with_the_files_before_and_after_its_commit(repository):
    (edit,) = edits(repository)
    assert (edit.before, edit.after) == ({"a.py": OLD}, {"a.py": NEW})
    assert (edit.format, edit.message) == ("diff", BLOCK.rstrip("\n"))
    assert outcome(Engine(), edit) is Outcome.RIGHT_OK


def test_an_answer_whose_commit_has_more_is_left_out(repository):
    Path(repository, "b.py").write_text(OLD, "utf-8")
    Path(repository, "a.py").write_text(OLD, "utf-8")
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "two files")
    commit = git(repository, "rev-parse", "--short", "HEAD")
    Path(repository, HISTORY).write_text(HEAD + said(BLOCK, commit), "utf-8")
    git(repository, "commit", "-qam", "chat")
    assert commit not in {edit.commit[: len(commit)] for edit in edits(repository)}


def test_an_answer_that_aider_could_not_apply_is_not_part_of_the_next_one():
    failed = "a.py\nwrong\n\n> The LLM did not conform to the edit format.  \n\n"
    (answer,) = answers(HEAD + said(failed + BLOCK, "abcdef1"))
    assert "wrong" not in answer.lines


def test_what_aider_told_the_model_of_a_failed_block_is_no_answer():
    told = "## SearchReplaceNoExactMatch: ...\nwrong\n\nThe SEARCH section must exactly match ...\n\n"
    (answer,) = answers(HEAD + said(told + BLOCK, "abcdef1"))
    assert "\n".join(answer.lines).strip() == BLOCK.strip()


def test_an_answer_behind_one_that_was_not_committed_is_left_out():
    first = BLOCK + "> Applied edit to a.py  \n\n#### again  \n\n"
    assert not list(answers(HEAD + said(first + BLOCK, "abcdef1")))


def test_what_was_changed_by_hand_before_is_the_base():
    dirty = BLOCK + "> Committing a.py before applying edits.  \n> Commit 1234567 chore: mine  \n"
    (answer,) = answers(HEAD + said(dirty, "abcdef1"))
    assert (answer.base, answer.commit) == ("1234567", "abcdef1")


def test_the_command_counts_outcomes_by_edit_format(repository):
    app = typer.Typer()
    app.command()(main)
    done = CliRunner().invoke(app, [str(repository)])
    assert done.exit_code == 0, done.output
    assert "| diff" in done.output


def test_a_folder_without_chats_has_no_edits(tmp_path):
    git(tmp_path, "init", "-q")
    assert not list(edits(tmp_path))
