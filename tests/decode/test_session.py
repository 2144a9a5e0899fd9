from __future__ import annotations

import random

import pytest

from fastedit.decode.session import Session
from tests.checkpoints import MODELS
from tests.decode.helpers import CHEAP, GREEDY, Noisy, answer, prompt_of, random_ids, target


@pytest.mark.parametrize("name", MODELS)
def test_greedy_answers_do_not_depend_on_what_was_drafted(name):
    model = target(name)
    rng = random.Random(name)
    for _ in range(12):
        prompt = prompt_of(random_ids(rng, rng.randrange(1, 60)), stop=[3, 4])
        plain = Session(model, prompt, (), GREEDY, costs=CHEAP, speculation=False)
        expected = answer(plain)
        for error in (0.0, 0.1, 1.0):
            drafted = Session(model, prompt, [Noisy(expected, rng, error)], GREEDY, costs=CHEAP)
            assert answer(drafted) == expected
            assert drafted.finished == plain.finished
