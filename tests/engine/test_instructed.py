"""An instruction about several files: one question, one answer in any shape, and all of its files or none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, repeat

import pytest

from fastedit import ChangeRequest, ChangeResult, Engine, Status, Tree, change
from fastedit.engine import Progressed
from fastedit.engine.changes.change import stream
from fastedit.engine.changes.instructed import QuestionFiles, prompt
from fastedit.errors import (
    FileUnreadable,
    InputRefused,
    TooLong,
    UnreadableAnswer,
    UsageError,
)
from tests.connect.fake import Fake, refuses, running

STORE = "import json\n\nMOST = 10\n\n\ndef load(path):\n    return json.loads(path.read_text())[:MOST]\n"
APP = "from store import MOST, load\n\n\ndef main(path):\n    print(MOST, load(path))\n"
TEST = "from store import MOST\n\n\ndef test_most():\n    assert MOST == 10\n"
RETURN = STORE.splitlines(keepends=True)[-1]
FILES = {"store.py": STORE, "app.py": APP, "tests/test_store.py": TEST, "other.py": "MOST = 1\n"}
WANTED = {name: text.replace("MOST", "LIMIT") for name, text in FILES.items()} | {"other.py": "MOST = 1\n"}
REQUEST = ChangeRequest(
    None, instruction="call MOST LIMIT, please", paths=("store.py", "app.py", "tests/test_store.py")
)


def block(path: str, old: str, new: str) -> str:
    return f"{path}\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n\n"


def blocks(**changed: str) -> str:
    """One block for each line that names MOST; `changed` are other texts for files, by their last name."""
    found = []
    for path in REQUEST.paths:
        text = changed.get(path.removesuffix(".py").split("/")[-1], FILES[path])
        for line in text.splitlines(keepends=True):
            if "MOST" in line:
                found.append(block(path, line, line.replace("MOST", "LIMIT")))
    return "".join(found)


def fences(path_first: bool = True) -> str:
    return "\n".join(f"{path}\n```python\n{WANTED[path]}```\n" for path in REQUEST.paths)


def renaming() -> str:
    names = [{"path": path, "op": "rename", "target": "MOST", "new": "LIMIT"} for path in REQUEST.paths]
    return json.dumps({"operations": names})


RUN = block("app.py", "def main(path):\n", "def run(path):\n")


@pytest.fixture
def fake() -> Iterator[Fake]:
    with running() as fake:
        fake.says = blocks()
        yield fake


@pytest.fixture
def tree(tmp_path) -> Tree:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return Tree(tmp_path)


def says(fake: Fake, *answers: str) -> None:
    """One answer after the other; the last one again and again."""
    coming = chain(answers, repeat(answers[-1]))
    fake.says = lambda body: next(coming)


def changed(fake: Fake, tree: Tree, request: ChangeRequest = REQUEST) -> ChangeResult:
    return change(Engine.load(fake.url), request, tree)


def texts(result: ChangeResult) -> dict[str, str]:
    return {file.name: file.after.text for file in result.delivered if file.after is not None}


def asked(fake: Fake, number: int = -1) -> str:
    text: str = fake.bodies[number]["messages"][-1]["content"]
    return text


@pytest.mark.parametrize("answer", [blocks(), fences(), renaming()], ids=["blocks", "files", "operations"])
def test_an_answer_in_any_shape_changes_all_files(fake, tree, answer):
    fake.says = f"Sure!\n\n{answer}"
    result = changed(fake, tree)
    assert result.status is Status.OK
    assert texts(result) == {path: WANTED[path] for path in REQUEST.paths}
    assert len(fake.bodies) == 1


def test_operations_can_be_called_as_a_tool_in_which_each_names_its_file(fake, tree):
    fake.calls, fake.says = True, renaming()
    result = changed(fake, tree, replace(REQUEST, plan="operations"))
    assert texts(result) == {path: WANTED[path] for path in REQUEST.paths}
    (tool,) = fake.bodies[0]["tools"]
    one = tool["function"]["parameters"]["properties"]["operations"]["items"]
    assert one["required"] == ["path", "op"]


def test_the_receipt_says_how_the_model_was_asked_and_what_that_cost(fake, tree):
    receipt = changed(fake, tree).receipt
    assert receipt is not None
    assert (receipt.plan, receipt.output_tokens, receipt.model) == ("operations", 9, fake.url)


def test_progress_comes_before_the_files_and_these_before_the_result(fake, tree):
    events = list(stream(Engine.load(fake.url), REQUEST, tree))
    assert isinstance(events[0], Progressed)
    assert [event.name for event in events[-4:-1]] == list(REQUEST.paths)
    assert isinstance(events[-1], ChangeResult)


@pytest.mark.parametrize(
    "answer",
    [block("docs/limit.md", "", "# Limits\n"), "docs/limit.md\n```\n# Limits\n```\n"],
    ids=["block", "file"],
)
def test_a_file_that_is_not_there_is_created(fake, tree, answer):
    fake.says = blocks() + answer
    assert texts(changed(fake, tree))["docs/limit.md"] == "# Limits\n"


def test_a_file_goes_by_the_words_that_the_prompt_names_and_not_by_taking_all_of_its_lines(fake, tree):
    says(fake, block("store.py", STORE, ""), "*** Delete File: docs/old.md\n")
    said = "call MOST LIMIT, and drop the old page"
    request = replace(REQUEST, instruction=said, paths=("store.py", "docs/old.md"))
    (tree.root / "docs").mkdir(exist_ok=True)
    (tree.root / "docs/old.md").write_text("# Old\n")
    (file,) = changed(fake, tree, request).files
    assert (file.title, file.outcome) == ("delete docs/old.md", "ok")
    assert "store.py: nothing is left of the file" in asked(fake)
    assert "write `*** Delete File: store.py`" in fake.bodies[0]["messages"][1]["content"]


@pytest.mark.parametrize(
    "how", ["*** Delete File: other.py\n", "*** Update File: other.py\n*** Move to: fresh.py\n"]
)
def test_a_file_that_nobody_asked_to_lose_or_rename_is_held_back(fake, tree, how):
    answer = f"*** Begin Patch\n{how}*** End Patch\n"
    says(fake, answer, answer)
    (file,) = changed(fake, tree, replace(REQUEST, paths=("store.py", "other.py"))).files
    assert file.outcome == "suspect"
    assert "and the instruction has no word of its name" in asked(fake)
    says(fake, answer)
    named = replace(REQUEST, instruction="other.py is in the way", paths=("store.py", "other.py"))
    assert changed(fake, tree, named).status is Status.OK


def test_a_file_gets_its_new_name_behind_the_blocks_that_call_it_by_the_old_one(fake, tree):
    named = "".join(
        block(path, line, line.replace("store", "shop"))
        for path, line in (
            ("app.py", "from store import MOST, load\n"),
            ("tests/test_store.py", "from store import MOST\n"),
        )
    )
    eleven = block("store.py", "MOST = 10\n", "MOST = 11\n")
    fake.says = f"{eleven}{named}*** Update File: store.py\n*** Move to: shop.py\n"
    result = changed(fake, tree, replace(REQUEST, instruction="the store is a shop"))
    assert result.status is Status.OK
    assert texts(result)["shop.py"] == STORE.replace("MOST = 10", "MOST = 11")


def test_what_has_no_place_goes_back_once_with_its_file_and_the_nearest_lines(fake, tree):
    says(fake, blocks(app=APP.replace("load\n", "lod\n")), blocks())
    result = changed(fake, tree)
    assert texts(result) == {path: WANTED[path] for path in REQUEST.paths}
    assert result.notes == ("the model's first answer was held back and asked for again",)
    assert "app.py: hunk 1: its old text is not in the file" in asked(fake)
    assert "    1 | from store import MOST, load" in asked(fake)


MORE = block("store.py", "MOST = 10\n", "MOST = 11\n")


def test_files_that_a_second_answer_says_nothing_about_stand_as_the_first_has_them(fake, tree):
    says(fake, MORE + RUN.replace("(path)", "(paths)"), RUN)
    result = changed(fake, tree)
    assert (result.status, {file.name for file in result.delivered}) == (Status.OK, {"store.py", "app.py"})
    assert result.notes[-1] == "of the first answer, store.py stands"


@pytest.mark.parametrize("second", [MORE, "NO CHANGE: store.py is fine already"])
def test_a_second_answer_that_has_nothing_in_place_of_what_was_wrong_changes_no_file(fake, tree, second):
    says(fake, MORE + RUN.replace("(path)", "(paths)"), second)
    result = changed(fake, tree)
    assert (result.status, result.delivered) == (Status.SUSPECT, ())
    said = "the model's second answer leaves out what its first one changed in "
    assert any(said in each for each in (*result.reasons, *result.notes))


CLASS = "class Store:\n    def load(self): ...\n"
USER = "import json\nfrom store import Store\n\nstore = Store()\nstore.load()\njson.load(1)\n"
RENAMED = block("store.py", "    def load(self): ...\n", "    def read(self): ...\n")


def test_other_files_that_read_a_member_which_vanishes_go_back_as_they_may_be_meant_too(fake, tree):
    (tree.root / "store.py").write_text(CLASS)
    (tree.root / "app.py").write_text(USER)
    said = "app.py: line 5: may mean the load that store.py had: store.load()"
    says(fake, RENAMED, RENAMED + block("app.py", "store.load()\n", "store.read()\n"))
    result = changed(fake, tree)
    assert (result.status, [file.name for file in result.delivered]) == (Status.OK, ["store.py", "app.py"])
    assert (result.notes, f"meant too:\n\n{said}\n\nAnswer" in asked(fake)) == ((), True)
    says(fake, RENAMED)
    result = changed(fake, tree)
    assert (result.status, [file.name for file in result.delivered]) == (Status.OK, ["store.py"])
    assert result.notes == (said,)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("app.py", "import json\nfrom store import Store\njson.load(1)\n"),
        ("app.py", "def main(store):\n    store.load()\n"),
        (
            "app.py",
            "from store import Store\n\n\nclass Shop(Store):\n    def load(self): ...\n\n\nShop().load()\n",
        ),
    ],
    ids=["of another module", "takes nothing from that file", "another class has it"],
)
def test_what_cannot_be_the_member_that_vanishes_asks_for_nothing(fake, tree, name, text):
    (tree.root / "store.py").write_text(CLASS)
    (tree.root / name).write_text(text)
    says(fake, RENAMED)
    assert (changed(fake, tree).notes, len(fake.bodies)) == ((), 1)


def test_words_between_files_go_back_since_they_may_take_one_back(fake, tree):
    between = f"{RUN}Wait, that is not needed. The edit is only:\n\n{blocks()}"
    says(fake, between, blocks())
    result = changed(fake, tree)
    assert (result.status, {file.name for file in result.delivered}) == (Status.OK, set(REQUEST.paths))
    assert "words next to its edits (`Wait, that is not needed. The edit is only:`)" in asked(fake)
    says(fake, between)  # again
    assert changed(fake, tree).status is Status.SUSPECT
    says(fake, between, between.replace("LIMIT", "BOUND"))
    assert changed(fake, tree).delivered == ()


def test_a_path_without_its_folder_is_answered_with_the_given_file_that_ends_so(fake, tree):
    (tree.root / "code").mkdir()
    (tree.root / "code/long.py").write_text("A = 1\n")
    says(fake, block("long.py", "A = 1\n", "A = 2\n"), block("code/long.py", "A = 1\n", "A = 2\n"))
    result = changed(fake, tree, replace(REQUEST, paths=("app.py", "code/long.py")))
    assert "long.py: no such file; code/long.py may be meant" in asked(fake, 1)
    assert list(texts(result)) == ["code/long.py"]


CALL = block("app.py", "def main(path):\n", "def main(path=0):\n")


def test_a_file_without_an_edit_may_be_said_to_need_none(fake, tree):
    says(fake, f"{CALL}\nNO CHANGE: store.py has it already\n")
    assert list(texts(changed(fake, tree))) == ["app.py"]
    says(fake, f"{CALL}\nNO CHANGE: app.py has it already\n")
    with pytest.raises(UnreadableAnswer, match="and has an edit"):
        changed(fake, tree)


@pytest.mark.parametrize(
    ("path", "why"),
    [
        (
            "other.py",
            "was not given to be changed; change only files that are given, and new ones, or give it too",
        ),
        ("../outside.py", "paths with .. are refused"),
        ("/etc/hosts.txt", "absolute paths are refused"),
        ("link.py", "was not given to be changed; it is app.py"),
    ],
)
def test_a_file_that_was_not_given_is_refused_by_name(fake, tree, path, why):
    (tree.root / "link.py").symlink_to("app.py")
    fake.says = blocks() + f"{path}\n```python\nx = 1\n```\n"
    result = changed(fake, tree)
    assert result.delivered == ()
    assert any(f"{path}: {why}" in reason for reason in result.reasons), result.reasons


def test_context_is_shown_and_cannot_be_changed(fake, tree):
    fake.says = blocks() + block("other.py", "MOST = 1\n", "LIMIT = 1\n")
    result = changed(fake, tree, replace(REQUEST, context=("other.py",)))
    assert result.reasons == ("other.py: is only to be read; leave it as it is",)
    assert "only to be read, and cannot be changed.\n\nFile: other.py (python, 1 line)" in asked(fake, 0)


def test_an_edit_of_the_only_file_beside_context_needs_no_path(fake, tree):
    request = replace(REQUEST, paths=("app.py",), context=("store.py",))
    for answer in (
        block("", "    print(MOST, load(path))\n", "    print(MOST, load(path), flush=True)\n"),
        "```python\n# ...\ndef main(path):\n    print(MOST, load(path), flush=True)\n```\n",
    ):
        fake.says = answer
        assert texts(changed(fake, tree, request)) == {
            "app.py": APP.replace("(path))", "(path), flush=True)")
        }


def test_blocks_without_a_path_are_asked_for_again(fake, tree):
    says(fake, "<<<<<<< SEARCH\nMOST = 10\n=======\nLIMIT = 10\n>>>>>>> REPLACE\n", blocks())
    assert changed(fake, tree).status is Status.OK
    assert "the edit names no file" in asked(fake)


def test_code_below_no_path_is_asked_for_again_and_not_dropped(fake, tree):
    says(fake, f"{RUN}Now the store:\n```python\nLIMIT = 1\n```\n", blocks())
    assert texts(changed(fake, tree)) == {path: WANTED[path] for path in REQUEST.paths}
    assert "nothing says which file the code fence `LIMIT = 1` is for" in asked(fake)
    fake.says = f"{blocks()}Then run:\n```sh\npytest\n```\n"
    assert changed(fake, tree).status is Status.OK


def test_a_script_without_a_suffix_is_asked_for_again_and_not_taken_for_a_command(fake, tree):
    script = "bin/run\n```sh\npytest\n```\n"
    says(fake, blocks() + script, blocks() + script.replace("bin/run", "`bin/run`"))
    assert texts(changed(fake, tree))["bin/run"] == "pytest\n"
    assert "nothing says which file the code fence `pytest` is for" in asked(fake)


def test_a_file_that_goes_while_others_import_from_it_holds_the_change_back(fake, tree):
    gone = "*** Begin Patch\n*** Update File: store.py\n*** Move to: kept.py\n*** End Patch\n"
    fake.says = gone
    result = changed(fake, tree)
    assert "kept.py: app.py imports from store.py, which is gone" in result.reasons
    moved = "".join(
        block(path, line, line.replace("store", "kept"))
        for path, line in (
            ("app.py", "from store import MOST, load\n"),
            ("tests/test_store.py", "from store import MOST\n"),
        )
    )
    fake.says = moved + gone
    assert changed(fake, tree, replace(REQUEST, instruction="the store is kept")).status is Status.OK


@pytest.mark.parametrize(
    ("answer", "held"),
    [
        (blocks(app="from store import MOST, load, gone\n"), ["store.py", "tests/test_store.py"]),
        (blocks(store="MOST = 11\n"), ["app.py", "tests/test_store.py"]),
    ],
    ids=["an import stays", "a name stays"],
)
def test_what_a_partial_change_leaves_as_it_was_holds_back_what_no_longer_fits_it(fake, tree, answer, held):
    fake.says = answer + block("docs/limit.md", "", "# Limits\n")
    result = changed(fake, tree, replace(REQUEST, partial=True))
    assert list(texts(result)) == ["docs/limit.md"]
    assert [file.name for file in result.files if file.reasons] == held


def test_no_change_is_a_note_and_so_is_what_is_left_out(fake, tree):
    fake.says = "NO CHANGE: it is called so already"
    result = changed(fake, tree)
    assert (result.status, result.files) == (Status.UNCHANGED, ())
    assert result.notes == ("the model would change nothing: it is called so already",)
    fake.says = f"{blocks()}LEFT OUT: the manual\n"
    assert changed(fake, tree).notes == ("the model left out: the manual",)


@pytest.mark.parametrize(
    "answer", ["", "I cannot do that.", "```python\nLIMIT = 10\n```\n", "<html>no</html>"]
)
def test_what_is_no_edit_is_the_models_error(fake, tree, answer):
    fake.says = answer
    with pytest.raises(UnreadableAnswer):
        changed(fake, tree)


def test_a_file_is_asked_about_in_the_same_words_whatever_the_instruction(fake, tree):
    engine = Engine.load(fake.url)
    first, second = (
        prompt(engine, replace(REQUEST, instruction=said), tree)
        for said in ("call MOST LIMIT", "sort what it loads")
    )
    assert first[0] == second[0]
    shared = first[1][1].split("Instruction:")[0]
    assert second[1][1].startswith(shared)
    assert all(f"File: {path} (python" in shared for path in REQUEST.paths)


def long(name: str, functions: int = 1500) -> str:
    return (
        "\n\n".join(
            f"def {name}_{number}(value):\n    return value + {number}" for number in range(functions)
        )
        + "\n"
    )


@pytest.mark.parametrize(
    "asks",
    [
        "LINES: code/long.py 4001-4003",
        "LINES: 4001-4003",
        "```\nLINES: long.py 4001-4003\n```",
        "code/long.py\n- LINES: 4001-4003",
        "I would like to see `code/long.py` LINES: 1-2, 4001-4003 first.",
    ],
)
def test_a_long_file_is_shown_by_its_outline_and_the_model_may_ask_for_lines(fake, tree, asks):
    (tree.root / "code").mkdir(exist_ok=True)
    (tree.root / "code/long.py").write_text(long("step"))
    request = replace(REQUEST, paths=("app.py", "code/long.py"), instruction="let step_3 and main say hello")
    says(fake, asks, block("code/long.py", "    return value + 3\n", "    return 3 + value\n"))
    result = changed(fake, tree, request)
    assert "File: app.py (python, 5 lines)\n\n```python" in asked(fake, 0)
    assert "It is too long to be shown as a whole." in asked(fake, 0)
    assert "Of code/long.py:\n\nLines" in asked(fake, 0)
    assert "return value + 1333" in asked(fake, 1)
    assert "return value + 1333" not in asked(fake, 0)
    assert "LINES: " not in asked(fake, 1)
    assert list(texts(result)) == ["code/long.py"]


def test_files_that_are_too_many_for_a_question_are_named(fake, tree):
    paths = [f"long_{number}.py" for number in range(40)]
    for path in paths:
        (tree.root / path).write_text(long("step", 200 if path == "long_7.py" else 150))
    with pytest.raises(TooLong, match=r"40 files are too many .*the longest are long_7\.py and"):
        changed(fake, tree, replace(REQUEST, paths=tuple(paths)))
    assert fake.bodies == []


def test_a_model_with_a_short_context_is_asked_with_less_of_the_files(fake, tree):
    (tree.root / "long.py").write_text(long("step"))
    fake.faults = [refuses(400, "context too long", "context_length_exceeded")]
    fake.says = RUN
    assert changed(fake, tree, replace(REQUEST, paths=("app.py", "long.py"))).status is Status.OK
    assert len(asked(fake, 1)) < len(asked(fake, 0))
    fake.faults = [refuses(400, "context too long", "context_length_exceeded")]
    with pytest.raises(TooLong, match="name only those"):
        changed(fake, tree)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"paths": ()}, "the files that it may change"),
        ({"instruction": " "}, "nothing to do"),
        ({"policy": "merge"}, "leave the policy out"),
        ({"plan": "rewrite"}, "plan rewrite is for one file"),
        ({"paths": ("app.py", "./app.py")}, "app.py is given twice"),
        ({"paths": ("app.py",), "context": ("app.py",)}, "app.py is given twice"),
        ({"paths": ("app.py", "link.py")}, "link.py and app.py are one file"),
    ],
)
def test_a_request_that_cannot_be_asked_says_what_to_do(fake, tree, fields, said):
    (tree.root / "link.py").symlink_to("app.py")
    with pytest.raises(UsageError, match=said):
        changed(fake, tree, replace(REQUEST, **fields))
    assert fake.bodies == []


def test_a_file_that_is_not_there_is_named(fake, tree):
    with pytest.raises(FileUnreadable, match=r"gone\.py: no such file"):
        changed(fake, tree, replace(REQUEST, paths=("app.py", "gone.py")))


def test_a_model_that_only_edits_is_no_strong_model(tree):
    with pytest.raises(UsageError, match="needs a strong model, which nano is not"):
        change(Engine("nano"), REQUEST, tree)


def test_a_file_that_is_only_to_be_read_is_it_with_backslashes_too(fake, tmp_path):
    (tmp_path / "src").mkdir()
    for name in ("a.py", "b.py"):
        (tmp_path / "src" / name).write_text("a = 1\n")
    request = ChangeRequest(None, instruction="set a", paths=("src\\a.py",), context=("src\\b.py",))
    files = QuestionFiles(Tree(tmp_path), request)
    assert (list(files.files), list(files.context)) == (["src/a.py"], ["src/b.py"])
    assert files.read("src\\a.py") is files.files["src/a.py"]
    with pytest.raises(InputRefused, match="is only to be read"):
        files.read("src\\b.py")
