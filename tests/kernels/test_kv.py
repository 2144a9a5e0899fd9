from __future__ import annotations

import random

import torch
from fastedit_kernels.kv import move
from fastedit_kernels.packing import send
from fastedit_kernels.tree_attention.plan import Heads, PassPlan, plan_arrays
from fastedit_kernels.tree_verify import Walked

from tests.kernels.helpers import DEVICE, batch_of, needs_triton


@needs_triton
def test_accepted_rows_move_to_the_front_and_nothing_else_changes():
    from fastedit_kernels.kv import triton as kernels

    rng = random.Random(0)
    batch, pages = batch_of(rng, [(60, 1, 90), (0, 5, 0), (127, 3, 40), (3, 1, 5)])
    paths = [sorted(rng.sample(range(90), 70)), [], list(range(20)), [0, 2, 4]]
    walked = Walked(torch.zeros(4, 2, dtype=torch.int32), torch.zeros(4, 512, dtype=torch.int32))
    for request, path in enumerate(paths):
        walked.found[request, 0] = len(path)
        walked.paths[request, : len(path)] = torch.tensor(path, dtype=torch.int32)
    stores = [torch.randn(pages * 64, heads, 20, device=DEVICE) for heads in (1, 3, 15)]
    expected = [store.clone() for store in stores]
    move(expected, batch, walked)
    arrays, parts = plan_arrays(batch, Heads(1, 1, 20), 16, 1)
    plan = PassPlan.of(16, parts, send(arrays, DEVICE))
    on_device = Walked(walked.found.to(DEVICE), walked.paths.to(DEVICE))
    kernels.move(kernels.Addresses.of(stores), plan, on_device)
    for found, right in zip(stores, expected, strict=True):
        assert torch.equal(found, right)


def test_the_first_of_several_rows_on_a_path_is_not_lost_when_a_later_one_takes_its_place():
    batch, pages = batch_of(random.Random(1), [(2, 1, 4)])
    walked = Walked(torch.tensor([[2, 0]], dtype=torch.int32), torch.tensor([[1, 3]], dtype=torch.int32))
    store = torch.arange(pages * 64.0)[:, None]
    slots = batch.spans[0].slots(3, 7)
    move([store], batch, walked)
    assert store[slots, 0].tolist() == [slots[1], slots[3], slots[2], slots[3]]
