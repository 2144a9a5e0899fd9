"""Many small arrays to the device in one copy."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

ALIGN = 32  # 128 bytes, so that every array begins where a vector load may


class Packing:
    """Places for int32 arrays of these shapes in one buffer on the device.

    `send` fills it from the host, in the order of the device's own work. It keeps two host buffers in turn: one may
    still be on its way while the next is written, and only a third send waits for the first.
    """

    def __init__(self, shapes: Mapping[str, tuple[int, ...]], device: torch.device) -> None:
        self._shapes = dict(shapes)
        self._places: dict[str, slice] = {}
        size = 0
        for name, shape in shapes.items():
            self._places[name] = slice(size, size + int(np.prod(shape)))
            size += -(-self._places[name].stop // ALIGN) * ALIGN - size
        pinned = device.type == "cuda"
        self._hosts = [torch.zeros(size, dtype=torch.int32, pin_memory=pinned) for _ in range(2)]
        self._buffer = torch.zeros(size, dtype=torch.int32, device=device)
        self._copied = [torch.cuda.Event() for _ in range(2)] if pinned else []  # type: ignore[no-untyped-call]
        self._sent = 0

    def send(self, arrays: Mapping[str, NDArray[np.integer]]) -> dict[str, Tensor]:
        """Views of the buffer, as long as the arrays and as wide as their places, filled up with zeros."""
        turn = self._sent % 2
        host = self._hosts[turn]
        self._sent += 1
        if self._copied:
            self._copied[turn].synchronize()  # at once where it has never been recorded
        flat = host.numpy()
        for name, array in arrays.items():
            shape = self._shapes[name]
            assert array.ndim == len(shape), name
            assert all(size <= room for size, room in zip(array.shape, shape, strict=True)), (
                name,
                array.shape,
            )
            place = flat[self._places[name]].reshape(shape)[: len(array)]
            if array.shape[1:] != shape[1:]:
                place[:] = 0
            place[tuple(slice(size) for size in array.shape)] = array
        self._buffer.copy_(host, non_blocking=True)
        if self._copied:
            self._copied[turn].record()
        return {name: view[: len(arrays[name])] for name, view in self.views().items() if name in arrays}

    def views(self) -> dict[str, Tensor]:
        """The whole places; behind what was sent last they hold what earlier passes left."""
        return {name: self._buffer[place].view(self._shapes[name]) for name, place in self._places.items()}


def send(arrays: Mapping[str, NDArray[np.integer]], device: torch.device) -> dict[str, Tensor]:
    """The same arrays on the device, by a packing of just their shapes."""
    return Packing({name: array.shape for name, array in arrays.items()}, device).send(arrays)
