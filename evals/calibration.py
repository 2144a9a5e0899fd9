"""`python -m evals.calibration`: fits what a model's margins are worth, and from where on its answers are delivered.

Instructions of dev in words that nothing but the model can answer, as they reach it by default: those whose edit is
predicted (most plain ones) are not among them. Counted are answers that pass all other checks, right or wrong. A curve
is fitted to them and a threshold chosen, which `--write` puts into the model's config.json.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import typer
from rich.console import Console
from rich.progress import track

from evals.cases import instructions
from evals.outside.case import Case
from evals.publish import Json, Model, publish
from fastedit.console import reported
from fastedit.engine import Engine
from fastedit.engine.edits.calibration import KEY, Calibration
from fastedit.engine.edits.verdict import UNCONFIRMED, UNSURE
from fastedit.engine.models.folder import model_folder
from fastedit.errors import InputRefused, UsageError
from fastedit.result import Status

# Of the answers delivered, at most: less than a tenth of all instructions that are, of which one in 500 may be wrong.
WRONG = 0.02


class CheckedAnswer(NamedTuple):
    """An answer that passes every check but the model's own doubt, and its least margin."""

    margin: float | None
    right: bool


def fit(answers: Sequence[CheckedAnswer]) -> tuple[float, float]:
    """Middle and slope of the logistic curve that is likeliest to give these answers, by Newton's method.

    A weak pull towards a slope of 1 through 0 keeps it finite where margins tell right from wrong without exception.
    """
    known = [(a.margin, a.right) for a in answers if a.margin is not None]
    x = np.array([[1.0, margin] for margin, _ in known])
    y = np.array([float(right) for _, right in known])
    weights, pull = np.zeros(2), np.diag([0.01, 0.1])
    for _ in range(50):
        p = 1.0 / (1.0 + np.exp(-np.clip(x @ weights, -30, 30)))
        slope = x.T @ (y - p) - pull @ (weights - [0.0, 1.0])
        weights = weights + np.linalg.solve((x.T * (p * (1 - p) + 1e-9)) @ x + pull, slope)
    return float(-weights[0] / weights[1]), float(weights[1])


def threshold(answers: Sequence[CheckedAnswer], curve: Calibration) -> float:
    """The least confidence from which on at most `WRONG` of the answers are wrong; 1 where there is none."""
    ranked = sorted((curve.confidence(answer.margin), answer.right) for answer in answers)
    wrong = sum(not right for _, right in ranked)
    for at, (confidence, right) in enumerate(ranked):
        if wrong <= WRONG * (len(ranked) - at):
            return confidence
        wrong -= not right
    return 1.0


def collect(engine: Engine) -> list[CheckedAnswer]:
    tracked = track(instructions("dev"), "cases", console=Console(stderr=True), transient=True)
    return [answer for case in tracked if (answer := answered(engine, case)) is not None]


def answered(engine: Engine, case: Case) -> CheckedAnswer | None:
    """None where no model was asked, nothing came of it, or another check objects."""
    try:
        result = engine.apply(case.request())
    except (InputRefused, UsageError):
        return None
    others = [reason for reason in result.reasons if not reason.startswith((UNSURE, UNCONFIRMED))]
    if not result.receipt.passes or result.status not in (Status.OK, Status.SUSPECT) or others:
        return None
    return CheckedAnswer(result.receipt.margin, case.is_right(result.text))


def write(curve: Calibration, folder: Path) -> None:
    """Put it into the folder's config.json."""
    file = folder / "config.json"
    kept = json.loads(file.read_text())
    kept[KEY] = {name: round(getattr(curve, name), 4) for name in ("middle", "slope", "suspect")}
    file.write_text(json.dumps(kept, indent=2) + "\n")


@reported
def main(
    model: Model = "embedded",
    keep: Annotated[bool, typer.Option("--write", help="Put them into the model's config.")] = False,
    json_file: Json = None,
) -> None:
    """Fit the curve from margins to a confidence, and choose the least one that is delivered."""
    answers = collect(Engine.load(model))
    middle, slope = fit(answers)
    curve = Calibration(middle, slope, threshold(answers, Calibration(middle, slope, 0.0)))
    if keep:
        write(curve, model_folder(model))
    found = {"answers": len(answers), "right": sum(answer.right for answer in answers)}
    publish(f"model {model}; split dev", found | asdict(curve), {}, json_file)


if __name__ == "__main__":
    typer.run(main)
