"""EAGLE-3 heads whose tensors hold numbers of their own, so what an engine loaded tells which tensor went where."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import Tensor

from fastedit.model.eagle import EagleHead, HeadShape
from fastedit.model.heads import write_head
from fastedit.model.heads.parallel import ParallelHead

VOCAB, HIDDEN, LAYERS, CONTEXT = 256, 64, 6, 512  # vLLM pads vocabularies to multiples of 64
TARGET = {
    "architectures": ["Qwen3ForCausalLM"],
    "model_type": "qwen3",
    "vocab_size": VOCAB,
    "hidden_size": HIDDEN,
    "intermediate_size": 96,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 32,
    "hidden_act": "silu",
    "rms_norm_eps": 1e-6,
    "rope_theta": 1e6,
    "max_position_embeddings": CONTEXT,
    "tie_word_embeddings": True,
    "torch_dtype": "bfloat16",
    "bos_token_id": None,
    "eos_token_id": None,
}


@dataclass(frozen=True, slots=True)
class Example:
    """A head in a folder; `marks` has the number that each of its tensors holds."""

    shape: HeadShape
    folder: Path
    marks: dict[str, float]

    def tensors(self) -> list[tuple[str, Tensor]]:
        return list(load_file(self.folder / "model.safetensors").items())


def write_target(folder: Path) -> Path:
    """Only a configuration: what heads need of a target is its sizes."""
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(TARGET))
    return folder


def shapes() -> tuple[HeadShape, ...]:
    """One plain, one with a vocabulary of its own and norms, one that norms each state by itself, one as Qwen3's."""
    plain = HeadShape(3, HIDDEN, HIDDEN, 80, 4, 2, 32, VOCAB, VOCAB, (2, 3, 4), theta=5e5)
    own = replace(plain, draft_vocab=128, layers=(1, 3, 5), norm_before_fc=True, post_norm=True)
    return plain, own, replace(plain, fc_norm=True), replace(plain, query_norms=True)


def write_example(shape: HeadShape, folder: Path, make: Callable[..., EagleHead] = EagleHead) -> Example:
    embedding = torch.zeros(shape.vocab, shape.hidden)
    head = make(shape, embedding, None)
    marks = {}
    for number, (name, tensor) in enumerate(head.state_dict().items(), 1):
        marks[name] = float(number)
        tensor.fill_(number)
    write_head(
        head,
        folder,
        target="target",
        architectures=["Qwen3ForCausalLM"],
        embedding=embedding,
        context=CONTEXT,
    )
    return Example(shape, folder, marks)


def write_parallel(shape: HeadShape, folder: Path) -> Path:
    """A P-EAGLE head."""
    return write_example(shape, folder, partial(ParallelHead, further=0, mask=0, depth=None)).folder


def poison(parameters: Iterable[tuple[str, Tensor]]) -> None:
    """So that what no tensor fills is seen."""
    for _, parameter in parameters:
        parameter.data.fill_(float("nan") if parameter.is_floating_point() else -1)


def loaded(example: Example, parameters: Iterable[tuple[str, Tensor]]) -> dict[str, Any]:
    """By parameter: its sizes, and the tensors whose numbers it holds, one behind the other; none where no tensor
    filled it. `unread` are tensors of the file that are in no parameter."""
    names = {mark: name for name, mark in example.marks.items()}
    found, read = {}, set()
    for name, parameter in parameters:
        held = parameter.detach().flatten(1)[:, 0] if parameter.dim() > 1 else parameter.detach()
        numbers = torch.unique_consecutive(held.float()).tolist()
        of = [names.get(number) for number in numbers]
        filled = [] if None in of else of
        found[name] = {"sizes": list(parameter.shape), "of": filled}
        read.update(filled)
    unread = sorted(name for name, _ in example.tensors() if name not in read)
    return {"head": asdict(example.shape), "parameters": found, "unread": unread}
