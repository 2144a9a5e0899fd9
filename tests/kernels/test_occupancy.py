from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch
from fastedit_kernels.occupancy import Limits, resident

from tests.kernels.helpers import needs_triton

H200 = Limits(65536, 227 << 10, 228 << 10, 2048, 1 << 10)


@pytest.mark.parametrize(
    ("registers", "shared", "threads", "expected"),
    [
        (128, 0, 128, 4),  # by registers
        (129, 0, 128, 3),  # which are given out eight at a time
        (32, 0, 1024, 2),  # by threads
        (32, 71680, 128, 3),  # by shared memory, of which the system takes some
        (32, 228 << 10, 128, 0),  # more than one program may have
    ],
)
def test_a_multiprocessor_holds_as_many_programs_as_its_scarcest_resource_allows(
    registers, shared, threads, expected
):
    assert resident(registers, shared, threads, H200) == expected


@needs_triton
@pytest.mark.parametrize(
    ("shared_kb", "size", "width", "expected"),
    [(227, 128, 2, 64), (99, 128, 2, 32), (99, 256, 2, 16), (227, 64, 4, 16), (99, 256, 4, None)],
)
def test_a_tile_has_as_many_keys_as_shared_memory_holds_twice(shared_kb, size, width, expected):
    from fastedit_kernels.hardware import Hardware
    from fastedit_kernels.tree_attention.plan import Heads, block_for
    from fastedit_kernels.tree_attention.tiles import fits, tile_for

    hardware = Hardware(shared_kb << 10, 32, copies_ahead=True)
    heads = Heads(8, 1, size)
    tile = tile_for(block_for(64, heads, width), size, width, hardware)
    assert (tile.keys if tile else None) == expected
    assert fits(heads, width, hardware) == (expected is not None)


@needs_triton
def test_a_card_that_says_nothing_of_a_multiprocessors_shared_memory_has_as_much_as_a_program_may_take(
    monkeypatch,
):
    from fastedit_kernels.hardware import Hardware
    from fastedit_kernels.tree_attention import triton as kernels

    # What ROCm's properties have of a MI300X, and a kernel of 256 threads that takes half of the shared memory.
    has = SimpleNamespace(regs_per_multiprocessor=65536, max_threads_per_multi_processor=2048)
    kernel = SimpleNamespace(
        _init_handles=lambda: None, n_regs=64, metadata=SimpleNamespace(num_warps=4, shared=32 << 10)
    )
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda device: has)
    monkeypatch.setattr(kernels, "hardware", lambda: Hardware(64 << 10, 64, copies_ahead=False))
    assert kernels.residents(kernel, torch.device("cuda")) == 2
