"""Small commits of a clone become cases."""

import json
import subprocess

import pytest
from typer.testing import CliRunner

from evals.histories import NoHistory, commits, main


@pytest.fixture
def clone(tmp_path):
    folder = tmp_path / "clone"
    folder.mkdir()

    def git(*words):
        who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", "-C", str(folder), *who, *words], check=True, capture_output=True)

    def commit(message, **files):
        for name, text in files.items():
            (folder / name.replace("_", ".")).write_text(text)
        git("add", ".")
        git("commit", "-m", message)

    git("init")
    text = "def load(path):\n    return path\n"
    commit("first", a_py=text, b_py=text, notes_txt="one\n")
    commit("rename load to read", a_py=text.replace("load", "read"))
    commit("both", a_py=text, b_py="x = 1\n")
    commit("only notes", notes_txt="two\n")
    commit("rewrite", b_py="\n".join(f"x{n} = {n}" for n in range(100)) + "\n")
    return folder


def test_only_small_changes_of_one_file_of_a_known_language_are_taken(clone):
    (found,) = commits(clone)
    assert (found.message, found.path) == ("rename load to read", "a.py")
    assert found.case().judge(found.after)
    assert not found.case().judge(found.before)


def test_a_folder_without_a_history_is_named(tmp_path):
    with pytest.raises(NoHistory, match="name the folder of a clone"):
        list(commits(tmp_path))


def test_the_command_tells_outcomes_and_keeps_the_commits(clone, tmp_path):
    import typer

    app = typer.Typer()
    app.command()(main)
    out = tmp_path / "commits.jsonl"
    done = CliRunner().invoke(app, [str(clone), "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert "kind: commit" in done.output
    assert json.loads(out.read_text())["after"].startswith("def read")
    assert CliRunner().invoke(app, [str(tmp_path)]).exit_code == 2
