"""Runs a tool's work on a thread of its own, so that the protocol stays awake and can cancel it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Any, TypeVar

from mcp.server.mcpserver import Context

from fastedit.connect import Hangup
from fastedit.engine import Progressed
from fastedit.errors import FasteditError, WayOut
from fastedit.result import Progress
from fastedit.serve.bodies.errors import ApiError
from fastedit.serve.jobs.pool import Pool

T = TypeVar("T")
DEADLINE_S = 600.0
# What an agent gives a tool for one file, and one for several. Policy and model are the server's.
ONE_FILE = {
    WayOut.INSTRUCTION: "instruction",
    WayOut.UPDATE: "code_edit",
    WayOut.SYMBOL: "symbol",
    WayOut.LINES: "lines",
    WayOut.LANGUAGE: "language",
    WayOut.PLAN: "plan",
    WayOut.CHANGE: "apply_change",
}
SEVERAL_FILES = {
    WayOut.INSTRUCTION: "instruction",
    WayOut.UPDATE: "apply_change",
    WayOut.SYMBOL: "edit_file",
    WayOut.LINES: "edit_file",
    WayOut.LANGUAGE: "language",
    WayOut.PLAN: "plan",
}


async def last_of(
    pool: Pool, make: Callable[[Hangup], Iterator[object]], wanted: type[T], ctx: Context[Any]
) -> T:
    """The event of the `wanted` type; progress before it goes to the client. Raises what the events raise."""

    def steps(hangup: Hangup) -> Generator[list[T | Progress], None, None]:
        for event in make(hangup):
            if isinstance(event, Progressed):
                yield [event.progress]
            else:
                yield [event] if isinstance(event, wanted) else []

    job = pool.submit(steps, DEADLINE_S)
    try:
        async for item in job:
            if isinstance(item, wanted):
                return item
            if isinstance(item, Progress):
                await ctx.report_progress(item.fraction, 1.0, f"{item.output_tokens} tokens")
    finally:
        job.cancel()
    raise AssertionError("a stream always ends with its result")


def line_of(error: FasteditError | ApiError, ways_out: Mapping[WayOut, str]) -> str:
    """What an agent is told of an error."""
    return error.detail if isinstance(error, ApiError) else error.worded(ways_out)
