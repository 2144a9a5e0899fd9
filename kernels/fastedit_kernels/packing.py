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

    `write` fills it from the host, in the order of the device's own work. It keeps two host buffers in turn: one may
    still be on its way while the next is written, and only a third write waits for the first.
    """

    def __init__(self, shapes: Mapping[str, tuple[int, ...]], device: torch.device) -> None:
        places: dict[str, slice] = {}
        size = 0
        for name, shape in shapes.items():
            places[name] = slice(size, size + int(np.prod(shape)))
            size += -(-places[name].stop // ALIGN) * ALIGN - size
        pinned = device.type == "cuda"
        self._hosts = [torch.zeros(size, dtype=torch.int32, pin_memory=pinned) for _ in range(2)]
        self._buffer = torch.zeros(size, dtype=torch.int32, device=device)
        # Views are made once: a pass would spend more time on them than on what they hold.
        self._written = [
            {name: host.numpy()[place].reshape(shapes[name]) for name, place in places.items()}
            for host in self._hosts
        ]
        self._views = {name: self._buffer[place].view(shapes[name]) for name, place in places.items()}
        self._copied = [torch.cuda.Event() for _ in range(2)] if pinned else []  # type: ignore[no-untyped-call]
        self._sent = 0

    def send(self, arrays: Mapping[str, NDArray[np.integer]]) -> dict[str, Tensor]:
        """Write, and views of the buffer, as long as the arrays and as wide as their places."""
        self.write(arrays)
        return {name: self._views[name][: len(array)] for name, array in arrays.items()}

    def write(self, arrays: Mapping[str, NDArray[np.integer]]) -> None:
        """Each array to the front of its place; narrower rows are filled up with zeros."""
        turn = self._sent % 2
        self._sent += 1
        if self._copied:
            self._copied[turn].synchronize()  # at once where it has never been recorded
        for name, array in arrays.items():
            place = self._written[turn][name][: len(array)]
            if array.shape != place.shape:
                assert array.ndim == place.ndim, name
                fits = all(size <= room for size, room in zip(array.shape, place.shape, strict=True))
                assert fits, (name, array.shape)
                place[:] = 0
                place = place[tuple(slice(size) for size in array.shape)]
            place[:] = array
        self._buffer.copy_(self._hosts[turn], non_blocking=True)
        if self._copied:
            self._copied[turn].record()

    def views(self) -> dict[str, Tensor]:
        """The whole places; after what was written last they hold what earlier passes left."""
        return dict(self._views)


def send(arrays: Mapping[str, NDArray[np.integer]], device: torch.device) -> dict[str, Tensor]:
    """The same arrays on the device, by a packing of just their shapes."""
    return Packing({name: array.shape for name, array in arrays.items()}, device).send(arrays)
