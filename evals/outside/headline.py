"""The figures that the project is judged by, as shares of one; those of suites that did not run are left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evals.outside.outcome import Met, Outcome
from evals.publish import share

Headline = dict[str, float | None]


def headline(met: Sequence[Met]) -> Headline:
    """Right and ok of all cases, wrong and ok of those delivered, and the share of what may not be done left undone."""
    found: Headline = {}
    agents = [m for m in met if m.case.suite == "agents" and m.case.says_so]
    if agents:
        sketches = [m for m in agents if m.case.kind.startswith("sketch")]
        found["agents_sketch_right_ok"] = right_ok(sketches)
        found["agents_sketch_wrong_ok"] = wrong_ok(sketches)
        found["agents_all_right_ok"] = right_ok(agents)
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
