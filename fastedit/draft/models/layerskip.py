"""Drafts with the target's own first layers (LayerSkip, Elhoushi et al. 2024): no further weights, an early exit.

It serves models that were trained for early exits; of others the first layers say little. The layers keep keys and
values of their own, which costs a second reading of the prompt by these layers and leaves the target's passes alone.
"""

from __future__ import annotations

from fastedit.draft.models.draft_model import DraftModel
from fastedit.errors import ModelUnavailable, UsageError
from fastedit.model.fused import FusedNetwork
from fastedit.model.ranks import ranks
from fastedit.model.target import Target


def source(target: Target, argument: str) -> DraftModel:
    """With an exit after layer `argument`, counted from 1. Raises UsageError for a layer that there is not,
    ModelUnavailable for a target whose layers cannot be run alone."""
    network = target.network
    if not argument.isdecimal() or not 1 <= int(argument) < network.layers:
        raise UsageError(
            f"layerskip={argument}: the model has {network.layers} layers; "
            f"exit after one from 1 to {network.layers - 1}"
        )
    if not isinstance(network, FusedNetwork) or ranks() is not None:
        raise ModelUnavailable(
            f"{target.name}: early exits are there for plain Llama, Mistral, Qwen2 and Qwen3 models in one process"
        )
    layers = int(argument)
    name = f"{target.name}, {layers} layers"
    early = Target(name, network.early(layers), target.dtype, target.device, f"{target.fingerprint}-{layers}")
    return DraftModel("layerskip", early, target)
