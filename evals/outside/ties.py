"""`python -m evals.outside.ties`: how often a model that is asked which reading of an update is meant says it rightly.

`prompts` writes the questions that the engine would ask about sketches of dev that the merge alone is not sure of;
`score` reads letters, written by any model from those questions alone (those of one model are kept here, and read by
default); `run` asks a model.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from evals.outside.case import Case
from evals.outside.reliability import SUITES, merged, sketches
from evals.publish import Json, publish
from fastedit.connect import Hangup
from fastedit.console import reported
from fastedit.engine.answers.choice import choose, chosen, question
from fastedit.engine.merge.reading import Reading
from fastedit.help import Program
from fastedit.model.settings import ModelSettings
from fastedit.request import EditRequest
from fastedit.result import Receipt
from fastedit.source.hunks import apply_hunks
from fastedit.train import jsonl

ANSWERS = Path(__file__).with_name("ties-dev.jsonl")
OUTCOMES = ("asked", "the most likely is right", "one is right", "taken right", "taken wrong", "none taken")

app = Program()


@dataclass(frozen=True, slots=True)
class Tie:
    """A sketch that no reading of is sure, and the readings that a model may choose from."""

    case: Case
    suite: str
    request: EditRequest
    readings: list[Reading]

    @property
    def messages(self) -> tuple[tuple[str, str], ...]:
        return question(self.request, self.readings)

    @property
    def name(self) -> str:
        """Short, without a word of what is right, and another one once the question is."""
        return hashlib.sha256(repr((self.case.id, self.messages)).encode()).hexdigest()[:12]

    def right(self, index: int) -> bool:
        return self.case.is_right(apply_hunks(self.request.document, self.readings[index].hunks))


def ties() -> Iterator[Tie]:
    for suite in SUITES:
        for case in sketches(suite, "dev"):
            merge = merged(case.document, case)
            if merge is not None and not merge.best.sure and merge.standing:
                yield Tie(case, suite, case.request(), merge.standing)


@app.command()
@reported
def prompts(
    out: Annotated[Path, typer.Option(dir_okay=False, help="JSON lines with `name` and `messages`.")],
) -> None:
    """Write the questions that a model would be asked."""
    rows = [{"name": tie.name, "messages": tie.messages} for tie in ties()]
    jsonl.write(out, rows)
    print(f"{len(rows)} questions in {out}")


@app.command()
@reported
def score(
    answers: Annotated[
        Path, typer.Option(exists=True, dir_okay=False, help="JSON lines with `name` and `said`.")
    ] = ANSWERS,
    json_file: Json = None,
) -> None:
    """Count which answers name the reading that is meant."""
    said = {row["name"]: row["said"] for row in jsonl.texts(answers, ("name", "said"))}
    asked = list(ties())
    taken = [(tie, chosen(said[tie.name], len(tie.readings)).index) for tie in asked if tie.name in said]
    if len(taken) < len(asked):
        print(f"{len(asked) - len(taken)} of {len(asked)} questions are left out: nobody answered them")
    _report(taken, json_file)


@app.command()
@reported
def run(
    model: Annotated[str, typer.Option(help="As `fastedit apply --model` takes it.")], json_file: Json = None
) -> None:
    """Ask a model, and count which of its answers name the reading that is meant."""
    settings = ModelSettings()
    asked = ((tie, choose(model, tie.request, tie.readings, Receipt(), settings, Hangup())) for tie in ties())
    _report([(tie, taken.index) for tie, taken in asked], json_file)


def _report(taken: Sequence[tuple[Tie, int | None]], json_file: Path | None) -> None:
    counts = {suite: Counter[str]() for suite in SUITES}
    for tie, index in taken:
        counts[tie.suite].update(_outcomes(tie, index))
    found = {suite: {name: counts[suite][name] for name in OUTCOMES} for suite in SUITES}
    publish("split dev", {}, found, json_file)


def _outcomes(tie: Tie, index: int | None) -> Iterator[str]:
    rights = [tie.right(each) for each in range(len(tie.readings))]
    yield "asked"
    if rights[0]:
        yield "the most likely is right"
    if any(rights):
        yield "one is right"
    yield "none taken" if index is None else "taken right" if rights[index] else "taken wrong"


if __name__ == "__main__":
    app()
