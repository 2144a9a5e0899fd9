"""When graphs are captured, by a capture of our own that may fail; a real one takes a GPU."""

from __future__ import annotations

import pytest

from fastedit.model.graphs import PATIENCE, Graphs


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
