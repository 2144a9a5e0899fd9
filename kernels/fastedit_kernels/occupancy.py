"""How many programs of a compiled kernel a multiprocessor holds at once."""

from __future__ import annotations

from typing import NamedTuple

RESERVED = 1 << 10  # bytes of shared memory that CUDA takes for each program
GRANULE = 8  # registers of a thread are given out in such steps


class Limits(NamedTuple):
    """What a multiprocessor has: registers, bytes of shared memory a program and in all, threads. Each program takes
    `reserved` bytes of shared memory beside its own."""

    registers: int
    shared_a_block: int
    shared: int
    threads: int
    reserved: int


def resident(registers: int, shared: int, threads: int, limits: Limits) -> int:
    """Programs at once, of a kernel with so many registers a thread, bytes of shared memory and threads a program; 0
    where it does not fit at all."""
    if shared > limits.shared_a_block:
        return 0
    each = -(-max(registers, 1) // GRANULE) * GRANULE * threads
    return min(
        limits.registers // each,
        limits.threads // threads,
        limits.shared // max(1, shared + limits.reserved),
    )
