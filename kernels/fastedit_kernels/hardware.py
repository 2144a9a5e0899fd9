"""What Triton's current device has, as far as launches depend on it."""

from __future__ import annotations

import os
from functools import cache
from typing import NamedTuple

from triton.runtime import driver


class Hardware(NamedTuple):
    """`shared` is what a program may have of shared memory, in bytes; `lanes` are a warp's. `copies_ahead` says whether
    loads go there on their own (NVIDIA) or through registers (AMD)."""

    shared: int
    lanes: int
    copies_ahead: bool


INTERPRETER = Hardware(1 << 30, 32, copies_ahead=True)


def hardware() -> Hardware:
    if os.environ.get("TRITON_INTERPRET") == "1":
        return INTERPRETER
    return _hardware(driver.active.get_current_device())


@cache
def _hardware(device: int) -> Hardware:
    shared = driver.active.utils.get_device_properties(device)["max_shared_mem"]
    target = driver.active.get_current_target()
    return Hardware(int(shared), target.warp_size, target.backend == "cuda")
