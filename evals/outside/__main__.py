"""`python -m evals.outside`: what becomes of edits and instructions that nobody of this project wrote.

`build` fetches the pinned releases once; a run needs no network after that. The half `test` is scored, not read: a run
on it tells outcomes and nothing of a case's text.
"""

from __future__ import annotations

import random
from typing import Annotated

import typer

from evals.outside import training
from evals.outside.case import Case
from evals.outside.outcome import Outcome, attempt_all, grouped
from evals.outside.releases import SPLITS, Split
from evals.outside.report import described, headline, report
from evals.outside.sources import build as build_split
from evals.outside.suites import BY_NAME, SUITES
from evals.publish import Json, Quick, check_known, machine, percent, write_figures
from fastedit.console import reported
from fastedit.engine import Engine
from fastedit.errors import UsageError
from fastedit.help import Program
from fastedit.request import Policy
from fastedit.train.table import table

QUICK = 24  # cases of each suite
SEED = 0

app = Program(no_args_is_help=False)


@app.callback(invoke_without_command=True)
@reported
def main(
    context: typer.Context,
    suite: Annotated[
        list[str] | None, typer.Option(help="May be repeated; all from outside by default.")
    ] = None,
    split: Annotated[
        Split, typer.Option(help="test for figures to quote, dev for anything that is chosen.")
    ] = "test",
    policy: Annotated[Policy, typer.Option(help="Who decides.")] = "merge",
    model: Annotated[str, typer.Option(help="As `fastedit apply --model` takes it.")] = "embedded",
    quick: Quick = False,
    show: Annotated[Outcome | None, typer.Option(help="Print the cases of one outcome, of dev only.")] = None,
    json_file: Json = None,
) -> None:
    """Six outcomes of every case, by language, kind and author."""
    if context.invoked_subcommand:
        return
    names = suite or [each.name for each in SUITES if not each.own]
    check_known("suite", names, BY_NAME)
    if show and split == "test":
        raise UsageError("the half test is scored, not read; --show goes with --split dev")
    loaded = {name: BY_NAME[name].load(split) for name in names}
    cases = [case for found in loaded.values() for case in _drawn(found, quick)]
    met = attempt_all(Engine.load(model), cases, policy)
    print(f"{machine()}; policy {policy}, model {model}, split {split}{', quick' if quick else ''}")
    suites = {name: grouped([m for m in met if m.case.suite == name]) for name in loaded}
    for name, groups in suites.items():
        print(f"\n{name}: {BY_NAME[name].source}; judged by {BY_NAME[name].scorer}\n{report(groups)}")
    found = headline(met)
    if found:
        print("\n" + table(["headline", ""], [[name, percent(share)] for name, share in found.items()]))
    if show:
        print("\n".join(described(m) for m in met if m.outcome == show))
    write_figures(
        json_file, headline=found, machine=machine(), policy=policy, model=model, split=split, quick=quick,
        figures=suites, cases={f"{m.case.suite} {m.case.id}": m.outcome.value for m in met},
    )  # fmt: skip


@app.command()
@reported
def build() -> None:
    """Fetch the pinned releases and keep the files that the cases are about."""
    for name in SPLITS:
        print(f"{name}: {build_split(name)} files")


@app.command()
@reported
def train() -> None:
    """Write what the weights of the merge are fitted on, all of it from packages that models train on."""
    print(f"{training.CASES}: {training.write()} sketches")


def _drawn(cases: list[Case], quick: bool) -> list[Case]:
    return random.Random(SEED).sample(cases, min(QUICK, len(cases))) if quick else cases


if __name__ == "__main__":
    app()
