"""`fastedit apply` with a strong model: what it is asked, what that cost, and its failures as one line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.connect.fake import Fake, running

SOURCE = "import json\n\n\ndef load(path):\n    return json.loads(path.read_text())\n"
BLOCK = "<<<<<<< SEARCH\ndef load(path):\n=======\ndef load(path: str):\n>>>>>>> REPLACE\n"
WISH = ("store.py", "-i", "say what load takes, please")


@pytest.fixture
def fake(tmp_path, monkeypatch) -> Iterator[Fake]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "store.py").write_text(SOURCE)
    with running() as fake:
        fake.says = BLOCK
        yield fake


def test_show_prompt_prints_what_would_be_asked_and_asks_nothing(fake, tmp_path, fastedit):
    (tmp_path / "AGENTS.md").write_text("Type everything.")
    run = fastedit("apply", *WISH, "--model", fake.url, "--show-prompt")
    assert run.exit_code == 0
    assert run.stdout.startswith("--- system ---\n\nYou edit code.")
    for part in ("Type everything.", "File: store.py (python, 5 lines)", "Instruction:\nsay what load takes"):
        assert part in run.stdout
    assert fake.asked == []


def test_show_prompt_is_one_json_object_with_json_and_takes_no_place_for_a_result(fake, tmp_path, fastedit):
    run = fastedit("apply", *WISH, "--model", fake.url, "--show-prompt", "--json")
    assert [message["role"] for message in json.loads(run.stdout)["messages"]] == ["system", "user"]
    for place in (("--write",), ("--diff",), ("--output", "b.py")):
        run = fastedit("apply", *WISH, "--model", fake.url, "--show-prompt", *place)
        assert run.exit_code == 2
        assert f"--show-prompt asks no model, so there is no result; leave {place[0]} out" in run.stderr


def test_show_prompt_of_an_edit_that_needs_no_model_says_so(fake, fastedit):
    run = fastedit("apply", "store.py", "-i", "rename load to read", "--show-prompt")
    assert (run.exit_code, run.stdout) == (2, "")
    assert "no model is asked for this edit; --policy model asks one" in run.stderr


@pytest.mark.parametrize("plan", ["operations", "sketch", "rewrite"])
def test_a_plan_that_is_insisted_on_is_taken(fake, fastedit, plan):
    run = fastedit("apply", *WISH, "--model", fake.url, "--plan", plan, "--json", "--write")
    assert run.exit_code == 0, run.stderr
    receipt = json.loads(run.stdout)["receipt"]
    assert receipt["plan"] == plan
    assert receipt["plan_tokens"] > 0
    assert receipt["other_plan"] not in (None, plan)


def test_the_plan_and_its_price_stand_in_the_last_line(fake, fastedit):
    asked = ("apply", *WISH, "--model", fake.url, "--plan", "sketch")
    price = json.loads(fastedit(*asked, "--json").stdout)["receipt"]
    expected = f"expected {price['plan_tokens']}, {price['other_plan']} {price['other_plan_tokens']}"
    assert f"plan sketch (9 tokens, {expected})" in fastedit(*asked).stderr


def test_a_sketch_of_the_models_with_two_readings_names_no_policy_that_could_take_the_other(fake, fastedit):
    old = "def a():\n    x = 1\n    return x\n\n\ndef b():\n    x = 1\n    return x\n"
    Path("store.py").write_text(old)
    fake.says = "```python\n# ...\n    x = 1\n    x += 1\n    return x\n# ...\n```"
    run = fastedit("apply", *WISH, "--model", fake.url, "--write")
    assert (run.exit_code, Path("store.py").read_text()) == (3, old)
    assert run.stderr.endswith("(--json shows what else may be meant, --force takes this)\n")


def test_an_answer_that_is_no_edit_is_one_line_and_changes_nothing(fake, tmp_path, fastedit):
    fake.says = "I cannot do that."
    run = fastedit("apply", *WISH, "--model", fake.url, "--write")
    assert run.exit_code == 5
    assert run.stderr.count("\n") == 1
    assert "has no edit in it (I cannot do that.); nothing was changed" in run.stderr
    assert (tmp_path / "store.py").read_text() == SOURCE


def test_an_empty_file_gets_new_code_and_a_missing_one_says_so(fake, tmp_path, fastedit):
    fake.says = f"Here it is:\n\n```python\n{SOURCE}```\n"
    wish = ("new.py", "-i", "a function that loads a file of JSON", "--model", fake.url, "--write")
    missing = fastedit("apply", *wish)
    assert (missing.exit_code, fake.asked) == (4, [])
    assert missing.stderr.endswith("new.py: no such file; check the path, or create it empty for new code\n")
    (tmp_path / "new.py").touch()
    assert fastedit("apply", *wish).exit_code == 0
    assert (tmp_path / "new.py").read_text() == SOURCE


def test_a_plan_goes_with_one_file_only(fake, fastedit):
    run = fastedit("apply", "-u", "-", "--plan", "sketch", stdin=b"x")
    assert run.exit_code == 2
    assert "--plan" in run.stderr
