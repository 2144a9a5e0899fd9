"""`python -m evals.strong`: what becomes of a strong model's answers to people's instructions.

`prompts` writes what a model would be asked; answers to that, written by any model or by hand, are read by `score`
through the whole engine, from a server on this machine that says what they say. `run` asks a real
model; `checks` counts false alarms. All of this is from the dev half (docs/evaluation.md); the other half is not read.
`several` has instructions about several files of other packages.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from evals.outside import people
from evals.outside.case import Case
from evals.outside.releases import HERE
from evals.publish import Json, Quick
from evals.strong import alarms
from evals.strong import several as several_files
from evals.strong.scored import Result, Scored, ScoredQuestion, ask, quickest, read, report
from fastedit.console import reported
from fastedit.engine import Engine
from fastedit.errors import ModelUnavailable, UsageError
from fastedit.help import Program
from fastedit.request import Policy
from fastedit.train import jsonl

CASES = 60
ROUNDS = 3
POLICY: Policy = "model"  # which is asked even where code alone would do it
ANSWERS = HERE / "strong-dev.jsonl"

app = Program()
Show = Annotated[str | None, typer.Option(help="Print the answers with an outcome that this matches.")]


def drawn() -> list[Case]:
    """Of each file as many cases, and of each kind as many as there are, in a fixed order. Raises FileUnreadable."""
    by_file: dict[str, list[Case]] = {}
    for case in sorted(people.load("dev"), key=lambda case: case.id):
        by_file.setdefault(f"{case.path} {len(case.old)}", []).append(case)
    each = -(-CASES // len(by_file))
    found: list[Case] = []
    for number, cases in enumerate(by_file.values()):
        step = len(cases) / each
        found += [cases[(int(step * index) + number) % len(cases)] for index in range(each)]
    return found[:CASES]


def question_of(case: Case) -> ScoredQuestion:
    def ask(model: str) -> Result:
        result = Engine.load(model).apply(case.request(POLICY))
        return Result(result, result.hunks, case.is_right(result.text))

    return ScoredQuestion(case.id, (case.old,), case.judge is None, ask)


@app.command()
@reported
def prompts(
    out: Annotated[Path, typer.Option(dir_okay=False, help="JSON lines with `name` and `messages`.")],
) -> None:
    """Write the questions that a model would be asked, one a case."""
    rows = [{"name": case.id, "messages": Engine.load().prompt(case.request(POLICY))} for case in drawn()]
    jsonl.write(out, rows)
    print(f"{len(rows)} questions in {out}")


@app.command()
@reported
def score(
    answers: Annotated[
        Path,
        typer.Option(
            exists=True,
            dir_okay=False,
            help="JSON lines with `name`, `shape`, `answer` and a second one, `again`.",
        ),
    ] = ANSWERS,
    show: Show = None,
    quick: Quick = False,
    json_file: Json = None,
) -> None:
    """Read answers as a model's, and print what became of them by shape."""
    cases = {case.id: case for case in people.load("dev")}
    given = [_answered(row) for row in jsonl.texts(answers, ("name", "shape", "answer"), ("again",))]
    for name, *_ in given:
        if name not in cases:
            raise UsageError(f"there is no case {name}; `prompts` names some")
    asked = {name: question_of(cases[name]) for name, *_ in given}
    rounds = [
        [read(asked[name], shape, *texts) for name, shape, *texts in given]
        for _ in range(1 if quick else ROUNDS)
    ]
    report(f"{len(given)} answers, dev", quickest(rounds), show, json_file, quick=quick)


def _answered(row: Mapping[str, str]) -> tuple[str, ...]:
    """Name, shape and answer, and the second answer where the first one went back."""
    return row["name"], row["shape"], row["answer"], *((row["again"],) if "again" in row else ())


@app.command()
@reported
def run(
    model: Annotated[str, typer.Option(help="As `fastedit apply --model` takes it.")],
    show: Show = None,
    json_file: Json = None,
) -> None:
    """Ask a model for all cases, and print what became of its answers by the way that it was asked."""
    found = list[Scored]()
    for case in drawn():
        try:
            found.append(ask(question_of(case), model))
        except ModelUnavailable as error:
            if found:  # what they cost is spent
                report(model, found, show, json_file)
            raise ModelUnavailable(f"{error}; {len(found)} of {CASES} cases were asked") from None
    report(model, found, show, json_file)


@app.command()
@reported
def several(
    model: Annotated[
        str | None, typer.Option(help="Asked instead of reading the answers that are kept.")
    ] = None,
    show: Show = None,
    quick: Quick = False,
    json_file: Json = None,
) -> None:
    """Print what becomes of answers to instructions about several files, each read as a model's."""
    found = several_files.scored(model, 1 if quick else ROUNDS)
    report(model or "12 tasks of several files, train", found, show, json_file, quick=quick)


@app.command()
@reported
def checks(quick: Quick = False, json_file: Json = None) -> None:
    """Count what each check on a strong model's edits would hold back, of real changes between two releases."""
    alarms.report(json_file, quick=quick)


if __name__ == "__main__":
    app()
