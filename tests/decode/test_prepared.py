"""Drafting for the next pass while a pass runs: what is verified stays the same."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastedit.decode.passes import Turn, run_pass
from fastedit.decode.scheduler import Scheduler
from fastedit.decode.session import Session
from fastedit.decode.verify import Verdict, walk
from fastedit.draft import drafters_for
from fastedit.draft.base import Drafter
from fastedit.draft.budget import CostTable
from fastedit.draft.lookup.original import OriginalDrafter
from fastedit.draft.lookup.suffix import SuffixDrafter
from fastedit.draft.registry import REGISTRY, Drafting
from fastedit.draft.seam import Priced
from fastedit.draft.tree import TokenTree
from fastedit.model.target import Target
from fastedit.prompt.base import Prompt
from fastedit.sampling import Sampling
from tests.checkpoints import VOCAB
from tests.decode.helpers import CHEAP, GREEDY, answer, prompt_of, target
from tests.decode.test_device import on_device
from tests.draft.helpers import free
from tests.draft.test_family import setting
from tests.draft.test_retrieval import with_tokenizer
from tests.kernels.helpers import needs_triton

STEEP = CostTable((1, 8, 64), (1.0, 2.0, 30.0))
SAMPLED = Sampling(temperature=0.8, seed=3)


class Overlapping:
    """Runs passes one by one, and has the answer draft for the next one meanwhile if it `prepares`. Keeps what was
    verified; `used` are the passes that verified what was prepared."""

    def __init__(self, model: Target, *, prepares: bool, costs: CostTable = CHEAP) -> None:
        self._model, self._prepares, self._costs = model, prepares, costs
        self.drafts: list[list[tuple[float, ...]]] = []
        self.used = 0

    def run(self, turn: Turn) -> None:
        run_pass(self._model, self._costs, [turn])
        self.overrule(turn)
        self.drafts.append(nodes_of(turn.tree))
        if turn.drafts is not None:
            self.used += turn.drafts.tree is not None
            if self._prepares:
                turn.meanwhile(turn)

    def overrule(self, turn: Turn) -> None:
        pass

    def leave(self, owner: object) -> None:
        pass


class Dictated(Overlapping):
    """Whatever the model says, the answer is `wanted`."""

    wanted: Sequence[int] = ()

    def overrule(self, turn: Turn) -> None:
        path, last = walk(turn.tree, lambda row, position: self.wanted[position], turn.position)
        turn.verdict = Verdict(path, last, [0.0] * (len(path) + 1))


def nodes_of(tree: TokenTree) -> list[tuple[float, ...]]:
    columns = (tree.tokens, tree.parents, tree.sources)
    return list(zip(*(column.tolist() for column in columns), strict=True))


texts = st.lists(st.integers(4, 12), min_size=1, max_size=60)


@st.composite
def changed(draw: st.DrawFn, text: Sequence[int]) -> list[int]:
    """One of its tokens is replaced wherever it stands, and a few runs once."""
    old, new = draw(st.integers(3, 12)), draw(st.lists(st.integers(13, 20), min_size=1, max_size=3))
    found = [one for token in text for one in (new if token == old else [token])]
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(found)))
        found[start : start + draw(st.integers(0, 4))] = draw(st.lists(st.integers(4, 12), max_size=4))
    return found


@st.composite
def edits(draw: st.DrawFn) -> tuple[Prompt, list[int]]:
    original = draw(texts)
    wanted = draw(changed(original))
    update = draw(changed(wanted))[: draw(st.integers(0, 30))]
    prediction = draw(st.none() | changed(wanted).map(tuple))
    limit = len(wanted) + draw(st.integers(-3, 3))
    ids = tuple(original[:9])
    prompt = Prompt(ids, tuple(original), tuple(update), prediction, frozenset({3}), max(1, limit))
    return prompt, [*wanted, 3]


@given(edits(), st.integers(1, 40), st.sampled_from([CHEAP, STEEP]))
def test_drafts_and_answers_are_the_same_whether_they_are_prepared_or_not(edit, rows, costs):
    prompt, wanted = edit
    model, found = target(), []
    for prepares in (False, True):
        runner = Dictated(model, prepares=prepares, costs=costs)
        runner.wanted = wanted
        session = Session(
            model, prompt, drafters_for(prompt), GREEDY, costs=costs, max_rows=rows, runner=runner
        )
        found.append((answer(session), session.finished, runner.drafts, session.tally.switched_off))
    assert found[0] == found[1]
    assert found[0][0] == wanted[:-1][: prompt.answer_limit]


@pytest.mark.parametrize("sampling", [GREEDY, SAMPLED], ids=["greedy", "sampled"])
@pytest.mark.parametrize("name", REGISTRY)
def test_every_drafter_proposes_the_same_whether_lookup_is_prepared_or_not(
    name, sampling, tmp_path, monkeypatch
):
    model = with_tokenizer(tmp_path / "model") if name == "rest" else target()
    named, found = setting(name, tmp_path), []
    ids = random.Random(4).choices(range(4, VOCAB), k=30)
    own = answer(Session(model, prompt_of(ids, limit=24), (), sampling, costs=CHEAP, speculation=False))
    copied = [*own[:11], *own[12:]]  # so that lookup is right, then wrong, then right again
    prompt = Prompt(tuple(ids), tuple(copied), tuple(own[3:9]), None, frozenset(), 24)
    for prepares in (False, True):
        monkeypatch.setenv(
            "XDG_CACHE_HOME", str(tmp_path / str(prepares))
        )  # where heads keep how often they are right
        drafters = Drafting(model).drafters(f"lookup+{named}" if name != "lookup" else name, prompt, sampling)
        for drafter in drafters:
            if isinstance(drafter, Priced):
                free(drafter)
        runner = Overlapping(model, prepares=prepares)
        session = Session(model, prompt, drafters, sampling, costs=CHEAP, max_rows=6, runner=runner)
        found.append((answer(session), runner.drafts))
        assert not session.tally.switched_off
    assert found[0] == found[1]
    assert found[0][0] == own
    assert runner.used > 0 or name not in ("lookup", "rest")


def copying(length: int = 30) -> tuple[Prompt, list[int]]:
    """An edit that copies its original."""
    original = random.Random(1).choices(range(4, VOCAB), k=length)
    return Prompt((4,), tuple(original), (), None, frozenset({3}), length), [*original, 3]


def test_an_answer_that_goes_as_expected_prepares_all_drafts_but_the_first():
    model, (prompt, wanted) = target(), copying()
    runner = Dictated(model, prepares=True)
    runner.wanted = wanted
    session = Session(model, prompt, drafters_for(prompt), GREEDY, costs=CHEAP, max_rows=6, runner=runner)
    assert answer(session) == wanted[:-1]
    assert session.tally.passes == 6
    assert session.tally.undrafted == 1  # the last, which has the stop token to say
    assert runner.used == 4


def test_a_replacement_that_repeats_becomes_surer_from_pass_to_pass():
    rng = random.Random(1)
    original = [token for _ in range(8) for token in (*rng.choices(range(3, 59), k=20), 60)]
    wanted = [59 if token == 60 else token for token in original]
    prompt = Prompt((4,), tuple(original), (), None, frozenset({2}), len(wanted))
    runner = Dictated(target(), prepares=False)
    runner.wanted = [*wanted, 2]
    drafter = OriginalDrafter(original, substitute=True)
    session = Session(target(), prompt, [drafter], GREEDY, costs=CHEAP, max_rows=12, runner=runner)
    assert answer(session) == wanted
    odds = drafter._cursor.substitutions.odds
    assert odds[0] > 0.8 > odds[1]  # of the one replacement, and of one that there is not


class Failing(SuffixDrafter):
    """Fails as soon as a copy of it is told anything."""

    def copy(self) -> SuffixDrafter:
        twin = super().copy()
        twin.observe = self.fail
        return twin

    def fail(self, tokens: Sequence[int]) -> None:
        raise RuntimeError("no")


def with_drafters(*drafters: Drafter) -> Dictated:
    model, (prompt, wanted) = target(), copying()
    runner = Dictated(model, prepares=True)
    runner.wanted = wanted
    session = Session(
        model, prompt, [*drafters_for(prompt), *drafters], GREEDY, costs=CHEAP, max_rows=6, runner=runner
    )
    assert answer(session) == wanted[:-1]
    assert not session.tally.switched_off
    return runner


def test_nothing_is_prepared_where_a_drafter_cannot_be_copied_or_its_copy_fails():
    (lookahead,) = Drafting(target()).drafters("lookahead", copying()[0])
    assert with_drafters(SuffixDrafter(())).used > 0
    assert with_drafters(lookahead).used == 0
    assert with_drafters(Failing(())).used == 0


def prepared_in(model: Target, answers: int) -> int:
    """How often drafts are prepared in a pass of so many answers."""
    prepared: list[Turn] = []
    prompt, _ = copying()
    sessions = [
        Session(model, prompt, drafters_for(prompt), GREEDY, costs=CHEAP, max_rows=2) for _ in range(answers)
    ]
    turns = [session._turn() for session in sessions]
    for turn in turns:
        assert turn.meanwhile is not None
        turn.meanwhile = prepared.append
    run_pass(model, CHEAP, turns)
    for session in sessions:
        session.close()
    return len(prepared)


@needs_triton
def test_drafts_are_prepared_on_a_device_for_an_answer_that_has_the_pass_to_itself():
    model = on_device("qwen3")
    assert prepared_in(model, 1) == 1
    assert prepared_in(model, 2) == 0


def test_nothing_is_prepared_where_passes_run_on_the_processor():
    assert prepared_in(target(), 1) == 0


@needs_triton
def test_an_answer_that_prepares_its_drafts_on_a_device_is_that_of_plain_torch():
    plain, model = target("qwen3"), on_device("qwen3")
    ids = random.Random(6).choices(range(4, VOCAB), k=9)
    own = answer(Session(plain, prompt_of(ids, limit=8), (), GREEDY, costs=CHEAP, speculation=False))
    prompt = Prompt(tuple(ids), tuple(own), (), None, frozenset(), 8)
    session = Session(
        model, prompt, drafters_for(prompt), GREEDY, costs=CHEAP, max_rows=3, runner=Scheduler(model, CHEAP)
    )
    assert answer(session) == own
