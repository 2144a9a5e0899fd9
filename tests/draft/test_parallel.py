"""P-EAGLE heads: read in each layout, computed as published, refused, and lossless."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from torch import Tensor

from fastedit.decode.session import Session
from fastedit.draft.heads.guesses import DEPTH
from fastedit.draft.heads.parallel import ParallelSource, source
from fastedit.model.eagle import frequencies, turned
from fastedit.model.heads.parallel import ParallelHead, ParallelRun, load_parallel
from fastedit.sampling import Sampling
from tests.checkpoints import VOCAB, refusal
from tests.decode.helpers import CHEAP, GREEDY, answer, prompt_of, random_ids, target
from tests.draft.helpers import free
from tests.draft.test_eagle import Hopeful
from tests.model import test_heads
from tests.model.test_heads import BLOCK, DRAFT, HIDDEN, LLAMA, MLPS, SIZE

MASK, LAYERS, AHEAD = 7, 3, 5
LAYERED = LLAMA | {"num_hidden_layers": LAYERS}
PROPOSALS = {"proposal_methods": [{"proposal_type": "greedy", "speculative_tokens": AHEAD}]}
CONFIGS: dict[str, dict[str, Any]] = {
    "speculators": test_heads.SPECULATORS
    | {"speculators_model_type": "peagle", "mask_token_id": MASK, "transformer_layer_config": LAYERED}
    | {"speculators_config": {"algorithm": "peagle", "verifier": {"name_or_path": "x"}, **PROPOSALS}},
    "qwen3": test_heads.CONFIGS["qwen3"]
    | {"speculators_model_type": "peagle", "mask_token_id": MASK}
    | {"transformer_layer_config": LAYERED | {"model_type": "qwen3"}},
    "vllm": LAYERED
    | {"architectures": ["LlamaForCausalLMEagle3"], "draft_vocab_size": DRAFT, "ptd_token_id": str(MASK)}
    | {"eagle_aux_hidden_state_layer_ids": [0, 1, 2]},
    "automodel": LAYERED
    | {"architectures": ["LlamaEagle3DraftModel"], "draft_vocab_size": DRAFT, "parallel_drafting": True}
    | {"mask_token_id": MASK, "eagle_aux_hidden_state_layer_ids": [0, 1, 2]},
}


def tensors_of(name: str) -> dict[str, Tensor]:
    made = torch.Generator().manual_seed(8)
    found = {("layers.0." + key.removeprefix("midlayer.")) if key.startswith("midlayer.") else key: value
             for key, value in test_heads.tensors_of("safeai3").items()}  # fmt: skip
    for level in range(1, LAYERS):
        parts = {part: (rows, HIDDEN) for part, (rows, _) in BLOCK.items()} | MLPS
        parts |= {"input_layernorm.weight": (HIDDEN,), "self_attn.o_proj.weight": (HIDDEN, 4 * SIZE)}
        found |= {
            f"layers.{level}.{part}": 0.3 * torch.randn(size, generator=made) for part, size in parts.items()
        }
    found["mask_hidden"] = torch.randn(1, 1, 3 * HIDDEN, generator=made)
    if name == "qwen3":  # what speculators trains if it is told nothing else
        norms = [f"layers.{level}.self_attn.{x}_norm.weight" for level in range(LAYERS) for x in "qk"]
        found |= {norm: torch.rand(SIZE, generator=made) + 0.5 for norm in norms}
        found |= {f"fc_norm.{i}.weight": torch.rand(HIDDEN, generator=made) + 0.5 for i in range(3)}
    if name == "vllm":  # the first layer by EAGLE-3's own name, and a norm that vLLM makes and never reads
        found = {key.replace("layers.0.", "midlayer."): value for key, value in found.items()}
        found["layers.1.hidden_norm.weight"] = torch.ones(HIDDEN)
        found["mask_hidden"] = found["mask_hidden"][0]
    if name == "automodel":
        found = {f"model.{key}": value for key, value in found.items()}
    return found


def folder_of(path: Path, name: str, tensors: dict[str, Tensor] | None = None, **config: Any) -> Path:
    path.mkdir()
    (path / "config.json").write_text(json.dumps(CONFIGS[name] | config))
    save_file(
        {key: value.contiguous() for key, value in (tensors or tensors_of(name)).items()},
        path / "model.safetensors",
    )
    return path


def loaded(path: Path) -> ParallelHead:
    return load_parallel(path, target().network, torch.float32)


@pytest.mark.parametrize("name", list(CONFIGS))
def test_a_head_of_each_layout_is_read_name_for_name(name, tmp_path):
    head = loaded(folder_of(tmp_path / "a", name))
    given = tensors_of("qwen3" if name == "qwen3" else "speculators")
    own = head.state_dict()
    assert set(own) == set(given) - {"t2d"}
    assert all(torch.equal(own[key].flatten(), given[key].flatten()) for key in own)
    assert (head.mask, head.reads) == (MASK, (0, 1, 2))
    assert head.depth == (AHEAD if name == "speculators" else None)


def published(
    w: dict[str, Tensor], head: ParallelHead, states: Tensor, tokens: list[int], ahead: int
) -> Tensor:
    """Logits of the tokens ahead: one causal pass over the rows with states and the mask rows behind them."""

    def norm(x: Tensor, weight: Tensor) -> Tensor:
        return x * (x.pow(2).mean(-1, keepdim=True) + 1e-5).rsqrt() * weight

    rows = torch.cat([states, w["mask_hidden"].view(1, -1).expand(ahead - 1, -1)])
    embeds = target().network.embedding[[*tokens, *[MASK] * (ahead - 1)]]
    if head.fc_norm is not None:
        parts = enumerate(rows.chunk(3, dim=-1))
        rows = torch.cat([norm(part, w[f"fc_norm.{i}.weight"]) for i, part in parts], dim=-1)
    out = rows @ w["fc.weight"].T
    count = len(rows)
    shape = head.shape
    turns = frequencies(shape.head_dim, shape.theta, shape.rope, rows.device)
    angles = torch.arange(count)[:, None, None] * turns
    for level in range(LAYERS):
        v = {k.removeprefix(f"layers.{level}."): t for k, t in w.items() if k.startswith(f"layers.{level}.")}
        x = norm(out if level else embeds, v["input_layernorm.weight"])
        if level == 0:
            x = torch.cat([x, norm(out, v["hidden_norm.weight"])], dim=-1)
        q, k, value = (
            (x @ v[f"self_attn.{p}_proj.weight"].T).view(count, -1, SIZE).transpose(0, 1) for p in "qkv"
        )
        if head.shape.query_norms:
            q, k = (norm(t, v[f"self_attn.{x}_norm.weight"]) for t, x in ((q, "q"), (k, "k")))
        q, k = (turned(t, angles.cos()[:, 0], angles.sin()[:, 0]) for t in (q, k))
        k, value = k.repeat_interleave(2, 0), value.repeat_interleave(2, 0)
        mixed = F.scaled_dot_product_attention(q, k, value, is_causal=True).transpose(0, 1).flatten(1)
        out = out + mixed @ v["self_attn.o_proj.weight"].T
        y = norm(out, v["post_attention_layernorm.weight"])
        gated = F.silu(y @ v["mlp.gate_proj.weight"].T) * (y @ v["mlp.up_proj.weight"].T)
        out = out + gated @ v["mlp.down_proj.weight"].T
    return norm(out[-ahead:], w["norm.weight"]) @ w["lm_head.weight"].T


@pytest.mark.parametrize("name", ["speculators", "qwen3"])
def test_one_pass_over_mask_tokens_computes_what_is_published(name, tmp_path):
    head = loaded(folder_of(tmp_path / "a", name))
    states, tokens = torch.randn(300, 3 * HIDDEN), [i % VOCAB for i in range(300)]
    expected = published(tensors_of(name), head, states, tokens, AHEAD)
    run = ParallelRun(head)
    for begin, end in ((0, 1), (1, 40), (40, 300)):  # mask rows of a pass are forgotten in the next
        logits = run.extend(states[begin:end], tokens[begin:end], begin, AHEAD)
    torch.testing.assert_close(logits, expected, atol=2e-4, rtol=2e-4)


def hopeful(path: Path) -> ParallelSource:
    return ParallelSource(loaded(path), Hopeful(AHEAD))


@pytest.mark.parametrize("name", list(CONFIGS))
def test_a_random_head_leaves_the_answer_as_it_is(name, tmp_path, monkeypatch):
    model, rng = target(), random.Random(4)
    made = hopeful(folder_of(tmp_path / "a", name))
    prompt = prompt_of(random_ids(rng, 40), limit=30)
    for sampling in (GREEDY, Sampling(temperature=0.8, seed=1)):
        expected = answer(Session(model, prompt, (), sampling, costs=CHEAP, speculation=False))
        (drafter,) = made.drafters(prompt)
        free(drafter)
        session = Session(model, prompt, [drafter], sampling, costs=CHEAP)
        assert answer(session) == expected
        assert session.tally.drafted["p-eagle"] > 0
        assert not session.tally.switched_off


def test_it_drafts_as_far_as_it_was_trained_and_costs_one_step(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    said = source(target(), str(folder_of(tmp_path / "a", "speculators")))
    unsaid = source(target(), str(folder_of(tmp_path / "b", "vllm")))
    assert (said.known.depth, unsaid.known.depth) == (AHEAD, DEPTH)
    for _ in range(500):
        said.clock.observe(0, AHEAD - 1, 8.0)
    assert said.clock.prices(AHEAD, 0) == pytest.approx(8.0)


def test_heads_that_do_not_fit_are_refused_with_what_differs(tmp_path):
    whole = tensors_of("vllm")

    def without(name: str) -> dict[str, Tensor]:
        return {key: value for key, value in whole.items() if name not in key}

    layer = "layers.1.mlp.up_proj.weight"
    for index, (tensors, config, said) in enumerate(
        [
            (None, {"ptd_token_id": None}, "names no mask token (pard_token, ptd_token_id, mask_token_id)"),
            (None, {"ptd_token_id": 61}, "its mask token is 61, and the target has a vocabulary of 61"),
            (None, {"target_hidden_size": 64}, "hidden states of size 64, and this one has 32"),
            (None, {"vocab_size": 99}, "a vocabulary of 99, and this one has 61"),
            (None, {"eagle_aux_hidden_state_layer_ids": [2, 9, 16]}, "reads layers [2, 9, 16], and the target has 2"),
            (None, {"num_hidden_layers": 10**12}, "has 1000000000000 layers, and its tensors are of 3"),
            (None, {"num_hidden_layers": 2}, "by its config.json the head has 2 layers, and its tensors are of 3"),
            (None, {"layer_types": ["sliding_attention"] * 3}, "attend to a window"),
            (None, {"num_hidden_layers": "many"}, "config.json is no P-EAGLE head's"),
            (None, {"eagle_aux_hidden_state_layer_ids": "0, 1"}, "layer_ids are '0, 1', not numbers"),
            (None, {"speculators_config": {"proposal_methods": [{"speculative_tokens": -1}]}}, "is -1, not a whole"),
            (None, {"speculators_config": {"proposal_methods": [7]}}, "config.json is no P-EAGLE head's"),
            (without("mask_hidden"), {}, "lacks mask_hidden"),
            (without(layer), {}, f"lacks {layer}"),
            (whole | {"mask_hidden": torch.ones(1, 5)}, {}, "mask_hidden has the sizes [1, 5], and by"),
            (whole | {"layers.1.self_attn.sinks": torch.ones(8)}, {}, "head has layers.1.self_attn.sinks"),
            (whole | {"layers.1.self_attn.q_norm.weight": torch.ones(8)}, {}, "lacks layers.0.self_attn.q_norm"),
        ]
    ):  # fmt: skip
        if "vocab_size" in config:
            tensors = without("t2d")
        assert said in refusal(loaded, folder_of(tmp_path / str(index), "vllm", tensors, **config)), said
    config = {"speculators_model_type": "dflash", "mask_token_id": MASK}
    assert "a speculators dflash head, not a peagle one" in refusal(
        loaded, folder_of(tmp_path / "other", "speculators", **config)
    )
