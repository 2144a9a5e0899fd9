"""Outcomes as tables."""

from __future__ import annotations

from difflib import unified_diff

from evals.outside.outcome import Met, Outcome, Row
from fastedit.train.table import table


def report(groups: dict[str, dict[str, Row]]) -> str:
    """A row a group: counts, and the two shares with their 95 % intervals."""
    rows = [
        [name if grouping == "all" else f"{grouping}: {name}", *_cells(row)]
        for grouping, found in groups.items()
        for name, row in found.items()
    ]
    head = ["cases of", "cases", *Outcome, "right and ok", "wrong of delivered", "ms median", "p95", "worst"]
    return table(head, rows)


def described(met: Met) -> str:
    """A case of the half dev in full: what was sent, what came of it and why."""
    case = met.case
    old, new = case.old.split("\n"), (met.text or case.old).split("\n")
    parts = [f"\n=== {case.suite} {case.id} ({case.kind}, {case.author}): {met.outcome}; {met.said}"]
    parts += [f"instruction: {case.instruction}"] if case.instruction else []
    parts += ["--- sent", case.update] if case.update else []
    return "\n".join([*parts, "--- came of it", *unified_diff(old, new, lineterm="", n=1)])


def _cells(row: Row) -> list[str]:
    shares = [
        "-"
        if row[f"{name} %"] is None
        else f"{row[f'{name} %']} % ({row[f'{name} low %']}-{row[f'{name} high %']})"
        for name in ("right and ok", "wrong of delivered")
    ]
    times = [str(row[f"ms {name}"]) for name in ("median", "p95", "worst")]
    return [str(row["cases"]), *(str(row[outcome.value]) for outcome in Outcome), *shares, *times]
