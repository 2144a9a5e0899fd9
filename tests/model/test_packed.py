"""Matrices packed for a processor's bfloat16 products."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from fastedit_kernels.fused.reference import linear

from fastedit.model.packed import gated, multiplies_bfloat16, packer

CPU = torch.device("cpu")
needs_bfloat16 = pytest.mark.skipif(
    not multiplies_bfloat16(CPU), reason="this processor has no such products"
)


def test_nothing_is_packed_in_float32_or_for_a_gpu():
    assert packer(torch.float32, CPU) is None
    assert packer(torch.bfloat16, torch.device("cuda")) is None


@needs_bfloat16
@pytest.mark.parametrize("rows", [1, 3, 64, 130])
def test_a_packed_matrix_gives_the_product_of_the_plain_one(rows):
    torch.manual_seed(rows)
    pack = packer(torch.bfloat16, CPU)
    assert pack is not None
    x, weight, bias = (torch.randn(*shape).bfloat16() for shape in ((rows, 96), (160, 96), (160,)))
    for added in (None, bias):
        torch.testing.assert_close(
            linear(x, pack(weight), added), F.linear(x, weight, added), atol=0.1, rtol=0.02
        )


@needs_bfloat16
def test_gate_and_up_are_joined_as_without_packing():
    torch.manual_seed(1)
    pack = packer(torch.bfloat16, CPU)
    assert pack is not None
    x, gate, up = (torch.randn(*shape).bfloat16() for shape in ((5, 96), (64, 96), (64, 96)))
    plain = F.silu(F.linear(x.float(), gate.float())) * F.linear(x.float(), up.float())
    found = gated(x, pack(gate), pack(up)).float()
    assert (found - plain).norm() < 0.02 * plain.norm()
