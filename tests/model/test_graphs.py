"""When and how graphs are captured, with captures of our own and a torch.cuda that only notes what it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import torch

from fastedit.model.graphs import CAPTURING, PATIENCE, Graphs, Room


class Capture:
    def __init__(self, failures: int) -> None:
        self.failures, self.tries = failures, 0

    def __call__(self) -> str:
        self.tries += 1
        if self.tries <= self.failures:
            raise MemoryError("out of memory\nby 3 MiB")
        return "graph"


def test_a_size_is_captured_once():
    graphs, capture = Graphs[int, str](), Capture(0)
    assert [graphs.get(8, capture) for _ in range(3)] == ["graph"] * 3
    assert capture.tries == 1
    assert graphs.complete


def test_a_capture_that_fails_is_tried_again_later_and_is_logged_in_a_line(caplog):
    graphs, capture = Graphs[int, str](), Capture(1)
    found = [graphs.get(8, capture) for _ in range(PATIENCE)]
    assert found == [None] * PATIENCE
    assert not graphs.complete
    assert caplog.messages == ["no CUDA graph for now, next try in 64 passes: MemoryError: out of memory"]
    assert graphs.get(8, capture) == "graph"
    assert graphs.complete


def test_each_failure_doubles_the_wait_and_other_sizes_go_on():
    graphs, capture, other = Graphs[int, str](), Capture(2), Capture(0)
    for _ in range(1 + PATIENCE):
        assert graphs.get(8, capture) is None
        assert graphs.get(16, other) == "graph"
    assert capture.tries == 2
    assert all(graphs.get(8, capture) is None for _ in range(2 * PATIENCE - 1))
    assert graphs.get(8, capture) == "graph"


def test_an_interrupt_is_not_taken_for_a_failure():
    def interrupted() -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Graphs[int, str]().get(8, interrupted)


class Stream:
    device_index = 0

    def __init__(self, *_: object) -> None:
        self.waited_for: list[Stream] = []

    def wait_stream(self, other: Stream) -> None:
        self.waited_for.append(other)


class Cuda:
    """What a capture asks of torch: the stream that launches go to, and memory that graphs have to themselves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.current, self.pools, self.ended = Stream(), 0, list[int]()
        names = ("graph_pool_handle", "current_stream", "set_stream", "stream", "graph")
        for name in names:
            monkeypatch.setattr(torch.cuda, name, getattr(self, name))
        monkeypatch.setattr(torch.cuda, "Stream", Stream)
        monkeypatch.setattr(torch.cuda, "CUDAGraph", object)
        monkeypatch.setattr(torch._C, "_cuda_endAllocateToPool", self.end, raising=False)

    def graph_pool_handle(self) -> int:
        self.pools += 1
        return self.pools

    def current_stream(self, device: object) -> Stream:
        return self.current

    def set_stream(self, stream: Stream) -> None:
        self.current = stream

    @contextmanager
    def stream(self, stream: Stream) -> Iterator[None]:
        before, self.current = self.current, stream
        yield
        self.current = before

    @contextmanager
    def graph(self, graph: object, *, pool: int, stream: Stream, capture_error_mode: str) -> Iterator[None]:
        """As torch's: one that fails leaves its stream as the current one."""
        assert capture_error_mode == "thread_local"
        before, self.current, self.pool = self.current, stream, pool
        yield
        self.current = before

    def end(self, device: int, pool: int) -> None:
        self.ended.append(pool)


def test_a_capture_runs_once_to_warm_up_and_once_to_be_held_apart_from_other_work(monkeypatch):
    cuda, streams = Cuda(monkeypatch), list[Stream]()
    room, before = Room(torch.device("cuda")), cuda.current

    def run() -> int:
        assert CAPTURING.locked()
        streams.append(cuda.current)
        return len(streams)

    _, made = room.capture(run)
    assert made == 2
    assert streams == [room._stream] * 2
    assert room._stream.waited_for == [before]
    assert before.waited_for == [room._stream]
    assert cuda.current is before
    assert not CAPTURING.locked()


@pytest.mark.parametrize("failing", [1, 2])
def test_after_a_capture_that_fails_the_next_one_begins_anew_and_launches_go_where_they_went(
    failing, monkeypatch
):
    cuda, runs = Cuda(monkeypatch), list[int]()
    room, before = Room(torch.device("cuda")), cuda.current

    def run() -> None:
        runs.append(cuda.pools)
        if len(runs) == failing:
            raise torch.OutOfMemoryError("no memory")

    first = room._stream
    with pytest.raises(torch.OutOfMemoryError):
        room.capture(run)
    assert cuda.current is before
    assert not CAPTURING.locked()
    assert cuda.ended == [1]  # torch's allocator would go on giving from it
    assert room._stream is not first
    room.capture(run)
    assert cuda.pool == 2
