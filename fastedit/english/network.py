"""The parser's network in numpy: a small transformer over the words of one instruction.

Its weights are made by `python -m fastedit.train english`, whose network this is, number for number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fastedit.english.features import Seen, Vocabulary

Array = NDArray[np.float32]
HEADS, REACH = 4, 8  # of attention; how many words apart two places are told from those further apart
SUMMARY = 2 * REACH + 1  # the bias of a place towards the summary, and the summary's towards all


@dataclass(frozen=True, slots=True)
class Reading:
    """Probabilities: of each form, of which the last is none at all, and of each tag a word."""

    forms: Array
    tags: Array


class Network:
    """`forms` are the grammar's, `fields` those that tags are about: tag 0 is none, 2n + 1 begins field n and 2n + 2
    goes on with it."""

    def __init__(
        self, weights: Mapping[str, NDArray[np.float16]], words: str, forms: str, fields: str
    ) -> None:
        self._weights = {name: np.asarray(weight, np.float32) for name, weight in weights.items()}
        self.vocabulary = Vocabulary(words.split("\n"))
        self.forms, self.fields = tuple(forms.split("\n")), tuple(fields.split("\n"))

    @classmethod
    def load(cls, path: Path) -> Network:
        with np.load(path) as stored:
            weights = {name: stored[name] for name in stored.files}
        return cls(
            weights, *(bytes(weights.pop(f"said {name}")).decode() for name in ("words", "forms", "fields"))
        )

    def read(self, seen: Seen) -> Reading:
        w = self._weights
        x = np.concatenate([w["summary"][None], w["words"][seen.numbers] + seen.traits @ w["traits"]])
        bias = w["bias"][:, _apart(len(x))]
        for layer in range(self._layers):
            x = x + self._attended(x, layer, bias[layer])
            hidden = np.maximum(_normed(x, w[f"{layer}.norm2"]) @ w[f"{layer}.in"], 0)
            x = x + hidden @ w[f"{layer}.out"]
        x = _normed(x, w["norm"])
        return Reading(_softmax(x[0] @ w["form"]), _softmax(x[1:] @ w["tag"]))

    @cached_property
    def _layers(self) -> int:
        return len(self._weights["bias"])

    def _attended(self, x: Array, layer: int, bias: Array) -> Array:
        w = self._weights
        each = _normed(x, w[f"{layer}.norm1"]) @ w[f"{layer}.qkv"]
        q, k, v = each.reshape(len(x), 3, HEADS, -1).transpose(1, 2, 0, 3)
        shares = _softmax(
            q @ k.transpose(0, 2, 1) / np.sqrt(np.float32(q.shape[-1])) + bias.transpose(2, 0, 1)
        )
        mixed: Array = (shares @ v).transpose(1, 0, 2).reshape(len(x), -1) @ w[f"{layer}.mix"]
        return mixed


def _apart(places: int) -> NDArray[np.int64]:
    """Which bias two places have: by how far they are apart, the first one being the summary."""
    at = np.arange(places)
    found: NDArray[np.int64] = np.clip(at[None] - at[:, None], -REACH, REACH) + REACH
    found[0], found[:, 0] = SUMMARY, SUMMARY
    return found


def _normed(x: Array, scale: Array) -> Array:
    normed: Array = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6) * scale
    return normed


def _softmax(x: Array) -> Array:
    powers = np.exp(x - x.max(-1, keepdims=True))
    shares: Array = powers / powers.sum(-1, keepdims=True)
    return shares
