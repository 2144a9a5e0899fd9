"""Weights as a model folder keeps them: config.json and one file of weights, in bfloat16 or int8."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from transformers import Qwen3ForCausalLM

from fastedit.engine.edits.calibration import KEY
from fastedit.errors import ModelUnavailable
from fastedit.model.storage import INT8, PLAIN, pretrained, save_int8
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.train.embedded import shape
from fastedit.train.loop import kept


def export(model: Qwen3ForCausalLM, folder: Path, *, int8: bool = False) -> None:
    """What was measured with weights and stands in their configuration goes with them."""
    folder.mkdir(parents=True, exist_ok=True)
    # A copy: the model in training must not lose the bits that bfloat16 lacks.
    deepcopy(model).to(torch.bfloat16).save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)
    (folder / INT8).unlink(missing_ok=True)
    if int8:
        weights = model.state_dict()
        save_int8({name: weights[name] for name in load_file(folder / PLAIN)}, folder)


def blend(first: Path, second: Path, share: float) -> Qwen3ForCausalLM:
    """`share` of the second folder's weights and the rest of the first's, of which they were trained on, grown or not.

    What a run forgets while it learns more comes back in part, and little of what it learned is lost (Wortsman et al.
    2022, robust fine-tuning).
    """
    one, model = load_weights(first), load_weights(second)
    one = shape.grown(one, max(one.config.num_hidden_layers, model.config.num_hidden_layers))
    shapes = [shape.describe(found.config) for found in (one, model)]
    if shapes[0] != shapes[1]:
        raise ModelUnavailable(f"{second} ({shapes[1]}) was not trained on from {first} ({shapes[0]})")
    before, after = one.state_dict(), model.state_dict()
    model.load_state_dict({name: torch.lerp(before[name], after[name], share) for name in after})
    return uncalibrated(model)


def uncalibrated(model: Qwen3ForCausalLM) -> Qwen3ForCausalLM:
    """The model whose weights change from here on, without what was measured with them."""
    vars(model.config).pop(KEY, None)
    return model


def check_vocabulary(folder: Path, model: Qwen3ForCausalLM, form: EmbeddedFormat) -> None:
    """Raises ModelUnavailable where the model is not the tokenizer's."""
    rows = model.config.vocab_size
    if rows != form.vocab_size:
        raise ModelUnavailable(
            f"{folder}: its embedding has {rows} rows and the tokenizer, tags included, {form.vocab_size} tokens; they "
            "do not belong together"
        )


def load_weights(folder: Path) -> Qwen3ForCausalLM:
    """A model in float32 from an exported folder or from a training run's last checkpoint. Raises ModelUnavailable."""
    state = kept(folder)
    if state is not None:
        model = Qwen3ForCausalLM(shape.of_weights(state["model"]))
        model.load_state_dict(state["model"])
        return model
    if not folder.is_dir():  # else transformers would take a path such as runs/nano for a name on the hub
        raise ModelUnavailable(f"cannot load the weights in {folder}: no such folder; check the path")
    try:
        found = pretrained(folder, torch.float32)
    except (OSError, ValueError, RuntimeError, SafetensorError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ModelUnavailable(f"cannot load the weights in {folder}: {reason}") from None
    if not isinstance(found, Qwen3ForCausalLM):
        raise ModelUnavailable(f"{folder}: is {found.config.model_type}; the embedded model is qwen3")
    return found
