"""Weights in fewer bits."""

from __future__ import annotations

import importlib.util

import pytest
import torch

from fastedit.errors import ModelUnavailable, UsageError
from fastedit.model import quantize
from fastedit.model.settings import ModelSettings
from fastedit.model.target import Target
from tests.checkpoints import checkpoint
from tests.kernels.helpers import DEVICE
from tests.model.test_target import forward, tokens_of

needs_torchao = pytest.mark.skipif(
    importlib.util.find_spec("torchao") is None, reason="needs torchao: pip install '.[gpu]'"
)


@needs_torchao
@pytest.mark.skipif(DEVICE.type == "cuda", reason="fp8 products on a GPU need wider matrices than these")
@pytest.mark.parametrize("generic", [False, True], ids=["own", "generic"])
def test_fp8_weights_stay_near_those_they_were_made_of(generic):
    wide = Target.load(checkpoint("llama"), dtype=torch.bfloat16, generic=generic)
    model = Target.load(checkpoint("llama"), generic=generic, settings=ModelSettings(weights="fp8"))
    tokens = tokens_of(1, 30)
    expected, found = (forward(target, tokens, target.new_cache()) for target in (wide, model))
    assert 0.0 < (found - expected).norm() < 0.15 * expected.norm()
    assert model.dtype == torch.bfloat16


@needs_torchao
def test_fp8_matrices_take_half_the_bytes_of_bf16():
    weight = torch.randn(256, 512, dtype=torch.bfloat16)
    quantized = quantize.quantizer("fp8", torch.device("cpu"))(weight)
    assert quantized.qdata.nbytes == weight.nbytes // 2
    assert (quantized.dequantize() - weight).norm() < 0.05 * weight.norm()


@needs_torchao
def test_what_a_device_cannot_do_is_refused_with_the_way_out(monkeypatch):
    with pytest.raises(ModelUnavailable, match="int4 weights need a GPU: use fp8"):
        Target.load(checkpoint("llama"), settings=ModelSettings(weights="int4"))
    monkeypatch.setattr("torch.cuda.get_device_capability", lambda device: (8, 0))
    with pytest.raises(ModelUnavailable, match=r"8\.9 or more, cuda has 8\.0: use int4"):
        quantize.quantizer("fp8", torch.device("cuda"))


def test_without_torchao_the_line_says_what_to_install(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ModelUnavailable, match=r"fp8 weights: torchao is not installed.*pip install"):
        Target.load(checkpoint("llama"), settings=ModelSettings(weights="fp8"))


def test_quantized_weights_cannot_be_bitwise_exact():
    with pytest.raises(UsageError, match="fp8 weights are not bitwise exact"):
        ModelSettings(exactness="bitwise", weights="fp8")
