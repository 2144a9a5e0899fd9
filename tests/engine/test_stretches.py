"""An instruction over a long file: asked for stretch by stretch, delivered as one edit."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Iterator
from itertools import count, pairwise
from pathlib import Path

import pytest

from fastedit import Document, EditRequest, Engine, Status
from fastedit.connect import Hangup
from fastedit.engine import HunkReady, Located, Progressed
from fastedit.errors import Cancelled, ModelUnavailable, TooLong, UnreadableAnswer
from fastedit.request import LineRange
from tests.connect import fake as faults
from tests.connect.fake import Fake, Handler, refuses, running
from tests.waiting import started

FUNCTIONS = "".join(
    f"def step_{n}(value):\n    # {'what it does ' * 8}\n    return value + {n}\n\n\n" for n in range(450)
)
LONG = f"import json\n\n\n{FUNCTIONS}"
TYPED = re.compile(r"def (step_\d+)\(value\):")


@pytest.fixture
def fake() -> Iterator[Fake]:
    with running() as fake:
        yield fake


def wish(text: str = LONG, instruction: str = "type hints everywhere", **more) -> EditRequest:
    return EditRequest(Document.from_text(text, Path("steps.py")), instruction, **more)


def block(old: str, new: str) -> str:
    return f"<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"


def about(body: dict) -> tuple[int, int] | None:
    """The lines that a question is about, None where it asks for lines."""
    found = re.search(r"This question is about lines (\d+)-(\d+)", body["messages"][1]["content"])
    return None if found is None else (int(found[1]), int(found[2]))


def stretches(fake: Fake) -> list[tuple[int, int]]:
    """The lines of all questions that are about some, in the order of the file."""
    return sorted(lines for body in fake.bodies if (lines := about(body)) is not None)


def hints(body: dict, imports: str = "from typing import Any") -> str:
    """What a good model answers: hints in all functions of its stretch, and the import that they need."""
    lines = about(body)
    if lines is None:
        return "all"
    found = [line for line in LONG.split("\n")[lines[0] - 1 : lines[1]] if TYPED.match(line)]
    blocks = [block(line, TYPED.sub(r"def \1(value: Any) -> Any:", line)) for line in found]
    return block("import json", f"import json\n{imports}") + "".join(blocks)


WANTED = TYPED.sub(r"def \1(value: Any) -> Any:", LONG).replace(
    "import json\n", "import json\nfrom typing import Any\n"
)


def test_all_stretches_are_one_edit_with_each_import_once(fake):
    fake.says = hints
    events = list(Engine.load(fake.url).stream(wish()))
    result = events[-1].result
    assert (result.status, result.reasons) == (Status.OK, ())
    assert result.text == WANTED
    assert about(fake.bodies[0]) is None  # where, by the outline
    found = stretches(fake)
    assert len(found) > 2
    assert (found[0][0], found[-1][1]) == (1, len(LONG.split("\n")) - 1)
    assert [event.hunk for event in events if isinstance(event, HunkReady)] == list(result.hunks)
    assert sum(isinstance(event, Located) for event in events) == 1


def test_the_receipt_adds_up_and_the_progress_is_of_all(fake):
    fake.says = hints
    events = list(Engine.load(fake.url).stream(wish()))
    receipt = events[-1].result.receipt
    assert receipt.output_tokens == 9 * len(fake.asked)
    assert receipt.plan_tokens > 180
    located = next(at for at, event in enumerate(events) if isinstance(event, Located))
    progress = [event.progress for event in events[located:] if isinstance(event, Progressed)]
    assert {each.regions for each in progress} == {len(fake.asked) - 1}
    assert all(one.fraction <= other.fraction <= 1 for one, other in pairwise(progress))


def test_each_stretch_has_a_round_of_repair(fake):
    wrong = block("def nowhere():", "def somewhere():")
    fake.says = lambda body: wrong if about(body) and len(body["messages"]) == 2 else hints(body)
    result = Engine.load(fake.url).apply(wish())
    assert (result.status, result.text) == (Status.OK, WANTED)
    counts = Counter(len(body["messages"]) for body in fake.bodies)
    assert counts == {2: 1 + counts[4], 4: len(set(stretches(fake)))}


def test_a_stretch_without_a_change_is_told(fake):
    fake.says = lambda body: "NO CHANGE: typed already" if about(body) and about(body)[0] > 1 else hints(body)
    result = Engine.load(fake.url).apply(wish())
    assert result.status is Status.OK
    assert re.fullmatch(r"lines \d+-\d+: the model would change nothing: typed already", result.notes[0])
    fake.says = lambda body: "NO CHANGE: typed already" if about(body) else "all"
    assert Engine.load(fake.url).apply(wish()).status is Status.UNCHANGED


def test_a_stretch_whose_answers_cannot_be_read_makes_the_whole_suspect_and_is_named(fake):
    fake.says = lambda body: "I give up." if about(body) and about(body)[0] > 1 else hints(body)
    result = Engine.load(fake.url).apply(wish())
    assert result.status is Status.SUSPECT
    assert re.match(r"lines \d+-\d+ stay as they are: .* no edit in it \(I give up\.\)", result.reasons[0])
    fake.says = lambda body: "I give up." if about(body) else "all"
    with pytest.raises(UnreadableAnswer, match="no edit in it"):
        Engine.load(fake.url).apply(wish())


def test_imports_that_differ_are_joined(fake):
    fake.says = lambda body: hints(body, "import os" if about(body) and about(body)[0] > 1 else "import re")
    result = Engine.load(fake.url).apply(wish())
    assert result.text.startswith("import json\nimport re\nimport os\n")


def test_what_an_answer_changes_outside_of_its_stretch_is_left_out_and_a_doubt(fake):
    more = block("    return value + 449", "    return value - 449")
    fake.says = lambda body: hints(body) + (more if about(body) and about(body)[0] == 1 else "")
    result = Engine.load(fake.url).apply(wish())
    assert result.status is Status.SUSPECT
    assert "changes line 2251 too, which was left out" in result.reasons[0]
    assert result.text == WANTED


def test_a_name_that_goes_in_one_stretch_and_from_its_uses_in_another_is_no_loss(fake):
    text = LONG.replace("    return value + 449\n", "    return step_0(value)\n")

    def renames(body: dict) -> str:
        if (lines := about(body)) is None:
            return "all"
        first = block("def step_0(value):", "def first(value):")
        last = block("    return step_0(value)", "    return first(value)")
        idle = "NO CHANGE: nothing here"
        return first if lines[0] == 1 else last if lines[1] > 2240 else idle

    fake.says = renames
    result = Engine.load(fake.url).apply(wish(text, "a better name for the first step, all over"))
    assert (result.status, result.reasons) == (Status.OK, ())


def test_an_answer_that_is_cut_off_is_asked_for_in_smaller_stretches(fake):
    """The first question shows the whole file; all of its answer would be over the server's limit."""
    text = LONG[: LONG.index("def step_100(")]

    def limited(body: dict) -> str:
        lines = about(body)
        asks_all = "The edit is not wanted yet" not in body["messages"][1]["content"] and lines is None
        fake.finish = "length" if asks_all or (lines and lines[1] - lines[0] > 300) else "stop"
        return "<<<<<<< SEARCH\nimport" if asks_all else hints(body)

    fake.says = limited
    result = Engine.load(fake.url).apply(wish(text))
    assert result.status is Status.OK
    assert not TYPED.search(result.text)


