"""Outcomes as tables, and the figures that the project is judged by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import unified_diff

from evals.outside.outcome import Met, Outcome, Row
from evals.publish import share
from fastedit.train.table import table

Headline = dict[str, float | None]
EXACT = ("search_replace", "str_replace", "udiff", "v4a", "whole_file")  # kinds of edits that say all


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


def headline(met: Sequence[Met]) -> Headline:
    """Right and ok of all cases, wrong and ok of those delivered, and the share of what may not be done left undone:
    shares of one; those of suites that did not run are left out."""
    found: Headline = {}
    agents = [m for m in met if m.case.suite == "agents" and m.case.says_so]
    if agents:
        sketches = [m for m in agents if m.case.kind.startswith("sketch")]
        found["agents_exact_right_ok"] = right_ok(m for m in agents if m.case.kind in EXACT)
        found["agents_sketch_right_ok"] = right_ok(sketches)
        found["agents_sketch_wrong_ok"] = wrong_ok(sketches)
    people = [m for m in met if m.case.suite == "people"]
    if people:
        found["people_right_ok"] = right_ok(m for m in people if m.case.judge)
        found["people_expressible_right_ok"] = right_ok(
            m for m in people if m.case.judge and m.case.expressible
        )
        found["people_wrong_ok"] = wrong_ok(people)
        found["people_must_not_kept"] = share(
            m.outcome is not Outcome.WRONG_OK for m in people if m.case.judge is None
        )
    for suite in ("hazards", "documents", "short", "fragments", "remarks", "multilingual", "other_languages"):
        if mine := [m for m in met if m.case.suite == suite]:
            found[f"{suite}_right_ok"], found[f"{suite}_wrong_ok"] = right_ok(mine), wrong_ok(mine)
    return found


def right_ok(met: Iterable[Met]) -> float | None:
    """Of all cases."""
    return share(m.outcome is Outcome.RIGHT_OK for m in met)


def wrong_ok(met: Iterable[Met]) -> float | None:
    """Of the cases that were delivered as ok."""
    delivered = (Outcome.RIGHT_OK, Outcome.WRONG_OK)
    return share(m.outcome is Outcome.WRONG_OK for m in met if m.outcome in delivered)
