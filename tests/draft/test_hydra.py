"""Hydra heads: read name for name, computed as published, refused, and lossless."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor
from transformers import LlamaConfig, LlamaModel

from fastedit.decode.session import Session
from fastedit.draft.heads.hydra import source
from fastedit.errors import ModelUnavailable
from fastedit.model.heads.hydra import Hydra, PrefixHydra, load_hydra
from fastedit.model.heads.run import HeadRun
from tests.checkpoints import SIZES, VOCAB, checkpoint, refusal
from tests.decode.helpers import CHEAP, GREEDY, answer, prompt_of, random_ids, target
from tests.draft.helpers import free
from tests.draft.test_eagle import Hopeful

HIDDEN, DEPTH = 32, 3
KINDS = ("mlp", "prefix-mlp")
PREFIX = "prefix_embeding_layer."
LAYER = LlamaConfig(**{**SIZES, "num_hidden_layers": 1}, head_dim=16, rope_theta=10000.0)


def config_of(kind: str, **config: Any) -> dict[str, Any]:
    heads = {"hydra_num_heads": DEPTH, "hydra_num_layers": 1, "hydra_head_arch": kind, "grounded_heads": True}
    return {**heads, "hidden_state_offset": 0, "base_model_name_or_path": "someone/target", **config}


def tensors_of(kind: str, blocks: int = 1, vocab: int = VOCAB) -> dict[str, Tensor]:
    """Name for name as the authors' modules write them: with `prefix-mlp` a dropout is counted before each layer."""
    made = torch.Generator().manual_seed(1)
    sizes: dict[str, tuple[int, ...]] = {}
    for k in range(DEPTH):
        for block in range(blocks):
            name = f"hydra_mlp.{k}.{2 * block + 1 if kind == 'prefix-mlp' else block}"
            wide = HIDDEN if block else (k + 2) * HIDDEN
            sizes |= {f"{name}.linear.weight": (HIDDEN, wide), f"{name}.linear.bias": (HIDDEN,)}
            if not block:
                sizes |= {f"{name}.res_connection.weight": (HIDDEN, wide)}
                sizes |= {f"{name}.res_connection.bias": (HIDDEN,)}
        head = f"hydra_lm_head.{k}" + (".1" if kind == "prefix-mlp" else "")
        sizes |= {f"{head}.weight": (vocab, HIDDEN), f"{head}.bias": (vocab,)}
    found = {name: 0.3 * torch.randn(size, generator=made) for name, size in sizes.items()}
    if kind == "prefix-mlp":
        found |= {PREFIX + name: tensor for name, tensor in prefix().state_dict().items()}
        found[f"{PREFIX}layers.0.self_attn.rotary_emb.inv_freq"] = torch.ones(8)
    return found | {"input_embed_fn.weight": target().network.embedding.detach().clone()}


def prefix() -> LlamaModel:
    torch.manual_seed(2)
    made = LlamaModel(LAYER).eval()
    for weight in made.parameters():
        weight.data += 0.2 * torch.randn_like(weight)
    return made


def folder_of(
    path: Path, kind: str, tensors: dict[str, Tensor] | None = None, blocks: int = 1, **config: Any
) -> Path:
    path.mkdir()
    (path / "config.json").write_text(json.dumps(config_of(kind, **{"hydra_num_layers": blocks, **config})))
    torch.save(tensors_of(kind, blocks) if tensors is None else tensors, path / "hydra_lm_head.pt")
    return path


def loaded(path: Path) -> Hydra | PrefixHydra:
    return load_hydra(path, target().network, torch.float32, checkpoint("qwen3"))


def published(w: dict[str, Tensor], start: Tensor, tokens: list[int], dropout: bool, blocks: int) -> Tensor:
    """Logits behind the last of the tokens, in the plainest words."""
    k = len(tokens) - 1
    name, head = f"hydra_mlp.{k}.{int(dropout)}", f"hydra_lm_head.{k}{'.1' * dropout}"
    joined = torch.cat([start, *(target().network.embedding[token] for token in tokens)])
    x = w[f"{name}.res_connection.weight"] @ joined + w[f"{name}.res_connection.bias"]
    x = x + F.silu(w[f"{name}.linear.weight"] @ joined + w[f"{name}.linear.bias"])
    for block in range(1, blocks):
        name = f"hydra_mlp.{k}.{2 * block + 1 if dropout else block}"
        x = x + F.silu(w[f"{name}.linear.weight"] @ x + w[f"{name}.linear.bias"])
    return w[f"{head}.weight"] @ x + w[f"{head}.bias"]


