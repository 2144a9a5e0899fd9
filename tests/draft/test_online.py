"""A head that learns while it serves: better on what comes, bounded, apart by tenant, taken back when worse."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest
import torch

from fastedit.decode.session import Session
from fastedit.draft.confidence import Confidence
from fastedit.draft.heads import learner as learning
from fastedit.draft.heads import online
from fastedit.draft.heads.guesses import DEPTH
from fastedit.draft.heads.learner import Learner, LessonShelf
from fastedit.draft.heads.notes import KEPT, LONGEST, Notes, size
from fastedit.draft.heads.online import OnlineDrafter, OnlineSource
from fastedit.draft.seam import Computed
from fastedit.errors import ModelUnavailable
from fastedit.model.eagle import EagleHead
from fastedit.model.heads.lesson import Answer, Lesson
from fastedit.model.target import Target
from fastedit.prompt.base import Prompt
from fastedit.sampling import Sampling
from fastedit.train.eagle.answers import Teacher
from tests.checkpoints import VOCAB
from tests.decode.helpers import CHEAP, GREEDY, answer, prompt_of, target
from tests.model.test_heads import folder_of
from tests.train.test_eagle import SHAPE, trainer_of


class Asked(OnlineDrafter):
    """Is asked before every pass."""

    def prices(self) -> np.ndarray:
        return np.zeros(DEPTH)


class Source(OnlineSource):
    def drafters(self, prompt: Prompt) -> tuple[OnlineDrafter, ...]:
        return (Asked(self),)


def stream(low: int, high: int, count: int, seed: int) -> list[Prompt]:
    rng = random.Random(seed)
    return [prompt_of([rng.randrange(low, high) for _ in range(12)]) for _ in range(count)]


def plain(model: Target, prompt: Prompt) -> list[int]:
    return answer(Session(model, prompt, (), GREEDY, costs=CHEAP, speculation=False))


@dataclass(frozen=True, slots=True)
class Trained:
    """A head that knows the answers to prompts of low tokens."""

    model: Target
    head: EagleHead

    def source(self) -> Source:
        source = Source(self.head, self.model, Confidence(DEPTH))
        source.clock.now = lambda: 0.0  # what a busy machine takes for a step decides nothing
        return source

    def serve(self, source: Source, prompts: Sequence[Prompt], tenant: str = "", *, learn: bool) -> float:
        """Answers one after the other; returns tokens a pass."""
        tokens = passes = 0
        for prompt in prompts:
            drafters = source.drafters(prompt)
            drafters[0].inform(GREEDY, tenant)
            session = Session(self.model, prompt, drafters, GREEDY, costs=CHEAP)
            tokens += len(answer(session))
            passes += session.tally.passes
            assert not session.tally.switched_off
            if learn:
                source.work()
        return tokens / passes


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    model = target()
    known = []
    for prompt in stream(0, 25, 8, seed=0):
        output = plain(model, prompt)
        known.append(Answer((*prompt.ids, *output), len(prompt.ids), (True,) * len(output)))
    trainer = trainer_of(model, known, tmp_path_factory.mktemp("run"))
    for _ in range(25):
        trainer.update(known)
    return Trained(model, trainer.head.copy(torch.float32))


def lessons_of(model: Target, count: int, seed: int = 1) -> Iterator[Lesson]:
    teacher = Teacher(model, SHAPE.layers)
    for prompt in stream(0, VOCAB, count, seed):
        output = plain(model, prompt)
        yield teacher.lesson(Answer((*prompt.ids, *output), 1, (False,) * 11 + (True,) * len(output)))


def test_acceptance_rises_on_a_stream_that_has_drifted(trained):
    prompts, latest = stream(36, 61, 40, seed=5), 12
    before = trained.serve(trained.source(), prompts[-latest:], learn=False)
    source = trained.source()
    trained.serve(source, prompts[:-latest], learn=True)
    after = trained.serve(source, prompts[-latest:], learn=False)
    assert after >= 1.15 * before
    learned = source.learned()
    assert learned.learned == 1
    assert learned.counts["swaps"] >= 1
    assert learned.acceptance["live"] > learned.acceptance["base"]


def test_an_answer_keeps_the_head_that_it_began_with(trained):
    source = trained.source()
    begun = source.drafters(prompt_of([1]))[0]
    begun.inform(GREEDY, "")
    better = trained.head.copy(torch.float32)
    source.learner("").live = better
    later = source.drafters(prompt_of([1]))[0]
    later.inform(GREEDY, "")
    assert begun._head is trained.head
    assert (later._head, later.name) == (better, "online-learned")


@pytest.mark.parametrize("sampling", [GREEDY, Sampling(temperature=0.8, seed=3)])
def test_whatever_a_head_has_learned_the_answer_is_the_models_own(sampling, trained):
    source, prompt = trained.source(), stream(0, VOCAB, 1, seed=6)[0]
    noise = trained.head.copy(torch.float32)
    noise.lm_head.weight.neg_()
    found = []
    for head in (trained.head, noise):
        source.learner("").live = head
        drafters = source.drafters(prompt)
        drafters[0].inform(sampling, "")
        session = Session(trained.model, prompt, drafters, sampling, costs=CHEAP)
        found.append(answer(session))
        assert session.tally.drafted
        assert not session.tally.switched_off
    plain = Session(trained.model, prompt, (), sampling, costs=CHEAP, speculation=False)
    assert found == [answer(plain)] * 2


def test_what_one_tenant_taught_no_other_gets(trained):
    source = trained.source()
    source.learner("a").add(lessons_of(trained.model, 2), kept_back=False)
    source.learner("a").live = trained.head.copy(torch.float32)
    other = source.drafters(prompt_of([1]))[0]
    other.inform(GREEDY, "b")
    assert other._head is trained.head
    assert source.learner("b").bytes == 0


@pytest.mark.parametrize("broken", ["weights", "states"])
def test_a_head_that_diverges_is_rolled_back_at_once_and_counted(broken, trained, monkeypatch):
    learner = Learner(trained.head, trained.model.network.head, DEPTH)
    lessons = list(lessons_of(trained.model, learning.FRESH))
    if broken == "weights":
        monkeypatch.setattr(learning, "RATE", float("inf"))
    else:
        lessons[0].states.fill_(float("nan"))
    learner.add(lessons, kept_back=False)
    learner.add(lessons_of(trained.model, 4, seed=2), kept_back=True)
    learner.live = trained.head.copy(torch.float32)
    assert learner.work()
    assert (learner.live, learner.off) == (trained.head, "diverged")
    assert learner.counts()["diverged"] == 1
    assert learner.bytes == 0
    assert not learner.work()


def test_a_head_that_drafts_worse_than_the_loaded_one_is_taken_back_and_nothing_is_learned_any_more(trained):
    learner = Learner(trained.head, trained.model.network.head, DEPTH)
    worse = trained.head.copy(torch.float32)
    worse.lm_head.weight.neg_()
    learner.live = worse
    known = stream(0, 25, 8, seed=0)
    teacher = Teacher(trained.model, SHAPE.layers)
    for prompt in known:
        ids = (*prompt.ids, *plain(trained.model, prompt))
        learner.add([teacher.lesson(Answer(ids, 1, (True,) * (len(ids) - 1)))], kept_back=True)
    assert learner.work()
    assert (learner.live, learner.off) == (trained.head, "worse")
    assert learner.counts()["worse"] == 1
    assert learner.acceptance["live"] < learner.acceptance["base"]


def test_learning_stops_within_a_lesson_when_an_answer_begins_and_goes_on_as_if_it_had_not(trained):
    taught = list(lessons_of(trained.model, learning.FRESH))
    kept_back = list(lessons_of(trained.model, 4, seed=2))
    learners = [Learner(trained.head, trained.model.network.head, DEPTH) for _ in range(2)]
    for learner in learners:
        learner.add(taught, kept_back=False)
        learner.add(kept_back, kept_back=True)
    whole, disturbed = learners
    assert whole.work()
    calls = 0
    assert disturbed.work(lambda: False)
    assert disturbed.bytes == whole._taught.bytes + whole._kept_back.bytes  # no head is copied yet
    while disturbed.waiting:
        assert disturbed.work(partial(next, cycle([True, False])))
        calls += 1
    assert calls == learning.ROUND * learning.FRESH + 3 * len(kept_back) + 1
    assert disturbed.updates == whole.updates == learning.ROUND
    assert disturbed.acceptance == whole.acceptance != {}
    for one, other in zip(whole.live.parameters(), disturbed.live.parameters(), strict=True):
        assert torch.equal(one, other)


def test_lessons_are_bounded_in_bytes_and_the_oldest_go_first(trained):
    lessons = list(lessons_of(trained.model, 5))
    shelf = LessonShelf(3 * size(lessons[0]))
    for lesson in lessons:
        shelf.add(lesson)
    assert list(shelf.lessons) == lessons[2:]
    assert shelf.bytes == 3 * size(lessons[0])


def test_tenants_make_room_for_each_other_and_their_counts_stay(trained, monkeypatch):
    monkeypatch.setattr(online, "TENANTS", 3)
    source = trained.source()
    for tenant in "abcde":
        source.learner(tenant).updates = 2
    assert source.learned().tenants == 3
    assert source.learned().counts["updates"] == 10
    source.learner("c").add(lessons_of(trained.model, 1), kept_back=False)
    monkeypatch.setattr(online, "MEMORY", 1)
    source.learner("d")
    assert source.learned().tenants == 1
    assert source.learned().bytes == 0


def test_a_tenant_that_learns_takes_the_room_of_those_not_served_for_longest(trained, monkeypatch):
    monkeypatch.setattr(learning, "ROUND", 2)
    source = trained.source()
    for tenant in "abc":
        source.learner(tenant).add(lessons_of(trained.model, learning.FRESH), kept_back=False)
    most = Learner.most(trained.head)
    monkeypatch.setattr(online, "MEMORY", 2 * most)
    for _ in range(2):
        source.work()
        assert source.learned().bytes <= 2 * most
    monkeypatch.setattr(online, "MEMORY", most)
    source.learner("c").add(lessons_of(trained.model, learning.FRESH), kept_back=False)
    source.work()
    assert source.learned().tenants == 1
    assert source.learned().bytes <= most


def test_notes_of_a_long_answer_keep_its_newest_rows_and_are_cut_into_short_lessons():
    notes, made = Notes((0,), 1), torch.Generator().manual_seed(0)
    start = 0
    for _ in range(300):
        states = {layer: torch.randn(5, 8, generator=made) for layer in (0, 1)}
        notes.read(Computed([1, 2, 3, 4, 5], start, 6, states))
        notes.observe([3, 4, 5, 6])
        start += 5
    wrong, novel = list(notes.lessons(wrong=True)), list(notes.lessons(wrong=False))
    for lesson in (*wrong, *novel):
        assert len(lesson.answer.ids) <= LONGEST
        assert lesson.states.shape == lesson.final.shape == (len(lesson.answer.ids) - 1, 8)
        assert lesson.states.dtype == torch.bfloat16
    assert sum(sum(lesson.answer.novel) for lesson in wrong) <= KEPT // 5 + 1
    assert sum(sum(lesson.answer.novel) for lesson in novel) > sum(sum(x.answer.novel) for x in wrong)
    assert not list(Notes((0,), 1).lessons(wrong=True))


def test_a_head_that_takes_too_much_to_learn_is_refused_with_the_way_out(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(online, "MEMORY", 1 << 20)
    with pytest.raises(ModelUnavailable, match="MiB to learn, and all heads together have 1: write eagle="):
        online.source(target(), str(folder_of("speculators3", tmp_path)))


def test_nothing_that_was_learned_from_is_written_to_disk(trained, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    source = trained.source()
    trained.serve(source, stream(36, 61, 3, seed=8), learn=True)
    assert source.learned().bytes > 0
    assert not list(tmp_path.iterdir())
