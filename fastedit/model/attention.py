"""Any other transformers decoder, with its attention replaced by ours through AttentionInterface.

The mask registry does not know our name, so the model builds no mask of its own; the pass's memory travels to the
attention function as a keyword argument of the model's forward.
"""

from __future__ import annotations

import importlib.util
import inspect
from pathlib import Path
from typing import Any

import numpy as np
import torch
from fastedit_kernels.tree_attention import Batch, Span, tree_attention
from fastedit_kernels.tree_attention.plan import Heads
from numpy.typing import NDArray
from torch import Tensor
from transformers import AttentionInterface
from transformers.distributed import DistributedConfig

from fastedit.errors import ModelUnavailable, not_installed, reason
from fastedit.model.base import Inputs
from fastedit.model.cache import Cache, Memory
from fastedit.model.pages import PagePool
from fastedit.model.quantize import quantize_module
from fastedit.model.ranks import ranks
from fastedit.model.settings import WeightFormat
from fastedit.model.storage import pretrained

NAME = "fastedit_tree"


def attend(
    module: torch.nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: None,
    *,
    memory: Memory,
    scaling: float | None = None,
    sliding_window: int | None = None,
    softcap: float | None = None,
    s_aux: Tensor | None = None,
    **ignored: Any,
) -> tuple[Tensor, None]:
    """query [1, heads, rows, d] after RoPE -> [1, rows, heads, d]; key and value are in the memory already."""
    if softcap is not None or s_aux is not None:
        raise ModelUnavailable("attention with score caps or sinks is not supported: use another model")
    scale = query.shape[-1] ** -0.5 if scaling is None else scaling
    layer: int = module.layer_idx  # type: ignore[assignment]
    return memory.attend(layer, query[0].transpose(0, 1), scale=scale, window=sliding_window)[None], None


AttentionInterface.register(NAME, attend)


def _shared() -> dict[str, Any]:
    """What makes transformers load a rank's part of the weights only."""
    if importlib.util.find_spec("accelerate") is None:
        raise ModelUnavailable(f"to share a model, {not_installed('accelerate', 'gpu')}")
    return {"distributed_config": DistributedConfig(tp_plan="auto")}


class TransformersNetwork:
    """A causal language model that transformers builds from a folder."""

    def __init__(
        self, path: Path, dtype: torch.dtype, device: torch.device, weights: WeightFormat = "default"
    ) -> None:
        others = ranks()
        shared = {} if others is None else _shared()
        model = pretrained(
            path, dtype, attn_implementation=NAME, local_files_only=True, use_safetensors=True, **shared
        )
        self.model = (model if others else model.to(device)).eval()
        quantize_module(self.model, weights, device)
        config = model.config.get_text_config(decoder=True)
        self.layers: int = config.num_hidden_layers
        self.vocab: int = config.vocab_size
        self.hidden: int = config.hidden_size
        # A model that keeps a state instead of attending has no such number: it fails the check below.
        self.context: int = getattr(config, "max_position_embeddings", 0)
        heads: int = getattr(
            config, "num_attention_heads", 1
        )  # models that do not attend fail the check below
        kv_heads = getattr(config, "num_key_value_heads", None) or heads
        size = getattr(config, "head_dim", None) or config.hidden_size // heads
        world = 1 if others is None else others.world
        if heads % world or kv_heads % world:
            raise ModelUnavailable(
                f"{heads} heads and {kv_heads} KV heads cannot be shared by {world} processes"
            )
        self.heads = Heads(heads // world, kv_heads // world, size)
        self._device = device
        self.windows = frozenset[int | None]({None})
        # transformers 5.24 has renamed it; a model outside of transformers may go by the old name.
        known = inspect.signature(self.model.forward).parameters
        self._cache_name = "cache" if "cache" in known else "past_key_values"
        self._check_trees(dtype)

    @property
    def embedding(self) -> Tensor:
        weight: Tensor = self.model.get_input_embeddings().weight
        return weight

    @property
    def head(self) -> Tensor:
        weight: Tensor = self.model.get_output_embeddings().weight
        return weight

    packed_head = head

    def forward(self, inputs: Inputs) -> Tensor:
        out = self.model(
            input_ids=inputs.tokens[None],
            position_ids=inputs.positions[None],
            use_cache=True,
            logits_to_keep=inputs.wanted,
            memory=inputs.memory,
            output_hidden_states=inputs.taps is not None,
            **{self._cache_name: inputs.memory},
        )
        if inputs.taps is not None:
            for layer, state in enumerate(out.hidden_states):
                inputs.taps.offer(layer, state[0])
        logits: Tensor = out.logits[0]
        return logits

    @torch.inference_mode()
    def _check_trees(self, dtype: torch.dtype) -> None:
        """A token must see its ancestors and nothing else, wherever it lies: compares a tree with a chain.

        Raises ModelUnavailable, for models that keep another kind of state or attend in a way of their own.
        """
        chain = np.array([[1], [3], [7]], dtype=np.uint64)
        tree = np.array([[1], [3], [5], [13]], dtype=np.uint64)
        try:
            expected = self._last([1, 3, 4], [0, 1, 2], chain, dtype)
            found = self._last([1, 2, 3, 4], [0, 1, 1, 2], tree, dtype)
        except ModelUnavailable:
            raise
        except Exception as error:  # a model may fail in any way at all on a cache that is not its own
            raise ModelUnavailable(
                f"{self._kind} models are not supported ({reason(error)}); choose another"
            ) from error
        if not (found - expected).norm() <= 0.05 * (expected - expected.mean()).norm():
            raise ModelUnavailable(f"{self._kind} models do not attend in trees: choose another model")

    @property
    def _kind(self) -> str:
        return str(self.model.config.model_type)

    def _last(
        self, tokens: list[int], positions: list[int], sees: NDArray[np.uint64], dtype: torch.dtype
    ) -> Tensor:
        """Logits of the last row of a pass over an empty cache. Notes how far the layers look back."""
        pool = PagePool(self.layers, 1, dtype, self._device)
        cache = Cache(pool)
        cache.begin(len(tokens))
        batch = Batch([Span(0, 0, np.array(positions), sees, cache.pages)])
        last = torch.tensor([len(tokens) - 1], device=self._device)
        ids = torch.tensor(tokens, device=self._device)
        turns = torch.tensor(positions, device=self._device)
        windows = set[int | None]()

        def attention(q: Tensor, k: Tensor, v: Tensor, *, scale: float, window: int | None = None) -> Tensor:
            windows.add(window)
            return tree_attention(q, k, v, batch, scale=scale, window=window)

        slots = torch.from_numpy(batch.slots).to(self._device)
        logits = self.forward(Inputs(ids, turns, last, Memory(pool, slots, attention)))
        self.kv_width = pool.width
        self.windows = frozenset(windows)
        return logits[0]
