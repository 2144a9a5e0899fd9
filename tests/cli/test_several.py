"""`fastedit apply` with several files and an instruction: a strong model changes all of them or none."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.cli.terminal import terminal
from tests.connect.fake import Fake, running

FILES = {"store.py": "MOST = 10\n", "app/main.py": "from store import MOST\n\nprint(MOST)\n"}
WANTED = {name: text.replace("MOST", "LIMIT") for name, text in FILES.items()}
ANSWER = "".join(f"{name}\n```python\n{text}```\n\n" for name, text in WANTED.items())
ASKED = ("apply", *FILES, "-i", "call MOST LIMIT, please")


@pytest.fixture
def fake(tmp_path, monkeypatch) -> Iterator[Fake]:
    root = tmp_path / "root"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    monkeypatch.chdir(root)
    with running() as fake:
        monkeypatch.setenv("FASTEDIT_MODEL", fake.url)
        fake.says = ANSWER
        yield fake


def texts(tmp_path) -> dict[str, str]:
    root = tmp_path / "root"
    return {str(path.relative_to(root)): path.read_text() for path in root.rglob("*") if path.is_file()}


def test_all_files_are_written_as_one_and_undone_as_one(fake, tmp_path, fastedit):
    fake.says = f"{ANSWER}docs/limit.md\n```\n# The limit\n```\n"
    run = fastedit(*ASKED, "--write")
    assert run.exit_code == 0, run.stderr
    assert texts(tmp_path) == WANTED | {"docs/limit.md": "# The limit\n"}
    assert "ok: 3 files +" in run.stderr
    assert " · plan " in run.stderr
    assert "wrote 3 files; `fastedit undo store.py` takes them back" in run.stderr
    assert "call MOST LIMIT, please" in fastedit("log").stdout
    assert fastedit("undo", "app/main.py").exit_code == 0
    assert texts(tmp_path) == FILES


def test_a_pipe_gets_one_diff_of_all_files(fake, tmp_path, fastedit):
    run = fastedit(*ASKED)
    assert [line[6:] for line in run.stdout.splitlines() if line.startswith("+++ ")] == list(FILES)
    assert texts(tmp_path) == FILES


def test_json_has_the_receipt_and_each_file(fake, fastedit):
    told = json.loads(fastedit(*ASKED, "--json").stdout)
    assert (told["status"], told["written"], told["receipt"]["output_tokens"]) == ("ok", False, 9)
    assert [file["to"] for file in told["files"]] == list(FILES)


def test_an_answer_that_has_no_place_is_the_models_error_and_writes_nothing(fake, tmp_path, fastedit):
    fake.says = "store.py\n<<<<<<< SEARCH\nLEAST = 1\n=======\nLEAST = 2\n>>>>>>> REPLACE\n"
    run = fastedit(*ASKED, "--write")
    assert run.exit_code == 5
    assert "the model's edit cannot be applied: store.py: hunk 1: " in run.stderr
    assert texts(tmp_path) == FILES


def test_a_file_that_cannot_be_written_is_named_before_the_model_is_asked(fake, tmp_path, fastedit):
    (tmp_path / "root" / "store.py").chmod(0o444)
    run = fastedit(*ASKED, "--write")
    assert (run.exit_code, fake.bodies) == (4, [])
    assert "store.py: is read-only; make it writable first, or give it as --context" in run.stderr


def test_a_folder_among_the_files_is_called_one(fake, fastedit):
    run = fastedit("apply", "store.py", "app", "-i", "call MOST LIMIT", "--write")
    assert (run.exit_code, fake.bodies) == (4, [])
    assert run.stderr.endswith("fastedit: app: is a folder; name a file in it\n")


def test_files_are_named_as_the_shell_names_them_and_stay_within_the_root(
    fake, tmp_path, monkeypatch, fastedit
):
    monkeypatch.chdir(tmp_path / "root" / "app")
    run = fastedit("apply", "../store.py", "main.py", "-i", "call MOST LIMIT", "--root", "..", "--write")
    assert run.exit_code == 0, run.stderr
    assert texts(tmp_path) == WANTED
    run = fastedit("apply", "../store.py", "main.py", "-i", "call MOST LIMIT")
    assert run.exit_code == 4
    assert "../store.py: is outside of" in run.stderr
    assert "name a folder that holds all files with --root" in run.stderr


def test_context_is_shown_with_one_file_too(fake, tmp_path, fastedit):
    fake.says = ANSWER.split("\n\n")[0]
    run = fastedit("apply", "store.py", "-i", "call MOST LIMIT", "--context", "app/main.py", "--write")
    assert run.exit_code == 3
    assert "app/main.py imports MOST from store.py, which does not have it" in run.stderr
    assert texts(tmp_path) == FILES


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("store.py", "app/main.py"), "nothing to do"),
        ((*FILES, "-u", "store.py"), "an update names its files itself; leave several files out"),
        ((*FILES, "-i", "x", "--symbol", "f"), "--symbol is for one file; name it alone"),
        ((*FILES, "-i", "x", "--plan", "rewrite"), "plan rewrite is for one file"),
        (("store.py", "-", "-i", "x"), "standard input is not one of several files"),
        (("store.py", "store.py", "-i", "x"), "store.py is given twice"),
        (("-i", "x", "--context", "store.py"), "PATH is missing"),
        ((*FILES, "-i", "x", "--model", "nano"), "needs a strong model, which nano is not"),
    ],
)
def test_what_contradicts_itself_is_one_line(fake, fastedit, args, said):
    run = fastedit("apply", *args)
    assert (run.exit_code, run.stdout, len(run.stderr.splitlines())) == (2, "", 1)
    assert said in run.stderr
    assert fake.bodies == []


def test_show_prompt_prints_the_question_about_all_files_and_asks_nothing(fake, tmp_path, fastedit):
    (tmp_path / "root" / "AGENTS.md").write_text("Type everything.")
    shown = fastedit(*ASKED, "--show-prompt").stdout
    for part in (
        "Type everything.",
        "File: store.py (python, 1 line)",
        "File: app/main.py (python",
        "call MOST LIMIT",
    ):
        assert part in shown
    assert fake.bodies == []


def test_a_terminal_shows_a_prompt_without_the_controls_of_its_files(fake, tmp_path):
    (tmp_path / "root" / "store.py").write_text('MOST = "\x1b[31m"\n')
    for paths in (("store.py",), FILES):
        with terminal("apply", *paths, "-i", "explain the colour", "--show-prompt") as screen:
            assert screen.wait() == 0
        assert 'MOST = "\u241b[31m"' in screen.seen
