"""Fits the parser's network to drawn instructions, and says from which confidence on it may be believed."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from fastedit.english.features import TRAITS, Seen, Vocabulary, see, spelled
from fastedit.english.words import Word, words
from fastedit.train.english.draw import Drawer, Example
from fastedit.train.english.network import Network

LONGEST = 60  # words
_BATCH, _RATE, _WARM = 128, 2e-3, 300
_SEEN_OFTEN = 6  # before a word is one of the vocabulary


class Learned(NamedTuple):
    """One example as the network sees it: the form's number, the last for none, and a tag for each word."""

    seen: Seen
    form: int
    tags: np.ndarray


class Shape(NamedTuple):
    """What the outputs of a network are about."""

    vocabulary: Vocabulary
    forms: tuple[str, ...]
    fields: tuple[str, ...]


def shape_of(examples: Sequence[Example], forms: Sequence[str]) -> Shape:
    counts: Counter[str] = Counter()
    for example in examples:
        known = set(example.ground.spoken)
        counts.update(
            text
            for word in words(example.instruction)
            if word.kind in ("name", "arrow", "sign")
            and not _inside(word, example)
            and word.text not in known
            and ((text := spelled(word)).replace("'", "").isalpha() or word.kind != "name")
        )
    fields = sorted({field for example in examples for field in example.spans})
    return Shape(
        Vocabulary(sorted(w for w, n in counts.items() if n >= _SEEN_OFTEN)), tuple(forms), tuple(fields)
    )


def _inside(word: Word, example: Example) -> bool:
    return any(start < word.stop and word.start < stop for start, stop in example.spans.values())


def learned(example: Example, shape: Shape) -> Learned | None:
    said = words(example.instruction)
    if not 0 < len(said) <= LONGEST:
        return None
    tags = np.zeros(len(said), np.int64)
    for field, (start, stop) in example.spans.items():
        inside = [place for place, word in enumerate(said) if start < word.stop and word.start < stop]
        if not inside:
            return None
        tags[inside] = 2 * shape.fields.index(field) + 2
        tags[inside[0]] -= 1
    form = len(shape.forms) if example.form is None else shape.forms.index(example.form)
    return Learned(see(said, example.ground.names, shape.vocabulary), form, tags)


def drawn(drawer: Drawer, count: int, seed: int) -> list[Example]:
    rng = random.Random(seed)
    return [drawer.draw(rng) for _ in range(count)]


def fit(
    examples: Sequence[Learned], shape: Shape, minutes: float, seed: int, tell: Callable[[str], None]
) -> Network:
    """Trains for so many minutes on one thread."""
    torch.manual_seed(seed)
    rng = random.Random(seed)
    network = Network(len(shape.vocabulary), len(shape.forms) + 1, 2 * len(shape.fields) + 1)
    optimizer = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=0.02)
    began, step, batches = time.monotonic(), 0, list[list[Learned]]()
    while (spent := (time.monotonic() - began) / (60 * minutes)) < 1:
        batches = batches or _batches(examples, rng)
        for group in optimizer.param_groups:
            group["lr"] = _RATE * min(1, (step + 1) / _WARM) * max(0.02, 1 - spent)
        loss = _loss(network, batches.pop())
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        step += 1
        if step % 200 == 0:
            tell(f"{100 * spent:.0f} %: step {step}, loss {loss.item():.4f}")
    return network.eval()


def _batches(examples: Sequence[Learned], rng: random.Random) -> list[list[Learned]]:
    """All examples in batches of about equal length, in any order."""
    order = sorted(examples, key=lambda example: len(example.tags) + rng.random() * 3)
    batches = [order[at : at + _BATCH] for at in range(0, len(order), _BATCH)]
    rng.shuffle(batches)
    return batches


def _loss(network: Network, batch: Sequence[Learned]) -> Tensor:
    longest = max(len(example.tags) for example in batch)
    numbers = torch.zeros(len(batch), longest, dtype=torch.long)
    traits = torch.zeros(len(batch), longest, len(TRAITS))
    tags = torch.full((len(batch), longest), -1)
    for row, example in enumerate(batch):
        size = len(example.tags)
        numbers[row, :size] = torch.from_numpy(example.seen.numbers)
        traits[row, :size] = torch.from_numpy(example.seen.traits)
        tags[row, :size] = torch.from_numpy(example.tags)
    forms, marks = network(numbers, traits, tags >= 0)
    wanted = torch.tensor([example.form for example in batch])
    of_forms = nn.functional.cross_entropy(forms, wanted, label_smoothing=0.02)
    # Where nothing is said it does not matter what is named.
    said = (wanted < forms.shape[1] - 1)[:, None] & (tags >= 0)
    of_tags = nn.functional.cross_entropy(marks[said], tags[said]) if said.any() else forms.sum() * 0
    return of_forms + 2 * of_tags


def save(network: Network, shape: Shape, path: Path) -> None:
    """The weights as the package reads them, in half precision."""
    stored = {
        name.replace("_", "."): weight.detach().numpy().astype(np.float16)
        for name, weight in network.weights.items()
    }
    texts = {"words": shape.vocabulary.words, "forms": shape.forms, "fields": shape.fields}
    said = {f"said {name}": np.frombuffer("\n".join(text).encode(), np.uint8) for name, text in texts.items()}
    np.savez_compressed(path, **(stored | said))
