from __future__ import annotations

import random
import threading
import weakref
from collections.abc import Callable
from functools import partial

import pytest
import torch

from fastedit.decode import scheduler as scheduling
from fastedit.decode.panel import Panel
from fastedit.decode.passes import Turn, run_pass
from fastedit.decode.scheduler import Scheduler
from fastedit.decode.session import MAX_ROWS, Session, decode
from fastedit.draft.base import Branch
from fastedit.draft.budget import CostTable, Pace, RequestDrafts
from fastedit.draft.tree import Merger
from fastedit.errors import Cancelled, ModelUnavailable
from fastedit.model.target import Target
from fastedit.sampling import Sampling
from tests.checkpoints import VOCAB
from tests.decode.helpers import CHEAP, GREEDY, Noisy, answer, prompt_of, random_ids, target
from tests.waiting import ended, eventually, started


class Watched:
    """A target that remembers how many requests each pass was for, and fails on demand."""

    def __init__(self, model: Target) -> None:
        self.model, self.spans = model, list[int]()
        self.fails: Callable[[int], BaseException | None] = lambda spans: None
        self._forward = model.forward
        model.forward = self.forward  # type: ignore[method-assign]

    def forward(self, rows):
        spans = len(rows.batch.spans)
        self.spans.append(spans)
        error = self.fails(spans)
        if error is not None:
            raise error
        return self._forward(rows)


@pytest.fixture
def patient(monkeypatch):
    """Every pass but the first waits for all live answers, so that which passes are joined is known."""
    monkeypatch.setattr(scheduling, "PATIENCE", 1e6)


def together(
    sessions: list[Session], visit: Callable[[int, Session], None] = lambda i, s: None
) -> list[object]:
    """Decode each session in a thread of its own: its output, or the exception that ended it."""
    results: list[object] = [None] * len(sessions)
    start = threading.Barrier(len(sessions))

    def run(index: int, session: Session) -> None:
        try:
            start.wait(30)
            for _ in decode(session):
                visit(index, session)
            results[index] = session.output
        except BaseException as error:
            results[index] = error

    threads = [started(partial(run, *item)) for item in enumerate(sessions)]
    assert all(map(ended, threads))
    return results


def alone(model, prompts, sampling=GREEDY):
    return [answer(Session(model, p, (), sampling, costs=CHEAP, speculation=False)) for p in prompts]


def joined(model, scheduler, prompts, expected, rng, sampling=GREEDY):
    return [
        Session(model, p, [Noisy(e, rng, 0.15)], sampling, costs=CHEAP, runner=scheduler)
        for p, e in zip(prompts, expected, strict=True)
    ]


@pytest.mark.parametrize("sampling", [GREEDY, Sampling(temperature=1.2, seed=3)], ids=["greedy", "sampled"])
@pytest.mark.parametrize("name", ["qwen3", "mistral-window"])
def test_answers_decoded_together_are_those_decoded_alone(name, sampling, patient):
    rng, model = random.Random(0), target(name)
    prompts = [prompt_of(random_ids(rng, n), stop=[3], limit=24) for n in (5, 70, 900, 33, 64)]
    expected = alone(model, prompts, sampling)
    watched = Watched(model)
    sessions = joined(model, Scheduler(model, CHEAP), prompts, expected, rng, sampling)
    assert together(sessions) == expected
    assert max(watched.spans) > 1
    assert len(watched.spans) < sum(len(session.tally.rows) for session in sessions)
    model.pool.check_integrity()
    assert not model.pool._holders.any()


def test_an_answer_that_is_cancelled_midway_leaves_the_others_alone(patient):
    rng, model = random.Random(1), target()
    prompts = [prompt_of(random_ids(rng, 40), limit=24) for _ in range(3)]
    expected = alone(model, prompts)
    sessions = joined(model, Scheduler(model, CHEAP), prompts, expected, rng)
    sessions[1]._panel = Panel(
        (), model.vocab
    )  # slow, so that it is surely still running when it is cancelled

    def visit(index: int, session: Session) -> None:
        if index == 1 and len(session.output) == 5:
            sessions[1].close()

    first, second, third = together(sessions, visit)
    assert [first, third] == [expected[0], expected[2]]
    assert isinstance(second, Cancelled)
    assert not model.pool._holders.any()


def test_an_answer_is_cancelled_while_it_waits_for_another_ones_pass():
    model, entered, go = target(), threading.Event(), threading.Event()
    watched = Watched(model)

    def hold(spans: int) -> None:
        entered.set()
        assert go.wait(30)

    watched.fails = hold
    scheduler, rng = Scheduler(model, CHEAP), random.Random(2)
    sessions = [
        Session(model, prompt_of(random_ids(rng, 20), limit=3), (), GREEDY, costs=CHEAP, runner=scheduler)
        for _ in range(2)
    ]
    results: list[object] = []
    first = started(lambda: results.append(together(sessions[:1])[0]))
    assert entered.wait(30)
    second = started(lambda: results.append(together(sessions[1:])[0]))
    assert eventually(lambda: scheduler._waiting)
    sessions[1].close()
    assert ended(second)
    assert [type(result) for result in results] == [Cancelled]
    go.set()
    assert ended(first)
    assert len(results[1]) == 3


