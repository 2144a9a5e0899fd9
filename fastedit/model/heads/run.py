"""A head with attention at work on one answer: what it has read stays, what it only guesses is forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from fastedit.model.eagle import Attend

if TYPE_CHECKING:
    from fastedit.model.heads.steps import HeadSteps

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
    """Of the rows of one layer, in memory that grows with them from room for `first` on. Rows that nobody has written
    are zeros: what is masked out must be a number still."""

    def __init__(self, first: int = _FIRST) -> None:
        self._first = first
        self.keys = self.values = torch.empty(0)

    def put(self, begin: int, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Those of new rows from row `begin` on; returns all up to the last of them."""
        end = begin + len(k)
        self.reserve(k, end)
        self.keys[begin:end], self.values[begin:end] = k, v
        return self.keys[:end], self.values[:end]

    def reserve(self, like: Tensor, count: int) -> None:
        """Make room for `count` rows such as `like` [.., kv_heads, d]."""
        size = len(self.keys)
        if size == 0:
            shape = (max(self._first, count), *like.shape[1:])
            self.keys, self.values = like.new_zeros(shape), like.new_zeros(shape)
        elif size < count:
            more = (0, 0, 0, 0, 0, max(count, 2 * size) - size)
            self.keys, self.values = F.pad(self.keys, more), F.pad(self.values, more)

    def clear(self) -> None:
        """Whatever was written, broken numbers among it, is zeros again."""
        self.keys.zero_()
        self.values.zero_()


class HeadRun:
    """Keys and values of the rows read so far, `length` of them, and after them those of the guesses in progress.

    With `steps`, as on a GPU, all that attends runs there: over tensors that stay where they are.
    """

    def __init__(self, head: Head, steps: HeadSteps | None = None) -> None:
        self.head = head
        self.length = 0
        self._position = 0  # of the next row
        self._rows = KeysAndValues() if steps is None else steps.rows
        self._steps = steps
        self._sees = np.zeros((0, 0), dtype=np.bool_)  # which guesses see which

    @torch.inference_mode()
    def extend(self, states: Tensor, following: Sequence[int], start: int) -> tuple[Tensor, Tensor]:
        """Read rows at positions from `start` on: the target's states [n, layers * width] and the tokens after them.

        Forgets all guesses. Returns the last row's output [1, hidden] and logits [1, draft_vocab], which last until the
        next step.
        """
        count, device = len(following), states.device
        tokens, hidden = torch.tensor(following, device=device), self.head.fuse(states)
        if count > 1:  # of all rows but the last only keys and values are needed
            positions = torch.arange(start, start + count - 1, device=device)
            self._rows.put(self.length, *self.head.keys(tokens[:-1], hidden[:-1], positions))
            self.length += count - 1
        self._sees = np.zeros((0, 0), dtype=np.bool_)
        found = self._step(tokens[-1:], hidden[-1:], start + count - 1, np.ones((1, 1), dtype=np.bool_))
        self.length += 1
        self._position = start + count
        return found

    @torch.inference_mode()
    def guess(self, fed: Tensor, tokens: Tensor, parents: Sequence[int]) -> tuple[Tensor, Tensor]:
        """Rows one step after what gave out `fed` [k, hidden], with the tokens [k] guessed there.

        `parents[i]` is the guess that row i follows, counted over all guesses since the last `extend`; -1 where it
        follows what was read. Returns outputs [k, hidden] and logits [k, draft_vocab], which last until the next step.
        """
        before = len(self._sees)
        sees = np.eye(before + len(parents), dtype=np.bool_)
        sees[:before, :before] = self._sees
        for row, parent in enumerate(parents, before):
            if parent >= 0:
                sees[row] |= sees[parent]
        self._sees = sees
        return self._step(tokens, fed, self._position + int(sees[before].sum()) - 1, sees[before:])

    @torch.inference_mode()
    def forget(self) -> None:
        """Whatever was read; the next answer begins."""
        self.length, self._sees = 0, np.zeros((0, 0), dtype=np.bool_)
        self._rows.clear()

    def _step(
        self, tokens: Tensor, fed: Tensor, position: int, sees: NDArray[np.bool_]
    ) -> tuple[Tensor, Tensor]:
        """`sees` [rows, guesses]: which guesses, itself among them, each row attends to beside all that was read."""
        if self._steps is not None and self._steps.hold(sees):
            return self._steps.run(tokens, fed, self.length, position, sees)
        begin = self.length + sees.shape[1] - len(sees)
        read = np.ones((len(sees), self.length), dtype=np.bool_)
        seen = torch.from_numpy(np.concatenate([read, sees], axis=1)).to(fed.device)

        def attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
            return attended(q, *self._rows.put(begin, k, v), seen)

        positions = torch.full((len(sees),), position, device=fed.device)
        out, asked = self.head(tokens, fed, positions, attend)
        return out, self.head.logits(asked)
