"""`python -m evals.strong`: what becomes of a strong model's answers to people's instructions.

`prompts` writes what a model would be asked, one file a case; answers to them, written by any model or by hand, are
read by `score` through the whole engine, from a server on this machine that says what the files say. `run` asks a real
model; `checks` counts false alarms, `prices` what instructions take. All of this is from the dev half
(docs/evaluation.md); the other half is not read. `several` has instructions about several files of other packages.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from time import process_time
from typing import Annotated

import typer

from evals.machine import machine
from evals.outside import people
from evals.outside.alarms import alarms
from evals.outside.case import Case
from evals.outside.prices import prices as table_of_prices
from evals.outside.scripted import scripted
from evals.outside.several import report
from evals.outside.sources import Missing
from evals.publish import Json, fail
from evals.table import table
from fastedit.engine import Engine
from fastedit.errors import FasteditError, ModelUnavailable
from fastedit.plan.base import tokens_of
from fastedit.request import EditRequest
from fastedit.result import EditResult, Status
from fastedit.source.document import Document
from fastedit.train.fetch import Unavailable

CASES = 60
ROUNDS = 3
ANSWERS = Path(__file__).with_name("strong-dev.jsonl")

app = typer.Typer(pretty_exceptions_enable=False, add_completion=False)
Folder = Annotated[Path, typer.Option(file_okay=False)]


def drawn() -> list[Case]:
    """The cases: of each file as many, and of each kind as many as there are, in a fixed order. Raises Missing."""
    by_file: dict[str, list[Case]] = {}
    for case in sorted(people.load("dev"), key=lambda case: case.id):
        by_file.setdefault(f"{case.path} {len(case.old)}", []).append(case)
    each = -(-CASES // len(by_file))
    found: list[Case] = []
    for number, cases in enumerate(by_file.values()):
        step = len(cases) / each
        found += [cases[(int(step * index) + number) % len(cases)] for index in range(each)]
    return found[:CASES]


def request_of(case: Case) -> EditRequest:
    """What a person would send; the model is asked even where code alone would do it."""
    document = Document.from_text(case.old, Path(case.path))
    return EditRequest(document, case.instruction, policy="model")


@dataclass(frozen=True, slots=True)
class Scored:
    """What became of one answer. `outcome` is delivered right or wrong, held back right or wrong, or refused. `ms` are
    of this process's processor time, from the request to the result: a scripted server's too. Of several rounds they
    are the least, so that what the first edit of a process imports is not in them."""

    name: str
    shape: str
    outcome: str
    said: str
    answer_tokens: int
    file_tokens: int
    ms: float
    asked: int | None = None  # questions, where they were counted


def score_one(case: Case, name: str, shape: str, answer: str) -> Scored:
    """Raises nothing that an answer is the cause of."""
    with scripted(answer) as (address, asked):
        found = ask(case, address)
    return replace(found, name=name, shape=shape, answer_tokens=tokens_of(answer), asked=len(asked))


def ask(case: Case, model: str) -> Scored:
    """What the model's answer to one case comes to, under the way that it was asked. Raises ModelUnavailable."""
    request, started = request_of(case), process_time()
    try:
        result = Engine.load(model).apply(request)
        outcome, said = outcome_of(case, result), "; ".join((*result.reasons, *result.notes))
        way, tokens = str(result.receipt.plan), result.receipt.output_tokens
    except ModelUnavailable:
        raise
    except FasteditError as error:
        outcome, said = "refused" if case.judge else "left alone, rightly", str(error)
        way, tokens = "none", 0
    ms = 1000 * (process_time() - started)
    return Scored(case.id, way, outcome, said, tokens, tokens_of(case.old), ms)


def outcome_of(case: Case, result: EditResult) -> str:
    if result.status is Status.UNCHANGED:
        return "left alone, rightly" if case.judge is None else "left alone, wrongly"
    right = case.judge is not None and case.judge(result.text)
    held = "delivered" if result.status is Status.OK else "held back"
    return f"{held}, {'right' if right else 'wrong'}"


@app.command()
def prompts(out: Folder) -> None:
    """Write each case's prompt to OUT/NAME.txt, system and user message under a line with the role."""
    out.mkdir(parents=True, exist_ok=True)
    for case in _cases():
        asked = Engine.load().prompt(request_of(case))
        assert asked is not None
        text = "\n\n".join(f"##### {role} #####\n\n{said}" for role, said in asked)
        (out / f"{case.id}.txt").write_text(f"{text}\n", encoding="utf-8")
    print(f"{out}: {CASES} prompts")


