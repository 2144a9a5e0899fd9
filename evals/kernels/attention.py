"""Benchmarks of attention over trees: by slot, and by position for exact mode; beside torch SDPA and FlexAttention."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from fastedit_kernels.packing import Packing
from fastedit_kernels.tree_attention import PAGE, Batch, Span, tree_attention, unpack
from fastedit_kernels.tree_attention.plan import Heads, PassPlan, capacity, cut_for, exact_block, plan_arrays
from fastedit_kernels.tree_attention.shared import ALONE, Shared
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel

from evals.kernels.case import KernelCase, ModelShape, Run, Trial
from evals.timing.ceilings import PassWork

PROGRAMS = 64  # where there is no device to ask
Attend = Callable[[Tensor, Tensor, Tensor, float], Tensor]


class Dense(NamedTuple):
    q: Tensor
    k: Tensor
    v: Tensor
    sees: Tensor


def by_slot(case: KernelCase, shape: ModelShape, kind: torch.dtype, device: torch.device) -> Trial:
    from fastedit_kernels.tree_attention.triton import compiled
    from fastedit_kernels.tree_attention.triton import tree_attention as kernel

    batch = tree_batch(case, random.Random(0))
    block, shared = cut_for(batch, shape.heads, kind.itemsize)
    programs = _held(partial(compiled, shape.heads, block, kind, case.window), device)
    plan = plan_of(batch, shape.heads, block, programs, device, shared=shared)

    def attend(q: Tensor, k: Tensor, v: Tensor, scale: float) -> Tensor:
        return kernel(q, k, v, plan, scale=scale, window=case.window)

    return _trial(case, shape, batch, attend, kind, device)


def _held(compiled: Callable[[], Any], device: torch.device) -> int:
    """As many programs as the device holds at once, of the kernel that `compiled` makes."""
    if device.type != "cuda":
        return PROGRAMS
    from fastedit_kernels.tree_attention.triton import residents

    return residents(compiled(), device) * torch.cuda.get_device_properties(device).multi_processor_count


def plan_of(
    batch: Batch,
    heads: Heads,
    block: int,
    programs: int,
    device: torch.device,
    *,
    exact: bool = False,
    shared: Shared = ALONE,
) -> PassPlan:
    """On the device, in places as the runtime's: how wide these are is compiled into the kernels."""
    arrays, parts = plan_arrays(batch, heads, block, programs, exact=exact, shared=shared)
    rooms = capacity(
        batch.rows, len(batch.spans), batch.table.shape[1], heads, block, {None: programs}, exact=exact
    )
    return PassPlan.of(block, parts, Packing(rooms, device).send(arrays), exact=exact)


def by_position(case: KernelCase, shape: ModelShape, kind: torch.dtype, device: torch.device) -> Trial:
    from fastedit_kernels.exact import triton as kernels

    block = exact_block(shape.heads)
    batch = tree_batch(case, random.Random(0))
    programs = _held(partial(kernels.compiled, shape.heads, block, kind), device)
    plan = plan_of(batch, shape.heads, block, programs, device, exact=True)
    order = kernels.paths(plan)

    def attend(q: Tensor, k: Tensor, v: Tensor, scale: float) -> Tensor:
        return kernels.attention(q, k, v, plan, order, scale=scale, window=case.window)

    return _trial(case, shape, batch, attend, kind, device)


def _trial(
    case: KernelCase, shape: ModelShape, batch: Batch, attend: Attend, kind: torch.dtype, device: torch.device
) -> Trial:
    heads, scale = shape.heads, shape.heads.size**-0.5
    slots = PAGE * sum(len(span.pages) for span in batch.spans)
    k, v = (torch.randn(slots, heads.kv_heads, heads.size, device=device).to(kind) for _ in range(2))
    q = torch.randn(batch.rows, heads.heads, heads.size, device=device).to(kind)
    dense = dense_of(case, heads, batch, kind, device)
    rivals = {"SDPA": lambda: _sdpa(dense, scale)}
    # FlexAttention is compiled anew for every shape, which takes longer than all else.
    if case.batch == 1 and case.rows == 64:
        rivals["flex"] = lambda: _flex(dense, scale)
    return Trial(
        run=lambda: attend(q, k, v, scale),
        error=lambda: _error(attend(q, k, v, scale), q, k, v, batch, scale, case.window),
        work=work_of(case, heads, kind),
        rivals=rivals,
        cold=True,
    )


