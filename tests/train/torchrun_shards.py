"""Run by torchrun: what becomes of a tiny model that its processes share, as JSON from rank 0.

Arguments: the model's kind and an empty folder.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import torch
from peft import LoraConfig, PeftModel, get_peft_model

from fastedit.train.loop import LOG
from fastedit.train.lora import trainer as lora_trainer
from fastedit.train.lora.trainer import IGNORED, LoraRecipe, LoraTrainer, Row
from tests.checkpoints import MODELS, VOCAB

STEPS = 4
EXAMPLES = 2  # of a step, all processes together


def adapted(kind: str) -> PeftModel:
    torch.manual_seed(0)
    make, config = MODELS[kind]
    wish = LoraConfig(r=2, lora_alpha=4, target_modules="all-linear", task_type="CAUSAL_LM")
    return get_peft_model(make(config), wish)


def examples(count: int = STEPS * EXAMPLES) -> Iterator[Row]:
    """Random rows of unlike lengths, of which the first tokens are the prompt."""
    numbers = torch.Generator().manual_seed(1)
    for _ in range(count):
        length = int(torch.randint(6, 14, (1,), generator=numbers))
        ids = torch.randint(0, VOCAB, (length,), generator=numbers).tolist()
        yield {"input_ids": ids, "labels": [IGNORED] * 3 + ids[3:]}
    raise KeyboardInterrupt


def recipe(processes: int) -> LoraRecipe:
    return LoraRecipe(steps=STEPS, batch=EXAMPLES // processes, accumulate=1, rate=0.05)


def losses(folder: Path) -> list[float]:
    return [json.loads(row)["loss"] for row in (folder / LOG).read_text().splitlines()]


def main(kind: str, folder: Path) -> None:
    lora_trainer.LOGGED_STEPS = 1
    whole, died = folder / "whole", folder / "died"
    model = adapted(kind)
    trainer = LoraTrainer(model, recipe(2), whole, split=True)
    sizes = [(w.numel(), w.to_local().numel(), type(w).__name__) for w in model.parameters()]
    trainer.run(examples())
    with suppress(KeyboardInterrupt):
        LoraTrainer(adapted(kind), recipe(2), died, split=True).run(examples(3 * EXAMPLES))
    adapters = LoraTrainer(adapted(kind), recipe(2), died, split=True).run(examples())
    trainer.close()
    if trainer.rank == 0:
        found = {
            "sizes": sizes,
            "whole": losses(whole),
            "resumed": losses(died),
            "adapters": sorted(adapters),
        }
        (folder / "found.json").write_text(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
