"""Multi-token-prediction modules in each layout: read name for name, computed as published, refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from torch import Tensor

from fastedit.model.heads.mtp import MtpHead, load_mtp
from fastedit.model.heads.run import HeadRun
from fastedit.model.target import Target
from tests.checkpoints import VOCAB, checkpoint, refusal
from tests.decode.helpers import target
from tests.model.test_packed import needs_bfloat16

HIDDEN, MLP, HEADS, KV, SIZE, LAYERS = 32, 40, 4, 2, 8, 2
CONFIG: dict[str, Any] = {
    "architectures": ["Qwen3ForCausalLM"],
    "hidden_size": HIDDEN,
    "intermediate_size": MLP,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS,
    "num_key_value_heads": KV,
    "head_dim": SIZE,
    "hidden_act": "silu",
    "rms_norm_eps": 1e-5,
    "rope_theta": 10000.0,
    "vocab_size": VOCAB,
}
LAYOUTS = ("deepseek", "qwen3-next", "mimo")
CONFIGS = {
    "deepseek": CONFIG | {"num_nextn_predict_layers": 1},
    "qwen3-next": CONFIG | {"partial_rotary_factor": 0.5},
    "mimo": CONFIG | {"num_nextn_predict_layers": 1},
}
PREFIXES = {"deepseek": f"model.layers.{LAYERS}.", "qwen3-next": "mtp.", "mimo": "model.mtp_layers.0."}
# By what this file calls them: what each layout calls them.
STEM = {
    "deepseek": ("enorm", "hnorm", "eh_proj", "shared_head.norm"),
    "qwen3-next": ("pre_fc_norm_embedding", "pre_fc_norm_hidden", "fc", "norm"),
    "mimo": ("token_layernorm", "hidden_layernorm", "input_proj", "final_layernorm"),
}


def tensors_of(layout: str) -> dict[str, Tensor]:
    gated = layout == "qwen3-next"
    block = {
        "input_layernorm.weight": (HIDDEN,),
        "post_attention_layernorm.weight": (HIDDEN,),
        "self_attn.q_proj.weight": (HEADS * SIZE * (2 if gated else 1), HIDDEN),
        "self_attn.k_proj.weight": (KV * SIZE, HIDDEN),
        "self_attn.v_proj.weight": (KV * SIZE, HIDDEN),
        "self_attn.o_proj.weight": (HIDDEN, HEADS * SIZE),
        "mlp.gate_proj.weight": (MLP, HIDDEN),
        "mlp.up_proj.weight": (MLP, HIDDEN),
        "mlp.down_proj.weight": (HIDDEN, MLP),
    }
    if gated:
        block |= {f"self_attn.{x}_norm.weight": (SIZE,) for x in "qk"}
    if layout == "mimo":
        block |= {f"self_attn.{x}_proj.bias": (n * SIZE,) for x, n in (("q", HEADS), ("k", KV), ("v", KV))}
    embed, hidden, join, norm = STEM[layout]
    sizes = {f"{name}.weight": (HIDDEN,) for name in (embed, hidden, norm)}
    sizes[f"{join}.weight"] = (HIDDEN, 2 * HIDDEN)
    sizes |= {("layers.0." if gated else "") + name: size for name, size in block.items()}
    if layout == "deepseek":
        sizes["shared_head.head.weight"] = (VOCAB, HIDDEN)
    made = torch.Generator().manual_seed(3)
    return {PREFIXES[layout] + name: 0.4 * torch.randn(size, generator=made) for name, size in sizes.items()}


def folder_of(layout: str, path: Path, tensors: dict[str, Tensor] | None = None, **config: Any) -> Path:
    """The module in the target's own checkpoint, whose embedding lies there too."""
    path.mkdir(exist_ok=True)
    (path / "config.json").write_text(json.dumps(CONFIGS[layout] | config))
    own = load_file(checkpoint("qwen3") / "model.safetensors")
    embedding = {"model.embed_tokens.weight": own["model.embed_tokens.weight"]}
    save_file(embedding | (tensors_of(layout) if tensors is None else tensors), path / "model.safetensors")
    return path


