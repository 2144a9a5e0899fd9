"""Peers write the same tokens and report themselves absent where they are not installed."""

from __future__ import annotations

import json

import pytest
import torch
from safetensors.torch import load_file

from evals import workloads
from evals.edits import RealEdit
from evals.peers.__main__ import ON, usable, ways
from evals.peers.base import Bench, Peer
from evals.peers.gguf_file import write_gguf
from evals.peers.hf import ASSISTED, PLAIN, loaded, lookup
from evals.ways import Lookup, assisted_decoder, transformers_decoder
from fastedit.engine.folder import NANO
from fastedit.model.storage import read_weights, save_int8
from fastedit.prompt.base import Prompt
from fastedit.source.hunks import diff_lines


def test_a_peer_that_is_not_installed_is_absent_with_a_reason(model, tmp_path):
    nobody = Peer("nobody", "no_such_package", lambda bench: pytest.fail("it must not be loaded"))
    assert nobody.lacking() == "no_such_package is not installed"
    assert PLAIN.lacking() is None


def test_a_peer_that_fails_is_absent_and_the_others_run(model, plain, parts, tmp_path):
    folder = tmp_path / "model"
    plain.save_pretrained(folder)
    bench = Bench(model, folder, tmp_path, 1)
    found, absent = ways(bench, lookup(Lookup(5, 2)))
    assert {"fastedit", "transformers", ASSISTED.name} <= found.keys()
    assert all(reason for reason in absent.values())

    def broken(prompt):
        raise RuntimeError("out of luck")

    working = usable({ON: found[ON], "broken": broken}, absent, parts[0], bench)
    assert list(working) == [ON]
    assert absent["broken"] == "it does not run: RuntimeError: out of luck"


def test_assisted_generation_writes_the_same_tokens(plain):
    prompt = Prompt(tuple(range(5, 25)), (), (), None, frozenset({0}), 6)
    assert assisted_decoder(plain, plain)(prompt) == transformers_decoder(plain, None)(prompt)


def test_the_embedded_model_is_assisted_by_its_own_first_layers(model, tmp_path):
    bench = Bench(model, NANO, tmp_path, 1)
    prompt = Prompt(tuple(range(5, 25)), (), (), None, frozenset({0}), 6)
    assert ASSISTED.decoder(bench)(prompt) == PLAIN.decoder(bench)(prompt)


def test_the_gguf_file_holds_the_same_numbers_under_llama_cpps_names_and_others_are_refused(plain, tmp_path):
    gguf = pytest.importorskip("gguf")
    plain.save_pretrained(tmp_path)
    write_gguf(tmp_path, tmp_path / "m.gguf")
    read = {tensor.name: tensor.data for tensor in gguf.GGUFReader(tmp_path / "m.gguf").tensors}
    assert {"token_embd.weight", "blk.0.attn_q_norm.weight", "blk.1.ffn_down.weight"} <= read.keys()
    wanted = plain.state_dict()["model.layers.1.mlp.gate_proj.weight"].numpy()
    assert (read["blk.1.ffn_gate.weight"].reshape(wanted.shape) == wanted).all()
    (tmp_path / "config.json").write_text(json.dumps(plain.config.to_dict() | {"model_type": "llama"}))
    with pytest.raises(ValueError, match="is llama; only qwen2 and qwen3 are converted"):
        write_gguf(tmp_path, tmp_path / "n.gguf")


def test_weights_kept_in_int8_are_the_same_to_every_peer(plain, model, tmp_path):
    folder = tmp_path / "narrow"
    plain.save_pretrained(folder)
    save_int8(load_file(folder / "model.safetensors"), folder)
    wanted = read_weights(folder)["model.layers.0.mlp.up_proj.weight"]
    assert torch.equal(loaded(folder, torch.float32).model.layers[0].mlp.up_proj.weight, wanted)


@pytest.fixture
def split(tmp_path, monkeypatch):
    import inspect
    import textwrap

    text = inspect.getsource(textwrap)
    files = [RealEdit("p", f"{n}.py", text, text, 0.0) for n in range(3)]
    monkeypatch.setattr(workloads, "load", lambda name: files)
    return files


@pytest.mark.parametrize("kind", list(workloads.KINDS))
def test_a_made_case_changes_what_its_kind_says(split, kind):
    [case] = workloads.made(kind, 1)
    assert workloads.made(kind, 1) == [case]
    assert case.old != case.wanted
    assert case.update
    if kind == "many hunks":
        assert len(diff_lines(case.old.split("\n"), case.wanted.split("\n"))) >= 5


def test_a_long_file_has_about_the_length_that_was_asked_for(split):
    assert 400 < len(workloads.long_file(split, 500)) <= 500


def test_workloads_of_real_files_are_those_of_the_test_split(monkeypatch):
    asked = []
    for name in ("updates", "instructions"):
        monkeypatch.setattr(workloads, name, lambda *names: asked.append(names) or [])
    assert [workloads.workload(name, 5) for name in workloads.REAL] == [[]] * len(workloads.REAL)
    assert asked == [("test",), ("test", "languages"), ("test",), ("test",)]


def test_an_unknown_workload_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match="no such workload; there are real, real in other"):
        workloads.workload("everything", 5)