@app.command()
def score(
    answers: Annotated[
        Path | None,
        typer.Option(file_okay=False, help="Files NAME.SHAPE.txt; the 60 that are kept here by default."),
    ] = None,
    show: Annotated[str | None, typer.Option(help="Print the answers of one outcome.")] = None,
    json_file: Json = None,
) -> None:
    """Read answers as a model's, and print what became of them by shape."""
    try:
        cases = {case.id: case for case in people.load("dev")}
    except Missing as error:
        fail("evals.strong", error)
    given = list(_kept() if answers is None else _in_folder(answers))
    for name, _, _ in given:
        if name not in cases:
            fail("evals.strong", f"there is no case {name}; `prompts` names some")
    rounds = [
        [score_one(cases[name], name, shape, answer) for name, shape, answer in given] for _ in range(ROUNDS)
    ]
    found = [min(each, key=lambda scored: scored.ms) for each in zip(*rounds, strict=True)]
    _report(found, show, json_file)


def _kept() -> Iterator[tuple[str, str, str]]:
    """Name, shape and text of the answers that were written from the prompts alone."""
    for line in ANSWERS.read_text("utf-8").splitlines():
        row = json.loads(line)
        yield row["name"], row["shape"], row["answer"]


def _in_folder(folder: Path) -> Iterator[tuple[str, str, str]]:
    for path in sorted(folder.glob("*.txt")):
        name, _, shape = path.stem.partition(".")
        yield name, shape or "any", path.read_bytes().decode("utf-8")


@app.command()
def run(
    model: Annotated[str, typer.Option(help="As `fastedit apply --model` takes it.")],
    show: Annotated[str | None, typer.Option(help="Print the answers of one outcome.")] = None,
    json_file: Json = None,
) -> None:
    """Ask a model for all cases, and print what became of its answers by the way that it was asked."""
    found = list[Scored]()
    for case in _cases():
        try:
            found.append(ask(case, model))
        except ModelUnavailable as error:
            if found:  # what they cost is spent
                _report(found, show, json_file)
            fail("evals.strong", f"{error}; {len(found)} of {CASES} cases were asked")
    _report(found, show, json_file)


@app.command()
def several(
    model: Annotated[
        str | None, typer.Option(help="Asked instead of reading the answers that are kept.")
    ] = None,
) -> None:
    """Print what becomes of answers to instructions about several files, each read as a model's."""
    try:
        print(f"{machine()}\n{report(model)}")
    except (Unavailable, ModelUnavailable) as error:
        fail("evals.strong", error)


@app.command()
def checks() -> None:
    """Count what each check on a strong model's edits would hold back, of real changes between two releases."""
    try:
        print(alarms())
    except Missing as error:
        fail("evals.strong", error)


@app.command()
def prices() -> None:
    """What people's instructions take as blocks, by what their words tell: the figures that plans are priced by."""
    try:
        print(table_of_prices())
    except Missing as error:
        fail("evals.strong", error)


def _report(found: Sequence[Scored], show: str | None, json_file: Path | None) -> None:
    outcomes = sorted({each.outcome for each in found})
    lines = []
    for shape in [*sorted({each.shape for each in found}), None]:
        group = [each for each in found if shape in (None, each.shape)]
        counts = Counter(each.outcome for each in group)
        share = sum(each.answer_tokens for each in group) / max(1, sum(each.file_tokens for each in group))
        ms = f"{median(each.ms for each in group):.0f}"
        lines.append(
            [shape or "all", str(len(group)), *(str(counts[o]) for o in outcomes), f"{share:.0%}", ms]
        )
    print(f"{machine()}\n" + table(["", "answers", *outcomes, "tokens, of a rewrite's", "ms, median"], lines))
    for each in found:
        if show is not None and re.search(show, each.outcome):
            asked = "" if each.asked is None else f"; asked {each.asked} times"
            print(f"{each.name} {each.shape}: {each.outcome}{asked}: {each.said}")
    if json_file:
        rows_of = [{name: getattr(each, name) for name in Scored.__dataclass_fields__} for each in found]
        json_file.write_text(json.dumps(rows_of, indent=1) + "\n")


def _cases() -> list[Case]:
    try:
        return drawn()
    except Missing as error:
        fail("evals.strong", error)
