"""Benchmarks of all kernels but attention: what lies between the products of a layer, exact products, verification, and
the move of what was accepted. Beside what `torch.compile` makes of the references, and torch's own operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from fastedit_kernels import fused, kv, tree_verify
from fastedit_kernels.packing import Packing
from fastedit_kernels.tree_attention import PAGE, Batch
from fastedit_kernels.tree_attention.plan import Heads
from fastedit_kernels.tree_verify import Forest, Picked, Walked, forest_arrays
from fastedit_kernels.tree_verify.forest import MOST_NODES, Draw, Tree, forest_capacity, offers_of
from torch import Tensor

from evals.kernels.attention import ancestors, batch_of, plan_of
from evals.kernels.case import KernelCase, ModelShape, Run, Trial
from evals.timing.ceilings import PassWork
from fastedit.decode.rejection import drawn_of
from fastedit.decode.verify import draws, verdict
from fastedit.draft.base import Branch
from fastedit.draft.tree import Merger, TokenTree
from fastedit.sampling import Sampling

EPS = 1e-6


def add_norm(case: KernelCase, shape: ModelShape, kind: torch.dtype, device: torch.device) -> Trial:
    from fastedit_kernels.fused import triton as kernels

    rows, width = case.batch * case.rows, shape.width
    x, weight = torch.randn(rows, width, device=device), torch.randn(width, device=device)
    arguments = (x, torch.randn_like(x).to(kind), weight, EPS, kind)
    work = PassWork(rows * width * (8 + 2 * kind.itemsize), 5 * rows * width)
    return _beside_compiled(kernels.add_norm, fused.add_norm, arguments, work)


def gate(case: KernelCase, shape: ModelShape, kind: torch.dtype, device: torch.device) -> Trial:
    from fastedit_kernels.fused import triton as kernels

    numbers = case.batch * case.rows * shape.inner
    x = torch.randn(case.batch * case.rows, 2 * shape.inner, device=device).to(kind)
    work = PassWork(3 * numbers * kind.itemsize, 5 * numbers)
    return _beside_compiled(kernels.gate, fused.gate, (x,), work)


def rope_write(case: KernelCase, shape: ModelShape, kind: torch.dtype, device: torch.device) -> Trial:
    from fastedit_kernels.fused import triton as kernels

    rows, heads = case.batch * case.rows, shape.heads
    every = heads.heads + 2 * heads.kv_heads
    qkv = torch.randn(rows, every * heads.size, device=device).to(kind)
    cos, sin = fused.turns(torch.arange(rows, device=device), torch.rand(heads.size // 2, device=device))
    slots = torch.randperm(2 * rows, device=device)[:rows]
    stores = [torch.zeros(2 * rows, heads.kv_heads, heads.size, dtype=kind, device=device) for _ in range(4)]
    ours: tuple[Any, ...] = (qkv, cos, sin, None, EPS, slots, *stores[:2])
    theirs: tuple[Any, ...] = (*ours[:-2], *stores[2:])
    work = PassWork(
        2 * qkv.nbytes + cos.nbytes + sin.nbytes, 3 * rows * (every - heads.kv_heads) * heads.size
    )
    return Trial(
        run=partial(kernels.rope_write, *ours),
        error=lambda: _distance(
            (kernels.rope_write(*ours), *stores[:2]), (fused.rope_write(*theirs), *stores[2:])
        ),
        work=work,
        rivals={"compiled": partial(_compiled, fused.rope_write, theirs)},
    )


def linear(case: KernelCase, shape: ModelShape, kind: torch.dtype, device: torch.device) -> Trial:
    from fastedit_kernels.exact import triton as kernels

    rows, n, k = case.batch * case.rows, 2 * shape.inner, shape.width
    x, weight = torch.randn(rows, k, device=device).to(kind), torch.randn(n, k, device=device).to(kind)
    return Trial(
        run=lambda: kernels.linear(x, weight),
        error=lambda: _distance((kernels.linear(x, weight),), (fused.linear(x, weight),)),
        work=PassWork((n * k + rows * (n + k)) * kind.itemsize, 2 * rows * n * k),
        rivals={"torch": lambda: partial(F.linear, x, weight)},
    )


def pick(case: KernelCase, shape: ModelShape, kind: torch.dtype, device: torch.device) -> Trial:
    return _pick(case, shape, kind, device, Draw())


def draw(case: KernelCase, shape: ModelShape, kind: torch.dtype, device: torch.device) -> Trial:
    """Sampled: with temperature and top_p, as the kernel reads its row most often then."""
    return _pick(case, shape, kind, device, Draw(0.8, 0.95, 0, 0.5))


def _pick(case: KernelCase, shape: ModelShape, kind: torch.dtype, device: torch.device, draw: Draw) -> Trial:
    from fastedit_kernels.tree_verify import triton as kernels

    rows = case.batch * case.rows
    # Few tokens hold all the weight: where many share it, float32 sums end on another one now and then.
    logits = (8 * torch.randn(rows, shape.vocab, device=device)).to(kind)
    trees = [chain(case.rows, draw)] * case.batch
    forest, on_cpu = (forest_of(trees, where) for where in (device, torch.device("cpu")))

    def error() -> float:
        found, right = kernels.pick(logits, forest).tokens, tree_verify.pick(logits.cpu(), on_cpu).tokens
        return float((found.cpu() != right).float().mean())

    return Trial(
        run=lambda: kernels.pick(logits, forest),
        error=error,
        work=PassWork(logits.nbytes, logits.numel()),
        rivals={"topk": lambda: partial(torch.topk, logits, 2)},
    )


def reject(case: KernelCase, shape: ModelShape, kind: torch.dtype, device: torch.device) -> Trial:
    """A chain drawn from distributions near the model's, accepted by what it was drawn from."""
    from fastedit_kernels.tree_verify import rejection
    from fastedit_kernels.tree_verify import triton as kernels

    nodes, sampling = max(1, case.rows - 1), Sampling(0.8, acceptance="branches")
    said = 8 * torch.randn(case.batch, nodes + 1, shape.vocab)
    logits = (said + 0.5 * torch.randn_like(said)).flatten(0, 1).to(device, kind)
    trees = [_drawn(rows[:-1] / sampling.temperature) for rows in said]
    known = [
        Tree(t.tokens, t.parents, t.depths, t.ancestors, draws(t, sampling, 0), drawn_of(t, sampling, 0))
        for t in trees
    ]
    forest = forest_of(known, device)
    offers, picked = offers_of(known, shape.vocab, device), kernels.pick(logits, forest)

    def run() -> None:
        rejection.reject(logits, picked, forest, offers)

    def error() -> float:
        run()
        found = kernels.walk(picked, forest)
        counts, lasts = found.found.cpu().unbind(1)
        each = zip(
            logits.cpu().view(case.batch, -1, shape.vocab),
            trees,
            counts.tolist(),
            lasts.tolist(),
            strict=True,
        )
        wrong = [
            (count, last) != (len(right.path), right.last)
            for rows, tree, count, last in each
            if (right := verdict(rows, tree, sampling, 0))
        ]
        return sum(wrong) / len(wrong)

    # Each row's logits are read, its distribution written and read, and what was drawn from read.
    moved = logits.nbytes + 8 * logits.numel() + offers.chances.nbytes
    return Trial(run=run, error=error, work=PassWork(moved, logits.numel()))


