"""Passes on a GPU: what a pass needs goes over in one copy, its layers run as one CUDA graph, its trees are decided
there, and one small copy comes back.

The same code runs on a CPU through Triton's interpreter, without graphs: that is how it is tested.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from fastedit_kernels.packing import Packing
from fastedit_kernels.tree_attention import PAGE
from fastedit_kernels.tree_attention.plan import (
    Heads,
    PassPlan,
    block_for,
    capacity,
    cut_arrays,
    cut_for,
    cut_name,
    exact_block,
    heights,
    seen_arrays,
)
from fastedit_kernels.tree_attention.shared import ALONE, Shared
from fastedit_kernels.tree_verify import Forest, forest_arrays
from fastedit_kernels.tree_verify.forest import MOST_NODES, Tree, forest_capacity, offers_of
from numpy.typing import NDArray
from torch import Tensor

from fastedit.errors import not_installed, reason
from fastedit.model.base import Inputs, Network, Rows, Taps
from fastedit.model.buckets import LEAST, MOST, TIMED, Buckets, Sample, buckets_of, seconds_in, seconds_of
from fastedit.model.cache import Memory
from fastedit.model.graphs import Graph, Graphs, Plans, Room, current
from fastedit.model.pages import PagePool
from fastedit.model.ranks import ranks

if TYPE_CHECKING:
    from fastedit_kernels.kv.triton import Addresses

ROWS = 2048  # of one pass at most
REQUESTS = 64  # in one pass at most
# The buffer for the logits of graphs takes at most such a part of the cache's memory: with the logits before they are
# copied, half of what the cache leaves free.
CACHE_SHARE = 16
OLDEST = (8, 0)  # the least compute capability: bfloat16, and copies that run on their own

Arrays = dict[str, NDArray[np.int32]]


class Decided(NamedTuple):
    """For a request: the nodes that stand, the token that follows them (-1: no numbers), these tokens' margins."""

    path: list[int]
    last: int
    margins: list[float]


class Size(NamedTuple):
    """Of a graph: rows, rows with logits, queries of a tile, and layers whose states are handed out."""

    rows: int
    wanted: int
    block: int
    tapped: frozenset[int]


def missing(device: torch.device, heads: Heads, dtype: torch.dtype = torch.bfloat16) -> str | None:
    """Why the kernels cannot serve this model here; None where they can."""
    if device.type != "cuda":
        return "there is no GPU"
    if importlib.util.find_spec("triton") is None:
        return not_installed("Triton", "gpu")
    if not 16 <= heads.size <= 256:
        return f"heads of size {heads.size} are not supported (16 to 256 are)"
    found = torch.cuda.get_device_capability(device)
    if found < OLDEST:
        have, need = (".".join(map(str, one)) for one in (found, OLDEST))
        return f"compute capability {have} is not supported ({need} and newer are)"
    return _unfit(device, heads, dtype)


def _unfit(device: torch.device, heads: Heads, dtype: torch.dtype) -> str | None:
    from fastedit_kernels.hardware import hardware
    from fastedit_kernels.tree_attention.tiles import fits

    with torch.cuda.device(device):
        try:
            here = hardware()
        except Exception as error:  # a driver that Triton cannot use, or no compiler for its launcher
            return f"Triton does not run here ({reason(error)})"
    if not fits(heads, dtype.itemsize, here):
        kind = str(dtype).removeprefix("torch.")
        return f"{here.shared >> 10} kB of shared memory are too few for heads of size {heads.size} in {kind}"
    return None


def _decided(found: Sequence[int], path: NDArray[np.int32], margins: NDArray[np.float32]) -> Decided:
    """`margins` are those of a request's rows, its root's first."""
    nodes, last = path[: found[0]].tolist(), found[1]
    return Decided(nodes, last, margins[[0, *(1 + node for node in nodes)]].tolist())


