"""Exact kernels against their references, and row against row bit by bit."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch
from fastedit_kernels import exact
from fastedit_kernels.exact import Splits
from fastedit_kernels.packing import send
from fastedit_kernels.tree_attention import PAGE, Batch, Span, tree_attention
from fastedit_kernels.tree_attention import plan as plans
from fastedit_kernels.tree_attention.plan import (
    EXACT_ITEMS,
    Heads,
    PassPlan,
    capacity,
    exact_block,
    plan_arrays,
)

from tests.kernels.helpers import DEVICE, batch_of, needs_triton, poisoned

PROMPT, LONG, RAGGED = [(0, 70, 0)], [(700, 1, 90)], [(130, 1, 40), (0, 9, 0), (63, 1, 0), (200, 30, 12)]
SHORT = [(130, 1, 9), (0, 5, 0), (250, 2, 6)]


def planned(batch: Batch, heads: Heads) -> PassPlan:
    arrays, parts = plan_arrays(batch, heads, exact_block(heads), 1, exact=True)
    rooms = capacity(
        batch.rows,
        len(batch.spans),
        arrays["table"].shape[1],
        heads,
        exact_block(heads),
        {None: 1},
        exact=True,
    )
    assert all((np.array(arrays[name].shape) <= room).all() for name, room in rooms.items())
    return PassPlan.of(exact_block(heads), parts, send(arrays, DEVICE), exact=True)


@pytest.mark.parametrize("context", [1 << 14, 1 << 17])
def test_a_row_has_a_bounded_number_of_partial_results_however_far_it_looks_back(context):
    heads, nothing = Heads(28, 4, 128), np.zeros((0, 0), dtype=np.uint64)
    pages = np.arange(context // PAGE + 1, dtype=np.int32)
    batch = Batch([Span(context, 3, np.arange(context, context + 3), nothing, pages)])
    _, parts = plan_arrays(batch, heads, exact_block(heads), 396, exact=True)
    assert 0 < parts <= 3 * EXACT_ITEMS


def by_kernel(q, k, v, batch, scale, window=None):
    from fastedit_kernels.exact import triton as kernels

    plan = planned(batch, Heads(q.shape[1], k.shape[1], k.shape[2]))
    return kernels.attention(q, k, v, plan, kernels.paths(plan), scale=scale, window=window)


@pytest.mark.parametrize("window", [None, 50], ids=["full", "window"])
@pytest.mark.parametrize("sizes", [PROMPT, LONG, RAGGED], ids=["prompt", "long", "ragged"])
def test_attention_by_position_gives_what_attention_by_slot_gives(sizes, window):
    torch.manual_seed(0)
    batch, pages = batch_of(random.Random(0), sizes)
    k, v = (poisoned(batch, pages, 2, 16) for _ in range(2))
    q = torch.randn(batch.rows, 6, 16)
    out = exact.attention(q, k, v, Splits(batch), scale=0.25, window=window)
    expected = tree_attention(q.double(), k.double(), v.double(), batch, scale=0.25, window=window)
    assert (out - expected).norm() < 2e-6 * expected.norm()


@needs_triton
@pytest.mark.parametrize("window", [None, 50], ids=["full", "window"])
@pytest.mark.parametrize(
    ("sizes", "heads", "kv_heads", "d"),
    [
        pytest.param(SHORT, 4, 2, 64, marks=pytest.mark.slow),
        pytest.param(SHORT, 7, 1, 63, marks=pytest.mark.slow),
        (SHORT, 3, 1, 63),
    ],
)
def test_the_attention_kernel_gives_what_the_reference_gives(sizes, heads, kv_heads, d, window, monkeypatch):
    monkeypatch.setattr(plans, "EXACT_PAGES", 2)
    torch.manual_seed(d)
    batch, pages = batch_of(random.Random(d), sizes)
    k, v = (poisoned(batch, pages, kv_heads, d).to(DEVICE) for _ in range(2))
    q = torch.randn(batch.rows, heads, d, device=DEVICE)
    out = by_kernel(q, k, v, batch, d**-0.5, window)
    expected = tree_attention(q.double(), k.double(), v.double(), batch, scale=d**-0.5, window=window)
    assert (out.double() - expected).norm() < 2e-6 * expected.norm()


def alone_and_in_a_tree() -> tuple[Batch, Batch, list[int]]:
    """A chain of 10 tokens behind 187, and the same as a path through a tree of 18, on other pages."""
    no_nodes = np.zeros((0, 0), dtype=np.uint64)
    chain = Span(187, 10, np.arange(187, 197), no_nodes, np.arange(4, dtype=np.int32))
    words = np.zeros((18, 1), dtype=np.uint64)
    for node in range(18):
        above = sum(1 << i for i in range(node - node % 2) if i % 2)
        words[node] = np.uint64(above | 1 << node)
    positions = np.array([187, *(188 + np.arange(18) // 2)])
    tree = Span(187, 1, positions, words, np.array([7, 3, 5, 1], dtype=np.int32))
    return Batch([chain]), Batch([tree]), [0, *range(2, 19, 2)]


def stores(batch: Batch, at: np.ndarray, content: torch.Tensor) -> torch.Tensor:
    store = torch.full((8 * 64, *content.shape[1:]), torch.nan)
    span = batch.spans[0]
    store[torch.from_numpy(span.slots(0, span.end))] = torch.randn(span.end, *content.shape[1:])
    store[torch.from_numpy(span.slots(0, span.end)[at])] = content
    return store.to(DEVICE)


@pytest.mark.parametrize("way", ["reference", pytest.param("triton", marks=needs_triton)])
def test_a_path_through_a_tree_has_the_bits_of_the_same_chain(way, monkeypatch):
    if way == "reference" and DEVICE.type == "cuda":
        pytest.skip("the reference is for CPUs")
    monkeypatch.setattr(plans, "EXACT_PAGES", 2)
    torch.manual_seed(4)
    chain, tree, path = alone_and_in_a_tree()
    every = np.array([*range(187), *(187 + np.array(path))])
    content, q, asked = torch.randn(2, 197, 2, 16), torch.randn(10, 4, 16), torch.randn(19, 4, 16)
    asked[path] = q
    found = []
    for batch, at, queries in ((chain, np.arange(197), q), (tree, every, asked)):
        k, v = (stores(batch, at, part) for part in content)
        queries = queries.to(DEVICE)
        if way == "triton":
            found.append(by_kernel(queries, k, v, batch, 0.25))
        else:
            found.append(exact.attention(queries, k, v, Splits(batch), scale=0.25))
    assert torch.equal(found[0], found[1][path])


@needs_triton
@pytest.mark.parametrize(("k", "n"), [(48, 61), (130, 64)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16], ids=["fp32", "fp16"])
def test_products_are_right_and_a_rows_bits_do_not_depend_on_the_others(k, n, dtype):
    from fastedit_kernels.exact import triton as kernels

    torch.manual_seed(n)
    x, weight, bias = (torch.randn(*size, device=DEVICE).to(dtype) for size in ((70, k), (n, k), (n,)))
    out = kernels.linear(x, weight, bias)
    expected = x.double() @ weight.double().t() + bias.double()
    assert (out.double() - expected).norm() < (1e-6 if dtype == torch.float32 else 1e-3) * expected.norm()
    for rows in ([3], [69, 3, 5], [*range(60, 70), *range(20)]):
        assert torch.equal(kernels.linear(x[rows].contiguous(), weight, bias), out[rows])


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=["fp32", "bf16"])
def test_what_a_cpu_computes_of_a_row_does_not_depend_on_the_others(dtype):
    torch.manual_seed(0)
    x, weight, norm = torch.randn(75, 54), torch.randn(38, 54).to(dtype), torch.randn(54)
    places, turning = torch.arange(75) * 311, torch.rand(27)
    ways = {
        "linear": lambda rows: exact.linear(x[rows].to(dtype), weight),
        "gate": lambda rows: exact.gate(x[rows].to(dtype)),
        "norm": lambda rows: exact.add_norm(x[rows], x[rows] * 2, norm, 1e-6, dtype)[1],
        "turns": lambda rows: torch.cat(exact.turns(places[rows], turning), 1),
    }
    for name, way in ways.items():
        whole = way(list(range(75)))
        for rows in ([0], [74], [7, 1, 70], list(range(30, 75))):
            assert torch.equal(way(rows), whole[rows]), name
