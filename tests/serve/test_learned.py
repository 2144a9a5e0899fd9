"""A server whose drafts learn tells what came of it, and answers as ever."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import torch
from prometheus_client import CollectorRegistry

from fastedit.draft.heads import learner
from fastedit.draft.seam import LearningReport
from fastedit.engine.models.load import load_model
from fastedit.model.eagle import EagleHead, HeadShape
from fastedit.model.heads import write_head
from fastedit.serve.telemetry.learned import LearnedCollector
from tests.serve.conftest import SKETCH, SOURCE, serving
from tests.waiting import eventually


def head_for(model: str, folder: Path, scale: float = 1.0) -> Path:
    network = load_model(model).target.network
    shape = HeadShape(
        3, network.hidden, network.hidden, 32, 4, 2, 16, network.vocab, network.vocab, (0, 1, 2)
    )
    torch.manual_seed(0)
    head = EagleHead(shape, network.embedding, None)
    with torch.no_grad():
        head.lm_head.weight.mul_(scale)
    write_head(head, folder, target="own", architectures=[], embedding=network.embedding, context=512)
    return folder


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_a_server_learns_between_edits_and_counts_it(copier, tmp_path, monkeypatch, cache):
    monkeypatch.setattr(learner, "FRESH", 1)
    monkeypatch.setattr(learner, "ROUND", 2)
    folder = head_for(copier.model, tmp_path / "head")
    drafters = {"learning": f"lookup+online={folder}"}
    wish = {"content": SOURCE, "update": SKETCH, "policy": "model"}
    with serving(copier, drafters=drafters) as server:
        value = server.service.metrics.registry.get_sample_value
        plain = server.http.post("/v1/edits", json=wish | {"speculation": False}).json()
        for _ in range(2):
            answer = server.http.post("/v1/edits", json=wish | {"tenant": "a"}).json()
            assert answer["content"] == plain["content"]
        assert eventually(lambda: value("fastedit_online_updates_total"))
        text = server.http.get("/metrics").text
        assert 'fastedit_online_rollbacks_total{reason="diverged"} 0.0' in text
        assert "fastedit_online_tenants 2.0" in text  # with the one of the first run, which nobody asked for
        assert value("fastedit_online_bytes") > 0


def test_a_server_whose_head_diverges_counts_it_and_answers_as_ever(copier, tmp_path, monkeypatch, cache):
    monkeypatch.setattr(learner, "FRESH", 1)
    drafters = {"learning": f"lookup+online={head_for(copier.model, tmp_path / 'head', scale=1e38)}"}
    wish = {"content": SOURCE, "update": SKETCH, "policy": "model"}
    with serving(copier, drafters=drafters) as server:
        value = server.service.metrics.registry.get_sample_value
        plain = server.http.post("/v1/edits", json=wish | {"speculation": False}).json()
        answer = server.http.post("/v1/edits", json=wish | {"tenant": "a"}).json()
        assert eventually(lambda: value("fastedit_online_rollbacks_total", {"reason": "diverged"}))
        assert value("fastedit_online_off")
        later = server.http.post("/v1/edits", json=wish | {"tenant": "a"}).json()
        assert answer["content"] == later["content"] == plain["content"]


def test_acceptance_before_and_after_and_rollbacks_are_told_of_all_tenants():
    found = [
        LearningReport(2, 1, 0, 10, Counter(updates=5, swaps=1), {"base": 1.2, "live": 1.6}),
        LearningReport(1, 0, 1, 1, Counter(updates=2, worse=1), {}),
    ]
    registry = CollectorRegistry()
    registry.register(LearnedCollector(lambda: found))
    value = registry.get_sample_value
    assert value("fastedit_online_tokens_per_pass", {"head": "base"}) == 1.2
    assert value("fastedit_online_tokens_per_pass", {"head": "live"}) == 1.6
    assert value("fastedit_online_rollbacks_total", {"reason": "worse"}) == 1
    assert value("fastedit_online_updates_total") == 7
    assert value("fastedit_online_off") == 1


def test_a_server_that_does_not_learn_says_nothing_of_it():
    assert not list(LearnedCollector(list).collect())
