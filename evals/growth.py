"""`python -m evals.growth`: does the time of an edit follow the size of the change, or that of the file?

The same five lines are changed by the same sketch in a file of about 500 lines and in longer ones that hold this one
in their midst. Timed is all from the file's bytes to the result's, every file as if never seen before: by the merge
alone, and with every token from the model. Only edits that the merge puts in exactly at every length count.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import typer

from evals.cases import Case, lines_of
from evals.edits import RealEdit, load
from evals.publish import Json, Quick, publish
from evals.workloads import LENGTHS, NoPlace, five_lines, long_file, made_case
from fastedit.engine import Engine
from fastedit.errors import FasteditError
from fastedit.request import EditRequest, Policy
from fastedit.result import EditResult
from fastedit.source.document import Document

SEED = 0
EDITS, QUICK = 20, 4
REPEATS, QUICK_REPEATS = 3, 1
POLICIES: tuple[Policy, ...] = ("merge", "model")


@dataclass(frozen=True, slots=True)
class Grown:
    """One edit in files of several lengths."""

    cases: dict[int, Case]

    @classmethod
    def draw(cls, files: Sequence[RealEdit], lengths: Sequence[int], rng: random.Random) -> Grown:
        shuffled = rng.sample(files, len(files))
        old = _compiled(long_file(shuffled, lengths[0]))
        case = made_case("five lines", 0, old, five_lines(old, rng), rng)
        around = reversed(shuffled)  # from the other end: the same file twice would be another question
        longer = {length: _within(case, around, length) for length in lengths[1:]}
        return cls({lengths[0]: case} | longer)

    def exact(self, engine: Engine) -> bool:
        """Whether the merge puts it in at every length."""
        try:
            results = [(apply(engine, case, "merge"), case) for case in self.cases.values()]
        except FasteditError:
            return False
        return all(result.status == "ok" and result.text == case.wanted for result, case in results)


def _within(case: Case, around: Iterator[RealEdit], length: int) -> Case:
    """The case with whole files above and below it, about equally many lines, until there are so many."""
    sides: tuple[list[str], list[str]] = ([], [])
    lines = len(lines_of(case.old))
    while lines < length:
        text = "\n".join([*_compiled(lines_of(next(around).old)), "", "", ""])
        sides[len("".join(sides[0])) > len("".join(sides[1]))].append(text)
        lines += text.count("\n")
    above, below = map("".join, sides)
    return replace(case, old=above + case.old + below, wanted=above + case.wanted + below)


def _compiled(lines: Sequence[str]) -> list[str]:
    """Without the imports that Python allows at the head of a file only."""
    return [line for line in lines if not line.startswith("from __future__")]


def grown(lengths: Sequence[int], count: int, engine: Engine) -> Iterator[Grown]:
    files = [file for file in load("test") if file.path.endswith(".py")]
    rng = random.Random(SEED)
    found = 0
    while found < count:
        try:
            drawn = Grown.draw(files, lengths, rng)
        except NoPlace:
            continue
        if drawn.exact(engine):
            found += 1
            yield drawn


def apply(engine: Engine, case: Case, policy: Policy, mark: int = 0) -> EditResult:
    """The edit of a file that differs in its last line by `mark`, so that nothing is remembered of it."""
    data = f"{case.old}# {mark}\n".encode() if mark else case.old.encode()
    document = Document.from_bytes(data, Path(case.path))
    return engine.apply(EditRequest(document, None, case.update, policy=policy))


def measure(engine: Engine, edits: Sequence[Grown], policy: Policy, repeats: int) -> dict[int, list[float]]:
    """Milliseconds by length of file, the lengths in turn."""
    found: dict[int, list[float]] = {length: [] for length in edits[0].cases}
    for repeat in range(1, repeats + 1):
        for edit in edits:
            for length, case in edit.cases.items():
                started = time.perf_counter()
                result = apply(engine, case, policy, repeat)
                assert result.data
                found[length].append(1000 * (time.perf_counter() - started))
    return found


def main(
    quick: Quick = False,
    json_file: Json = None,
) -> None:
    """Median milliseconds of the same edit by length of file and policy."""
    engine = Engine.load()
    engine.warm()
    edits = list(grown(LENGTHS, QUICK if quick else EDITS, engine))
    repeats = QUICK_REPEATS if quick else REPEATS
    times = {policy: measure(engine, edits, policy, repeats) for policy in POLICIES}
    figures = {
        f"five lines in {length}": {
            policy: {
                "median_ms": statistics.median(times[policy][length]),
                "least_ms": min(times[policy][length]),
            }
            for policy in POLICIES
        }
        for length in LENGTHS
    }
    short, long = (figures[f"five lines in {length}"] for length in (LENGTHS[0], LENGTHS[-1]))
    headline = {
        f"x {policy}, {LENGTHS[-1]} lines over {LENGTHS[0]}": long[policy]["median_ms"]
        / short[policy]["median_ms"]
        for policy in POLICIES
    }
    settings = f"{len(edits)} edits, {repeats} times each, seed {SEED}"
    publish(settings, headline, figures, json_file, quick=quick)


if __name__ == "__main__":
    typer.run(main)
