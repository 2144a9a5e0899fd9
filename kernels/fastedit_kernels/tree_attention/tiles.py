"""How many keys a program of attention holds at once, with how many warps."""

from __future__ import annotations

from typing import NamedTuple

from fastedit_kernels.hardware import Hardware
from fastedit_kernels.tree_attention.plan import MOST_ROWS, Heads, block_for, exact_block, power
from fastedit_kernels.tree_attention.span import PAGE

LEAST_KEYS = 16  # what a tensor core's product takes
MOST_BYTES = 1 << 14  # of the keys of an iteration: with more, registers spill
LANE_BYTES = 128  # of queries to a thread, whose results and scores its registers hold
SPARE = 1024  # bytes of shared memory, for sums across warps


class Tile(NamedTuple):
    """Keys of an iteration, warps, and stages of the pipeline that loads them."""

    keys: int
    warps: int
    stages: int


def tile_for(block: int, size: int, width: int, hardware: Hardware) -> Tile | None:
    """Of programs with `block` queries, for heads of `size` (a power of two) numbers of `width` bytes.

    None where not even the smallest fits. As many keys as leave room for two times their keys and values: one that is
    read while the other is on its way.
    """
    warps = 8 if block * size * width >= 4 * hardware.lanes * LANE_BYTES else 4
    buffers = 2 if hardware.copies_ahead else 1
    split = 3 if width == 4 and hardware.copies_ahead else 1  # tf32x3 has operands in whole and in two parts
    keys = max(LEAST_KEYS, min(PAGE, MOST_BYTES // (size * width if width < 4 else 4 * size * width)))
    while keys >= LEAST_KEYS:
        shared = width * (buffers * keys * 2 * size + split * block * (size + keys)) + SPARE
        if shared <= hardware.shared:
            return Tile(keys, warps, buffers + 1)
        keys //= 2
    return None


def fits(heads: Heads, width: int, hardware: Hardware) -> bool:
    """Whether every tile that a pass may choose fits, for numbers of `width` bytes."""
    size = power(max(heads.size, LEAST_KEYS))
    return (
        all(
            tile_for(block_for(rows, heads, width), size, width, hardware) is not None
            for rows in (1, MOST_ROWS)
        )
        and tile_for(exact_block(heads), size, width, hardware) is not None
    )
