"""A live line on standard error while an edit is made; nothing where no person looks."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

from fastedit.console import quiet
from fastedit.engine.events import Located, Progressed
from fastedit.result import Progress


@contextlib.contextmanager
def shown_progress(begins: str) -> Iterator[Callable[[object], None] | None]:
    """A callback that moves the line: which step is under way, and for how long; `begins` is the first. Afterwards the
    line is gone. None where there is no line."""
    if quiet() or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Line

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=30),
        TimeElapsedColumn(),
    )
    with Line(*columns, console=Console(stderr=True), transient=True) as line:
        task = line.add_task(begins, total=None)

        def show(event: object) -> None:
            if isinstance(event, Located):
                line.update(task, description=_located(event))
            elif isinstance(event, Progressed):
                fraction = event.progress.fraction
                line.update(task, description=_decoded(event.progress), total=1.0, completed=fraction)

        yield show


def _located(event: Located) -> str:
    count = len(event.regions)
    lines = sum(region.stop - region.start for region in event.regions)
    return f"looking at {lines:,} line{'s' * (lines != 1)} in {count} region{'s' * (count != 1)}"


def _decoded(progress: Progress) -> str:
    words = (
        f"{progress.output_tokens} tokens in {progress.passes} pass{'es' * (progress.passes != 1)}, "
        f"{progress.tokens_per_second:,.0f} tokens/s"
    )
    return words if progress.regions == 1 else f"region {progress.region} of {progress.regions}, {words}"
