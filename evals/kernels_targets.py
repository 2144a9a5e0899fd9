"""The GPUs that kernels are compiled for where there is none: what they are called and what they hold."""

from __future__ import annotations

from types import SimpleNamespace
from typing import NamedTuple

from fastedit_kernels.occupancy import RESERVED, Limits
from triton.backends.compiler import GPUTarget

from evals.ceilings import Ceilings


class Card(NamedTuple):
    """`example` is a card of this kind; `ceilings` are what its data sheet says of memory and of products in bfloat16
    that are summed in float32, `memory` its bytes."""

    example: str
    target: GPUTarget
    limits: Limits
    ceilings: Ceilings
    memory: int


# From the CUDA programming guide's table of compute capabilities, AMD's CDNA3 architecture guide, and data sheets.
CARDS = {
    "sm_80": Card(
        "A100", GPUTarget("cuda", 80, 32),
        Limits(65536, 163 << 10, 164 << 10, 2048, RESERVED), Ceilings(2.039e12, 312e12), 80 * 10**9,
    ),
    "sm_89": Card(
        "RTX 4090", GPUTarget("cuda", 89, 32),
        Limits(65536, 99 << 10, 100 << 10, 1536, RESERVED), Ceilings(1.008e12, 165.2e12), 24 * 10**9,
    ),
    "sm_90": Card(
        "H200", GPUTarget("cuda", 90, 32),
        Limits(65536, 227 << 10, 228 << 10, 2048, RESERVED), Ceilings(4.8e12, 989e12), 141 * 10**9,
    ),
    "sm_100": Card(
        "B200", GPUTarget("cuda", 100, 32),
        Limits(65536, 227 << 10, 228 << 10, 2048, RESERVED), Ceilings(8e12, 2.25e15), 180 * 10**9,
    ),
    "sm_120": Card(
        "RTX 5090", GPUTarget("cuda", 120, 32),
        Limits(65536, 99 << 10, 100 << 10, 1536, RESERVED), Ceilings(1.792e12, 209.5e12), 32 * 10**9,
    ),
    "gfx942": Card(
        "MI300X", GPUTarget("hip", "gfx942", 64),
        Limits(131072, 64 << 10, 64 << 10, 2048, 0), Ceilings(5.3e12, 1307e12), 192 * 10**9,
    ),
}  # fmt: skip


class Absent:
    """Stands where Triton looks for a GPU's driver: says which card to compile for, and launches nothing."""

    def __init__(self, card: Card) -> None:
        self._card = card
        properties = {"max_shared_mem": card.limits.shared_a_block}
        self.utils = SimpleNamespace(get_device_properties=lambda device: properties)

    def get_current_target(self) -> GPUTarget:
        return self._card.target

    def get_current_device(self) -> str:
        """Launches are cached by device: one a card."""
        return self._card.example

    def get_current_stream(self, device: str) -> int:
        return 0
