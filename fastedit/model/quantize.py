"""Weights in fewer bits, through torchao: embedding and head stay as they are."""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from fastedit.errors import ModelUnavailable, not_installed
from fastedit.model.settings import WeightFormat

Quantize = Callable[[Tensor], Tensor]

# At its import, which transformers does too, torchao lists the parts that were built for other machines.
for _name in ("torchao", "torch.utils._pytree"):
    logging.getLogger(_name).setLevel(logging.ERROR)

GROUP = 128  # int4 weights that share a scale: torchao's own choice


def quantizer(weights: WeightFormat, device: torch.device) -> Quantize | None:
    """What quantizes a matrix [n, k] where it lies on its device; None where weights stay as they are.

    fp8 on a GPU multiplies in fp8, with a scale for each row of weights and of activations; on a CPU, which has no such
    products, weights are widened for each product: that saves memory and costs time. Raises ModelUnavailable.
    """
    if weights == "default":
        return None
    config = _config(weights, device)
    from torchao.quantization import quantize_

    def quantized(weight: Tensor) -> Tensor:
        linear = nn.Linear(weight.shape[1], weight.shape[0], bias=False, device="meta")
        linear.weight = nn.Parameter(weight, requires_grad=False)
        quantize_(linear, config)
        return linear.weight.detach()

    return quantized


def quantize_module(model: Any, weights: WeightFormat, device: torch.device) -> None:
    """The same for the matrices of a transformers model, but its head."""
    if weights != "default":
        config, head = _config(weights, device), model.get_output_embeddings()
        from torchao.quantization import quantize_

        quantize_(model, config, filter_fn=lambda part, _: isinstance(part, nn.Linear) and part is not head)


def _config(weights: WeightFormat, device: torch.device) -> Any:
    if importlib.util.find_spec("torchao") is None:
        raise ModelUnavailable(f"{weights} weights: {not_installed('torchao', 'gpu')}")
    from torchao import quantization as ao

    if weights == "int4":
        if device.type != "cuda":
            raise ModelUnavailable("int4 weights need a GPU: use fp8 or the default")
        return ao.Int4WeightOnlyConfig(group_size=GROUP, int4_packing_format="tile_packed_to_4d")
    if device.type != "cuda":
        return ao.Float8WeightOnlyConfig()
    capability = torch.cuda.get_device_capability(device)
    if capability < (8, 9):
        found = ".".join(map(str, capability))
        raise ModelUnavailable(
            f"fp8 weights need a GPU of compute capability 8.9 or more, {device} has {found}: use int4 or the default"
        )
    return ao.Float8DynamicActivationFloat8WeightConfig(granularity=ao.PerRow())