class Device:
    """Runs the passes of one network whose keys and values lie in `pool`."""

    def __init__(self, network: Network, pool: PagePool, *, graphs: bool = True, exact: bool = False) -> None:
        from fastedit_kernels.exact import triton as exact_ops
        from fastedit_kernels.fused import triton as fused

        self._network, self._pool = network, pool
        self._room = Room(pool.device) if graphs and pool.device.type == "cuda" else None
        self._graphs = Graphs[Size, Graph]()
        # Of the last graph that ran, in a buffer with room for those of any.
        self._logits: Tensor | None = None
        # Programs of attention that a multiprocessor holds, by a tile's queries and the window.
        self._resident = dict[tuple[int, int | None], int]()
        self._heads, self._exact = network.heads, exact
        self._multiprocessors = 1
        if pool.device.type == "cuda":
            self._multiprocessors = torch.cuda.get_device_properties(pool.device).multi_processor_count
        least = exact_block(network.heads) if exact else 16
        self._eager = Packing(self._shapes(ROWS, least, ROWS), pool.device)
        self._forest = Packing(forest_capacity(ROWS, REQUESTS), pool.device)
        self._plans: Plans = {}
        self._stores: Addresses | None = None
        if hasattr(network, "ops"):
            network.ops = exact_ops if exact else fused
        self.buckets = self._buckets(exact_ops.ROWS if exact else LEAST)

    @property
    def has_graphs(self) -> bool:
        """Whether passes run as CUDA graphs, all that are of a size for them."""
        return self._room is not None and self._graphs.complete

    def samples(self) -> Collection[Sample]:
        """Passes that have those graphs captured, and those tiles compiled, for which no edit should wait."""
        return self.buckets.samples(self._block)

    @torch.inference_mode()
    def forward(self, rows: Rows) -> Tensor:
        """Logits [wanted, vocab]."""
        with current(self._pool.device):
            return self._run(rows)

    def _run(self, rows: Rows) -> Tensor:
        block, shared = exact_block(self._heads), ALONE
        if not self._exact:
            windowed = None not in self._network.windows
            block, shared = cut_for(rows.batch, self._heads, self._pool.dtype.itemsize, windowed=windowed)
        room = self.buckets.graph_for(len(rows), len(rows.wanted))
        if room is None or self._room is None or len(rows.batch.spans) > REQUESTS:
            return self._forward(rows, block, shared)
        size = Size(*room, block, frozenset() if rows.taps is None else rows.taps.layers)
        graph = self._graphs.get(size, lambda: self._capture(rows, size))
        if graph is None:
            return self._forward(rows, block, shared)
        arrays, _ = self._arrays(rows, block, size.rows, size.wanted, shared=shared)
        logits = graph.replay(arrays)
        if rows.taps is not None:
            rows.taps.states = graph.states
        self._plans = graph.plans
        return logits[: len(rows.wanted)]

    @torch.inference_mode()
    def decide(
        self,
        logits: Tensor,
        trees: Sequence[Tree],
        rows: Rows,
        meanwhile: Callable[[], None] | None = None,
    ) -> list[Decided]:
        """Pick a token from each row, walk the trees, and move what stands to the front of its cache.

        The rows are those of the last forward. The host learns of it by one copy at the end, before which `meanwhile`
        is called: all has been launched then, and most of the pass is still to be computed.
        """
        with current(self._pool.device):
            return self._decide(logits, trees, meanwhile)

    def _decide(
        self, logits: Tensor, trees: Sequence[Tree], meanwhile: Callable[[], None] | None
    ) -> list[Decided]:
        from fastedit_kernels.kv import triton as kv
        from fastedit_kernels.tree_verify import rejection
        from fastedit_kernels.tree_verify import triton as verify

        arrays = forest_arrays(trees)
        forest = Forest.of(self._forest.send(arrays))
        picked = verify.pick(logits, forest)
        if any(tree.drawn is not None for tree in trees):
            offers = offers_of(trees, logits.shape[1], self._pool.device)
            rejection.reject(logits, picked, forest, offers)
        walked = verify.walk(picked, forest)
        if self._stores is None:
            stores = [store for store in (*self._pool.keys, *self._pool.values) if store is not None]
            self._stores = kv.Addresses.of(stores)
        kv.move(self._stores, next(iter(self._plans.values())), walked)
        parts = (walked.found, walked.paths, picked.margins.view(torch.int32))
        outcome = torch.cat([part.flatten() for part in parts])
        if meanwhile is not None:
            meanwhile()
        home = outcome.cpu().numpy()
        found, paths, margins = np.split(home, [2 * len(trees), (2 + MOST_NODES) * len(trees)])
        return [
            _decided(found, path, margins[first:].view(np.float32))
            for found, path, first in zip(
                found.reshape(-1, 2).tolist(),
                paths.reshape(-1, MOST_NODES),
                arrays["forest_requests"][:, 0].tolist(),
                strict=True,
            )
        ]

    def _forward(self, rows: Rows, block: int, shared: Shared = ALONE) -> Tensor:
        arrays, parts = self._arrays(rows, block, len(rows), len(rows.wanted), shared=shared)
        tensors = self._eager.send(arrays)
        self._plans = self._plans_of(block, parts, tensors)
        return self._network.forward(inputs_of(tensors, self._plans, self._pool, rows.taps))

    def _plans_of(
        self, block: int, parts: Mapping[int | None, int], tensors: Mapping[str, Tensor]
    ) -> dict[int | None, PassPlan]:
        return {
            window: PassPlan.of(block, count, tensors, exact=self._exact, window=window)
            for window, count in parts.items()
        }

    def _arrays(
        self, rows: Rows, block: int, size: int, wanted: int, *, shared: Shared = ALONE
    ) -> tuple[Arrays, dict[int | None, int]]:
        """Everything that a pass over `size` rows reads, `wanted` of them with logits; and the partial results by
        windows of layers. Rows that fill up write to a page that nobody reads."""
        parts = dict[int | None, int]()
        arrays = seen_arrays(rows.batch, self._heads, block, exact=self._exact)
        for window in self._network.windows:
            cut, parts[window] = cut_arrays(
                rows.batch,
                self._heads,
                block,
                self._programs(block, window),
                exact=self._exact,
                window=window,
                shared=shared if window is None else ALONE,
            )
            arrays |= {cut_name(name, window): array for name, array in cut.items()}
        more = size - len(rows)
        arrays["tokens"] = _filled(rows.tokens, more)
        arrays["positions"] = _filled(rows.batch.positions, more)
        arrays["slots"] = _filled(rows.batch.slots, more, self._pool.slots)
        arrays["wanted"] = _filled(rows.wanted, wanted - len(rows.wanted))
        return arrays, parts

    def _shapes(self, rows: int, block: int, wanted: int) -> dict[str, tuple[int, ...]]:
        pages = min(self._pool.count, -(-(self._network.context + ROWS) // PAGE))
        programs = {window: self._programs(block, window) for window in self._network.windows}
        shapes = capacity(rows, REQUESTS, pages, self._heads, block, programs, exact=self._exact)
        return shapes | dict.fromkeys(("tokens", "positions", "slots"), (rows,)) | {"wanted": (wanted,)}

    def _programs(self, block: int, window: int | None) -> int:
        """As many as the device holds at once: each then goes through its share of the work."""
        if (block, window) not in self._resident:
            held = self._held(block, window) if self._pool.device.type == "cuda" else 1
            self._resident[block, window] = held
        return self._multiprocessors * self._resident[block, window]

    def _held(self, block: int, window: int | None) -> int:
        """Programs that a multiprocessor holds: asked of the kernel itself, compiled for this device."""
        from fastedit_kernels.exact import triton as exact_ops
        from fastedit_kernels.tree_attention.triton import compiled, residents

        heads, dtype = self._heads, self._pool.dtype
        kernel = (
            exact_ops.compiled(heads, block, dtype) if self._exact else compiled(heads, block, dtype, window)
        )
        return residents(kernel, self._pool.device)

    def _block(self, rows: int) -> int:
        """Queries of a tile, where so many rows read one prefix."""
        return (
            exact_block(self._heads)
            if self._exact
            else block_for(rows, self._heads, self._pool.dtype.itemsize)
        )

    def _buckets(self, step: int) -> Buckets:
        width = self._pool.dtype.itemsize
        tiles = () if self._exact else heights(self._heads, width)
        cache = self._pool.slots * self._network.kv_width * width
        return buckets_of(tiles, self._seconds(), step, self._network.vocab * width, cache // CACHE_SHARE)

    def _seconds(self) -> Sequence[float]:
        """Of products with the model's head, the largest of its matrices."""
        room = self._room
        if room is None or ranks() is not None:  # all ranks must come to the same
            return TIMED
        head, linear = self._network.packed_head, getattr(self._network, "ops", F).linear
        x = torch.randn(MOST, head.shape[1], device=head.device).to(head.dtype)
        with current(self._pool.device):
            return seconds_of(lambda rows: seconds_in(room, lambda: linear(x[:rows], head)))

    def _capture(self, rows: Rows, size: Size) -> Graph:
        # Compiles kernels and makes the stores, neither of which may happen in a capture.
        found = self._forward(rows, size.block)
        if self._logits is None:
            self._logits = found.new_empty(self.buckets.rows[-1], found.shape[1])
        shapes = self._shapes(size.rows, size.block, size.wanted)
        arrays, _ = self._arrays(rows, size.block, size.rows, size.wanted)
        packing = Packing(shapes, self._pool.device)
        packing.write(arrays)
        views, logits = packing.views(), self._logits[: size.wanted]
        parts = {window: shapes[cut_name("items", window)][0] for window in self._network.windows}
        plans = self._plans_of(size.block, parts, views)
        taps = Taps(size.tapped) if size.tapped else None

        def run() -> Tensor:
            return logits.copy_(self._network.forward(inputs_of(views, plans, self._pool, taps)))

        assert self._room is not None
        return Graph(self._room, run, packing, plans, taps)


def _filled(numbers: NDArray[np.integer], more: int, value: int = 0) -> NDArray[np.int32]:
    found = np.full(len(numbers) + more, value, dtype=np.int32)
    found[: len(numbers)] = numbers
    return found


def inputs_of(
    tensors: Mapping[str, Tensor], plans: Plans, pool: PagePool, taps: Taps | None = None
) -> Inputs:
    """What a network reads of a pass that lies on the device as int32."""
    from fastedit_kernels.exact import triton as exact_ops
    from fastedit_kernels.tree_attention.triton import tree_attention

    first = next(iter(plans.values()))
    order = exact_ops.paths(first) if first.exact else None

    def attend(q: Tensor, k: Tensor, v: Tensor, *, scale: float, window: int | None = None) -> Tensor:
        q, plan = q.to(k.dtype).contiguous(), plans[window]
        if order is not None:
            return exact_ops.attention(q, k, v, plan, order, scale=scale, window=window)
        return tree_attention(q, k, v, plan, scale=scale, window=window)

    tokens, positions, slots, wanted = (
        tensors[name].long() for name in ("tokens", "positions", "slots", "wanted")
    )
    return Inputs(tokens, positions, wanted, Memory(pool, slots, attend), taps)