def _drawn(said: Tensor) -> TokenTree:
    """A chain of one token from the softmax of each row of logits."""
    chances = said.softmax(-1)
    tokens = torch.multinomial(chances, 1)[:, 0].tolist()
    branch = Branch(tokens, [0.5] * len(tokens), "drawn", chances.numpy())
    return Merger([branch]).tree([len(tokens)], offers=True)


def forest_of(trees: Sequence[Tree], device: torch.device) -> Forest:
    """On the device, in places as the runtime's."""
    arrays = forest_arrays(trees)
    rooms = forest_capacity(len(arrays["forest_nodes"]), len(trees))
    return Forest.of(Packing(rooms, device).send(arrays))


def walk(case: KernelCase, shape: ModelShape, kind: torch.dtype, device: torch.device) -> Trial:
    """Chains that stand whole."""
    from fastedit_kernels.tree_verify import triton as kernels

    trees = [chain(case.rows, Draw())] * case.batch
    forest, on_cpu = (forest_of(trees, where) for where in (device, torch.device("cpu")))
    rows = case.batch * case.rows
    tokens = torch.arange(rows, dtype=torch.int32) % case.rows
    picked = Picked(tokens.to(device), torch.zeros(rows, device=device))

    def error() -> float:
        found = kernels.walk(picked, forest)
        right = tree_verify.walk(Picked(tokens, torch.zeros(rows)), on_cpu)
        same = torch.equal(found.found.cpu(), right.found)
        paths = torch.equal(found.paths[:, : case.rows - 1].cpu(), right.paths[:, : case.rows - 1])
        return 0.0 if same and paths else 1.0

    read = sum(part.nbytes for part in (forest.nodes, forest.words, forest.requests, picked.tokens))
    return Trial(run=lambda: kernels.walk(picked, forest), error=error, work=PassWork(read, rows))