def test_a_context_too_small_gets_smaller_questions_down_to_a_limit(fake):
    fake.says = hints
    fake.faults = [refuses(400, "maximum context length is 8192 tokens")]
    result = Engine.load(fake.url).apply(wish())
    assert (result.status, result.text) == (Status.OK, WANTED)
    fake.always = refuses(400, "maximum context length is 16 tokens")
    with pytest.raises(TooLong, match="16 tokens"):
        Engine.load(fake.url).apply(wish())


def test_what_stands_elsewhere_too_is_meant_where_the_model_saw_it(fake):
    """The second line is also in stretches that this question did not show."""
    text = LONG.replace("    return value + 7\n", "    return value\n").replace("value + 440\n", "value\n")

    def says(body: dict) -> str:
        last = (lines := about(body)) is not None and lines[1] > 2240
        return (
            "all"
            if lines is None
            else block("    return value", "    return -value")
            if last
            else "NO CHANGE: no"
        )

    fake.says = says
    result = Engine.load(fake.url).apply(wish(text))
    assert (result.status, result.reasons) == (Status.OK, ())
    at = text.index("def step_440")
    assert result.text == text[:at] + text[at:].replace("    return value\n", "    return -value\n")


def test_lines_asked_for_that_do_not_fit_are_split_and_nothing_else_changes(fake):
    def answers(body: dict) -> str:
        return hints(body).split(">>>>>>> REPLACE\n", 1)[1].replace("Any", "int") if about(body) else "all"

    fake.says = answers
    result = Engine.load(fake.url).apply(wish(lines=LineRange(3, 1503)))
    assert result.status is Status.OK
    assert stretches(fake)[-1][1] == 1503
    assert "each on a line of its own" not in fake.bodies[-1]["messages"][1]["content"]
    assert result.text.count("-> int") == 300