def test_a_drafter_that_fails_is_switched_off_and_no_answer_suffers(patient):
    class Broken(Noisy):
        def observe(self, tokens):
            raise RuntimeError("broken drafter")

    rng, model = random.Random(3), target()
    prompts = [prompt_of(random_ids(rng, 40), limit=24) for _ in range(3)]
    expected = alone(model, prompts)
    scheduler = Scheduler(model, CHEAP)
    sessions = joined(model, scheduler, prompts, expected, rng)
    sessions[2] = Session(model, prompts[2], [Broken([], rng, 0)], GREEDY, costs=CHEAP, runner=scheduler)
    assert together(sessions) == expected
    assert sessions[2].tally.switched_off == {"noisy": 1}
    assert not model.pool._holders.any()


def test_logits_that_are_no_numbers_end_that_answer_alone(patient):
    rng, model = random.Random(4), target("llama")
    prompts = [prompt_of(random_ids(rng, 20), limit=12) for _ in range(3)]
    expected = alone(model, prompts)
    used = {token for prompt, found in zip(prompts, expected, strict=True) for token in (*prompt.ids, *found)}
    broken = min(set(range(VOCAB)) - used)
    model.network.embedding[broken] = torch.nan
    poisoned = prompt_of([*prompts[1].ids, broken], limit=12)
    scheduler = Scheduler(model, CHEAP)
    sessions = [
        Session(model, prompt, (), GREEDY, costs=CHEAP, runner=scheduler)
        for prompt in (prompts[0], poisoned, prompts[2])
    ]
    first, bad, third = together(sessions)
    assert [first, third] == [expected[0], expected[2]]
    assert isinstance(bad, ModelUnavailable)
    assert "no numbers at output token 0" in str(bad)
    assert alone(model, prompts[1:2]) == expected[1:2]


def test_a_pass_that_fails_is_run_again_in_smaller_ones(patient):
    rng, model = random.Random(5), target()
    prompts = [prompt_of(random_ids(rng, 40), limit=24) for _ in range(4)]
    expected = alone(model, prompts)
    watched = Watched(model)
    watched.fails = lambda spans: torch.OutOfMemoryError("out of memory") if spans > 1 else None
    assert together(joined(model, Scheduler(model, CHEAP), prompts, expected, rng)) == expected
    assert max(watched.spans) > 1


def test_more_answers_than_a_pass_holds_take_turns(patient, monkeypatch):
    monkeypatch.setattr(scheduling, "REQUESTS", 3)
    rng, model = random.Random(12), target()
    prompts = [prompt_of(random_ids(rng, 20), limit=12) for _ in range(5)]
    expected = alone(model, prompts)
    watched = Watched(model)
    assert together(joined(model, Scheduler(model, CHEAP), prompts, expected, rng)) == expected
    assert max(watched.spans) == 3


def test_a_pass_is_run_again_only_when_the_memory_of_the_failed_one_is_free(patient):
    class Activations:
        pass

    def allocate(spans: int) -> None:
        held = Activations()
        free.append(all(before() is None for before in failed))
        if spans > 1:
            failed.append(weakref.ref(held))
            raise torch.OutOfMemoryError("out of memory")

    rng, model = random.Random(10), target()
    failed, free = list[weakref.ref](), list[bool]()
    Watched(model).fails = allocate
    scheduler = Scheduler(model, CHEAP)
    prompts = [prompt_of(random_ids(rng, 40), limit=24) for _ in range(3)]
    together([Session(model, p, (), GREEDY, costs=CHEAP, runner=scheduler) for p in prompts])
    assert failed
    assert all(free)


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("tried to allocate 3 GiB\nmore"),
        RuntimeError("DefaultCPUAllocator: can't allocate memory: 3 GiB\nmore"),
    ],
)
def test_running_out_of_memory_alone_says_so(error):
    model, rng = target(), random.Random(6)
    Watched(model).fails = lambda spans: error
    session = Session(
        model, prompt_of(random_ids(rng, 9)), (), GREEDY, costs=CHEAP, runner=Scheduler(model, CHEAP)
    )
    with pytest.raises(ModelUnavailable, match=r"ran out of memory.*3 GiB$"):
        session.step()


