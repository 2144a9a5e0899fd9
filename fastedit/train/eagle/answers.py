"""What a head learns from: the target's own answers to synthetic and real edits, and what the target computed for them.

A head has to guess what the target writes, right or wrong, so the answers are the target's, not the data's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from fastedit.decode.layout import PassPart, lay_out
from fastedit.decode.session import CHUNK, decode
from fastedit.draft.tree import TokenTree
from fastedit.engine.models.load import LoadedModel
from fastedit.errors import TooLong
from fastedit.model.base import Taps
from fastedit.model.heads.lesson import Answer, Lesson
from fastedit.model.target import Target
from fastedit.prompt.base import RegionTask
from fastedit.sampling import Sampling
from fastedit.train.synthesis.examples import ExampleSource

# A pass that brings no more tokens than that found no draft to copy from: what it brought is novel.
SHORT = 4


def regenerate(model: LoadedModel, source: ExampleSource, count: int, workers: int) -> Iterator[Answer]:
    """`count` answers of the model to a source's edits, greedy; some of them at once, joined into passes."""
    with ThreadPoolExecutor(workers) as pool:
        examples = iter(source)
        while count > 0:
            tasks = [example.task for example in islice(examples, min(count, 4 * workers))]
            for answer in pool.map(lambda task: _answer(model, task), tasks):
                if answer is not None and count > 0:
                    count -= 1
                    yield answer


def _answer(model: LoadedModel, task: RegionTask) -> Answer | None:
    """None where the model has nothing to say, or no room to say it."""
    prompt = model.format.encode(task, None)
    try:
        session = model.session(prompt, Sampling())
    except TooLong:
        return None
    novel: list[bool] = []
    for accepted in decode(session):
        novel += [len(accepted.tokens) <= SHORT] * len(accepted.tokens)
    ids = (*prompt.ids, *session.output)
    return Answer(ids, len(prompt.ids), tuple(novel)) if len(novel) > 2 else None


def read_answers(file: Path) -> list[Answer]:
    """A line that an interruption has cut off is left out."""
    if not file.exists():
        return []
    return [Answer.of_line(line) for line in file.read_text("utf-8").splitlines(True) if line.endswith("}\n")]


class Teacher:
    """The target, asked for the hidden states of whole answers."""

    def __init__(self, target: Target, layers: Sequence[int]) -> None:
        self._target, self._layers = target, tuple(layers)
        self._last = target.network.layers

    @property
    def output(self) -> Tensor:
        """The matrix that makes logits of `Lesson.final`."""
        return self._target.network.head

    def lesson(self, answer: Answer) -> Lesson:
        cache = self._target.new_cache()
        taken: dict[int, list[Tensor]] = {layer: [] for layer in (*self._layers, self._last)}
        try:
            for begin in range(0, len(answer.ids), CHUNK):
                chunk = answer.ids[begin : begin + CHUNK]
                taps = Taps(taken)
                self._target.forward(lay_out([PassPart(chunk, TokenTree.empty(), cache)], taps))
                for layer, pieces in taken.items():
                    pieces.append(taps.states[layer][: len(chunk)].clone())
                cache.keep(range(len(chunk)))
        finally:
            cache.free()
        whole = {layer: torch.cat(pieces) for layer, pieces in taken.items()}
        states = torch.cat([whole[layer].float() for layer in self._layers], dim=-1)
        return Lesson(answer, states, whole[self._last][answer.start - 1 :].float())


def keep_lesson(lesson: Lesson, file: Path) -> None:
    """For training without the target: half the size, in bfloat16."""
    part = file.with_suffix(".part")
    tensors = {"states": lesson.states, "final": lesson.final}
    save_file({name: t.to("cpu", torch.bfloat16).contiguous() for name, t in tensors.items()}, part)
    part.replace(file)


def kept_lesson(answer: Answer, file: Path, device: torch.device) -> Lesson:
    kept = load_file(file)
    return Lesson(answer, kept["states"].to(device).float(), kept["final"].to(device).float())
