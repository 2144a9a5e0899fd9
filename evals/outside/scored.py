"""What became of a strong model's answers, counted by the shape that they are written in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from evals.publish import publish
from fastedit.source.hunks import Hunk

DELIVERED, WRONG, HELD = "delivered, right", "delivered, wrong", "held back, right"
OUTCOMES = (
    DELIVERED,
    WRONG,
    HELD,
    "held back, wrong",
    "refused",
    "left alone, rightly",
    "left alone, wrongly",
)
SMALL = 0.1  # of the lines: an edit that changes less is not worth a rewrite


@dataclass(frozen=True, slots=True)
class Scored:
    """`said` are the reasons, `answer_tokens` of all answers that were asked for, `changed` is a share of the old
    lines, and `ms` processor time from the request to the result, without the scripted server's."""

    name: str
    shape: str
    outcome: str
    said: str
    asked: int
    answer_tokens: int
    file_tokens: int
    changed: float
    ms: float


def share_changed(hunks: Iterable[Hunk], lines: int) -> float:
    """Of a text's lines; new ones count where there are more of them."""
    return sum(max(len(hunk.lines), hunk.stop - hunk.start) for hunk in hunks) / max(1, lines)


def quickest(rounds: Sequence[Sequence[Scored]]) -> list[Scored]:
    """Each answer in its quickest round: what the first edit of a process imports is in no later one."""
    return [min(each, key=lambda scored: scored.ms) for each in zip(*rounds, strict=True)]


def report(
    settings: str, found: Sequence[Scored], show: str | None, file: Path | None, *, quick: bool = False
) -> None:
    """Print the figures, and a line for each answer with an outcome that `show` matches."""
    shapes = dict.fromkeys(each.shape for each in found)
    figures = {shape: _counted([each for each in found if each.shape == shape]) for shape in shapes}
    cases = [asdict(each) for each in found]
    publish(settings, _headline(found), {"written as": figures}, file, quick=quick, cases=cases)
    for each in found:
        if show is not None and re.search(show, each.outcome):
            print(f"{each.name}, {each.shape}: {each.outcome}; asked {each.asked} times: {each.said}")


def _headline(found: Sequence[Scored]) -> dict[str, Any]:
    counts = Counter(each.outcome for each in found)
    small = [each for each in found if each.outcome == DELIVERED and each.changed < SMALL]
    return {
        "right and delivered": counts[DELIVERED],
        "right and held back": counts[HELD],
        "wrong and delivered": counts[WRONG],
        f"tokens, of a rewrite's, where under {SMALL:.0%} of the lines change": _tokens(small),
        "ms, median": median(each.ms for each in found),
    }


def _counted(found: Sequence[Scored]) -> dict[str, Any]:
    counts = Counter(each.outcome for each in found)
    return {
        "answers": len(found),
        **{outcome: counts[outcome] for outcome in OUTCOMES},
        "asked twice": sum(each.asked > 1 for each in found),
        "tokens, of a rewrite's": _tokens(found),
        "ms, median": median(each.ms for each in found),
    }


def _tokens(found: Sequence[Scored]) -> float | None:
    """Those of the answers, in the whole files' own."""
    files = sum(each.file_tokens for each in found)
    return sum(each.answer_tokens for each in found) / files if files else None
