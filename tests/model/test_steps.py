"""What a graph of a head's step holds, run without one; a real one takes a GPU."""

from __future__ import annotations

import pytest
import torch

from fastedit.model.graphs import PATIENCE
from fastedit.model.heads import steps as stepping
from fastedit.model.heads.run import HeadRun
from fastedit.model.heads.steps import HeadSteps, Runs
from tests.checkpoints import VOCAB
from tests.model.room import Room
from tests.model.test_heads import HIDDEN, folder_of, loaded

WIDTH = {"speculators3": 3 * HIDDEN, "safeai1": HIDDEN}


def runs_of(head, room: Room) -> Runs:
    runs = Runs(head)
    runs._room = room
    return runs


def answer(run: HeadRun, width: int, count: int = 12, parts: int = 2) -> list[torch.Tensor]:
    """Outputs and logits of an answer: its reading in parts, each with a tree of guesses behind it."""
    torch.manual_seed(3)
    found = []
    for part in range(parts):
        states = torch.randn(count, width)
        fed, logits = run.extend(states, [(7 * i + part) % VOCAB for i in range(count)], 5 + part * count)
        found += [fed.clone(), logits.clone()]
        parents, first = [-1, -1, -1], 0
        for level in range(3):
            above = [min(parent - first, len(fed) - 1) if level else 0 for parent in parents]
            tokens = torch.tensor([(11 * level + i) % VOCAB for i in range(len(parents))])
            fed, logits = run.guess(fed[above], tokens, parents)
            found += [fed.clone(), logits.clone()]
            first = 3 * level
            parents = [first + 2, first, first + 2]
    return found


def same(found: list[torch.Tensor], expected: list[torch.Tensor]) -> None:
    for one, other in zip(found, expected, strict=True):
        assert (one - other).norm() < 1e-4 * other.norm()


@pytest.mark.parametrize("kind", WIDTH)
def test_steps_of_one_size_give_what_steps_of_any_size_give(kind, tmp_path, monkeypatch):
    monkeypatch.setattr(stepping, "FIRST", 40)  # so that the memory grows
    head = loaded(folder_of(kind, tmp_path)).double()  # each step magnifies the rounding of those before it
    expected = answer(HeadRun(head), WIDTH[kind], 30, 4)
    for one, other in zip(
        answer(HeadRun(head, HeadSteps(head, None)), WIDTH[kind], 30, 4), expected, strict=True
    ):
        torch.testing.assert_close(one, other, atol=1e-6, rtol=1e-6)


def test_a_step_of_more_rows_than_a_graph_has_runs_by_itself_on_the_same_memory(tmp_path):
    head = loaded(folder_of("speculators3", tmp_path))
    wide, plain = HeadRun(head, HeadSteps(head, None)), HeadRun(head)
    states, tokens = torch.randn(9, 3 * HIDDEN), torch.tensor([1, 2, 3, 4, 5])
    for run in (wide, plain):
        fed, _ = run.extend(states, [*range(9)], 0)
        outputs, _ = run.guess(fed.expand(5, -1), tokens, [-1] * 5)
        run.last = run.guess(outputs[[4]].clone(), torch.tensor([6]), [4])
    same(list(wide.last), list(plain.last))


def test_a_step_is_captured_once_and_again_where_memory_grows(tmp_path, monkeypatch):
    monkeypatch.setattr(stepping, "FIRST", 40)
    head, room = loaded(folder_of("speculators3", tmp_path)), Room()
    run = runs_of(head, room).take()
    same(answer(run, 3 * HIDDEN, 6, 1), answer(HeadRun(head), 3 * HIDDEN, 6, 1))
    assert (room.captures, room.replays) == (1, 4)
    run.extend(torch.randn(60, 3 * HIDDEN), [1] * 60, 6)
    assert (room.captures, room.replays) == (2, 5)


def test_the_next_answer_takes_the_graph_over_and_sees_nothing_of_the_last_one(tmp_path):
    head, room = loaded(folder_of("speculators3", tmp_path)), Room()
    runs = runs_of(head, room)
    run = runs.take()
    run.extend(torch.full((50, 3 * HIDDEN), torch.nan), [1] * 50, 0)  # numbers of a broken model
    runs.give(run)
    again = runs.take()
    assert again is run
    same(answer(again, 3 * HIDDEN), answer(HeadRun(head), 3 * HIDDEN))
    assert room.captures == 1
    assert runs.take() is not run


def test_a_capture_that_fails_is_said_once_and_tried_again_while_steps_go_on(tmp_path, caplog):
    head, room = loaded(folder_of("speculators3", tmp_path)), Room(failures=1)
    run = runs_of(head, room).take()
    same(answer(run, 3 * HIDDEN), answer(HeadRun(head), 3 * HIDDEN))
    (line,) = caplog.messages
    assert line.startswith(f"no CUDA graph for now, next try in {PATIENCE} passes: OutOfMemoryError")
    assert room.replays == 0
    for _ in range(PATIENCE):
        run.extend(torch.randn(1, 3 * HIDDEN), [1], 40)
    assert room.captures == 2
    assert room.replays > 0
