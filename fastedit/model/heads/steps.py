"""Steps of a head that attends, over tensors that stay where they are and of one size: what a CUDA graph can hold."""

from __future__ import annotations

import numpy as np
import torch
from fastedit_kernels.packing import Packing
from numpy.typing import NDArray
from torch import Tensor

from fastedit.model.graphs import Graphs, Room, current
from fastedit.model.heads.run import Head, HeadRun, KeysAndValues, attended

ROWS = 4  # of a step
GUESSES = 32  # of a proposal, over all its steps
FIRST = 4096  # rows that an answer's memory begins with: what most answers and the end of their prompts take


class HeadSteps:
    """The steps of one answer at a time. Rows that fill up a step are copies of its first, whose keys and values go to
    the memory's last row, which nobody sees."""

    def __init__(self, head: Head, room: Room | None) -> None:
        """Without a room for graphs the same runs launch by launch."""
        self._head, self._room = head, room
        self.rows = KeysAndValues(FIRST)
        shapes = {"places": (ROWS,), "position": (1,), "length": (1,), "tree": (ROWS, GUESSES)}
        self._packing = Packing(shapes, head.device)
        self._tokens = torch.zeros(ROWS, dtype=torch.int64, device=head.device)
        self._fed = self._out = self._logits = self._columns = torch.empty(0)
        self._graphs = Graphs[int, torch.cuda.CUDAGraph]()

    def hold(self, sees: NDArray[np.bool_]) -> bool:
        """Whether a step of this size fits."""
        rows, guesses = sees.shape
        return bool(rows <= ROWS and guesses <= GUESSES)

    def run(
        self, tokens: Tensor, fed: Tensor, length: int, position: int, sees: NDArray[np.bool_]
    ) -> tuple[Tensor, Tensor]:
        """Rows [k] at one position, after `length` rows and what `sees` [k, guesses] shows of the guesses. Returns
        outputs [k, hidden] and logits [k, draft_vocab], which last until the next step."""
        count = len(sees)
        with current(self._head.device):
            self._make_room(tokens, fed, length)
            self._tokens[:count], self._tokens[count:] = tokens, tokens[0]
            self._fed[:count], self._fed[count:] = fed, fed[0]
            self._packing.write(_numbers(sees, length, position, len(self.rows.keys) - 1))
            graph = None
            if (room := self._room) is not None:
                graph = self._graphs.get(len(self.rows.keys), lambda: room.capture(self._compute)[0])
            if graph is None:
                self._compute()
            else:
                graph.replay()
        return self._out[:count], self._logits[:count]

    def _make_room(self, tokens: Tensor, fed: Tensor, length: int) -> None:
        if len(self.rows.keys) < length + GUESSES + 1:
            like, _ = self._head.keys(tokens, fed, torch.zeros_like(tokens))
            self.rows.reserve(like, length + GUESSES + 1)
        if not len(self._fed):
            self._fed = fed.new_zeros(ROWS, fed.shape[1])
        if len(self._columns) != len(self.rows.keys):
            self._columns = torch.arange(len(self.rows.keys), device=fed.device)
            self._graphs = Graphs()  # those of the smaller memory read what is no longer there

    def _compute(self) -> None:
        """All that a graph holds: reads the packing, tokens and fed, writes keys, values, out and logits."""
        views = self._packing.views()
        places, behind = views["places"].long(), self._columns - views["length"]
        guessed = views["tree"].bool()[:, behind.clamp(0, GUESSES - 1)] & (behind < GUESSES)
        seen = (behind < 0) | guessed

        def attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
            self.rows.keys.index_copy_(0, places, k)
            self.rows.values.index_copy_(0, places, v)
            return attended(q, self.rows.keys, self.rows.values, seen)

        positions = views["position"].long().expand(ROWS)
        out, asked = self._head(self._tokens, self._fed, positions, attend)
        logits = self._head.logits(asked)
        if not len(self._out):
            self._out, self._logits = torch.empty_like(out), torch.empty_like(logits)
        self._out.copy_(out)
        self._logits.copy_(logits)


def _numbers(sees: NDArray[np.bool_], length: int, position: int, spare: int) -> dict[str, NDArray[np.int32]]:
    count, guesses = sees.shape
    places = np.full(ROWS, spare, dtype=np.int32)
    places[:count] = np.arange(length + guesses - count, length + guesses)
    tree = np.zeros((ROWS, GUESSES), dtype=np.int32)
    tree[:count, :guesses] = sees
    tree[count:, :guesses] = sees[0]
    return {
        "places": places,
        "position": np.array([position], dtype=np.int32),
        "length": np.array([length], dtype=np.int32),
        "tree": tree,
    }


class Runs:
    """The runs of one head. An answer takes one and gives it back with its memory and its graph, so that later answers
    capture nothing."""

    def __init__(self, head: Head, *, graphs: bool = True) -> None:
        self._head = head
        self._free: list[HeadRun] = []
        self._room = Room(head.device) if graphs and head.device.type == "cuda" else None

    def take(self) -> HeadRun:
        try:
            run = self._free.pop()  # from any thread
        except IndexError:
            return HeadRun(self._head, None if self._room is None else HeadSteps(self._head, self._room))
        run.forget()
        return run

    def give(self, run: HeadRun) -> None:
        self._free.append(run)
