"""A head with attention at work on one answer: what it has read stays, what it only guesses is forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import torch
import torch.nn.functional as F
from torch import Tensor

from fastedit.model.eagle import Attend

_FIRST = 256  # rows that a cache begins with


class Head(Protocol):
    """An EAGLE head or a multi-token-prediction module.

    A row reads the target's states of one token: those that enter the layers `reads` (the number of layers: the final
    norm's output), each `width` wide.
    """

    @property
    def reads(self) -> tuple[int, ...]: ...

    @property
    def width(self) -> int: ...

    @property
    def device(self) -> torch.device: ...

    def fuse(self, states: Tensor) -> Tensor:
        """The target's states [n, layers * width] -> what rows start from [n, hidden]."""

    def keys(self, tokens: Tensor, hidden: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values [n, kv_heads, d] of rows of which nothing else is wanted."""

    def __call__(
        self, tokens: Tensor, hidden: Tensor, positions: Tensor, attend: Attend
    ) -> tuple[Tensor, Tensor]:
        """Tokens and positions [n], hidden [n, hidden] -> what the next step starts from, and what the vocabulary is
        asked with, both [n, hidden]."""

    def logits(self, asked: Tensor) -> Tensor:
        """[n, draft_vocab]."""

    def target_ids(self, ids: Tensor) -> Tensor:
        """The target's ids of ids of the head's vocabulary."""


def attended(q: Tensor, keys: Tensor, values: Tensor, seen: Tensor) -> Tensor:
    """q [rows, heads, d], keys and values [n, kv_heads, d] -> [rows, heads, d]; `seen` [rows, n]: what each row
    attends to."""
    q, keys, values = (x.transpose(0, 1)[None] for x in (q, keys, values))
    out = F.scaled_dot_product_attention(q, keys, values, attn_mask=seen, enable_gqa=True)
    return out[0].transpose(0, 1)


class KeysAndValues:
    """Of the rows of one layer, in memory that grows with them."""

    def __init__(self) -> None:
        self._keys: Tensor | None = None
        self._values: Tensor | None = None

    def put(self, begin: int, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Those of new rows from row `begin` on; returns all up to the last of them."""
        end = begin + len(k)
        keys, values = self._room(k, end)
        keys[begin:end], values[begin:end] = k, v
        return keys[:end], values[:end]

    def _room(self, like: Tensor, count: int) -> tuple[Tensor, Tensor]:
        """Keys and values with room for `count` rows."""
        if self._keys is None or self._values is None:
            size = max(_FIRST, count)
            self._keys, self._values = (like.new_empty(size, *like.shape[1:]) for _ in range(2))
        elif len(self._keys) < count:
            more = (0, 0, 0, 0, 0, max(count, 2 * len(self._keys)) - len(self._keys))
            self._keys, self._values = F.pad(self._keys, more), F.pad(self._values, more)
        return self._keys, self._values


class HeadRun:
    """Keys and values of the rows read so far, `length` of them, and behind them those of the guesses in progress."""

    def __init__(self, head: Head) -> None:
        self.head = head
        self.length = self._guessed = 0
        self._position = 0  # of the next row
        self._rows = KeysAndValues()
        self._seen = torch.empty(0, 0, dtype=torch.bool)

    @torch.inference_mode()
    def extend(self, states: Tensor, following: Sequence[int], start: int) -> tuple[Tensor, Tensor]:
        """Read rows at positions from `start` on: the target's states [n, layers * width] and the tokens behind them.

        Forgets all guesses. Returns the last row's output [1, hidden] and logits [1, draft_vocab].
        """
        count, device = len(following), states.device
        self._guessed = 0
        tokens, hidden = torch.tensor(following, device=device), self.head.fuse(states)
        positions = torch.arange(start, start + count, device=device)
        if count > 1:  # of all rows but the last only keys and values are needed
            self._rows.put(self.length, *self.head.keys(tokens[:-1], hidden[:-1], positions[:-1]))
            self.length += count - 1
        seen = torch.ones(1, self.length + 1, dtype=torch.bool, device=device)
        fed, asked = self._forward(tokens[-1:], hidden[-1:], positions[-1:], seen)
        self.length += 1
        self._position = start + count
        return fed, self.head.logits(asked)

    @torch.inference_mode()
    def guess(self, fed: Tensor, tokens: Tensor, parents: Sequence[int]) -> tuple[Tensor, Tensor]:
        """Rows one step behind what gave out `fed` [k, hidden], with the tokens [k] guessed there.

        `parents[i]` is the guess that row i follows, counted over all guesses since the last `extend`; -1 where it
        follows what was read. Returns outputs [k, hidden] and logits [k, draft_vocab].
        """
        count, device = len(parents), fed.device
        before = self._guessed
        seen = torch.zeros(count, before + count, dtype=torch.bool, device=device)
        for row, parent in enumerate(parents):
            if parent >= 0:
                seen[row, :before] = self._seen[parent, :before]
            seen[row, before + row] = True
        self._seen = torch.cat([F.pad(self._seen[:before], (0, count)), seen]) if before else seen
        depth = int(seen[0].sum()) - 1
        positions = torch.full((count,), self._position + depth, device=device)
        whole = torch.cat([torch.ones(count, self.length, dtype=torch.bool, device=device), seen], dim=1)
        out, asked = self._forward(tokens, fed, positions, whole)
        self._guessed += count
        return out, self.head.logits(asked)

    def _forward(
        self, tokens: Tensor, hidden: Tensor, positions: Tensor, seen: Tensor
    ) -> tuple[Tensor, Tensor]:
        """`seen` [rows, keys]: which keys each row attends to, its own among them."""

        def attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
            keys, values = self._rows.put(self.length + self._guessed, k, v)
            return attended(q, keys, values, seen)

        fed, asked = self.head(tokens, hidden, positions, attend)
        return fed, asked
