"""`python -m evals.speed`: one model, the same edits, five ways to decode them.

All ways get the same prompt, stop at the same token, run in the same process with the same dtype and threads, and
take turns edit by edit, so that a drifting machine hits all alike. The clock runs from the region's text to the
rewritten text: tokenization, the prompt's pass (time to first token) and detokenization are in it; loading the
model, locating the region and one run to warm up are not.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import torch
import transformers
import typer
from transformers import PreTrainedModel

from evals.cases import Case, update_cases
from evals.edits import Split, load
from evals.instructions import instruction_cases
from evals.machine import machine
from evals.table import table
from evals.ways import LOOKUP_DEFAULT, Decode, Lookup, Timing, fastedit_decoder, rewrite, transformers_decoder
from fastedit.engine.folder import model_folder
from fastedit.engine.models import LoadedModel, load_model
from fastedit.engine.plan import Part, make_plan
from fastedit.errors import FasteditError
from fastedit.model.storage import pretrained
from fastedit.request import EditRequest
from fastedit.source.document import Document
from fastedit.train.families import FAMILIES

SEED = 1
ON, OFF = "fastedit", "fastedit, no speculation"
PLAIN, DEFAULT, TUNED = (
    "transformers",
    "transformers, prompt lookup default",
    "transformers, prompt lookup tuned",
)

SWEEP = tuple(Lookup(tokens, ngram) for ngram in (2, 3, 5, 8) for tokens in (10, 20, 40, 80))


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many edits are decoded, and the settings of prompt lookup that are tried on the dev edits."""

    updates: int
    families: int
    dev_updates: int
    dev_families: int
    sweep: tuple[Lookup, ...]


FULL = Sizes(updates=30, families=len(FAMILIES), dev_updates=8, dev_families=4, sweep=SWEEP)
QUICK = Sizes(updates=2, families=1, dev_updates=1, dev_families=1, sweep=(Lookup(20, 3), Lookup(40, 5)))


def region_parts(cases: Sequence[Case]) -> list[Part]:
    """The regions that the engine would rewrite; edits that it refuses before any model are left out."""
    parts: list[Part] = []
    for case in cases:
        document = Document.from_text(case.old, Path(case.path))
        try:
            plan = make_plan(EditRequest(document, case.instruction, case.update, policy="model"))
        except FasteditError:
            continue
        parts += plan.parts
    return parts


def compare(model: LoadedModel, parts: Sequence[Part], ways: dict[str, Decode]) -> dict[str, list[Timing]]:
    """Every part decoded every way, the order of the ways turned by one from part to part."""
    timings: dict[str, list[Timing]] = {name: [] for name in ways}
    names = list(ways)
    for index, part in enumerate(parts):
        turn = index % len(names)
        for name in names[turn:] + names[:turn]:
            timings[name].append(rewrite(model, part, ways[name]))
    return timings


def figures(timings: dict[str, list[Timing]], reference: str) -> dict[str, dict[str, float]]:
    """By way: speed in total and in the median edit, and the share of edits with the reference's tokens."""
    found = {}
    for name, runs in timings.items():
        total = sum(run.seconds for run in runs)
        same = sum(run.tokens == other.tokens for run, other in zip(runs, timings[reference], strict=True))
        found[name] = {
            "chars_per_s": sum(run.chars for run in runs) / total,
            "median_chars_per_s": statistics.median(run.chars / run.seconds for run in runs),
            "seconds": total,
            "median_ms": 1000 * statistics.median(run.seconds for run in runs),
            "tokens": sum(len(run.tokens) for run in runs),
            "identical": same / len(runs),
        }
    return found


def tune_lookup(
    model: LoadedModel, plain: PreTrainedModel, parts: Sequence[Part], sweep: Sequence[Lookup]
) -> Lookup:
    """The fastest setting of prompt lookup on these parts."""
    ways = {str(lookup): transformers_decoder(plain, lookup) for lookup in sweep}
    found = figures(compare(model, parts, ways), str(sweep[0]))
    return max(sweep, key=lambda lookup: found[str(lookup)]["chars_per_s"])


def headline(found: dict[str, dict[str, float]]) -> dict[str, float]:
    """How many times faster the engine is than each other way, and its own speed."""
    speed = {name: row["chars_per_s"] for name, row in found.items()}
    return {
        "x_no_speculation": speed[ON] / speed[OFF],
        "x_transformers_plain": speed[ON] / speed[PLAIN],
        "x_prompt_lookup_tuned": speed[ON] / speed[TUNED],
        "chars_per_s": speed[ON],
    }


def cases_of(split: Split, updates: int, families: int) -> list[Case]:
    """Real updates, then one instruction of each of the first `families` families."""
    files = load(split)
    return [*update_cases(files, updates, SEED)[0], *instruction_cases(files, 1, SEED)[:families]]


def run(model: LoadedModel, plain: PreTrainedModel, sizes: Sizes) -> tuple[dict[str, list[Timing]], Lookup]:
    """Tune prompt lookup on dev edits, then time every way on test edits."""
    best = tune_lookup(
        model, plain, region_parts(cases_of("dev", sizes.dev_updates, sizes.dev_families)), sizes.sweep
    )
    ways = {
        ON: fastedit_decoder(model, speculation=True),
        OFF: fastedit_decoder(model, speculation=False),
        PLAIN: transformers_decoder(plain, None),
        DEFAULT: transformers_decoder(plain, LOOKUP_DEFAULT),
        TUNED: transformers_decoder(plain, best),
    }
    parts = region_parts(cases_of("test", sizes.updates, sizes.families))
    compare(model, parts[:1], ways)
    return compare(model, parts, ways), best


def main(
    quick: Annotated[bool, typer.Option("--quick", help="Few edits, under a minute.")] = False,
    model: Annotated[str, typer.Option(help="`embedded` or a model folder.")] = "embedded",
    json_file: Annotated[Path | None, typer.Option("--json", help="Write all figures here.")] = None,
) -> None:
    """Rewritten characters a second, from prompt to text."""
    sizes = QUICK if quick else FULL
    loaded = load_model(model)
    plain = pretrained(model_folder(model), loaded.target.dtype).to(loaded.target.device).eval()
    timings, best = run(loaded, plain, sizes)
    found = figures(timings, ON)
    settings = (
        f"{machine()}, {torch.get_num_threads()} threads, torch {torch.__version__}, "
        f"transformers {transformers.__version__}, {loaded.target.dtype}; model {model}"
    )
    print(settings)
    print(f"{len(timings[ON])} regions: real updates and one synthetic instruction a family, seed {SEED}")
    print(f"prompt lookup tuned on dev edits: {best}")
    print(
        table(
            ["way", *(name.replace("_", " ") for name in found[ON])],
            [_row(name, found[name]) for name in found],
        )
    )
    print(table(["headline", ""], [[name, f"{value:.2f}"] for name, value in headline(found).items()]))
    if json_file:
        data = {"headline": headline(found), "settings": settings, "lookup": best._asdict(), "figures": found}
        data["edits"] = {name: [asdict(timing) for timing in runs] for name, runs in timings.items()}
        json_file.write_text(json.dumps(data, indent=1))


def _row(name: str, row: dict[str, float]) -> list[str]:
    return [name, *(f"{100 * v:.1f} %" if key == "identical" else f"{v:.2f}" for key, v in row.items())]


if __name__ == "__main__":
    typer.run(main)
