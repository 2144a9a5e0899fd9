from __future__ import annotations

import pytest
import torch
from fastedit_kernels import fused

from tests.kernels.helpers import DEVICE, needs_triton

CLOSE = {"atol": 3e-6, "rtol": 3e-6}


@needs_triton
@pytest.mark.parametrize("adds", [False, True])
def test_norm_after_addition(adds):
    from fastedit_kernels.fused import triton as kernels

    torch.manual_seed(0)
    x, weight = torch.randn(5, 100, device=DEVICE), torch.randn(100, device=DEVICE)
    delta = torch.randn(5, 100, device=DEVICE) if adds else None
    kept = x.clone()
    found = kernels.add_norm(x, delta, weight, 1e-5, torch.float32)
    expected = fused.add_norm(x, delta, weight, 1e-5, torch.float32)
    torch.testing.assert_close(found, expected, **CLOSE)
    assert torch.equal(x, kept)


@needs_triton
def test_gate():
    from fastedit_kernels.fused import triton as kernels

    x = torch.randn(3, 2 * 1500, device=DEVICE)
    torch.testing.assert_close(kernels.gate(x), fused.gate(x), **CLOSE)


@needs_triton
@pytest.mark.parametrize("norms", [False, True])
@pytest.mark.parametrize(("heads", "kv_heads", "d"), [(4, 2, 16), (7, 1, 24), (2, 2, 64)])
def test_queries_are_turned_and_keys_and_values_written(heads, kv_heads, d, norms):
    from fastedit_kernels.fused import triton as kernels

    torch.manual_seed(d)
    qkv = torch.randn(6, (heads + 2 * kv_heads) * d, device=DEVICE)
    positions = torch.tensor([0, 1, 2, 900, 901, 5000], device=DEVICE)
    angles = positions[:, None] / 10000.0 ** (torch.arange(0, d, 2, device=DEVICE) / d)
    norm = torch.randn(heads + kv_heads, d, device=DEVICE) if norms else None
    slots = torch.tensor([3, 64, 65, 10, 127, 0], device=DEVICE)
    stores = [[torch.full((128, kv_heads, d), torch.nan, device=DEVICE) for _ in range(2)] for _ in range(2)]
    q = kernels.rope_write(qkv, angles.cos(), angles.sin(), norm, 1e-6, slots, *stores[0])
    expected = fused.rope_write(qkv, angles.cos(), angles.sin(), norm, 1e-6, slots, *stores[1])
    torch.testing.assert_close(q, expected, atol=2e-4, rtol=2e-4)
    for found, right in zip(*stores, strict=True):
        torch.testing.assert_close(found, right, atol=2e-4, rtol=2e-4, equal_nan=True)
