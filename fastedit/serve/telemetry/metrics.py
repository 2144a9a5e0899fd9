"""Counters and histograms for Prometheus. Rates are for whoever reads them to take."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Literal

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from pydantic import Field

from fastedit.engine.changes.change import ChangeResult
from fastedit.result import Receipt
from fastedit.serve.jobs.pool import Pool
from fastedit.serve.telemetry.history import LoadHistory

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)
KINDS = ("prompt", "output", "generated")
RECENT = 50  # edits that the status page lists


@dataclass(slots=True)
class ListedRun:
    """One edit, change or chat as the status page lists it, without any code."""

    kind: Literal["edit", "change", "chat"]
    status: str = "cancelled"  # unless it comes to something else
    hunks: int = 0
    output_tokens: int = 0
    passes: Annotated[int, Field(description="Of the model; 0 where it was not asked.")] = 0
    first_hunk_ms: float | None = None
    total_ms: float = 0.0
    ended: Annotated[float, Field(description="Unix time, in seconds.")] = 0.0


class Metrics:
    """What one process has done."""

    def __init__(self, pool: Pool) -> None:
        self.registry = registry = CollectorRegistry()
        self.history = LoadHistory()
        self._recent: deque[ListedRun] = deque(maxlen=RECENT)
        counter = partial(Counter, registry=registry)
        histogram = partial(Histogram, buckets=_SECONDS, registry=registry)
        self.edits = counter("fastedit_edits", "Edits by how they ended.", ["status"])
        self.passes = counter("fastedit_passes", "Passes of the model.")
        self.rows = counter("fastedit_rows", "Rows of those passes, and of those over prompts.")
        self.undrafted = counter("fastedit_undrafted_passes", "Passes that had no draft, as none paid.")
        self.offered_at = counter(
            "fastedit_drafts_at_position", "Passes whose draft reached a position.", ["position"]
        )
        self.accepted_at = counter(
            "fastedit_accepted_at_position", "Passes whose accepted tokens did.", ["position"]
        )
        self.tokens = counter("fastedit_tokens", "Tokens by kind.", ["kind"])
        self.draft_tokens = counter("fastedit_draft_tokens", "Drafted tokens by who drafted.", ["source"])
        self.accepted_tokens = counter(
            "fastedit_accepted_tokens", "Accepted tokens by who drafted.", ["source"]
        )
        self.chars = counter("fastedit_rewritten_chars", "Characters of rewritten regions.")
        self.hunks = counter(
            "fastedit_hunks",
            "Hunks of changes by the format they were written in and the step that placed them.",
            ["format", "step"],
        )
        self.edit_seconds = histogram("fastedit_edit_seconds", "An edit in the engine.")
        self.first_hunk_seconds = histogram("fastedit_first_hunk_seconds", "Until an edit's first hunk.")
        self.requests = counter("fastedit_requests", "Answers by path and status.", ["path", "status"])
        self.request_seconds = histogram("fastedit_request_seconds", "A request to its end.", ["path"])
        self.retries = counter("fastedit_retries", "Edits begun again because a replica died.")
        live = Gauge("fastedit_live_edits", "Edits that wait or run.", registry=registry)
        live.set_function(lambda: pool.live)
        waiting = Gauge("fastedit_waiting_edits", "Edits that wait.", registry=registry)
        waiting.set_function(lambda: pool.waiting)

    def ended(self, run: ListedRun, seconds: float) -> None:
        """Counts a run by its status, also one that came to none: cancelled, refused or failed."""
        run.total_ms, run.ended = 1000 * seconds, time.time()
        self.edits.labels(run.status).inc()
        self.history.ended(run.status, seconds)
        self._recent.append(run)

    def spent(self, run: ListedRun, receipt: Receipt) -> None:
        """Counts what a run cost; a change has a receipt for each of its sketches."""
        run.output_tokens += receipt.output_tokens
        run.passes += receipt.passes
        if run.first_hunk_ms is None:
            run.first_hunk_ms = receipt.first_hunk_ms
        self.history.spent(receipt)
        self.passes.inc(receipt.passes)
        self.rows.inc(receipt.rows)
        self.undrafted.inc(receipt.undrafted_passes)
        for counter, counts in (
            (self.offered_at, receipt.offered_at),
            (self.accepted_at, receipt.accepted_at),
        ):
            for power, count in enumerate(counts):
                counter.labels(str(2**power)).inc(count)
        for kind in KINDS:
            self.tokens.labels(kind).inc(getattr(receipt, f"{kind}_tokens"))
        for source, count in receipt.drafted.items():
            self.draft_tokens.labels(source).inc(count)
        for source, count in receipt.accepted.items():
            self.accepted_tokens.labels(source).inc(count)
        self.chars.inc(receipt.rewritten_chars)
        self.edit_seconds.observe(receipt.total_ms / 1000)
        if receipt.first_hunk_ms is not None:
            self.first_hunk_seconds.observe(receipt.first_hunk_ms / 1000)

    def placed(self, result: ChangeResult) -> None:
        """Counts a change's hunks."""
        format = result.formats[0] if len(result.formats) == 1 else "several"
        for file in result.files:
            for report in file.reports:
                self.hunks.labels(format, report.step).inc()

    def answered(self, path: str, status: int, seconds: float) -> None:
        self.requests.labels(path, str(status)).inc()
        self.request_seconds.labels(path).observe(seconds)

    def newest(self) -> list[ListedRun]:
        """The newest runs, newest first; others may end while somebody reads them."""
        return list(reversed(self._recent))

    def totals(self) -> dict[str, Any]:
        """The counters as numbers, for the status page."""
        drafted, accepted = _by_label(self.draft_tokens), _by_label(self.accepted_tokens)
        return {
            "edits": _by_label(self.edits),
            "tokens": dict.fromkeys(KINDS, 0) | _by_label(self.tokens),
            "drafts": {
                source: {"drafted": count, "accepted": accepted.get(source, 0)}
                for source, count in drafted.items()
            },
            "passes": sum(_by_label(self.passes).values()),
            "rewritten_chars": sum(_by_label(self.chars).values()),
        }

    def text(self) -> bytes:
        return generate_latest(self.registry)


def _by_label(counter: Counter) -> dict[str, int]:
    """A counter's values by its one label, "" where it has none."""
    return {
        next(iter(sample.labels.values()), ""): int(sample.value)
        for metric in counter.collect()
        for sample in metric.samples
        if sample.name.endswith("_total")
    }
