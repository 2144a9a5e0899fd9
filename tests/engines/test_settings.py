"""The settings that docs/models.md gives for vLLM and SGLang are ones that their releases take."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
DOCUMENT = (HERE.parents[1] / "docs" / "models.md").read_text("utf-8")
COMMANDS = re.findall(r"^(?:vllm serve|python -m sglang)(?:.*\\\n)*.*", DOCUMENT, re.MULTILINE)
KINDS = {"str": str, "int": int, "float": (int, float), "bool": bool, "SpeculativeMethod": str}


def table(engine: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((HERE / f"{engine}.json").read_text())
    return found


def options(command: str) -> dict[str, str]:
    words = shlex.split(command.replace("\\\n", " "), comments=True)
    return {word: words[at + 1] for at, word in enumerate(words) if word.startswith("--")}


def of(engine: str) -> list[str]:
    return [command for command in COMMANDS if engine in command.split("--")[0]]


@pytest.mark.parametrize("command", of("vllm"))
def test_vllm_takes_every_documented_speculative_config(command):
    taken = table("vllm")
    config = json.loads(options(command)["--speculative-config"])
    for name, value in config.items():
        kinds = taken["fields"][name].split(" | ")
        assert isinstance(value, tuple(KINDS[kind] for kind in kinds if kind in KINDS)), name
    assert config.get("method", "custom_class") in taken["methods"]
    assert ("method" in config) or "." in config["model"]


@pytest.mark.parametrize("command", of("sglang"))
def test_sglang_takes_every_documented_flag(command):
    taken = table("sglang")
    speculative = {name: value for name, value in options(command).items() if "speculative" in name}
    assert speculative["--speculative-algorithm"] in taken["algorithms"]
    for name, value in speculative.items():
        kind = taken["flags"][name].removeprefix("Optional[").removesuffix("]")
        assert kind in {"str", "int", "float"}
        {"str": str, "int": int, "float": float}[kind](value)


def test_n_gram_suffix_and_eagle_are_written_out_and_the_releases_are_named():
    methods = {json.loads(options(command)["--speculative-config"]).get("method") for command in of("vllm")}
    assert methods == {"ngram", "suffix", "eagle3", None}
    algorithms = {options(command)["--speculative-algorithm"] for command in of("sglang")}
    assert algorithms == {"NGRAM", "EAGLE3"}
    for engine, name in (("vllm", "vLLM"), ("sglang", "SGLang")):
        assert f"{name} {table(engine)['version']}" in DOCUMENT