def loaded(path: Path) -> MtpHead:
    return load_mtp(path, target().network, torch.float32)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_module_of_each_layout_is_read_name_for_name(layout, tmp_path):
    network = target().network
    head = load_mtp(folder_of(layout, tmp_path), network, torch.float32)
    given = tensors_of(layout)
    named = {PREFIXES[layout] + name: ours for name, ours in head.layout.names.items()}
    for name, tensor in given.items():
        expected = tensor + 1.0 if layout == "qwen3-next" and "norm" in name else tensor
        torch.testing.assert_close(head.weights[named[name]], expected)
    assert head.reads == (LAYERS,)
    assert head.weights["embedding"] is network.embedding  # the target's own where the module brings none
    assert (head.weights["output"] is network.head) == (layout != "deepseek")


def norm(x: Tensor, weight: Tensor) -> Tensor:
    return x * (x.pow(2).mean(-1, keepdim=True) + 1e-5).rsqrt() * weight


def turned(x: Tensor, position: int, size: int) -> Tensor:
    angles = position * 10000.0 ** -(torch.arange(0, size, 2) / size)
    pairs = torch.complex(x[..., : size // 2], x[..., size // 2 : size]) * torch.polar(
        torch.ones(size // 2), angles
    )
    return torch.cat([pairs.real, pairs.imag, x[..., size:]], dim=-1)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_step_computes_what_is_published(layout, tmp_path):
    """Row by row, in the plainest words."""
    head = loaded(folder_of(layout, tmp_path))
    network, gated = target().network, layout == "qwen3-next"
    given = {k.removeprefix(PREFIXES[layout]): v for k, v in tensors_of(layout).items()}
    if gated:
        given = {k.removeprefix("layers.0."): v + 1.0 if "norm" in k else v for k, v in given.items()}
    w = {name.removesuffix(".weight"): tensor for name, tensor in given.items()}
    embed_norm, hidden_norm, join, last_norm = STEM[layout]
    states, tokens, size = torch.randn(5, HIDDEN), [3, 1, 4, 1, 5], SIZE // 2 if gated else SIZE
    keys, values = [], []
    for t, token in enumerate(tokens):
        parts = [norm(network.embedding[token], w[embed_norm]), norm(states[t], w[hidden_norm])]
        x = w[join] @ torch.cat(parts[::-1] if layout == "mimo" else parts)
        entry = norm(x, w["input_layernorm"])
        q, k, v = (
            w[f"self_attn.{n}_proj"] @ entry + w.get(f"self_attn.{n}_proj.bias", torch.zeros(1))
            for n in "qkv"
        )
        q, k, v = q.view(HEADS, -1), k.view(KV, SIZE), v.view(KV, SIZE)
        gate = q[:, SIZE:]
        q = q[:, :SIZE]
        if gated:
            q, k = norm(q, w["self_attn.q_norm"]), norm(k, w["self_attn.k_norm"])
        q = turned(q, t, size)
        keys.append(turned(k, t, size).repeat_interleave(2, 0))
        values.append(v.repeat_interleave(2, 0))
    share = (torch.stack(keys) * q).sum(-1).div(SIZE**0.5).softmax(0)
    out = (share[..., None] * torch.stack(values)).sum(0)
    if gated:
        out = out * gate.sigmoid()
    x = x + w["self_attn.o_proj"] @ out.flatten()
    y = norm(x, w["post_attention_layernorm"])
    x = x + w["mlp.down_proj"] @ (F.silu(w["mlp.gate_proj"] @ y) * (w["mlp.up_proj"] @ y))
    asked = norm(x, w[last_norm])
    fed, logits = HeadRun(head).extend(states, tokens, 0)
    torch.testing.assert_close(fed[0], x if layout == "deepseek" else asked, atol=1e-4, rtol=1e-4)
    table = w["shared_head.head"] if layout == "deepseek" else network.head
    torch.testing.assert_close(logits[0], table @ asked, atol=1e-4, rtol=1e-4)


@needs_bfloat16
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_packed_module_computes_what_it_does_in_float32(layout, tmp_path):
    folder = folder_of(layout, tmp_path)
    network = Target.load(checkpoint("qwen3"), dtype=torch.bfloat16).network
    packed = load_mtp(folder, network, torch.bfloat16)
    assert packed.weights["join"].is_mkldnn
    states, tokens = torch.randn(5, HIDDEN), [3, 1, 4, 1, 5]
    (_, found), (_, expected) = (HeadRun(head).extend(states, tokens, 0) for head in (packed, loaded(folder)))
    assert (found - expected).norm() < 0.1 * expected.norm()


def test_a_module_that_does_not_fit_is_refused_with_what_differs(tmp_path):
    said = refusal(loaded, folder_of("deepseek", tmp_path / "a", hidden_size=64))
    assert "hidden states of size 64, and this one has 32" in said
    assert "a vocabulary of 99, and this one has 61" in refusal(
        loaded, folder_of("mimo", tmp_path / "b", vocab_size=99)
    )
    other = tensors_of("mimo") | {"model.embed_tokens.weight": torch.ones(VOCAB, HIDDEN)}
    assert "trained with a model whose weights are" in refusal(
        loaded, folder_of("mimo", tmp_path / "c", other)
    )
    assert "scaled as yarn" in refusal(
        loaded, folder_of("mimo", tmp_path / "d", rope_scaling={"type": "yarn"})
    )
    assert "activation is gelu" in refusal(loaded, folder_of("mimo", tmp_path / "e", hidden_act="gelu"))


def test_a_torn_or_unknown_module_is_refused_with_what_is_wrong(tmp_path):
    tensors, prefix = tensors_of("deepseek"), PREFIXES["deepseek"]
    short = {name: tensor for name, tensor in tensors.items() if "hnorm" not in name}
    assert f"lacks {prefix}hnorm.weight" in refusal(loaded, folder_of("deepseek", tmp_path / "a", short))
    experts = tensors | {f"{prefix}mlp.experts.0.up_proj.weight": torch.ones(2, 2)}
    said = refusal(loaded, folder_of("deepseek", tmp_path / "b", experts))
    assert "mlp.experts.0.up_proj.weight, which no dense block" in said
    odd = tensors | {f"{prefix}enorm.weight": torch.ones(5)}
    assert "enorm.weight has the sizes [5], and by config.json [32]" in refusal(
        loaded, folder_of("deepseek", tmp_path / "c", odd)
    )
    head, up = f"{prefix}shared_head.head.weight", f"{prefix}mlp.up_proj.weight"
    for index, (name, tensor, said) in enumerate(
        [
            (head, torch.ones(5), "shared_head.head.weight has the sizes [5], and by config.json [61, 32]"),
            (up, torch.tensor(1.0), "has the sizes []"),
            (up, tensors[up].to(torch.int8), "holds torch.int8, and quantized weights are not supported"),
            (up, tensors[up] / 0, "up_proj.weight holds values that are infinite or no numbers"),
            ("model.embed_tokens.weight", torch.tensor(1.0), "has the sizes [], and by config.json [61, 32]"),
        ]
    ):
        changed = folder_of("deepseek", tmp_path / str(index), tensors | {name: tensor})
        assert said in refusal(loaded, changed)
    assert "layouts that are known are DeepSeek-V3, Qwen3-Next, MiMo" in refusal(
        loaded, folder_of("deepseek", tmp_path / "d", {})
    )
    (folder_of("deepseek", tmp_path / "e") / "model.safetensors").write_bytes(b"torn")
    assert "cannot read the weights" in refusal(loaded, tmp_path / "e")
    (tmp_path / "e" / "model.safetensors").unlink()
    assert "cannot read the weights" in refusal(loaded, tmp_path / "e")
