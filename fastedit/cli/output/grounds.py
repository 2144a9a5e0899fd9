"""How an update is read and what speaks for each reading, in words."""

from __future__ import annotations

from collections.abc import Iterator

from fastedit.engine.merge.doubt import unsure
from fastedit.engine.merge.merge import Merge
from fastedit.engine.merge.reading import Reading
from fastedit.readings import share
from fastedit.sketch.explain.phrases import for_and_against
from fastedit.sketch.explain.taken import parted, runs

_MOST_REASONS = 3  # for one reading


def explained(merge: Merge, *, features: bool) -> Iterator[str]:
    """What the first reading takes each line for, what the others take differently, and why; with `features`, what each
    feature adds to the score of the first."""
    best, *others = merge.offered
    count = len(merge.offered)
    yield _title(f"reading 1 of {count}, {share(best.posterior)}", best)
    yield from (f"  {run}" for run in runs(merge.taken(best)))
    yield from (f"  {remark.note}" for remark in merge.remarks)
    for number, other in enumerate(others, 2):
        yield _title(f"reading {number} of {count}, {share(other.posterior)}", other)
        yield from _instead(merge, best, other, f"reading {number}", features=features)
    if not others and merge.runner_up:
        yield _title("the next most likely text, which is not offered", merge.runner_up)
        yield from _instead(merge, best, merge.runner_up, "the other text", features=features)
    if not others and not merge.runner_up:
        yield "no other text is likely enough to be looked at"
    if not best.sure:
        yield unsure(merge)


def _title(title: str, reading: Reading) -> str:
    return "; ".join((title, *reading.reasons))


def _instead(merge: Merge, best: Reading, other: Reading, name: str, *, features: bool) -> Iterator[str]:
    """What another reading takes differently, and what speaks for either."""
    if merge.takes_remarks_otherwise(other):
        yield from (f"  {remark.instead}" for remark in merge.remarks)
        return
    for one, instead in parted(merge.taken(best), merge.taken(other)):
        yield f"  {instead}; in reading 1 {one.pronoun} {one.predicate}"
    grounds, names = merge.grounds(best, other), ("reading 1", name)
    for favoured, reasons in zip(names, for_and_against(grounds, names), strict=True):
        yield from (f"  for {favoured}: {reason}" for reason in reasons[:_MOST_REASONS])
    if features:
        telling = sorted(grounds.items(), key=lambda ground: -abs(ground[1][1]))
        yield from (f"  {value:+6.2f}  {feature}" for feature, (_, value) in telling)
