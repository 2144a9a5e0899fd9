"""EAGLE heads in every format: read, refused, written, and computed as their papers say."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from torch import Tensor

from fastedit.model.eagle import EagleHead, HeadShape, Llama3Rope, frequencies
from fastedit.model.heads import load_head, write_head
from fastedit.model.heads.formats import TargetSizes, format_of
from fastedit.model.heads.run import HeadRun
from fastedit.model.packed import packer
from tests.checkpoints import VOCAB, refusal
from tests.decode.helpers import target
from tests.model.test_packed import needs_bfloat16

HIDDEN, MLP, HEADS, KV, SIZE, DRAFT = 32, 48, 4, 2, 8, 40
LLAMA = {
    "model_type": "llama",
    "hidden_size": HIDDEN,
    "intermediate_size": MLP,
    "num_hidden_layers": 1,
    "num_attention_heads": HEADS,
    "num_key_value_heads": KV,
    "hidden_act": "silu",
    "rms_norm_eps": 1e-5,
    "vocab_size": VOCAB,
    "max_position_embeddings": 2048,
}
SPECULATORS = {
    "speculators_model_type": "eagle3",
    "speculators_config": {"algorithm": "eagle3", "verifier": {"name_or_path": "someone/target"}},
    "transformer_layer_config": LLAMA,
    "draft_vocab_size": DRAFT,
    "target_hidden_size": HIDDEN,
    "eagle_aux_hidden_state_layer_ids": [0, 1, 2],
}
CONFIGS: dict[str, dict[str, Any]] = {
    "safeai1": LLAMA | {"architectures": ["LlamaForCausalLM"], "bias": True},
    "safeai3": LLAMA | {"architectures": ["LlamaForCausalLMEagle3"], "draft_vocab_size": DRAFT},
    "specforge": LLAMA
    | {
        "architectures": ["LlamaForCausalLMEagle3"],
        "draft_vocab_size": DRAFT,
        "eagle_config": {"use_aux_hidden_state": True, "eagle_aux_hidden_state_layer_ids": [0, 1, 1]},
    },
    "speculators1": {
        "speculators_model_type": "eagle",
        "transformer_layer_config": LLAMA,
        "fusion_bias": False,
        "layernorms": False,
    },
    "speculators3": SPECULATORS,
    "normed": SPECULATORS | {"norm_before_residual": True, "norm_before_fc": True, "norm_output": True},
    "qwen3": SPECULATORS | {"fc_norm": True, "transformer_layer_config": LLAMA | {"model_type": "qwen3"}},
}
BLOCK = {
    "self_attn.k_proj.weight": (KV * SIZE, 2),
    "self_attn.o_proj.weight": (HIDDEN, 1),
    "self_attn.q_proj.weight": (HEADS * SIZE, 2),
    "self_attn.v_proj.weight": (KV * SIZE, 2),
}
MLPS = {
    "mlp.gate_proj.weight": (MLP, HIDDEN),
    "mlp.up_proj.weight": (MLP, HIDDEN),
    "mlp.down_proj.weight": (HIDDEN, MLP),
    "post_attention_layernorm.weight": (HIDDEN,),
}


def sizes(name: str) -> dict[str, tuple[int, ...]]:
    """The tensors that a checkpoint of this format has, name for name."""
    first = name in ("safeai1", "speculators1")
    layer = {"safeai1": "layers.0.", "speculators1": "transformer."}.get(name)
    layer = layer or ("layers.0." if name in ("speculators3", "normed", "qwen3") else "midlayer.")
    found: dict[str, tuple[int, ...]] = {}
    for part, (rows, twice) in BLOCK.items():
        found[layer + part] = (rows, HIDDEN * (1 if first else twice))
    found |= {layer + part: size for part, size in MLPS.items()}
    if first:
        fc = "fusion_fc" if name == "speculators1" else "fc"
        found[f"{fc}.weight"] = (HIDDEN, 2 * HIDDEN)
        if name == "safeai1":
            found |= {"fc.bias": (HIDDEN,), "embed_tokens.weight": (VOCAB, HIDDEN)}
        return found
    found |= {f"{layer}{norm}.weight": (HIDDEN,) for norm in ("input_layernorm", "hidden_norm")}
    found |= {"fc.weight": (HIDDEN, 3 * HIDDEN), "norm.weight": (HIDDEN,), "lm_head.weight": (DRAFT, HIDDEN)}
    if name == "normed":
        found["input_norm.weight"] = (3 * HIDDEN,)
    if name == "qwen3":
        found |= {f"fc_norm.{i}.weight": (HIDDEN,) for i in range(3)}
        found |= {f"{layer}self_attn.{x}_norm.weight": (SIZE,) for x in "qk"}
    return found


def tensors_of(name: str) -> dict[str, Tensor]:
    made = torch.Generator().manual_seed(7)
    found = {tensor: 0.3 * torch.randn(size, generator=made) for tensor, size in sizes(name).items()}
    if "lm_head.weight" in found:
        ids = torch.randperm(VOCAB, generator=made)[:DRAFT].sort().values
        found["d2t"] = ids - torch.arange(DRAFT)
        found["t2d"] = torch.zeros(VOCAB, dtype=torch.bool).index_fill(0, ids, True)
    return found


def folder_of(
    name: str, path: Path, tensors: Mapping[str, Tensor] | None = None, pickled: bool = False, **config: Any
) -> Path:
    path.mkdir(exist_ok=True)
    (path / "config.json").write_text(json.dumps(CONFIGS[name] | config))
    found = dict(tensors_of(name) if tensors is None else tensors)
    if pickled:
        torch.save(found, path / "pytorch_model.bin")
    else:
        save_file(found, path / "model.safetensors")
    return path


def loaded(path: Path) -> EagleHead:
    return load_head(path, target().network, torch.float32)


@pytest.mark.parametrize("name", list(CONFIGS))
@pytest.mark.parametrize("pickled", [False, True])
def test_a_head_of_each_format_is_read_name_for_name(name, pickled, tmp_path):
    head = loaded(folder_of(name, tmp_path, pickled=pickled))
    given = {tensor: value for tensor, value in tensors_of(name).items() if tensor != "t2d"}
    own = head.state_dict()
    assert len(own) == len(given)
    for old, new in (("midlayer.", "layers.0."), ("fusion_fc.", "fc."), ("transformer.", "layers.0.")):
        given = {new + k.removeprefix(old) if k.startswith(old) else k: v for k, v in given.items()}
    assert all(torch.equal(own[tensor], value) for tensor, value in given.items())


def test_what_each_format_says_of_layers_and_norms_is_understood():
    large = TargetSizes(HIDDEN, VOCAB, 32)

    def shape(name: str, **config: Any) -> HeadShape:
        form = format_of(CONFIGS[name] | config)
        assert form is not None
        return form.shape(CONFIGS[name] | config, tensors_of(name), large)

    assert shape("safeai3").layers == (2, 16, 29)
    assert shape("safeai1").layers == (32,)
    assert shape("safeai1").fc_bias
    assert shape("speculators3").layers == (0, 1, 2)
    # SpecForge counts outputs, and its norm_output means what is always done.
    eagle = {"eagle_aux_hidden_state_layer_ids": [1, 15, 28], "norm_output": True, "norm_before_fc": True}
    assert shape("specforge", eagle_config=eagle).layers == (2, 16, 29)
    assert shape("specforge", eagle_config=eagle).norm_before_fc
    assert not shape("specforge", eagle_config=eagle).post_norm
    assert shape("normed").post_norm
    assert shape("normed").norm_before_residual
    assert shape("safeai3", fc_norm=True).fc_norm  # EAGLE-3.1, as SpecForge writes it
    assert shape("safeai3", norm_before_fc=True).norm_before_fc
    stretched = {
        "rope_type": "llama3",
        "factor": 8.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192,
    }
    assert shape("safeai3", rope_scaling=stretched).rope == Llama3Rope(8.0, 1.0, 4.0, 8192.0)
    assert shape("safeai3", rope_theta=5e5).theta == 5e5


@pytest.mark.parametrize("name", list(CONFIGS))
def test_a_step_computes_what_the_paper_says(name, tmp_path):
    """Row by row, in the plainest words."""
    head = loaded(folder_of(name, tmp_path))
    w, shape = head.state_dict(), head.shape
    layer = {key.removeprefix("layers.0."): value for key, value in w.items() if key.startswith("layers.0.")}
    states = torch.randn(5, HIDDEN * len(shape.layers))
    tokens = [3, 1, 4, 1, 5]
    table = w.get("embed_tokens.weight", target().network.embedding)

    def norm(x: Tensor, weight: Tensor) -> Tensor:
        return x * (x.pow(2).mean(-1, keepdim=True) + 1e-5).rsqrt() * weight

    keys, values, outputs = [], [], []
    for t, token in enumerate(tokens):
        if shape.generation == 1:
            x = residual = w["fc.weight"] @ torch.cat([table[token], states[t]]) + w.get("fc.bias", 0.0)
        else:
            s = norm(states[t], w["input_norm.weight"]) if name == "normed" else states[t]
            if name == "qwen3":
                s = torch.cat([norm(part, w[f"fc_norm.{i}.weight"]) for i, part in enumerate(s.chunk(3))])
            h = w["fc.weight"] @ s
            normed = norm(h, layer["hidden_norm.weight"])
            residual = normed if name == "normed" else h
            x = torch.cat([norm(table[token], layer["input_layernorm.weight"]), normed])
        angles = t * frequencies(shape.head_dim, shape.theta, shape.rope, x.device)

        def turned(x: Tensor, angles: Tensor = angles) -> Tensor:
            pairs = torch.complex(x[..., : SIZE // 2], x[..., SIZE // 2 :]) * torch.polar(
                torch.ones(4), angles
            )
            return torch.cat([pairs.real, pairs.imag], dim=-1)

        q = (layer["self_attn.q_proj.weight"] @ x).view(HEADS, SIZE)
        k = (layer["self_attn.k_proj.weight"] @ x).view(KV, SIZE)
        if name == "qwen3":
            q, k = norm(q, layer["self_attn.q_norm.weight"]), norm(k, layer["self_attn.k_norm.weight"])
        q = turned(q)
        keys.append(turned(k).repeat_interleave(2, 0))
        values.append((layer["self_attn.v_proj.weight"] @ x).view(KV, SIZE).repeat_interleave(2, 0))
        share = (torch.stack(keys) * q).sum(-1).div(SIZE**0.5).softmax(0)
        attended = (share[..., None] * torch.stack(values)).sum(0).flatten()
        residual = residual + layer["self_attn.o_proj.weight"] @ attended
        y = norm(residual, layer["post_attention_layernorm.weight"])
        gated = F.silu(layer["mlp.gate_proj.weight"] @ y) * (layer["mlp.up_proj.weight"] @ y)
        outputs.append(residual + layer["mlp.down_proj.weight"] @ gated)
    out = outputs[-1]
    if shape.generation == 1:
        fed, logits = out, target().network.head @ out
    else:
        asked = norm(out, w["norm.weight"])
        fed, logits = (asked if name == "normed" else out), w["lm_head.weight"] @ asked
    found_fed, found_logits = HeadRun(head).extend(states, tokens, 0)
    torch.testing.assert_close(found_fed[0], fed, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(found_logits[0], logits, atol=1e-4, rtol=1e-4)


def test_reading_in_parts_and_guessing_in_a_tree_give_what_a_chain_gives(tmp_path):
    head = loaded(folder_of("speculators3", tmp_path))
    states, tokens = torch.randn(300, 3 * HIDDEN), [i % VOCAB for i in range(300)]
    whole, parts = HeadRun(head), HeadRun(head)
    fed, logits = whole.extend(states, tokens, 4)
    parts.extend(states[:7], tokens[:7], 4)
    other, same = parts.extend(states[7:], tokens[7:], 11)
    torch.testing.assert_close(same, logits, atol=1e-5, rtol=1e-5)
    first, _ = whole.guess(fed[[0, 0]], torch.tensor([3, 4]), [-1, -1])
    second, _ = whole.guess(first[[1, 0]], torch.tensor([5, 6]), [1, 0])
    _, tree = whole.guess(second[[0]], torch.tensor([9]), [2])
    for parent, token in ((-1, 4), (0, 5), (1, 9)):
        other, chain = parts.guess(other, torch.tensor([token]), [parent])
    torch.testing.assert_close(tree, chain, atol=1e-5, rtol=1e-5)
    # What was guessed is forgotten once real states come.
    more = torch.randn(2, 3 * HIDDEN)
    fresh = HeadRun(head)
    fresh.extend(states, tokens, 4)
    torch.testing.assert_close(
        whole.extend(more, [1, 2], 304)[1], fresh.extend(more, [1, 2], 304)[1], atol=1e-5, rtol=1e-5
    )


@needs_bfloat16
@pytest.mark.parametrize("name", list(CONFIGS))
def test_a_packed_head_computes_what_the_plain_one_does_and_leaves_it_as_it_is(name, tmp_path):
    network, pack = target().network, packer(torch.bfloat16, torch.device("cpu"))
    assert pack is not None
    plain = load_head(folder_of(name, tmp_path), network, torch.bfloat16)
    packed = plain.packed(pack(network.head.bfloat16()))
    assert packed.fc.weight.is_mkldnn
    assert not plain.fc.weight.is_mkldnn
    states, tokens = torch.randn(9, HIDDEN * len(plain.reads)), [3, 1, 4, 1, 5, 9, 2, 6, 5]
    expected, found = (HeadRun(head).extend(states, tokens, 0) for head in (plain, packed))
    for mine, theirs in zip(found, expected, strict=True):
        assert (mine - theirs).norm() < 0.03 * theirs.norm()


def test_weights_that_are_no_tensors_no_numbers_or_quantized_are_refused(tmp_path):
    path, tensors = folder_of("safeai3", tmp_path, pickled=True), tensors_of("safeai3")
    for held, said in (
        ([torch.ones(3)], "holds a list, not tensors by name"),
        ({"state_dict": tensors}, "its state_dict is no tensor"),
        (
            tensors | {"fc.weight": tensors["fc.weight"] / 0},
            "fc.weight holds values that are infinite or no numbers",
        ),
        (
            tensors | {"fc.weight": tensors["fc.weight"].to(torch.int8)},
            "fc.weight holds torch.int8, and quantized",
        ),
        (
            tensors | {"fc.weight": tensors["fc.weight"].to(torch.float8_e4m3fn)},
            "quantized weights are not supported",
        ),
    ):
        torch.save(held, path / "pytorch_model.bin")
        assert said in refusal(loaded, path)


def test_a_folder_without_a_configuration_and_one_that_cannot_be_read_are_told_apart(tmp_path):
    path = folder_of("safeai3", tmp_path)
    for text in ("{", "[]"):
        (path / "config.json").write_text(text)
        assert "config.json is not a head's configuration" in refusal(loaded, path)
    (path / "config.json").unlink()
    assert "expected a folder with config.json" in refusal(loaded, path)


def test_a_head_for_another_target_is_refused_with_what_differs(tmp_path):
    wide = CONFIGS["speculators3"] | {"target_hidden_size": 64}
    said = refusal(loaded, folder_of("speculators3", tmp_path / "a", **wide))
    assert "hidden states of size 64, and this one has 32" in said
    layer = LLAMA | {"vocab_size": 99}
    said = refusal(loaded, folder_of("speculators3", tmp_path / "b", transformer_layer_config=layer))
    assert "a vocabulary of 99, and this one has 61" in said
    more = tensors_of("speculators3") | {"t2d": torch.zeros(99, dtype=torch.bool)}
    said = refusal(loaded, folder_of("speculators3", tmp_path / "more", more))
    assert "t2d has the sizes [99], and by config.json [61]" in said
    said = refusal(
        loaded, folder_of("speculators3", tmp_path / "c", eagle_aux_hidden_state_layer_ids=[2, 16, 29])
    )
    assert "reads layers [2, 16, 29], and the target has 2" in said
    said = refusal(loaded, folder_of("speculators3", tmp_path / "d", verifier_digest="0123456789abcdef"))
    assert "trained for someone/target with weights 0123456789abcdef, and this target has weights" in said


def test_a_damaged_or_unknown_head_is_refused_with_what_is_wrong(tmp_path):
    tensors = tensors_of("safeai3")
    unnormed = {name: value for name, value in tensors_of("qwen3").items() if "q_norm" not in name}
    assert "as a speculators eagle3 head it lacks layers.0.self_attn.q_norm.weight" in refusal(
        loaded, folder_of("qwen3", tmp_path / "n", unnormed)
    )
    short = {name: value for name, value in tensors.items() if "mlp" not in name and name != "d2t"}
    assert "lacks d2t, layers.0.mlp.gate_proj.weight" in refusal(
        loaded, folder_of("safeai3", tmp_path / "a", short)
    )
    odd = tensors | {"norm.weight": torch.ones(5)}
    assert "norm.weight has the sizes [5], and by config.json [32]" in refusal(
        loaded, folder_of("safeai3", tmp_path / "b", odd)
    )
    more = tensors | {"midlayer.self_attn.sinks": torch.ones(8)}
    assert "no SafeAILab EAGLE-3 head has layers.0.self_attn.sinks" in refusal(
        loaded, folder_of("safeai3", tmp_path / "c", more)
    )
    lost = tensors | {"d2t": tensors["d2t"] + 50}
    assert "d2t leads outside the target's vocabulary of 61" in refusal(
        loaded, folder_of("safeai3", tmp_path / "d", lost)
    )
    assert "known are SafeAILab" in refusal(
        loaded, folder_of("safeai1", tmp_path / "e", speculators_model_type="dflash")
    )
    assert "scaled as yarn" in refusal(
        loaded, folder_of("safeai3", tmp_path / "f", rope_scaling={"type": "yarn"})
    )
    assert "turn 0.25 of each head" in refusal(
        loaded, folder_of("safeai3", tmp_path / "f", rope_parameters={"partial_rotary_factor": 0.25})
    )
    assert "attend to a window" in refusal(
        loaded, folder_of("safeai3", tmp_path / "f", layer_types=["sliding_attention"])
    )
    assert "its num_attention_heads is 0, not a whole number" in refusal(
        loaded, folder_of("safeai3", tmp_path / "f", num_attention_heads=0)
    )
    assert "its config.json is no SpecForge EAGLE-3 head's ('list'" in refusal(
        loaded, folder_of("specforge", tmp_path / "f", eagle_config=[1])
    )
    assert "mlp.gate_proj.weight has the sizes [48, 32], and by config.json [1000000000000, 32]" in refusal(
        loaded, folder_of("safeai3", tmp_path / "f", intermediate_size=10**12)
    )
    assert "its num_attention_heads (4) are no multiple of num_key_value_heads (3)" in refusal(
        loaded, folder_of("safeai3", tmp_path / "f", num_key_value_heads=3)
    )
    assert "its head_dim is 7, and positions turn pairs of numbers" in refusal(
        loaded, folder_of("safeai3", tmp_path / "f", head_dim=7)
    )
    assert "no format of EAGLE heads that is known ([1])" in refusal(
        loaded, folder_of("safeai3", tmp_path / "f", speculators_model_type=[1])
    )
    assert "has 2 layers, not 1" in refusal(loaded, folder_of("safeai3", tmp_path / "g", num_hidden_layers=2))
    assert "expected a folder with config.json" in refusal(loaded, tmp_path / "nowhere")
    (folder_of("safeai3", tmp_path / "h") / "model.safetensors").unlink()
    assert "no weights in" in refusal(loaded, tmp_path / "h")
    (tmp_path / "h" / "model.safetensors").write_bytes(b"torn")
    assert "cannot read the head" in refusal(loaded, tmp_path / "h")


def test_a_written_head_has_the_speculators_layout_and_comes_back(tmp_path):
    network = target().network
    head = loaded(folder_of("speculators3", tmp_path / "given"))
    write_head(
        head,
        tmp_path / "out",
        target="someone/target",
        architectures=["Qwen3ForCausalLM"],
        embedding=network.embedding,
        context=2048,
    )
    assert load_file(tmp_path / "out" / "model.safetensors").keys() == tensors_of("speculators3").keys()
    config = json.loads((tmp_path / "out" / "config.json").read_text())
    assert config["speculators_model_type"] == config["speculators_config"]["algorithm"] == "eagle3"
    assert config["transformer_layer_config"]["vocab_size"] == VOCAB
    again = loaded(tmp_path / "out")
    assert again.shape == head.shape
    for name, value in head.state_dict().items():
        torch.testing.assert_close(again.state_dict()[name], value, atol=0.01, rtol=0.01)
