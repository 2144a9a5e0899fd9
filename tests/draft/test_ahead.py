"""Medusa heads, MLP and LSTM speculators: read name for name, computed as published, refused, and lossless."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from torch import Tensor

from fastedit.decode.session import Session
from fastedit.draft.heads.ahead import AheadDrafter, AheadSource
from fastedit.draft.registry import Drafting
from fastedit.errors import ModelUnavailable
from fastedit.model.heads.ahead import load_medusa, load_mlp_speculator
from fastedit.model.heads.lstm import GATES, load_lstm_speculator
from tests.checkpoints import VOCAB
from tests.decode.helpers import CHEAP, GREEDY, answer, prompt_of, random_ids, target
from tests.draft.test_eagle import Hopeful

HIDDEN, INNER, DEPTH = 32, 24, 3
MEDUSA = {"medusa_num_heads": DEPTH, "medusa_num_layers": 1, "base_model_name_or_path": "someone/target"}
MLP = {"model_type": "mlp_speculator", "n_predict": DEPTH, "inner_dim": INNER, "vocab_size": VOCAB}

LSTM = {
    "architectures": ["ArcticLSTMSpeculatorPreTrainedModel"],
    "model_type": "mlp_speculator",
    "method": "sum_lstm",
    "n_predict": DEPTH,
    "input_hidden_dim": HIDDEN,
    "inner_dim": str(INNER),
    "proj_dim": str(INNER),
    "emb_dim": str(INNER),
    "vocab_size": VOCAB,
    "tie_weights": True,
    "tie_lstm_embs": True,
    "scale_input": True,
}
LOADERS = {"medusa": load_medusa, "mlp": load_mlp_speculator, "lstm": load_lstm_speculator}


def random_tensors(sizes: dict[str, tuple[int, ...]]) -> dict[str, Tensor]:
    made = torch.Generator().manual_seed(1)
    return {name: 0.3 * torch.randn(size, generator=made) for name, size in sizes.items()}


def medusa_sizes(vocab: int = VOCAB) -> dict[str, tuple[int, ...]]:
    sizes: dict[str, tuple[int, ...]] = {}
    for k in range(DEPTH):
        sizes |= {f"{k}.0.linear.weight": (HIDDEN, HIDDEN), f"{k}.0.linear.bias": (HIDDEN,)}
        sizes[f"{k}.1.weight"] = (vocab, HIDDEN)
    return sizes


def mlp_sizes(tied: bool) -> dict[str, tuple[int, ...]]:
    sizes: dict[str, tuple[int, ...]] = {}
    for i in range(1 if tied else DEPTH):
        sizes |= {
            f"speculator.emb.{i}.weight": (VOCAB, INNER),
            f"speculator.ln.{i}.weight": (INNER,),
            f"speculator.ln.{i}.bias": (INNER,),
            f"speculator.head.{i}.weight": (VOCAB, INNER),
        }
    for i in range(2 if tied else DEPTH):
        sizes[f"speculator.proj.{i}.weight"] = (INNER, INNER if i else HIDDEN)
    return sizes


def lstm_sizes(one_embedding: bool = True) -> dict[str, tuple[int, ...]]:
    sizes: dict[str, tuple[int, ...]] = {f"head.{i}.weight": (VOCAB, INNER) for i in range(DEPTH)}
    for gate in GATES:
        sizes |= {f"{gate}_proj.0.weight": (INNER, HIDDEN), f"{gate}_proj.1.weight": (INNER, INNER)}
        if gate == "forget" or not one_embedding:
            sizes[f"{gate}_emb.0.weight"] = (VOCAB, INNER)
    for norm in ("cell_ln", "state_ln"):
        sizes |= {f"{norm}.0.weight": (INNER,), f"{norm}.0.bias": (INNER,)}
    return sizes


def folder_of(path: Path, kind: str, **config: object) -> Path:
    path.mkdir()
    if kind == "medusa":
        (path / "config.json").write_text(json.dumps(MEDUSA | config))
        torch.save(random_tensors(medusa_sizes()), path / "medusa_lm_head.pt")
    elif kind == "lstm":
        (path / "config.json").write_text(json.dumps(LSTM | config))
        one = bool((LSTM | config)["tie_lstm_embs"])
        torch.save(random_tensors(lstm_sizes(one)), path / "pytorch_model.bin")
    else:
        tied = bool(config.get("tie_weights", False))
        (path / "config.json").write_text(json.dumps(MLP | config))
        save_file(random_tensors(mlp_sizes(tied)), path / "model.safetensors")
    return path


def test_medusa_heads_compute_what_the_paper_says(tmp_path):
    head = load_medusa(folder_of(tmp_path / "a", "medusa"), target().network, torch.float32)
    w, state = random_tensors(medusa_sizes()), torch.randn(1, HIDDEN)
    assert head.depth == DEPTH
    for k in range(DEPTH):
        fed, logits = head.step(state, torch.tensor([5]), k)
        block = state + F.silu(state @ w[f"{k}.0.linear.weight"].T + w[f"{k}.0.linear.bias"])
        torch.testing.assert_close(logits, block @ w[f"{k}.1.weight"].T)
        assert fed is state  # every head reads the target's own state


@pytest.mark.parametrize("tied", [False, True])
def test_an_mlp_speculator_computes_what_the_paper_says(tied, tmp_path):
    path = folder_of(tmp_path / "a", "mlp", tie_weights=tied, scale_input=tied)
    head = load_mlp_speculator(path, target().network, torch.float32)
    w, state = random_tensors(mlp_sizes(tied)), torch.randn(1, HIDDEN)

    def norm(x: Tensor) -> Tensor:
        return x / (x.pow(2).mean(-1, keepdim=True) + 1e-6).sqrt()

    kept = 0.5 ** (0.5 / DEPTH)
    found, expected = state, norm(state) / math.sqrt(2) if tied else state
    for i, token in enumerate((3, 1, 4)):
        found, logits = head.step(found, torch.tensor([token]), i)
        at, into = (0, min(i, 1)) if tied else (i, i)
        z = w[f"speculator.emb.{at}.weight"][token] * math.sqrt((1 - kept**2) * INNER / 2) / kept
        x = norm(expected @ w[f"speculator.proj.{into}.weight"].T + z)
        expected = F.gelu(x * w[f"speculator.ln.{at}.weight"] + w[f"speculator.ln.{at}.bias"])
        torch.testing.assert_close(found, expected)
        torch.testing.assert_close(logits, expected @ w[f"speculator.head.{at}.weight"].T)


@pytest.mark.parametrize("one_embedding", [False, True])
def test_an_lstm_speculator_computes_what_is_published(one_embedding, tmp_path):
    path = folder_of(
        tmp_path / "a", "lstm", tie_lstm_embs=one_embedding, scale_input=one_embedding, inner_dim=INNER
    )
    head = load_lstm_speculator(path, target().network, torch.float32)
    w, state = random_tensors(lstm_sizes(one_embedding)), torch.randn(1, HIDDEN)

    def norm(x: Tensor) -> Tensor:
        return x / (x.pow(2).mean(-1, keepdim=True) + 1e-6).sqrt()

    kept = 0.5 ** (0.5 / DEPTH)
    share = math.sqrt((1 - kept**2) * INNER / 2) / kept
    found, hidden, cell = state, norm(state) / math.sqrt(2) if one_embedding else state, torch.zeros(1, INNER)
    for i, token in enumerate((3, 1, 4)):
        found, logits = head.step(found, torch.tensor([token]), i)
        forget, enter, leave, candidate = (
            hidden @ w[f"{gate}_proj.{min(i, 1)}.weight"].T
            + share * w[f"{'forget' if one_embedding else gate}_emb.0.weight"][token]
            for gate in GATES
        )
        candidate = F.gelu(norm(candidate) * w["cell_ln.0.weight"] + w["cell_ln.0.bias"])
        cell = cell * forget.sigmoid() + candidate * enter.sigmoid()
        hidden = F.gelu(norm(cell) * w["state_ln.0.weight"] + w["state_ln.0.bias"]) * leave.sigmoid()
        torch.testing.assert_close(found, torch.cat([hidden, cell], dim=-1))
        torch.testing.assert_close(logits, hidden @ w["head.0.weight"].T)


def test_arctics_names_of_an_mlp_speculator_are_read_as_ibms_own(tmp_path):
    ibm = folder_of(tmp_path / "ibm", "mlp")
    arctic = folder_of(tmp_path / "arctic", "mlp", method="sum_rnn", inner_dim=str(INNER))
    renamed = {}
    for name, tensor in random_tensors(mlp_sizes(False)).items():
        kind, level, part = name.removeprefix("speculator.").split(".")
        renamed[f"{kind}.{level}.{part}" if kind == "head" else f"{kind}.{level}.0.{part}"] = tensor
    save_file(renamed, arctic / "model.safetensors")
    state, token = torch.randn(1, HIDDEN), torch.tensor([3])
    one, other = (
        load_mlp_speculator(path, target().network, torch.float32).step(state, token, 0)[1]
        for path in (ibm, arctic)
    )
    assert torch.equal(one, other)


class Always(AheadDrafter):
    """Is asked before every pass."""

    def prices(self) -> np.ndarray:
        return np.zeros(DEPTH)

    def hopes(self) -> np.ndarray:
        return np.ones(DEPTH)


@pytest.mark.parametrize("kind", list(LOADERS))
def test_random_heads_leave_the_greedy_answer_as_it_is(kind, tmp_path):
    model, rng = target(), random.Random(2)
    head = LOADERS[kind](folder_of(tmp_path / "a", kind), model.network, torch.float32)
    drafting = AheadSource(kind, head, model, Hopeful(DEPTH))
    prompt = prompt_of(random_ids(rng, 30), limit=30)
    expected = answer(Session(model, prompt, (), GREEDY, costs=CHEAP, speculation=False))
    session = Session(model, prompt, [Always(drafting)], GREEDY, costs=CHEAP)
    assert answer(session) == expected
    assert session.tally.drafted[kind] > 0
    assert not session.tally.switched_off


def test_their_settings_make_drafters_from_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    model, prompt = target(), prompt_of([1, 2, 3])
    drafting = Drafting(model)
    for kind in LOADERS:
        (made,) = drafting.drafters(f"{kind}={folder_of(tmp_path / kind, kind)}", prompt)
        assert made.name == kind


def test_heads_that_do_not_fit_or_are_torn_are_refused_with_what_is_wrong(tmp_path):
    network = target().network

    def refused(load, path: Path) -> str:
        with pytest.raises(ModelUnavailable) as error:
            load(path, network, torch.float32)
        return str(error.value)

    path = folder_of(tmp_path / "a", "medusa", medusa_num_heads=4)
    assert "as Medusa heads it lacks 3.1.weight, 3.0.linear.weight" in refused(load_medusa, path)
    (path / "config.json").write_text(json.dumps(MEDUSA | {"medusa_num_layers": "one"}))
    assert "its medusa_num_layers is 'one', not a whole number" in refused(load_medusa, path)
    torch.save(random_tensors(medusa_sizes(99)), path / "medusa_lm_head.pt")
    (path / "config.json").write_text(json.dumps(MEDUSA))
    assert "a vocabulary of 99, and this one has 61" in refused(load_medusa, path)
    (path / "medusa_lm_head.pt").write_bytes(b"torn")
    assert "cannot read the heads" in refused(load_medusa, path)
    assert "has no n_predict" in refused(load_mlp_speculator, path)
    path = folder_of(tmp_path / "b", "mlp", n_predict=5)
    assert "as an MLP speculator it lacks speculator.head.3.weight" in refused(load_mlp_speculator, path)
    path = folder_of(tmp_path / "g", "mlp", inner_dim=30)
    assert "speculator.head.0.weight has the sizes [61, 24], and by config.json [61, 30]" in refused(
        load_mlp_speculator, path
    )
    path = folder_of(tmp_path / "c", "lstm")
    assert "says method None" in refused(load_lstm_speculator, folder_of(tmp_path / "d", "mlp"))
    assert "its proj_dim is 24.24" in refused(
        load_lstm_speculator, folder_of(tmp_path / "e", "lstm", proj_dim="24.24")
    )
    assert "share their weights" in refused(
        load_lstm_speculator, folder_of(tmp_path / "f", "lstm", tie_weights=False)
    )
    tensors = random_tensors(lstm_sizes())
    for name, other, said in (
        ("state_ln.0.bias", None, "as an LSTM speculator it lacks state_ln.0.bias"),
        ("head.0.weight", torch.ones(99, INNER), "a vocabulary of 99, and this one has 61"),
        ("forget_emb.0.weight", torch.ones(60, INNER), "has the sizes [60, 24], and by config.json [61, 24]"),
        ("cell_ln.0.weight", torch.ones(5), "cell_ln.0.weight has the sizes [5], and by config.json [24]"),
        ("head.0.weight", torch.ones(61), "head.0.weight has the sizes [61], and by config.json [61, 24]"),
    ):
        changed = {key: value for key, value in (tensors | {name: other}).items() if value is not None}
        torch.save(changed, path / "pytorch_model.bin")
        assert said in refused(load_lstm_speculator, path)
