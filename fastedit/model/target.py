"""The model that decides every token."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from fastedit.errors import ModelUnavailable
from fastedit.model.base import Network, Rows
from fastedit.model.cache import Cache
from fastedit.model.fused import FusedNetwork, Shape

# Rows of one pass lie behind the committed tokens, so a cache holds somewhat more than a context.
PASS_SLOTS = 1024
# Weights up to this many bytes run in float32 on a CPU. Rounding to bfloat16 changes 2-6 % of a small model's likeliest
# tokens and makes them depend on how many rows share a pass; a large model is bound by the bytes of its weights.
SMALL = 1 << 30


class Target:
    """A causal language model: rows in, logits out.

    `context` is the longest sequence it was made for, `vocab` the number of logits a row, `fingerprint` names
    its shape (not its weights).
    """

    def __init__(
        self, name: str, network: Network, dtype: torch.dtype, device: torch.device, fingerprint: str
    ) -> None:
        self.name, self.network, self.dtype, self.device = name, network, dtype, device
        self.fingerprint = fingerprint
        self.context, self.vocab = network.context, network.vocab

    @classmethod
    def load(
        cls, path: str | Path, *, device: str = "cpu", dtype: torch.dtype | None = None, generic: bool = False
    ) -> Target:
        """A folder with config.json and safetensors. `generic` goes through transformers' own modules even
        for a family that has a forward pass here. Raises ModelUnavailable."""
        folder, where = Path(path), torch.device(device)
        config = _read_config(folder)
        shape = None if generic else Shape.of(config)
        try:
            dtype = dtype or _default_dtype(folder, where)
            network = _fused(folder, shape, dtype, where) if shape else _generic(folder, dtype, where)
        except (OSError, ValueError, TypeError, KeyError, RuntimeError, SafetensorError) as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise ModelUnavailable(
                f"cannot load the model in {folder}: {reason}; fetch it again or choose another"
            ) from error
        fingerprint = hashlib.sha256(json.dumps(config, sort_keys=True).encode()).hexdigest()[:16]
        return cls(folder.name, network, dtype, where, fingerprint)

    def new_cache(self) -> Cache:
        """An empty cache for one request. Attention sums in float32 on the CPU: there it costs no time."""
        dtype = torch.float32 if self.device.type == "cpu" else self.dtype
        return Cache(self.network.layers, self.context + PASS_SLOTS, dtype, self.device)

    @torch.inference_mode()
    def forward(self, rows: Rows, cache: Cache) -> Tensor:
        """Logits float32 [rows - rows.wanted, vocab]; the rows stay in flight until `cache.keep`."""
        cache.begin(len(rows))
        return self.network.forward(rows, cache)


def _read_config(folder: Path) -> dict[str, Any]:
    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ModelUnavailable(
            f"no model in {folder}: expected a folder with config.json and safetensors weights"
        ) from error
    if not isinstance(config, dict):
        raise ModelUnavailable(f"{folder / 'config.json'} is not a model's configuration: download it again")
    return config


def _default_dtype(folder: Path, device: torch.device) -> torch.dtype:
    size = sum(file.stat().st_size for file in _weight_files(folder) if file.exists())
    return torch.float32 if device.type == "cpu" and size <= SMALL else torch.bfloat16


def _weight_files(folder: Path) -> list[Path]:
    """One file, or those that an index names: a folder may hold copies in other layouts."""
    index = folder / "model.safetensors.index.json"
    if not index.exists():
        return [folder / "model.safetensors"]
    return [
        folder / name for name in sorted(set(json.loads(index.read_text("utf-8"))["weight_map"].values()))
    ]


def _fused(folder: Path, shape: Shape, dtype: torch.dtype, device: torch.device) -> Network:
    weights: dict[str, Tensor] = {}
    for file in _weight_files(folder):
        weights |= load_file(file)
    return FusedNetwork(shape, weights, dtype, device)


def _generic(folder: Path, dtype: torch.dtype, device: torch.device) -> Network:
    # Imported late: transformers takes seconds to import, and the embedded model does not need it.
    from fastedit.model.attention import TransformersNetwork

    return TransformersNetwork(folder, dtype, device)