def tree_batch(case: KernelCase, rng: random.Random) -> Batch:
    """Requests with one trunk row and a tree that branches now and then, on pages in random order."""
    return batch_of(
        case, [n - 1 if rng.random() < 0.95 else rng.randrange(-1, n) for n in range(case.rows - 1)]
    )


def batch_of(case: KernelCase, parents: Sequence[int]) -> Batch:
    """Requests with a tree of these parents each, -1 below the trunk."""
    words = ancestors(parents)
    positions = case.context + np.concatenate([[0], np.bitwise_count(words).sum(1)]).astype(np.int64)
    count = -(-(case.context + len(positions)) // PAGE)
    pages = np.random.default_rng(0).permutation(count * case.batch).astype(np.int32).reshape(-1, count)
    if case.shared:
        pages[:, : case.context // PAGE] = pages[0, : case.context // PAGE]
    return Batch([Span(case.context, 1, positions, words, own) for own in pages])


def ancestors(parents: Sequence[int]) -> NDArray[np.uint64]:
    """[nodes, words]: the bits of each node and those above it."""
    words = np.zeros((len(parents), -(-len(parents) // 64)), dtype=np.uint64)
    for node, parent in enumerate(parents):
        if parent >= 0:
            words[node] = words[parent]
        words[node, node // 64] |= np.uint64(1 << node % 64)
    return words


def work_of(case: KernelCase, heads: Heads, kind: torch.dtype) -> PassWork:
    """Keys and values are read once; a product with each, two operations a number."""
    slots = case.batch * (case.context + case.rows)
    again = (case.batch - 1) * (case.context // PAGE * PAGE) if case.shared else 0
    numbers = 2 * heads.size
    return PassWork(
        numbers * (slots - again) * heads.kv_heads * kind.itemsize,
        2 * numbers * slots * case.rows * heads.heads,
    )


def _error(
    out: Tensor, q: Tensor, k: Tensor, v: Tensor, batch: Batch, scale: float, window: int | None
) -> float:
    """Of the first request's rows: in float64 the others would not fit beside the timing."""
    first = Batch(batch.spans[:1])
    expected = tree_attention(
        q[: first.rows].double(), k.double(), v.double(), first, scale=scale, window=window
    )
    return float((out[: first.rows].double() - expected).norm() / expected.norm())


def dense_of(case: KernelCase, heads: Heads, batch: Batch, kind: torch.dtype, device: torch.device) -> Dense:
    """The same sizes for those who know no pages: q, k, v [batch, heads, .., d] and who sees whom among the rows."""
    end = case.context + case.rows
    q = torch.randn(case.batch, heads.heads, case.rows, heads.size, device=device).to(kind)
    k, v = (
        torch.randn(case.batch, heads.kv_heads, end, heads.size, device=device).to(kind) for _ in range(2)
    )
    sees = np.ones((case.rows, end), dtype=np.bool_)
    sees[:, case.context :] = False
    sees[:, case.context] = True
    sees[1:, case.context + 1 :] = unpack(batch.spans[0].ancestors, case.rows - 1)
    return Dense(q, k, v, torch.from_numpy(sees).to(device))


def _sdpa(dense: Dense, scale: float) -> Run:
    """The queries that share keys are one longer run of them: with a mask not every backend takes fewer KV heads."""
    q, k, v, sees = dense
    shared = q.shape[1] // k.shape[1]
    folded = q.reshape(len(q), k.shape[1], -1, q.shape[3])
    bias = torch.zeros(sees.shape, dtype=q.dtype, device=q.device).masked_fill(~sees, -torch.inf)
    bias = bias.repeat(shared, 1)
    backends = [SDPBackend.CUDNN_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]

    def run() -> Tensor:
        with sdpa_kernel(backends, set_priority=True):
            return F.scaled_dot_product_attention(folded, k, v, bias, scale=scale)

    return run


def _flex(dense: Dense, scale: float) -> Run:
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    torch.compiler.reset()  # after a few shapes of one function torch no longer compiles it
    q, k, v, sees = dense
    mask = create_block_mask(lambda b, h, i, j: sees[i, j], None, None, len(sees), k.shape[2], device="cuda")
    compiled = torch.compile(flex_attention, dynamic=False)
    return lambda: compiled(q, k, v, block_mask=mask, scale=scale, enable_gqa=True)
