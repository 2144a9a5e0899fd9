"""For how many rows graphs are kept: few graphs, none of which takes much longer than a pass's own rows would."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import numpy as np
import torch

from fastedit.errors import reason
from fastedit.model.graphs import Room

log = logging.getLogger(__name__)

LEAST = 16  # rows of a product on tensor cores: fewer take as long
MOST = 512  # rows of a graph: as many as a pass takes of prompts
TIMED = (16, 32, 64, 128, 256, 512)  # rows of the products that are timed
SLACK = 1.1  # times as long as its own rows would take, for a pass that fills up a graph
TRIES, AT_ONCE = 3, 4


class Sample(NamedTuple):
    """A pass that has a graph captured: the rows of each request, and how many of all rows have logits."""

    counts: tuple[int, ...]
    wanted: int


class Buckets(NamedTuple):
    """`rows` of the graphs, ascending; a product of up to `flat` rows takes little longer than one of the fewest."""

    rows: tuple[int, ...]
    flat: int

    def graph_for(self, rows: int, wanted: int) -> tuple[int, int] | None:
        """Rows, and rows with logits, of the smallest graph for a pass; None for more rows than any has."""
        room = next((size for size in self.rows if size >= rows), None)
        if room is None:
            return None
        return room, next(size for size in (0, *self.wanted(room)) if size >= wanted)

    def wanted(self, room: int) -> list[int]:
        """Rows with logits, of the graphs with `room` rows; another has none, for parts of prompts."""
        return sorted({min(self.flat, room), room})

    def samples(self, block: Callable[[int], int]) -> Collection[Sample]:
        """Passes that between them need every graph and every tile that any pass may: those of one request (tokens and
        drafts, with or without the end of a prompt, and parts of a prompt that decide nothing), and of many, all of
        which bring few rows.

        `block` gives the queries of a tile for the most rows that read one prefix: those of a request, or of several
        that share one. The largest graphs come first: what one has allocated serves those after it.
        """
        fillings = [rows for rows in range(1, MOST) if block(rows) != block(rows + 1)]  # of a tile
        found = {(self.graph_for(MOST, 0), block(MOST)): Sample((MOST,), 0)}
        for rows in range(MOST, 0, -1):
            for most in (*(filling for filling in fillings if filling < rows), rows):
                others = rows - most
                for wanted in (rows, 1 + others):
                    sample = Sample((most, *[1] * others), wanted)
                    found[self.graph_for(rows, wanted), block(most)] = sample
        return found.values()


def buckets_of(
    heights: Sequence[int], seconds: Sequence[float], step: int, row_bytes: int, memory: int
) -> Buckets:
    """`seconds` are those of products of TIMED rows, and between them linear; rows are computed `step` at a time. Below
    the first row count that follows, each of attention's smaller tiles, which hold `heights` rows, has a graph too.

    All graphs write their logits, of `row_bytes` a row, to one buffer. Graphs of so many rows that it would take more
    than `memory` bytes are left out: for a long pass its launches count the least.
    """
    counts = range(step, MOST + 1, step)
    costs = np.interp(counts, TIMED, np.maximum.accumulate(seconds))
    rows, fewest = list[int](), 0
    while fewest < len(counts):
        last = int(costs.searchsorted(SLACK * costs[fewest], "right")) - 1
        rows.append(counts[last])
        fewest = last + 1
    low = [height for height in heights if height < rows[0]]
    least, *more = *low, *rows
    return Buckets((least, *(room for room in more if row_bytes * room <= memory)), flat=rows[0])


def seconds_of(seconds: Callable[[int], float]) -> Sequence[float]:
    """Of products of TIMED rows with a matrix that no cache holds. Where they cannot be timed, as if each row cost the
    same: cards of one capability differ in the rate of their products, and no driver tells it."""
    try:
        return [seconds(rows) for rows in TIMED]
    except Exception as error:
        log.warning("CUDA graphs are kept for more row counts than may be needed: %s", reason(error))
        return TIMED


@torch.inference_mode()
def seconds_in(room: Room, run: Callable[[], object]) -> float:
    """Of one run among several in a graph, in which the host's launches do not count; by the current GPU's clock."""

    def several() -> None:
        for _ in range(AT_ONCE):
            run()

    graph, _ = room.capture(several)
    times = list[float]()
    for _ in range(TRIES):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))  # type: ignore[no-untyped-call]
        begin.record()
        graph.replay()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) / 1000.0 / AT_ONCE)
    return min(times)
