"""What drafters have learned while the server ran, for Prometheus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from fastedit.draft.seam import LearningReport

REASONS = ("diverged", "worse")


class LearnedCollector(Collector):
    """Asks when it is asked; without a drafter that learns there is nothing to tell."""

    def __init__(self, learned: Callable[[], Sequence[LearningReport]]) -> None:
        self._learned = learned

    def describe(self) -> Sequence[Metric]:
        return ()  # so that registering asks nobody

    def collect(self) -> Iterator[Metric]:
        found = self._learned()
        if not found:
            return
        counts = sum((learned.counts for learned in found), Counter[str]())
        for name, text in (
            ("updates", "Steps of the optimizer on what drafts got wrong."),
            ("swaps", "Times that a tenant's drafts went over to a better head."),
        ):
            yield CounterMetricFamily(f"fastedit_online_{name}", text, value=counts[name])
        rollbacks = CounterMetricFamily(
            "fastedit_online_rollbacks", "Heads that were taken back, by reason.", labels=["reason"]
        )
        for reason in REASONS:
            rollbacks.add_metric([reason], counts[reason])
        yield rollbacks
        for name, text in (
            ("tenants", "Tenants that are learned from."),
            ("learned", "Tenants whose own head drafts."),
            ("off", "Tenants that nothing is learned from any more."),
            ("bytes", "What learning holds in memory."),
        ):
            yield GaugeMetricFamily(
                f"fastedit_online_{name}", text, value=sum(getattr(x, name) for x in found)
            )
        yield _acceptance(found)


def _acceptance(found: Sequence[LearningReport]) -> Metric:
    gauge = GaugeMetricFamily(
        "fastedit_online_tokens_per_pass",
        "On answers that were not learned from: by the head that was loaded (base), and by the one that drafts (live).",
        labels=["head"],
    )
    tried = [learned.acceptance for learned in found if learned.acceptance]
    for head in ("base", "live") if tried else ():
        gauge.add_metric([head], fmean(rates[head] for rates in tried))
    return gauge
