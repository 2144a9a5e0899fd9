"""Hunks that have no place: a strong model says where they belong, and what it writes is held to them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fastedit import Document, EditRequest, Engine, Status
from fastedit.engine.changes.change import ChangeRequest, change
from fastedit.errors import UnplacedHunk
from fastedit.formats.report import PlacementStep
from fastedit.request import LineRange
from fastedit.serve.jobs.held import HeldChange
from tests.connect.fake import Fake, refuses, running
from tests.engine.test_asked import STORE
from tests.engine.test_mended import CLOSE, END, FILE, MENDED, OPEN, scripted

READS = "        self.notes = json.loads(self.path.read_text())\n"
READS_UTF_8 = '        self.notes = json.loads(self.path.read_text("utf-8"))\n'
IMPORT = """\
<<<<<<< SEARCH
import json
=======
import json
import threading
>>>>>>> REPLACE
"""
# Its author remembers another `load`.
REMEMBERED = f"""\
<<<<<<< SEARCH
    def load(self, path):
        self.notes = json.load(path)
=======
    def load(self, path):
{READS_UTF_8}>>>>>>> REPLACE
"""
ANSWER = f"<<<<<<< SEARCH\n{READS}=======\n{READS_UTF_8}>>>>>>> REPLACE\n"
UPDATE = f"{IMPORT}\n{REMEMBERED}"
WANTED = STORE.replace("import json\n", "import json\nimport threading\n").replace(READS, READS_UTF_8)
RETURNS_TWO = EditRequest(
    Document.from_text(FILE, Path("a.py")),
    update=f"<<<<<<< SEARCH\n    return one\n=======\n{MENDED[1]}>>>>>>> REPLACE\n",
)
REQUEST = EditRequest(Document.from_text(STORE, Path("store.py")), update=UPDATE)


@pytest.fixture
def fake() -> Iterator[Fake]:
    with running() as fake:
        fake.says = ANSWER
        yield fake


def said(fake: Fake) -> str:
    """What the model was asked last."""
    return str(fake.bodies[-1]["messages"][-1]["content"])


def test_a_hunk_whose_old_text_the_file_does_not_have_is_placed_by_a_strong_model(fake: Fake) -> None:
    result = Engine(fake.url).apply(REQUEST)
    assert (result.status, result.text, result.reasons) == (Status.OK, WANTED, ())
    assert result.receipt.model == fake.url


def test_the_model_sees_the_file_with_what_the_other_hunks_change(fake: Fake) -> None:
    Engine(fake.url).apply(REQUEST)
    shown, _, asked = said(fake).partition("The blocks:")
    assert "import json\nimport threading\nfrom pathlib" in shown
    assert "self.notes = json.load(path)" in asked
    assert "import threading" not in asked


def test_the_prompt_that_is_shown_is_the_one_that_is_asked(fake: Fake) -> None:
    engine = Engine(fake.url)
    prompt = engine.prompt(REQUEST)
    engine.apply(REQUEST)
    assert prompt is not None
    assert prompt[-1][1] == said(fake)


def test_every_place_of_a_hunk_that_has_several_is_shown(fake: Fake) -> None:
    filler = "".join(f"def f{n}():\n    return {n}\n\n\n" for n in range(2000))
    twice = "def first():\n    go(1)\n\n\n", "def second():\n    go(1)\n\n\n"
    text = f"{twice[0]}{filler}{twice[1]}{filler}"
    fake.says = (
        "<<<<<<< SEARCH\ndef second():\n    go(1)\n=======\ndef second():\n    go(2)\n>>>>>>> REPLACE\n"
    )
    update = "<<<<<<< SEARCH\n    go(1)\n=======\n    go(2)\n>>>>>>> REPLACE\n"
    result = Engine(fake.url).apply(EditRequest(Document.from_text(text, Path("a.py")), update=update))
    assert result.status is Status.OK
    assert result.text == f"{twice[0]}{filler}{twice[1].replace('1', '2')}{filler}"
    shown = said(fake)
    assert [name in shown for name in ("def first()", "def second()", "def f900()")] == [True, True, False]


def test_of_a_long_file_in_which_nothing_is_like_the_hunk_the_model_is_asked_for_the_lines(
    fake: Fake,
) -> None:
    text = "".join(f"def f{n}():\n    return {n}\n\n\n" for n in range(2000))
    update = "<<<<<<< SEARCH\n=======\ndef last():\n    return 1\n>>>>>>> REPLACE\n"
    block = "<<<<<<< SEARCH\ndef f1999():\n    return 1999\n=======\ndef f1999():\n    return 1999\n\n\n"
    answers = iter(["7997-7998", f"{block}def last():\n    return 1\n>>>>>>> REPLACE\n"])
    fake.says = lambda body: next(answers)
    result = Engine(fake.url).apply(EditRequest(Document.from_text(text, Path("a.py")), update=update))
    assert (result.status, result.text) == (
        Status.OK,
        text.replace("return 1999\n", "return 1999\n\n\ndef last():\n    return 1\n"),
    )
    assert "def last():" in str(fake.bodies[0]["messages"][-1]["content"])


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (ANSWER.replace('"utf-8"', '"ascii"'), "the model adds `self.notes = json.loads"),
        (ANSWER.replace("=======\n", "=======\n        print(self)\n"), "the model adds `print(self)`"),
        (
            "<<<<<<< SEARCH\n    def load(self):\n" + ANSWER.partition("SEARCH\n")[2],
            "the model takes 2 lines away for 1 that the file does not have",
        ),
        (
            ANSWER.replace("=======\n", f"=======\n{READS}"),
            "the model takes nothing away, and the hunk `self.notes = ",
        ),
    ],
)
def test_what_the_model_writes_is_held_to_the_hunks(fake: Fake, answer: str, reason: str) -> None:
    fake.says = answer
    result = Engine(fake.url).apply(REQUEST)
    assert result.status is Status.SUSPECT
    assert any(one.startswith(reason) for one in result.reasons), result.reasons
    assert reason in said(fake)  # the model was told, and asked again


def test_a_line_that_the_hunk_takes_away_must_go_and_no_other_in_its_place(fake: Fake) -> None:
    twice = "def first():\n    go(1)\n    end()\n\n\ndef second():\n    go(1)\n    end()\n"
    update = "<<<<<<< SEARCH\n    go(1)\n=======\n    go(2)\n>>>>>>> REPLACE\n"
    second = "def second():\n    go(1)\n    end()\n"
    fake.says = f"<<<<<<< SEARCH\n{second}=======\n{second.replace('end()', 'go(2)')}>>>>>>> REPLACE\n"
    result = Engine(fake.url).apply(EditRequest(Document.from_text(twice, Path("a.py")), update=update))
    assert result.status is Status.SUSPECT
    assert result.reasons[0] == "the model keeps `go(1)`, which the hunk takes away"


def test_names_that_the_file_lacks_may_be_those_that_it_has_in_their_place(fake: Fake) -> None:
    text = "def f(hooks):\n    for hook in hooks:\n        data = hook(1)\n    return 1\n"
    call = "        {0} = hook(1)\n"
    added = call + "        if {0} is False:\n            break\n"
    block = f"<<<<<<< SEARCH\n{call}=======\n{added}>>>>>>> REPLACE\n"
    request = EditRequest(Document.from_text(text, Path("a.py")), update=block.format("result"))
    fake.says = block.format("data")
    result = Engine(fake.url).apply(request)
    assert (result.status, result.text) == (
        Status.OK,
        text.replace(call.format("data"), added.format("data")),
    )
    assert said(fake).count("result = hook(1)") == 2  # in one block: it is all of the edit
    fake.says = block.format("data").replace("if data", "if hooks")
    assert Engine(fake.url).apply(request).status is Status.SUSPECT
    known = replace(request, document=Document.from_text(f"result = 0\n{text}", Path("a.py")))
    fake.says = block.format("data")
    assert Engine(fake.url).apply(known).status is Status.SUSPECT


def test_a_line_that_has_nothing_in_common_with_what_the_hunk_takes_away_stays(fake: Fake) -> None:
    fake.says = "<<<<<<< SEARCH\n    store.load()\n=======\n>>>>>>> REPLACE\n"
    update = "<<<<<<< SEARCH\n    old_list = None\n=======\n>>>>>>> REPLACE\n"
    result = Engine(fake.url).apply(replace(REQUEST, update=update))
    assert result.status is Status.SUSPECT
    assert result.reasons == (
        "the model takes `store.load()` away, which is like nothing that the hunk takes away",
    )


def test_the_model_is_asked_again_where_it_leaves_lines_out(fake: Fake) -> None:
    answers = iter([ANSWER.replace(READS_UTF_8, ""), ANSWER])
    fake.says = lambda body: next(answers)
    result = Engine(fake.url).apply(REQUEST)
    assert (result.status, result.text) == (Status.OK, WANTED)
    assert "the model leaves out" in said(fake)


def test_where_the_model_cannot_tell_the_hunk_is_refused_with_its_reason(fake: Fake) -> None:
    fake.says = "NO CHANGE: there are two methods that it may be"
    with pytest.raises(
        UnplacedHunk, match=r"hunk 2: its old text is not in the file.*two methods"
    ) as refused:
        Engine(fake.url).apply(REQUEST)
    assert [report.step for report in refused.value.reports] == [PlacementStep.EXACT, PlacementStep.UNPLACED]


def test_where_the_model_cannot_be_reached_the_hunk_is_refused(fake: Fake) -> None:
    fake.always = refuses(401)
    with pytest.raises(UnplacedHunk, match=r"hunk 2: its old text is not in the file.*401"):
        Engine(fake.url).apply(REQUEST)


@pytest.mark.parametrize(
    "request_", [replace(REQUEST, policy="merge"), replace(REQUEST, lines=LineRange(0, 20))]
)
def test_no_model_is_asked_under_policy_merge_or_for_some_lines(fake: Fake, request_: EditRequest) -> None:
    with pytest.raises(UnplacedHunk, match="hunk 2"):
        Engine(fake.url).apply(request_)
    assert not fake.asked


def test_of_a_change_of_several_files_the_model_is_asked_about_the_one_with_such_a_hunk(fake: Fake) -> None:
    message = f"other.py\n{IMPORT}\nIt is read as UTF-8:\n\nstore.py\n{IMPORT}\nstore.py\n{REMEMBERED}"
    texts = {"store.py": STORE, "other.py": "import json\n"}
    files = {path: Document.from_text(text, Path(path)) for path, text in texts.items()}
    request = ChangeRequest(message)
    result = change(Engine(fake.url), request, HeldChange(request, files))
    assert (result.status, result.reasons) == (Status.OK, ())
    new = {file.to: file.after.text for file in result.files if file.after}
    assert new == {"store.py": WANTED, "other.py": "import json\nimport threading\n"}
    steps = {file.to: [report.step for report in file.reports] for file in result.files}
    assert steps["store.py"] == [PlacementStep.EXACT, PlacementStep.MODEL]
    assert len(fake.asked) == 1
    assert "It is read as UTF-8" in said(fake)
    assert result.receipt is not None
    assert (result.receipt.model, result.receipt.output_tokens > 0) == (fake.url, True)


def test_a_change_that_no_model_was_asked_about_has_no_receipt(fake: Fake) -> None:
    files = {"store.py": Document.from_text(STORE, Path("store.py"))}
    request = ChangeRequest(f"store.py\n{IMPORT}")
    assert change(Engine(fake.url), request, HeldChange(request, files)).receipt is None


def test_the_text_of_a_tool_call_may_be_a_part_of_a_line(fake: Fake) -> None:
    arguments = {"old_str": "json.load(path)", "new_str": 'json.loads(self.path.read_text("utf-8"))'}
    call = json.dumps({"name": "str_replace", "arguments": arguments})
    result = Engine(fake.url).apply(replace(REQUEST, update=call))
    assert (result.status, result.text) == (Status.OK, STORE.replace(READS, READS_UTF_8))


def test_a_part_of_a_line_that_the_file_has_once_is_meant_within_that_line(fake: Fake) -> None:
    block = '<<<<<<< SEARCH\nself.path.read_text()\n=======\nself.path.read_text("utf-8")\n>>>>>>> REPLACE\n'
    result = Engine(fake.url).apply(replace(REQUEST, update=block))
    assert (result.status, result.text) == (Status.OK, STORE.replace(READS, READS_UTF_8))
    assert len(fake.bodies) == 1


@pytest.mark.parametrize(("sent", "status"), [(STORE, Status.UNCHANGED), (WANTED, Status.OK)])
def test_a_hunk_that_replaces_nothing_and_is_surely_the_whole_file_is_taken_for_it(
    sent: str, status: Status
) -> None:
    update = f"<<<<<<< SEARCH\n=======\n{sent}>>>>>>> REPLACE\n"
    result = Engine().apply(replace(REQUEST, update=update))
    assert (result.status, result.text) == (status, sent)


def test_a_hunk_that_replaces_nothing_and_adds_a_function_has_no_place() -> None:
    update = (
        "<<<<<<< SEARCH\n=======\ndef test_store():\n    assert Store('a').notes == []\n>>>>>>> REPLACE\n"
    )
    with pytest.raises(UnplacedHunk, match="its old text is empty, but the file is not"):
        Engine().apply(replace(REQUEST, update=update))


def test_a_chat_model_that_runs_here_rewrites_the_lines_around_the_place(tmp_path: Path) -> None:
    engine = Engine.load(scripted(tmp_path, (OPEN, *MENDED, CLOSE, END)))
    result = engine.apply(RETURNS_TWO)
    assert (result.status, result.text) == (Status.OK, "".join(MENDED))


def test_a_model_that_only_goes_on_with_a_text_is_not_asked(tmp_path: Path) -> None:
    engine = Engine.load(scripted(tmp_path, (OPEN, *MENDED, CLOSE, END), chats=False))
    with pytest.raises(UnplacedHunk, match="its old text is not in the file"):
        engine.apply(RETURNS_TWO)