def test_an_interrupted_leader_leaves_its_pass_to_the_others(patient):
    rng, model = random.Random(7), target()
    prompts = [prompt_of(random_ids(rng, 40), limit=24) for _ in range(3)]
    expected = alone(model, prompts)
    watched, pending = Watched(model), [KeyboardInterrupt()]
    watched.fails = lambda spans: pending.pop() if spans == 3 and pending else None
    scheduler = Scheduler(model, CHEAP)
    results = together([Session(model, p, (), GREEDY, costs=CHEAP, runner=scheduler) for p in prompts])
    assert sum(isinstance(result, KeyboardInterrupt) for result in results) == 1
    good = [(r, e) for r, e in zip(results, expected, strict=True) if not isinstance(r, KeyboardInterrupt)]
    assert all(result == right for result, right in good)
    assert not model.pool._holders.any()


def test_an_answer_cancelled_in_a_pass_whose_leader_is_interrupted_ends(patient):
    rng, model = random.Random(11), target()
    watched, scheduler = Watched(model), Scheduler(model, CHEAP)
    sessions = [
        Session(model, prompt_of(random_ids(rng, 40), limit=24), (), GREEDY, costs=CHEAP, runner=scheduler)
        for _ in range(2)
    ]

    def interrupt(spans: int) -> BaseException | None:
        if spans == 1:
            return None
        for session in sessions:
            session.close()
        return KeyboardInterrupt()

    watched.fails = interrupt
    results = together(sessions)
    assert sorted(type(result).__name__ for result in results) == ["Cancelled", "KeyboardInterrupt"]
    assert not model.pool._holders.any()


def test_no_pass_runs_while_passes_are_paused():
    model = Watched(target())
    scheduler = Scheduler(model.model, CHEAP)
    prompt = prompt_of([1, 2, 3], limit=2)
    session = Session(model.model, prompt, (), GREEDY, costs=CHEAP, speculation=False, runner=scheduler)
    thread = threading.Thread(target=answer, args=(session,))

    def work() -> None:
        thread.start()
        eventually(lambda: scheduler._waiting)
        assert model.spans == []

    scheduler.pause(work)
    ended(thread)
    assert len(session.output) == 2


def test_the_newest_answer_waits_where_the_cache_is_full():
    rng, model = random.Random(8), target()
    prompts = [prompt_of(random_ids(rng, 1000), limit=20) for _ in range(6)]
    expected = alone(model, prompts)
    held = model.new_cache()
    room = 1000 + 20 + MAX_ROWS
    assert held.reserve(model.pool.slots - room - 64)
    scheduler = Scheduler(model, CHEAP)
    assert together(joined(model, scheduler, prompts, expected, rng)) == expected
    held.free()
    assert not model.pool._holders.any()


def test_a_second_edit_of_the_same_text_reads_its_beginning_only_once():
    rng, model = random.Random(9), target()
    ids = random_ids(rng, 600)
    first, second = prompt_of(ids, limit=9), prompt_of([*ids[:500], *random_ids(rng, 30)], limit=9)
    fresh = alone(target(), [second])
    sessions = [Session(model, prompt, (), GREEDY, costs=CHEAP) for prompt in (first, first, second)]
    answers = [answer(session) for session in sessions]
    assert answers[0] == answers[1]
    assert answers[2:] == fresh
    assert [session.tally.reused for session in sessions] == [0, 576, 448]
    assert sessions[1].tally.rows[0] == 600 - 576


def test_answers_that_share_pages_lie_side_by_side_in_a_pass(patient, monkeypatch):
    rng, model = random.Random(0), target("llama")
    files = [random_ids(rng, 66) for _ in range(2)]
    prompts = [prompt_of([*files[i % 2], *random_ids(rng, 3)], limit=24) for i in range(4)]
    for prompt in prompts[:2]:
        answer(Session(model, prompt, (), GREEDY, costs=CHEAP))
    scheduler, passes, forward = Scheduler(model, CHEAP), [], model.forward
    monkeypatch.setattr(model, "forward", lambda rows: passes.append(rows) or forward(rows))
    together([Session(model, prompt, (), GREEDY, costs=CHEAP, runner=scheduler) for prompt in prompts])
    firsts = [[int(span.pages[0]) for span in rows.batch.spans] for rows in passes]
    assert any(len(pages) == 4 for pages in firsts)
    assert all(pages == sorted(pages) for pages in firsts)


def test_rows_go_to_the_answer_whose_next_tokens_are_likelier():
    model, table = target(), CostTable((1, 1000), (1.0, 1000.0))
    turns = []
    pace = Pace(table)
    pace.observe(rows=960, tokens=0)
    assert pace.rate == 0.5
    for likelihood in (0.99, 0.6):
        branch = Branch(list(range(40)), [likelihood ** (i + 1) for i in range(40)], "draft")
        cache = model.new_cache()
        turns.append(Turn(object(), [1], RequestDrafts(Merger([branch]), 127), pace, cache, GREEDY, 0))
    run_pass(model, table, turns)
    # A row costs a millisecond, which brings half a token elsewhere: what is likelier than that is drafted.
    assert [len(turn.tree) for turn in turns] == [40, 1]
    assert all(turn.rows == 43 and turn.settled for turn in turns)
