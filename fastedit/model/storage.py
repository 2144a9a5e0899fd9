"""Weights in a folder: as transformers keeps them, or every matrix in int8 with one scale a row, at half the size.

A row w of a matrix [n, k] is kept as round(w / s) with s = max |w| / 127, under the matrix's own name; the scales s are
float32 [n] under that name and `_scale`. All that reads such weights widens them first: nothing computes in int8. The
file has a name of its own, for transformers would take the bare numbers for weights.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from safetensors.torch import load_file, save
from torch import Tensor

if TYPE_CHECKING:
    from transformers import PreTrainedModel

PLAIN, INT8 = "model.safetensors", "model.int8.safetensors"
SCALE = "_scale"
_LARGEST = 127


def is_int8(folder: Path) -> bool:
    """Whether only `read_weights` and `pretrained` can read the folder."""
    return (folder / INT8).exists()


def weight_files(folder: Path) -> list[Path]:
    """One file, or those that an index names: a folder may hold copies in other layouts."""
    index = folder / f"{PLAIN}.index.json"
    if not index.exists():
        return [folder / (INT8 if is_int8(folder) else PLAIN)]
    return [
        folder / name for name in sorted(set(json.loads(index.read_text("utf-8"))["weight_map"].values()))
    ]


def read_weights(folder: Path) -> dict[str, Tensor]:
    """All weights by name, in the types that they are kept in; those in int8 widened to float32.

    Raises OSError or SafetensorError for a file that cannot be read, ValueError for int8 weights without their scales.
    """
    weights: dict[str, Tensor] = {}
    for file in weight_files(folder):
        kept = load_file(file)
        weights |= _dequantized(kept, file) if file.name == INT8 else kept
    return weights


def save_int8(weights: Mapping[str, Tensor], folder: Path) -> None:
    """Write matrices in int8 and everything else, which is small, in bfloat16, in place of the folder's plain file."""
    kept: dict[str, Tensor] = {}
    for name, weight in weights.items():
        if weight.ndim == 2:
            kept[name], kept[name + SCALE] = _quantized(weight.detach().float())
        else:
            kept[name] = weight.detach().to(torch.bfloat16)
    part = folder / f"{INT8}.part"
    part.write_bytes(save(kept))
    part.replace(folder / INT8)
    (folder / PLAIN).unlink(missing_ok=True)


def pretrained(folder: Path, dtype: torch.dtype | str, **loading: Any) -> PreTrainedModel:
    """The model in a folder as transformers' own, whichever way its weights are kept. `loading` goes to transformers.
    Raises what transformers and `read_weights` raise."""
    from transformers import MODEL_FOR_CAUSAL_LM_MAPPING, AutoConfig, AutoModelForCausalLM

    model: PreTrainedModel
    if is_int8(folder):
        config = AutoConfig.from_pretrained(folder)
        kind = MODEL_FOR_CAUSAL_LM_MAPPING[type(config)]
        model = kind.from_pretrained(
            None, config=config, state_dict=read_weights(folder), dtype=dtype, **loading
        )
    else:
        model = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype, **loading)
    return model


def _quantized(weight: Tensor) -> tuple[Tensor, Tensor]:
    """Of a float32 matrix [n, k] its int8 form and its scales [n]; a row of zeros has the scale 1."""
    largest = weight.abs().amax(1)
    scale = torch.where(largest > 0, largest / _LARGEST, 1.0)
    return (weight / scale[:, None]).round().to(torch.int8), scale


def _dequantized(kept: Mapping[str, Tensor], file: Path) -> dict[str, Tensor]:
    weights = {}
    for name, weight in kept.items():
        if name.endswith(SCALE):
            if name.removesuffix(SCALE) not in kept:
                raise ValueError(f"{file.name}: {name} belongs to no weight")
        elif weight.dtype is torch.int8:
            weights[name] = weight.float() * _scale_of(name, weight, kept, file)[:, None]
        else:
            weights[name] = weight
    return weights


def _scale_of(name: str, weight: Tensor, kept: Mapping[str, Tensor], file: Path) -> Tensor:
    scale = kept.get(name + SCALE)
    if scale is None:
        raise ValueError(f"{file.name}: {name} is int8 and has no {name + SCALE}")
    if weight.ndim != 2 or scale.shape != weight.shape[:1]:
        shapes = f"{list(weight.shape)} has scales {list(scale.shape)}"
        raise ValueError(f"{file.name}: {name} {shapes}; one a row was expected")
    if scale.dtype is not torch.float32 or not (scale.isfinite() & (scale > 0)).all():
        raise ValueError(f"{file.name}: {name + SCALE} is not float32 above 0 throughout")
    return scale
