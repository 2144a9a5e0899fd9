"""What became of a strong model's answers, counted by the shape that they are written in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain, islice, repeat
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from evals.publish import publish
from evals.strong.scripted import scripted
from fastedit.engine.answers.dialogue import REPAIRED
from fastedit.engine.changes.change import ChangeResult
from fastedit.errors import FasteditError, ModelUnavailable
from fastedit.plan.base import tokens_of
from fastedit.result import EditResult, Status
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


class Result(NamedTuple):
    """What the engine made of an answer, and whether that is right."""

    made: EditResult | ChangeResult
    hunks: Iterable[Hunk]
    right: bool


@dataclass(frozen=True, slots=True)
class ScoredQuestion:
    """`ask` takes the model's name; `texts` are the files before, and with `idle` nothing is to be done."""

    name: str
    texts: Sequence[str]
    idle: bool
    ask: Callable[[str], Result]


def ask(question: ScoredQuestion, model: str) -> Scored:
    """What the model's answer comes to, under the way that it was asked. Raises ModelUnavailable."""
    asked, tokens, changed, way, started = 1, 0, 0.0, "none", process_time()
    try:
        result = question.ask(model)
        outcome, said = _outcome(question, result), "; ".join((*result.made.reasons, *result.made.notes))
        if result.made.receipt is not None:
            way, tokens = str(result.made.receipt.plan), result.made.receipt.output_tokens
        asked = 1 + (REPAIRED in said)
        # New lines count where there are more of them.
        sizes = (max(len(hunk.lines), hunk.stop - hunk.start) for hunk in result.hunks)
        changed = sum(sizes) / max(1, sum(text.count("\n") for text in question.texts))
    except ModelUnavailable:
        raise
    except FasteditError as error:
        outcome, said = "left alone, rightly" if question.idle else "refused", str(error)
    ms = 1000 * (process_time() - started)
    size = sum(map(tokens_of, question.texts))
    return Scored(question.name, way, outcome, said, asked, tokens, size, changed, ms)


def _outcome(question: ScoredQuestion, result: Result) -> str:
    if result.made.status is Status.UNCHANGED:
        return f"left alone, {'rightly' if question.idle else 'wrongly'}"
    held = "delivered" if result.made.status is Status.OK else "held back"
    return f"{held}, {'right' if result.right else 'wrong'}"


def read(question: ScoredQuestion, shape: str, *answers: str) -> Scored:
    """What answers come to, one for each time that a model is asked. Raises nothing that they are the cause of."""
    with scripted(*answers) as server:
        found = ask(question, server.address)
    times = len(server.asked)
    written = sum(map(tokens_of, islice(chain(answers, repeat(answers[-1])), times)))
    ms = found.ms - 1000 * server.seconds
    return replace(found, shape=shape, asked=times, answer_tokens=written, ms=ms)


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
