"""Started by torchrun, once a rank: rank 0 prints answers with and without drafts as JSON."""

from __future__ import annotations

import json
import random
import sys

import torch

from fastedit.decode.session import Session
from fastedit.model.target import Target
from tests.decode.helpers import CHEAP, GREEDY, Noisy, answer, prompt_of, random_ids


def main() -> None:
    torch.set_num_threads(1)
    model = Target.load(sys.argv[1], dtype=torch.float32)
    if not model.leads:
        model.follow()
        return
    print(json.dumps({"answers": answers(model), "kv_heads": model.network.heads.kv_heads}))


def answers(model: Target) -> list[list[int]]:
    rng, found = random.Random(0), []
    for length in (40, 90):
        prompt = prompt_of(random_ids(rng, length), limit=12)
        plain = answer(Session(model, prompt, (), GREEDY, costs=CHEAP, speculation=False))
        drafted = Session(model, prompt, [Noisy(plain, rng, 0.1)], GREEDY, costs=CHEAP, max_rows=20)
        found += [plain, answer(drafted)]
    return found


if __name__ == "__main__":
    main()