@pytest.mark.parametrize("blocks", [1, 3])
def test_each_head_reads_the_state_and_all_tokens_guessed_before_it(blocks, tmp_path):
    head = loaded(folder_of(tmp_path / "a", "mlp", blocks=blocks))
    assert isinstance(head, Hydra)
    w, state, tokens = tensors_of("mlp", blocks), torch.randn(HIDDEN), [3, 1, 4]
    fed = state[None]
    for level, token in enumerate(tokens):
        fed, logits = head.step(fed, torch.tensor([token]), level)
        expected = published(w, state, tokens[: level + 1], dropout=False, blocks=blocks)
        torch.testing.assert_close(logits[0], expected, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("blocks", [1, 2])
def test_the_layer_before_the_heads_attends_to_all_states(blocks, tmp_path):
    head = loaded(folder_of(tmp_path / "a", "prefix-mlp", blocks=blocks))
    assert isinstance(head, PrefixHydra)
    w, states, tokens = tensors_of("prefix-mlp", blocks), torch.randn(9, HIDDEN), [5, 1, 4]
    with torch.inference_mode():
        start = prefix()(inputs_embeds=states[None]).last_hidden_state[0, -1]
    run = HeadRun(head)
    run.extend(states[:4], [7] * 4, 0)
    fed, logits = run.extend(states[4:], [7, 7, 7, 7, tokens[0]], 4)
    for level in range(DEPTH):
        if level:
            fed, logits = head.heads.step(fed, torch.tensor([tokens[level]]), level)
        expected = published(w, start, tokens[: level + 1], dropout=True, blocks=blocks)
        torch.testing.assert_close(logits[0], expected, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_a_tree_of_guesses_leaves_the_greedy_answer_as_it_is(kind, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    model, rng = target(), random.Random(3)
    made = source(model, str(folder_of(tmp_path / "a", kind)))
    made.known = Hopeful(DEPTH)
    prompt = prompt_of(random_ids(rng, 40), limit=30)
    expected = answer(Session(model, prompt, (), GREEDY, costs=CHEAP, speculation=False))
    (drafter,) = made.drafters(prompt)
    free(drafter)
    session = Session(model, prompt, [drafter], GREEDY, costs=CHEAP)
    assert answer(session) == expected
    assert session.tally.drafted["hydra"] > 0
    assert not session.tally.switched_off


def test_heads_may_read_the_state_of_an_earlier_layer(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for kind in KINDS:
        made = source(target(), str(folder_of(tmp_path / kind, kind, hidden_state_offset=1)))
        (drafter,) = made.drafters(prompt_of([1, 2, 3]))
        assert drafter.layers == {target().network.layers - 1}


def test_heads_that_do_not_fit_are_refused_with_what_differs(tmp_path):
    def changed(kind: str, name: str, tensor: Tensor | None) -> dict[str, Tensor]:
        found = {**tensors_of(kind), name: tensor}
        return {name: tensor for name, tensor in found.items() if tensor is not None}

    bias = f"{PREFIX}layers.0.mlp.up_proj.weight"
    other = torch.randn(VOCAB, HIDDEN)
    for index, (kind, tensors, config, said) in enumerate(
        [
            ("mlp", None, {"hydra_head_arch": "eagle-attn"}, "its hydra_head_arch is eagle-attn, and known are mlp"),
            ("mlp", None, {"grounded_heads": False}, "read no guessed tokens"),
            ("mlp", None, {"hydra_num_heads": 4}, "lacks hydra_lm_head.3.weight, hydra_lm_head.3.bias"),
            ("mlp", None, {"hydra_num_heads": 10**12}, "lacks hydra_lm_head.3.weight"),
            ("mlp", None, {"hydra_num_heads": 2}, "have no hydra_mlp.2.0.linear.weight"),
            ("mlp", None, {"hydra_num_heads": None}, "has no hydra_num_heads"),
            ("mlp", None, {"hydra_num_layers": 0}, "its hydra_num_layers is 0, not a whole number"),
            ("mlp", None, {"hidden_state_offset": "x"}, "read x layers before the last"),
            ("mlp", None, {"hidden_state_offset": 5}, "read 5 layers before the last, and the target has 2"),
            ("mlp", tensors_of("mlp", vocab=99), {}, "a vocabulary of 99, and this one has 61"),
            ("mlp", changed("mlp", "hydra_mlp.1.0.linear.bias", torch.ones(5)), {}, "bias has the sizes [5], and by"),
            ("mlp", changed("mlp", "hydra_lm_head.0.weight", torch.ones(5)), {}, "has the sizes [5], and by config"),
            ("mlp", changed("mlp", "input_embed_fn.weight", other), {}, "trained with a model whose weights are"),
            ("prefix-mlp", tensors_of("mlp"), {}, "lack"),
            ("prefix-mlp", changed("prefix-mlp", bias, None), {}, f"lack '{bias}'"),
            ("prefix-mlp", changed("prefix-mlp", bias, torch.ones(5, HIDDEN)), {}, "has the sizes [5, 32], and by"),
        ]
    ):  # fmt: skip
        path = folder_of(tmp_path / str(index), kind, tensors, **config)
        assert said in refusal(loaded, path), said
    (path / "hydra_lm_head.pt").write_bytes(b"torn")
    assert "cannot read the heads" in refusal(loaded, path)
    with pytest.raises(ModelUnavailable, match="loaded from no folder"):
        load_hydra(folder_of(tmp_path / "alone", "prefix-mlp"), target().network, torch.float32, target=None)
