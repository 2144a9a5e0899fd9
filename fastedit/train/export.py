"""Weights in the layout that transformers loads: config.json and model.safetensors in bfloat16."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path

import torch
from transformers import Qwen3ForCausalLM

from fastedit.train import shape
from fastedit.train.checkpoint import kept


def export(model: Qwen3ForCausalLM, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    # A copy: the model in training must not lose the bits that bfloat16 lacks.
    deepcopy(model).to(torch.bfloat16).save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)


def blend(first: Path, second: Path, share: float) -> Qwen3ForCausalLM:
    """`share` of the second folder's weights and the rest of the first's, of which they were trained on.

    What a run forgets while it learns more comes back in part, and little of what it learned is lost (Wortsman et al.
    2022, robust fine-tuning).
    """
    before, model = load_weights(first).state_dict(), load_weights(second)
    after = model.state_dict()
    model.load_state_dict({name: torch.lerp(before[name], after[name], share) for name in after})
    return model


def load_weights(folder: Path) -> Qwen3ForCausalLM:
    """A model in float32 from an exported folder or from a training run's last checkpoint."""
    state = kept(folder)
    if state is None:
        return Qwen3ForCausalLM.from_pretrained(folder, dtype=torch.float32)
    model = Qwen3ForCausalLM(shape.of_weights(state["model"]))
    model.load_state_dict(state["model"])
    return model
