"""A live line on standard error while an edit decodes; nothing where no person looks."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

from fastedit.cli.console import quiet
from fastedit.edit.result import Progress


@contextlib.contextmanager
def shown_progress() -> Iterator[Callable[[Progress], None] | None]:
    """A callback that moves the line, None where standard error is no terminal. Afterwards it is gone."""
    if quiet() or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn
    from rich.progress import Progress as Line

    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(bar_width=30))
    with Line(*columns, console=Console(stderr=True), transient=True) as line:
        task = line.add_task("preparing", total=None)

        def show(progress: Progress) -> None:
            words = (
                f"{progress.output_tokens} tokens in {progress.passes} pass{'es' * (progress.passes != 1)}, "
                f"{progress.tokens_per_second:,.0f} tokens/s"
            )
            if progress.regions > 1:
                words = f"region {progress.region} of {progress.regions}, {words}"
            line.update(task, description=words, total=1.0, completed=progress.fraction)

        yield show
