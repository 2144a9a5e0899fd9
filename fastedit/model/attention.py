"""Any other transformers decoder, with its attention replaced by ours through AttentionInterface.

The mask registry does not know our name, so the model builds no mask of its own; the span travels to the
attention function as a keyword argument of the model's forward.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from fastedit_kernels.tree_attention import Span, tree_attention
from torch import Tensor
from transformers import AttentionInterface, AutoModelForCausalLM

from fastedit.errors import ModelUnavailable
from fastedit.model.base import Rows
from fastedit.model.cache import Cache

NAME = "fastedit_tree"


def attend(
    module: torch.nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: None,
    *,
    spans: Sequence[Span],
    scaling: float | None = None,
    sliding_window: int | None = None,
    softcap: float | None = None,
    s_aux: Tensor | None = None,
    **ignored: Any,
) -> tuple[Tensor, None]:
    """query [1, heads, rows, d], key and value [1, kv_heads, slots, d], after RoPE -> [1, rows, heads, d]."""
    if softcap is not None or s_aux is not None:
        raise ModelUnavailable("attention with score caps or sinks is not supported: use another model")
    scale = query.shape[-1] ** -0.5 if scaling is None else scaling
    q = query[0].transpose(0, 1)
    return tree_attention(q, key[0], value[0], spans, scale=scale, window=sliding_window)[None], None


AttentionInterface.register(NAME, attend)


class TransformersNetwork:
    """A causal language model that transformers builds from a folder."""

    def __init__(self, path: Path, dtype: torch.dtype, device: torch.device) -> None:
        model = AutoModelForCausalLM.from_pretrained(
            path, dtype=dtype, attn_implementation=NAME, local_files_only=True
        )
        self.model = model.to(device).eval()
        config = model.config.get_text_config(decoder=True)
        self.layers: int = config.num_hidden_layers
        self.vocab: int = config.vocab_size
        self.context: int = config.max_position_embeddings

    def forward(self, rows: Rows, cache: Cache) -> Tensor:
        out = self.model(
            input_ids=rows.tokens[None],
            position_ids=rows.span.positions[None],
            past_key_values=cache,
            use_cache=True,
            logits_to_keep=len(rows) - rows.wanted,
            spans=[rows.span],
        )
        logits: Tensor = out.logits[0].float()
        return logits
