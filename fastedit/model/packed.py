"""Matrices in the order in which a processor's bfloat16 products read them, and what such products can do besides."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

Pack = Callable[[Tensor], Tensor]

# For this many rows at a time: the layout for drafts is also the fastest for single rows and for prompts.
ROWS = 64


def multiplies_bfloat16(device: torch.device) -> bool:
    """Whether this is a processor with instructions for products of bfloat16 (AMX, AVX-512 BF16)."""
    return device.type == "cpu" and (
        torch.cpu._is_amx_tile_supported() or torch.cpu._is_avx512_bf16_supported()
    )


def packer(dtype: torch.dtype, device: torch.device) -> Pack | None:
    """What packs a matrix [n, k] for `fastedit_kernels.fused.linear`; None where that brings nothing.

    torch would otherwise rearrange a matrix in every product of more than a few rows: for 64 rows that takes as long as
    the product.
    """
    if dtype != torch.bfloat16 or not multiplies_bfloat16(device):
        return None
    return lambda weight: torch.ops.mkldnn._reorder_linear_weight(weight, ROWS)


def gated(x: Tensor, gate: Tensor, up: Tensor) -> Tensor:
    """x [rows, k] -> silu(x gate^T) * (x up^T) [rows, n], with packed matrices [n, k]: both functions are applied to
    what a product has just computed, before it leaves the cache."""
    left = torch.ops.mkldnn._linear_pointwise(x, gate, None, "swish", [], "")
    out: Tensor = torch.ops.mkldnn._linear_pointwise.binary(x, left, up, None, "mul")
    return out