def move(case: KernelCase, shape: ModelShape, kind: torch.dtype, device: torch.device) -> Trial:
    """Of trees with twice as many nodes as rows every second node stands, so that all of them move."""
    from fastedit_kernels.kv import triton as kernels

    batch, walked = _every_second(case)
    heads = shape.heads
    stores = [
        torch.randn(PAGE * sum(len(span.pages) for span in batch.spans), heads.kv_heads, heads.size)
        .to(device)
        .to(kind)
        for _ in range(2 * shape.layers)
    ]
    plan = plan_of(batch, Heads(1, 1, 16), 16, 1, device)
    there = Walked(walked.found.to(device), walked.paths.to(device))
    addresses = kernels.Addresses.of(stores)

    def error() -> float:
        expected = [store.clone() for store in stores]
        kv.move(expected, batch, walked)
        kernels.move(addresses, plan, there)
        return _distance(stores, expected)

    moved = 2 * case.batch * case.rows * len(stores) * heads.kv_heads * heads.size * kind.itemsize
    # The tensors must outlive what holds their addresses only.
    return Trial(
        run=lambda kept=stores: kernels.move(addresses, plan, there),  # type: ignore[misc]
        error=error,
        work=PassWork(moved, 0),
    )


def _every_second(case: KernelCase) -> tuple[Batch, Walked]:
    paths = torch.zeros(case.batch, MOST_NODES, dtype=torch.int32)
    paths[:, : case.rows] = 1 + 2 * torch.arange(case.rows, dtype=torch.int32)
    found = torch.tensor([[case.rows, 0]] * case.batch, dtype=torch.int32)
    return batch_of(case, [-1] * 2 * case.rows), Walked(found, paths)


def chain(rows: int, draw: Draw) -> Tree:
    """A root and a chain of rows - 1 tokens: 0, 1, 2, .."""
    nodes = np.arange(rows - 1)
    words = ancestors(range(-1, rows - 2))
    return Tree(
        nodes, (nodes - 1).astype(np.int32), (nodes + 1).astype(np.int32), words, np.array([draw] * rows)
    )


def _beside_compiled(
    kernel: Callable[..., Any], reference: Callable[..., Any], arguments: tuple[Any, ...], work: PassWork
) -> Trial:
    return Trial(
        run=partial(kernel, *arguments),
        error=lambda: _distance(_parts(kernel(*arguments)), _parts(reference(*arguments))),
        work=work,
        rivals={"compiled": partial(_compiled, reference, arguments)},
    )


def _compiled(reference: Callable[..., Any], arguments: tuple[Any, ...]) -> Run:
    torch.compiler.reset()  # after a few shapes of one function torch no longer compiles it
    return partial(torch.compile(reference, dynamic=False), *arguments)


def _parts(result: Any) -> tuple[Tensor, ...]:
    return result if isinstance(result, tuple) else (result,)


def _distance(found: Any, expected: Any) -> float:
    """The largest relative distance of a tensor, by the norm."""
    return max(
        float((a.double() - b.double()).norm() / b.double().norm())
        for a, b in zip(found, expected, strict=True)
    )
