"""A room whose graphs are the functions themselves: what captures and replays do, without a GPU."""

from __future__ import annotations

from collections.abc import Callable

import torch


class Room:
    """The first captures may fail. A replay writes its numbers where the capture's are, as a graph does."""

    def __init__(self, failures: int = 0) -> None:
        self.failures, self.captures, self.replays = failures, 0, 0

    def capture(self, run: Callable[[], torch.Tensor | None]) -> tuple[object, torch.Tensor | None]:
        self.captures += 1
        if self.captures <= self.failures:
            raise torch.OutOfMemoryError("no memory\nfor 3 MiB")
        made, room = run(), self

        class Graph:
            def replay(self) -> None:
                room.replays += 1
                again = run()
                if made is not None:
                    made.copy_(again)

        return Graph(), made
