"""`python -m fastedit.train merge`: fits the weights of the alignment model of sketches."""

from __future__ import annotations

import json
import shlex
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import torch
import typer

from fastedit.console import reported, say
from fastedit.errors import UsageError
from fastedit.sketch.paths.fitted import WEIGHTS
from fastedit.sketch.paths.weights import FAMILIES
from fastedit.train import options
from fastedit.train.changes.real import read_pairs
from fastedit.train.merge import evidence, report, whole, wording
from fastedit.train.merge.cases import Case, Prepared, fits, held_out, prepare, read_cases
from fastedit.train.merge.fit import Fitted, Recipe, fit

USUAL = Recipe()


@reported
def merge(
    cases: Annotated[
        list[Path],
        typer.Option(
            help="Sketches that someone wrote: JSON lines with path, old, edit, new, as `evals.outside train` writes "
            "them; may be repeated."
        ),
    ],
    changes: Annotated[
        list[Path] | None,
        typer.Option(
            help="Files before and after, whose comments after code are of the code: JSON lines with path, old, new, "
            "package, as `evals.edits build` writes them; may be repeated."
        ),
    ] = None,
    epochs: Annotated[int, options.count("Passes over the sketches.")] = 4,
    rate: Annotated[float, options.rate("Learning rate of Adam, decayed to 0.")] = USUAL.rate,
    sigma: Annotated[
        float, typer.Option(min=1e-3, max=1e3, help="Width of the prior around the initial weights.")
    ] = USUAL.sigma,
    hold_out: Annotated[float, options.share("Share of the cases kept for the figures, by package.")] = 0.2,
    seed: Annotated[int, options.seed("Seed of what is held out, and of the order.")] = 0,
    init: Annotated[
        Path, typer.Option(help="The weights to begin with.", show_default="the shipped ones")
    ] = WEIGHTS,
    out: options.WeightsFile = WEIGHTS,
    evidence_only: Annotated[
        bool,
        typer.Option("--evidence-only", help="Keep the weights of the alignment, and fit those of signs."),
    ] = False,
    ablate: Annotated[
        bool, typer.Option("--ablate", help="One more epoch without each family of features.")
    ] = False,
) -> None:
    """Fit the weights that place sketches in files.

    Examples:
        fastedit train merge --cases cases.jsonl.gz --out weights.json
    """
    torch.set_num_threads(1)  # rows are short: more threads only wait for each other
    begun = _read(init)
    initial: dict[str, float] = begun["weights"]
    read = read_cases(cases)
    if not read:
        raise UsageError(f"{', '.join(map(str, cases))}: no case in it")
    pairs = read_pairs(changes or [])
    found = wording.crossed(read, pairs)
    if evidence_only:
        signs = evidence.fitted(evidence.seen(filter(fits, found), initial), begun.get("evidence", {}))
        made = {**begun.get("made", {}), "evidence": _command()}
        _write(out, initial, signs, begun.get("words", {}), begun.get("whole", {}), made)
        return
    kept = held_out(found, hold_out, seed)
    learned = _prepared([case for case in found if case.package not in kept])
    unseen = _prepared([case for case in found if case.package in kept])
    if not learned:
        raise UsageError(
            "nothing to learn from: all sketches are held out, or the model can write the text of none"
        )
    recipe = Recipe(epochs, rate, sigma, seed)
    fitted = fit(
        learned, initial, recipe, tell=lambda epoch, mean: say(f"epoch {epoch} of {epochs}: loss {mean:.4f}")
    )
    rows = report.by_source(report.answers(unseen, fitted.weights))
    print(report.weights_table(fitted, report.occurrences(learned)))
    print("\n" + report.figures_table(rows))
    signs = evidence.fitted(evidence.seen(filter(fits, found), fitted.weights), begun.get("evidence", {}))
    words = asdict(wording.fitted(read, pairs))
    _write(out, fitted.weights, signs, words, whole.fitted(found), _made(fitted, learned, rows, recipe))
    if ablate:
        print("\n" + report.figures_table(_ablations(learned, unseen, fitted, recipe)))


def _prepared(cases: Sequence[Case]) -> list[Prepared]:
    """Those that the model can be right on; the others are counted."""
    found = [prepared for case in cases if (prepared := prepare(case)) is not None]
    say(
        f"{len(found)} cases; of {len(cases) - len(found)} more no path writes the text, or the file is too long"
    )
    return found


def _read(path: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_text("utf-8"))
        return found | {"weights": {name: float(value) for name, value in found["weights"].items()}}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(
            f"{path}: no weights of the alignment model ({type(error).__name__}: {error})"
        ) from None


def _made(
    fitted: Fitted, learned: Sequence[Prepared], rows: dict[str, Any], recipe: Recipe
) -> dict[str, Any]:
    """How the weights were made."""
    return {
        "command": _command(),
        "seed": recipe.seed,
        "cases": dict(sorted(Counter(prepared.case.source for prepared in learned).items())),
        "losses": [round(value, 4) for value in fitted.losses],
        "held out": rows["all"],
    }


def _write(
    out: Path,
    weights: dict[str, float],
    signs: dict[str, float],
    words: Mapping[str, Mapping[str, float]],
    sent_whole: Mapping[str, float],
    made: dict[str, Any],
) -> None:
    rounded = {name: round(value, 3) for name, value in weights.items()}
    found = {"weights": rounded, "evidence": signs, "words": words, "whole": sent_whole, "made": made}
    out.write_text(
        json.dumps(found, indent=1) + "\n",
        "utf-8",
    )


def _command() -> str:
    return f"python -m fastedit.train {shlex.join(map(_bare, sys.argv[1:]))}"


def _bare(word: str) -> str:
    """A word of the command line without the folders of this machine."""
    return Path(word).name if word.startswith("/") else word


def _ablations(
    learned: Sequence[Prepared], unseen: Sequence[Prepared], fitted: Fitted, recipe: Recipe
) -> dict[str, dict[str, Any]]:
    """What is lost without each family of features, one epoch after the fit; the first row is with all of them."""
    again = replace(recipe, epochs=1, rate=recipe.rate / 2)
    found = {}
    for family, names in (("with all", frozenset[str]()), *FAMILIES.items()):
        weights = fit(learned, fitted.weights, again, without=frozenset(names)).weights
        found[family] = report.figures(report.answers(unseen, weights))
    return found
