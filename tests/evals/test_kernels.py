"""The registry of kernels, its cases made small: through Triton's interpreter where there is no GPU."""

from __future__ import annotations

import os
import random
from multiprocessing import active_children
from pathlib import Path
from threading import Event

import fastedit_kernels
import numpy as np
import pytest
import torch
from fastedit_kernels.tree_attention import tree_attention
from fastedit_kernels.tree_attention.plan import Heads

from evals.kernels import __main__ as kernels
from evals.kernels import attention
from evals.kernels.case import SHAPES, KernelCase, ModelShape
from evals.timing.ceilings import PassWork
from evals.timing.gpu import Gpu
from tests.kernels.helpers import DEVICE, needs_triton

CARD = Gpu("", "", "", "", "", "", copy_bytes_per_s=4e12, matrix_flop_per_s=8e14)
TINY = ModelShape(Heads(4, 2, 16), 32, 48, 61, 2)


@needs_triton
@pytest.mark.parametrize("rows", [1, 5])
@pytest.mark.parametrize("op", kernels.OPS)
def test_each_kernel_of_the_registry_gives_what_its_reference_gives(op, rows):
    torch.manual_seed(0)
    trial = kernels.OPS[op](KernelCase(op, "tiny", 2, 70, rows), TINY, torch.float32, DEVICE)
    assert trial.error() < 1e-5
    trial.run()
    assert trial.work.bytes > 0


def test_every_folder_of_kernels_has_an_entry():
    folders = {file.parent.name for file in Path(*fastedit_kernels.__path__).glob("*/triton.py")}
    assert folders == {op.partition(".")[0] for op in kernels.OPS}


def test_every_kernel_is_measured_quick_or_not():
    for quick in (False, True):
        found = list(kernels.cases(quick))
        assert {case.op for case in found} == set(kernels.OPS)
        assert {case.shape for case in found} <= set(SHAPES)
        assert len(set(found)) == len(found)


@needs_triton
def test_a_rival_computes_the_same_from_the_same_tensors():
    case = KernelCase("exact.linear", "tiny", 1, 0, 3)
    trial = kernels.OPS[case.op](case, TINY, torch.float32, DEVICE)
    torch.testing.assert_close(trial.rivals["torch"]()(), trial.run())


def test_the_dense_mask_shows_the_same_as_the_ancestor_words():
    case = KernelCase("tree_attention", "7B", 2, 70, 9)
    batch = attention.tree_batch(case, random.Random(0))
    heads = Heads(2, 1, 8)
    dense = attention.dense_of(case, heads, batch, torch.bfloat16, torch.device("cpu"))
    slots = 64 * sum(len(span.pages) for span in batch.spans)
    k = torch.zeros(slots, 1, 8, dtype=torch.bfloat16)
    v = k.clone()
    for i, span in enumerate(batch.spans):
        own = torch.from_numpy(span.slots(0, span.end))
        k[own], v[own] = dense.k[i].transpose(0, 1), dense.v[i].transpose(0, 1)
    q = dense.q.transpose(1, 2).flatten(0, 1)
    found = tree_attention(q.float(), k.float(), v.float(), batch, scale=0.3).unflatten(0, (2, 9))
    expected = torch.nn.functional.scaled_dot_product_attention(
        *(part.float() for part in dense[:3]), dense.sees, scale=0.3, enable_gqa=True
    )
    torch.testing.assert_close(found, expected.transpose(1, 2), atol=1e-5, rtol=1e-5)
    rival = attention._sdpa(attention.Dense(*(part.float() for part in dense[:3]), dense.sees), 0.3)()
    torch.testing.assert_close(rival.reshape(expected.shape), expected, atol=1e-5, rtol=1e-5)


def test_a_case_that_fails_is_kept_with_its_reason_and_the_others_go_on(monkeypatch, capsys):
    def broken(*arguments):
        raise RuntimeError("out of registers")

    monkeypatch.setitem(kernels.OPS, "kv.move", broken)
    found = kernels.outcome_of(KernelCase("kv.move", "7B", 1, 64, 1), CARD)
    assert (found.ms, found.share, found.reason) == (None, 0.0, "RuntimeError: out of registers")
    assert "FAILED" in kernels.show([found])
    assert "kv.move failed: RuntimeError: out of registers" in capsys.readouterr().err


def dying(case: KernelCase, card: Gpu) -> kernels.KernelOutcome:
    if case.rows == 2:
        os._exit(1)
    if case.rows == 3:
        Event().wait()
    return kernels.KernelOutcome(case, 0.0, 0.5, PassWork(1, 0), 0.25, "bytes", {})


@pytest.mark.slow
def test_a_case_that_takes_its_process_down_or_hangs_is_named_and_the_others_are_measured(
    monkeypatch, capsys
):
    monkeypatch.setattr(kernels, "LIMIT_S", 40)  # a process imports torch in it
    cases = [KernelCase("kv.move", "7B", 1, 64, rows) for rows in (1, 2, 3, 4, 5)]
    found = list(kernels.outcomes(cases, CARD, dying))
    said = ["", "took its process down", "took more than 40 s", "", ""]
    assert [outcome.reason for outcome in found] == said
    assert [outcome.case for outcome in found] == cases
    assert not active_children()
    assert "kv.move failed: took its process down" in capsys.readouterr().err


def test_the_floor_is_the_larger_of_two_times():
    few, many = (
        CARD.ceilings().floor(
            attention.work_of(
                KernelCase("tree_attention", "7B", 1, 16384, rows), SHAPES["7B"].heads, torch.bfloat16
            )
        )
        for rows in (1, 256)
    )
    assert few == (pytest.approx(16385 * 4 * 4 * 128 / 4e12), "bytes")
    assert many[1] == "operations"
    assert np.isclose(many[0], 4 * 256 * 28 * 16640 * 128 / 8e14)


def test_a_case_that_differs_is_shown_as_wrong_and_one_that_no_other_can_do_as_such():
    case, work = KernelCase("kv.move", "7B", 1, 64, 16), PassWork(10, 0)
    right = kernels.KernelOutcome(case, 0.0, 0.5, work, 0.25, "bytes", {"compiled": 0.7})
    wrong = kernels.KernelOutcome(case, 0.3, None, work, 0.25, "bytes", {})
    shown = kernels.show([right, wrong])
    assert "compiled 0.7" in shown
    assert "50.0 %" in shown
    assert "WRONG" in shown
    assert right.as_dict()["bytes"] == 10
