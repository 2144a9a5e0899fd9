"""The commands that docs/models.md gives for vLLM and SGLang are ones that their releases take."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.engines.record.documented import DOCUMENT, commands


def table(engine: str) -> dict[str, Any]:
    """What `python -m tests.engines.record` recorded."""
    found: dict[str, Any] = json.loads((Path(__file__).parent / f"{engine}.json").read_text())
    return found


@pytest.mark.parametrize("engine", ["vllm", "sglang"])
def test_every_documented_command_was_read_by_the_release_that_the_document_names(engine):
    taken = table(engine)
    assert set(commands(engine)) == set(taken["settings"]), f"run: python -m tests.engines.record {engine}"
    name = {"vllm": "vLLM", "sglang": "SGLang"}[engine]
    assert f"{name} {taken['version']}" in DOCUMENT.read_text("utf-8")


def test_n_gram_suffix_eagle_p_eagle_and_our_own_drafter_are_written_out():
    methods = [made["method"] for made in table("vllm")["settings"].values()]
    assert methods == ["ngram", "suffix", "eagle3", "eagle3", "custom_class"]
    assert [made["parallel"] for made in table("vllm")["settings"].values()].count(True) == 1
    assert [made["algorithm"] for made in table("sglang")["settings"].values()] == ["NGRAM", "EAGLE3"]
