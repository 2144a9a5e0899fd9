"""`python -m evals.accuracy`: how often the whole engine gives exactly the wanted file.

Every case is a whole file; the engine locates, asks the model, decodes and checks as it does for a user.
*Exact* compares the whole text with the wanted one and counts what was produced, held back or not. What was
delivered is counted apart: *wrong ok* is the share of wrong texts among those delivered as `ok`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from difflib import unified_diff
from pathlib import Path
from typing import Annotated, cast

import typer
from rich.console import Console
from rich.progress import track

from evals import languages
from evals.cases import Case, lines_of, update_cases
from evals.edits import Split, load
from evals.instructions import instruction_cases, several_cases, spoken_cases
from evals.machine import machine
from evals.outcomes import Outcome, grouped, headline, report, shown, wrong
from evals.sense import parses
from evals.table import table
from fastedit.engine import Engine
from fastedit.errors import InputRefused, UsageError
from fastedit.request import EditRequest, Policy
from fastedit.source.document import Document
from fastedit.source.hunks import diff_lines

POLICIES: tuple[Policy, ...] = ("model", "merge", "auto")
# Updates, instructions of each family, instructions in other languages, updates there, two things at once.
# The third: as many of each family in wordings that training knows.
COUNTS = (300, 4, 2, 60, 240, 80)
QUICK = (12, 1, 1, 4, 4, 4)
SEED = 0


def attempt(engine: Engine, case: Case, policy: Policy) -> Outcome:
    """Run one case. Refusals are outcomes; a missing model is not."""
    document = Document.from_text(case.old, Path(case.path))
    request = EditRequest(document, case.instruction, case.update, policy=policy)
    try:
        result = engine.apply(request)
    except (InputRefused, UsageError) as refusal:
        return Outcome(case, policy, "refused", False, False, None, False, (str(refusal),), 0, 0.0, "")
    text = result.text
    return Outcome(
        case,
        policy,
        result.status.value,
        text == case.wanted,
        _without_blanks(text) == _without_blanks(case.wanted),
        _parses(text, case) if _parses(case.old, case) else None,
        damage(case, text),
        result.reasons,
        result.receipt.passes,
        result.receipt.total_ms,
        _difference(case.wanted, text),
        result.receipt.margin,
    )


def run(engine: Engine, cases: Sequence[Case], policies: Sequence[Policy]) -> list[Outcome]:
    """All cases under all policies. Under `merge` an instruction that needs a model counts as refused."""
    tracked = track(cases, "cases", console=Console(stderr=True), transient=True)
    return [attempt(engine, case, policy) for case in tracked for policy in policies]


def damage(case: Case, text: str) -> bool:
    """Whether a line changed, came or went that lies more than one line away from all that was to change."""
    old = lines_of(case.old)
    wanted = diff_lines(old, lines_of(case.wanted))
    made = diff_lines(old, lines_of(text))
    return any(all(hunk.stop < want.start or want.stop < hunk.start for want in wanted) for hunk in made)


def _parses(text: str, case: Case) -> bool:
    return parses(lines_of(text), case.language)


def _difference(wanted: str, text: str) -> str:
    """What was produced against what was wanted, as a diff without context."""
    return "\n".join(
        unified_diff(wanted.split("\n"), text.split("\n"), "wanted", "produced", n=0, lineterm="")
    )


def _without_blanks(text: str) -> list[str]:
    return [line.rstrip() for line in text.split("\n") if line.strip()]


def main(
    quick: Annotated[bool, typer.Option("--quick", help="Few cases, under a minute.")] = False,
    split: Annotated[
        str, typer.Option(help="test for figures to quote, dev for anything that is chosen.")
    ] = "test",
    policy: Annotated[list[str] | None, typer.Option(help="May be repeated; all three by default.")] = None,
    model: Annotated[str, typer.Option(help="`embedded` or a model folder.")] = "embedded",
    own_updates: Annotated[
        int | None, typer.Option("--updates", help="Updates in Python, in place of the usual number.")
    ] = None,
    foreign_updates: Annotated[
        int | None, typer.Option("--others", help="Updates in other languages, in place of the usual number.")
    ] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write all figures here.")] = None,
) -> None:
    """Exact answers of the whole engine, by mode, family, language, length and number of hunks."""
    files = load(cast(Split, split))
    foreign = languages.load(cast(languages.Split, split))
    update, each, trained, spoken, other, several = QUICK if quick else COUNTS
    updates, census = update_cases(files, own_updates or update, SEED)
    others, other_census = update_cases(foreign, foreign_updates or other, SEED)
    instructions = [*instruction_cases(files, each, SEED), *spoken_cases(foreign, spoken, SEED)]
    instructions += instruction_cases(files, trained, SEED, held_out=False)
    cases = [*updates, *others, *instructions, *several_cases(files, several, SEED)]
    policies = tuple(p for p in POLICIES if not policy or p in policy)
    outcomes = run(Engine.load(model), cases, policies)
    print(f"{machine()}; model {model}; split {split}, seed {SEED}")
    print("update: real edits between two releases, sketched by evals.sketch")
    print(f"  python: {census.describe()}; other languages: {other_census.describe()}")
    print(
        "instruction, combined: synthetic, the families that training knows, in other wordings and packages"
    )
    print(
        "trained wording: the same in the wordings of training, which whoever wrote the predicted edit knew as well"
    )
    print(report(outcomes))
    found = headline(outcomes)
    print(table(["headline", ""], [[name, shown(value)] for name, value in found.items()]))
    if json_file:
        tables = {p: grouped([o for o in outcomes if o.policy == p]) for p in policies}
        data = {"headline": found, "machine": machine(), "model": model, "split": split, "seed": SEED}
        data |= {
            "census": asdict(census),
            "other_census": asdict(other_census),
            "figures": tables,
            "wrong": wrong(outcomes),
        }
        json_file.write_text(json.dumps(data, indent=1))


if __name__ == "__main__":
    typer.run(main)
