"""What every drafter may ask for beside proposing, and what happens to one that fails."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
import torch

from fastedit.decode.session import Session
from fastedit.draft import Lookup
from fastedit.draft.base import Branch
from fastedit.draft.budget import CostTable
from fastedit.draft.gate import reach, token_ms
from fastedit.draft.registry import REGISTRY, DrafterEntry, Drafting, parse
from fastedit.draft.seam import Computed
from fastedit.draft.tree import Merger
from fastedit.errors import UsageError
from fastedit.result import Receipt
from tests.checkpoints import VOCAB
from tests.decode.helpers import CHEAP, GREEDY, Noisy, answer, prompt_of, random_ids, target
from tests.decode.test_device import on_device
from tests.draft.helpers import choose
from tests.kernels.helpers import needs_triton


class Reading(Noisy):
    layers = frozenset({0, 1, 2})

    def __init__(self, known: Sequence[int], rng: random.Random) -> None:
        super().__init__(known, rng, 0.1)
        self.got: list[Computed] = []

    def read(self, computed: Computed) -> None:
        self.got.append(computed)


@pytest.mark.parametrize("generic", [False, True])
def test_a_reader_gets_every_committed_token_with_the_states_that_a_plain_pass_has(generic):
    rng, model = random.Random(0), target("qwen3", generic=generic)
    prompt = prompt_of(random_ids(rng, 600))  # more than one prompt pass
    expected = answer(Session(model, prompt, (), GREEDY, costs=CHEAP, speculation=False))
    model.pool.forget()
    drafter = Reading(expected, rng)
    assert answer(Session(model, prompt, [drafter], GREEDY, costs=CHEAP)) == expected
    tokens = [token for computed in drafter.got for token in computed.tokens]
    assert tokens == [*prompt.ids, *expected][: len(tokens)]
    assert [computed.start for computed in drafter.got][:2] == [0, 512]
    whole = [*prompt.ids, *expected, -1]
    assert all(c.following == whole[c.start + len(c.tokens)] for c in drafter.got[:-1])
    plain = Reading([], rng)
    model.pool.forget()
    answer(Session(model, prompt_of(tokens, limit=1), [plain], GREEDY, costs=CHEAP))
    for layer in drafter.layers:
        found = torch.cat([computed.states[layer] for computed in drafter.got])
        wanted = torch.cat([computed.states[layer] for computed in plain.got])
        torch.testing.assert_close(found, wanted[: len(found)], atol=1e-4, rtol=1e-4)


@needs_triton
def test_kernels_hand_out_the_states_that_plain_torch_has():
    rng, model = random.Random(1), target()
    prompt = prompt_of(random_ids(rng, 40), limit=4)
    expected = answer(Session(model, prompt, (), GREEDY, costs=CHEAP, speculation=False))
    found = []
    for asked in (model, on_device("qwen3")):
        asked.pool.forget()
        drafter = Reading(expected, random.Random(2))
        assert answer(Session(asked, prompt, [drafter], GREEDY, costs=CHEAP, max_rows=6)) == expected
        found.append(
            {layer: torch.cat([c.states[layer].cpu() for c in drafter.got]) for layer in drafter.layers}
        )
    for layer in found[0]:
        torch.testing.assert_close(found[1][layer], found[0][layer], atol=1e-3, rtol=1e-3)


class Failing(Noisy):
    def __init__(self, how: str) -> None:
        super().__init__([], random.Random(0), 0.0)
        self._how = how

    def observe(self, tokens: Sequence[int]) -> None:
        if self._how == "observe":
            raise RuntimeError("in observe")

    def propose(self, limit: int) -> list[Branch]:
        return {
            "vocabulary": [Branch([VOCAB], [0.5], "x")],
            "negative": [Branch([-1], [0.5], "x")],
            "rising": [Branch([1, 2], [0.5, 0.6], "x")],
            "nan": [Branch([1], [float("nan")], "x")],
            "uneven": [Branch([1, 2], [0.5], "x")],
            "nothing": cast(Any, None),
        }.get(self._how, [])


@pytest.mark.parametrize("how", ["observe", "vocabulary", "negative", "rising", "nan", "uneven", "nothing"])
def test_a_drafter_that_raises_or_proposes_nonsense_is_switched_off_and_counted(how, caplog):
    rng, model = random.Random(1), target()
    prompt = prompt_of(random_ids(rng, 30), limit=8)
    expected = answer(Session(model, prompt, (), GREEDY, costs=CHEAP, speculation=False))
    session = Session(model, prompt, [Failing(how), Noisy(expected, rng, 0.0)], GREEDY, costs=CHEAP)
    assert answer(session) == expected
    receipt = Receipt()
    session.record(receipt)
    assert receipt.switched_off == {"noisy": 1}
    assert "noisy is switched off" in caplog.text
    assert sum(receipt.accepted.values()) > 0  # the other one went on


class Dear(Noisy):
    """Costs time, and counts how often it is asked."""

    name = "dear"

    def __init__(self, known: Sequence[int], ms: float) -> None:
        super().__init__(known, random.Random(0), 0.0)
        self._ms, self.asked = ms, 0

    def prices(self) -> np.ndarray:
        return np.full(6, self._ms)

    def hopes(self) -> np.ndarray:
        return 0.8 ** np.arange(1, 7)

    def spend(self, token_ms: float) -> None:
        self.token_ms = token_ms

    def propose(self, limit: int) -> list[Branch]:
        self.asked += 1
        return []


class Sure(Noisy):
    def propose(self, limit: int) -> list[Branch]:
        tokens = self._answer[self._at : self._at + limit]
        return [Branch(tokens, [0.99] * len(tokens), "sure")] if tokens else []


def test_a_drafter_with_a_price_is_asked_only_where_nothing_sure_is_known_and_it_can_pay():
    rng, model = random.Random(2), target()
    prompt = prompt_of(random_ids(rng, 30), limit=40)
    expected = answer(Session(model, prompt, (), GREEDY, costs=CHEAP, speculation=False))
    alone, beside, costly = Dear(expected, 1.0), Dear(expected, 1.0), Dear(expected, 1000.0)
    assert answer(Session(model, prompt, [alone], GREEDY, costs=CHEAP)) == expected
    answer(Session(model, prompt, [Sure(expected, rng, 0.0), beside], GREEDY, costs=CHEAP))
    answer(Session(model, prompt, [costly], GREEDY, costs=CHEAP))
    assert alone.asked == 40  # before every pass
    assert beside.asked <= 1
    assert costly.asked == 0


class DearReader(Dear):
    layers = frozenset([0])

    def __init__(self, known: Sequence[int], ms: float) -> None:
        super().__init__(known, ms)
        self.got: list[Computed] = []

    def read(self, computed: Computed) -> None:
        self.got.append(computed)


def test_states_are_handed_to_no_reader_that_cannot_pay_in_this_answer():
    rng, model = random.Random(2), target()
    prompt = prompt_of(random_ids(rng, 30), limit=40)
    expected = answer(Session(model, prompt, (), GREEDY, costs=CHEAP, speculation=False))
    cheap, costly = DearReader(expected, 1.0), DearReader(expected, 1000.0)
    for drafter in (cheap, costly):
        model.pool.forget()
        session = Session(model, prompt, [drafter], GREEDY, costs=CHEAP)
        assert answer(session) == expected
        receipt = Receipt()
        session.record(receipt)
        assert receipt.switched_off == {}
    assert len(cheap.got) >= 40
    assert costly.got == []


class Knowing(Dear):
    def propose(self, limit: int) -> list[Branch]:
        tokens = self._answer[self._at : self._at + min(limit, 6)]
        return [Branch(tokens, (0.8 ** np.arange(1, len(tokens) + 1)).tolist(), "dear")] if tokens else []


def test_where_lookup_ends_the_dear_drafter_takes_over_within_a_pass():
    rng, model = random.Random(3), target()
    prompt = prompt_of(random_ids(rng, 30), limit=40)
    expected = answer(Session(model, prompt, (), GREEDY, costs=CHEAP, speculation=False))
    lookup, dear = Sure(expected[:20], rng, 0.0), Knowing(expected, 2.0)
    session = Session(model, prompt, [lookup, dear], GREEDY, costs=CHEAP)
    passes, before = [], Counter[str]()
    while session.finished is None:
        session.step()
        passes.append(session.tally.accepted - before)
        before = session.tally.accepted.copy()
    assert session.output == expected
    copied = next(i for i, accepted in enumerate(passes) if "sure" in accepted)
    assert passes[copied]["sure"] == 20
    assert all("dear" in accepted for accepted in passes[copied + 1 :])


def test_reach_adds_up_branches_by_depth():
    merger = Merger(
        [Branch([1, 2, 3], [0.6, 0.5, 0.4], "a"), Branch([1, 9], [0.3, 0.1], "b"), Branch([4], [0.2], "c")]
    )
    assert reach(merger, 4) == pytest.approx([0.8, 0.6, 0.4, 0.0])


def test_a_drafter_whose_whole_proposal_is_too_dear_is_asked_for_what_a_shorter_one_brings():
    costs = CostTable((1, 8), (10.0, 10.7))  # a tenth of a millisecond a further row
    hopes = np.array([0.5, 0.25, 0.125, 0.0625])
    offer = SimpleNamespace(prices=lambda: 3.0 * np.arange(1, 5), hopes=lambda: hopes)
    assert token_ms(cast(Any, offer), Merger([]), costs) == pytest.approx(13.1 / 1.5)
    whole = SimpleNamespace(prices=lambda: np.full(4, 12.0), hopes=lambda: hopes)
    assert token_ms(cast(Any, whole), Merger([]), costs) is None
    known = Merger([Branch([1, 2], [0.4, 0.2], "a")])  # most of what it hopes for is there already
    assert token_ms(cast(Any, offer), known, costs) is None


def test_where_lookup_guesses_too_a_head_is_hoped_to_add_less_the_surer_lookup_is():
    costs = CostTable((1, 100), (10.0, 109.0))
    offer = SimpleNamespace(prices=lambda: np.full(1, 0.5), hopes=lambda: np.full(1, 0.5))
    for chance in (0.1, 0.3):
        known = Merger([Branch([1], [chance], "a")])
        added = 0.5 * (1.0 - chance) ** 2
        assert token_ms(cast(Any, offer), known, costs) == pytest.approx(12.5 / (1.0 + chance + added))
    assert token_ms(cast(Any, offer), Merger([Branch([1], [0.7], "a")]), costs) is None


def test_tokens_that_are_worth_more_are_verified_at_a_survival_that_copies_are_not():
    costs = CostTable((1, 100), (10.0, 109.0))  # a millisecond a row
    copied = Branch([1, 2, 3], [0.3, 0.1, 0.05], "copy")
    novel = Branch([1, 5, 6], [0.3, 0.2, 0.01], "novel", value=8.0)
    rate = 1.0
    assert choose([copied], costs, 8, rate).tokens.tolist() == [1]
    tree = choose([copied, novel], costs, 8, rate)
    assert tree.tokens.tolist() == [1, 5]
    # A shared token is worth as much as the dearest that it leads to; what nobody expects is worth nothing.
    assert Merger([copied, novel]).worth() == pytest.approx([2.4, 0.1, 0.05, 1.6, 0.08])


def test_a_setting_names_drafters_in_the_order_of_trust():
    assert parse("lookup") == (("lookup", ""),)
    assert parse("eagle=a/b+lookup") == (("eagle", "a/b"), ("lookup", ""))
    for wrong, said in (
        ("magic", "'magic': there is none of that name; there are lookup"),
        ("medusa", "write medusa=FOLDER"),
        ("eagle=", "write eagle or eagle=FOLDER"),
        ("lookup=x", "write lookup"),
        ("", "there is none of that name"),
    ):
        with pytest.raises(UsageError, match=said):
            parse(wrong)


def test_a_source_is_made_once_and_another_setting_needs_no_new_target(monkeypatch):
    made: list[str] = []

    class Counting(Lookup):
        def __init__(self, target: Any, argument: str) -> None:
            made.append(argument)

    monkeypatch.setattr("fastedit.draft.Lookup", Counting)
    monkeypatch.setitem(REGISTRY, "other", DrafterEntry("fastedit.draft:Lookup", "X"))
    drafting = Drafting(cast(Any, None))
    prompt = prompt_of([1, 2, 3])
    for setting in ("lookup", "other=1", "lookup", "lookup+other=1", "other=2"):
        assert drafting.drafters(setting, prompt)
    assert made == ["", "1", "2"]
