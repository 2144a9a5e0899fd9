"""Every drafter that can be named leaves answers as they are: greedy ones token for token, sampled ones as likely."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from torch import Tensor

from fastedit.decode.layout import PassPart, lay_out
from fastedit.decode.session import Session
from fastedit.decode.tally import Tally
from fastedit.decode.verify import distribution
from fastedit.draft.registry import REGISTRY, Drafting
from fastedit.draft.seam import Priced
from fastedit.draft.tree import TokenTree
from fastedit.errors import ModelUnavailable
from fastedit.prompt.base import Prompt
from fastedit.sampling import Sampling
from tests.checkpoints import checkpoint
from tests.decode.helpers import CHEAP, GREEDY, answer, prompt_of, random_ids, target
from tests.decode.test_verify import chi_square
from tests.draft import test_ahead, test_hydra, test_parallel
from tests.draft.helpers import free
from tests.draft.test_retrieval import with_tokenizer
from tests.model import test_heads, test_mtp

LENGTH, TRIALS = 2, 150


def setting(name: str, path: Path) -> str:
    """How the drafter is asked for, from a tiny folder made for the target."""
    made = {
        "eagle": lambda: test_heads.folder_of("speculators3", path),
        "online": lambda: test_heads.folder_of("speculators3", path),
        "mtp": lambda: test_mtp.folder_of("deepseek", path),
        "medusa": lambda: test_ahead.folder_of(path / "heads", "medusa"),
        "hydra": lambda: test_hydra.folder_of(path / "heads", "prefix-mlp"),
        "p-eagle": lambda: test_parallel.folder_of(path / "heads", "speculators"),
        "mlp": lambda: test_ahead.folder_of(path / "heads", "mlp"),
        "lstm": lambda: test_ahead.folder_of(path / "heads", "lstm"),
        "draft": lambda: checkpoint("llama"),
        "cascade": lambda: checkpoint("llama"),
        "layerskip": lambda: 1,
        "rest": lambda: repository(path / "files"),
    }.get(name)
    return name if made is None else f"{name}={made()}"


def repository(path: Path) -> Path:
    path.mkdir()
    (path / "a.py").write_text("def add(a, b):\n    return a + b\n" * 3)
    return path


class Asking:
    """A model with one drafter, which is asked before every pass and believes in what it proposes."""

    def __init__(self, name: str, path: Path) -> None:
        self.model = with_tokenizer(path / "model") if name == "rest" else target()
        self._setting, self._drafting = setting(name, path), Drafting(self.model)

    def answer(self, prompt: Prompt, sampling: Sampling) -> tuple[list[int], Tally]:
        drafters = self._drafting.drafters(self._setting, prompt, sampling)
        for drafter in drafters:
            if isinstance(drafter, Priced):
                free(drafter)
        session = Session(self.model, prompt, drafters, sampling, costs=CHEAP)
        return answer(session), session.tally

    def plain(self, prompt: Prompt, sampling: Sampling) -> list[int]:
        return answer(Session(self.model, prompt, (), sampling, costs=CHEAP, speculation=False))

    def chances(self, prompt: Prompt, sampling: Sampling) -> dict[tuple[int, ...], float]:
        """Of every answer of LENGTH tokens, by the model alone."""
        found = {(): 1.0}
        for _ in range(LENGTH):
            found = {
                (*said, token): chance * float(p)
                for said, chance in found.items()
                for token, p in enumerate(self._next(prompt, said, sampling))
                if p > 0
            }
        return found

    def _next(self, prompt: Prompt, said: tuple[int, ...], sampling: Sampling) -> Tensor:
        cache = self.model.new_cache()
        logits = self.model.forward(lay_out([PassPart((*prompt.ids, *said), TokenTree.empty(), cache)]))
        cache.free()
        return distribution(logits[-1], sampling)


@pytest.mark.parametrize("name", REGISTRY)
def test_a_greedy_answer_is_the_models_own(name, tmp_path):
    asking, rng = Asking(name, tmp_path), random.Random(1)
    for length in (1, 40):
        ids = random_ids(rng, length)
        prompt = replace(prompt_of(ids, stop=[3], limit=24), original=tuple(ids), update=tuple(ids[:9]))
        found, tally = asking.answer(prompt, GREEDY)
        assert found == asking.plain(prompt, GREEDY)
        assert not tally.switched_off


HEADS = ("eagle", "online", "medusa", "hydra", "p-eagle", "mlp", "lstm")


@pytest.mark.parametrize("name", HEADS)
def test_a_folder_of_other_heads_is_refused_with_the_drafter_that_it_serves(name, tmp_path):
    drafting, served = Drafting(target()), "medusa" if name == "hydra" else "hydra"
    folder = setting(served, tmp_path).removeprefix(f"{served}=")
    with pytest.raises(ModelUnavailable, match=f"no head for {name}: write {served}={folder}$"):
        drafting.drafters(f"{name}={folder}", prompt_of([1]))


@pytest.mark.slow
@pytest.mark.parametrize("name", REGISTRY)
def test_sampled_answers_are_distributed_as_the_models_own(name, tmp_path):
    asking, rng = Asking(name, tmp_path), random.Random(2)
    ids = random_ids(rng, 20)
    prompt = replace(prompt_of(ids, limit=LENGTH), original=tuple(ids), update=tuple(ids[:9]))
    counts = Counter()
    for seed in range(TRIALS):
        sampling = Sampling(temperature=1.3, top_k=3, seed=seed, acceptance="branches")
        found, tally = asking.answer(prompt, sampling)
        assert not tally.switched_off
        counts[tuple(found)] += 1
    statistic, bound = chi_square(counts, asking.chances(prompt, sampling), TRIALS)
    assert statistic < bound