def test_a_file_that_one_question_shows_is_asked_about_once(fake):
    text = LONG[: LONG.index("def step_100(")]
    fake.says = lambda body: block("import json", "import json as j")
    list(Engine.load(fake.url).stream(wish(text)))
    assert len(fake.asked) == 1


def test_a_rewrite_of_a_long_file_is_split_too(fake):
    def rewrites(body: dict) -> str:
        text = body["messages"][1]["content"]
        codes = re.findall(r"<(code[-\d]*)>\n(.*?)\n</\1>", text, re.DOTALL)
        typed = (
            (name.replace("code", "updated-code"), TYPED.sub(r"def \1(value: int) -> int:", code))
            for name, code in codes
        )
        return "".join(f"<{name}>\n{code}\n</{name}>\n" for name, code in typed) or "all"

    fake.says = rewrites
    text = LONG[: LONG.index("def step_250(")]
    result = Engine.load(fake.url).apply(wish(text, plan="rewrite"))
    assert (result.status, result.text) == (Status.OK, TYPED.sub(r"def \1(value: int) -> int:", text))
    assert len(stretches(fake)) > 1


def test_never_more_than_four_questions_of_one_edit_are_under_way(fake):
    under_way, most, lock = 0, 0, threading.Lock()
    together, first = threading.Barrier(4), count()

    def counts(body: dict) -> str:
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        if about(body) and next(first) < 4:
            together.wait(30)
        threading.Event().wait(0.02)  # a fifth would come meanwhile
        with lock:
            under_way -= 1
        return hints(body)

    fake.says = counts
    small = [refuses(400, "maximum context length is 8192 tokens")]
    fake.faults = small * 2
    assert Engine.load(fake.url).apply(wish()).status is Status.OK
    assert len(stretches(fake)) > 4
    assert most == 4


class Stalled:
    """A fault, of which it tells how often it began and how often the client hung up."""

    def __init__(self, fault: faults.Fault) -> None:
        self._fault = fault
        self.begun, self.hung_up = threading.Semaphore(0), threading.Semaphore(0)

    def __call__(self, handler: Handler) -> None:
        self.begun.release()
        try:
            self._fault(handler)
        finally:
            self.hung_up.release()


@pytest.mark.parametrize("fault", [faults.silent, faults.headers_only, faults.stalls])
def test_who_leaves_hangs_up_on_all_questions_at_once(fake, fault):
    fake.says = "all"
    events = Engine.load(fake.url).stream(wish())
    assert any(isinstance(event, Located) for event in events)
    talking, quiet = Stalled(faults.stalls), Stalled(fault)
    fake.faults = [talking, quiet, quiet]
    next(events)
    for stalled, times in ((talking, 1), (quiet, 2)):
        assert all(stalled.begun.acquire(timeout=30) for _ in range(times))
    events.close()
    for stalled, times in ((talking, 1), (quiet, 2)):
        assert all(stalled.hung_up.acquire(timeout=30) for _ in range(times))


@pytest.mark.parametrize("fault", [faults.silent, faults.stalls, faults.endless])
def test_another_thread_ends_all_questions_and_the_wait_for_them(fake, fault):
    fake.says = "all"
    hangup, ended = Hangup(), threading.Event()
    events = Engine.load(fake.url).stream(wish(), hangup)
    assert any(isinstance(event, Located) for event in events)

    def waits() -> None:
        with pytest.raises((ModelUnavailable, Cancelled)):
            list(events)
        ended.set()

    quiet = fake.always = Stalled(fault)
    started(waits)
    assert all(quiet.begun.acquire(timeout=30) for _ in range(2))
    hangup()
    assert ended.wait(30)
    assert all(quiet.hung_up.acquire(timeout=30) for _ in range(2))


def test_an_error_in_one_question_ends_all(fake):
    fake.says = "all"
    events = Engine.load(fake.url).stream(wish())
    assert any(isinstance(event, Located) for event in events)
    quiet = Stalled(faults.silent)

    def refuses_last(handler: Handler) -> None:
        assert quiet.begun.acquire(timeout=30)
        refuses(401, "who?")(handler)

    fake.faults = [quiet, refuses_last]
    fake.always = faults.silent
    with pytest.raises(ModelUnavailable, match="401"):
        list(events)
    assert quiet.hung_up.acquire(timeout=30)
