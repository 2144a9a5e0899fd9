"""`python -m evals.drafters`: every drafter on the same held-out regions, with one model as the target.

All drafters get the same prompts in the same process, turn by turn, and each answer is compared with that of plain
decoding. Tokens are classified by their line: copied from the region, a line of it edited, or novel.
The clock is the process's CPU time with one thread where the target runs on a CPU, so that other work on the machine
counts for little; on a GPU it is wall time. What drafters learn is kept in a folder of its own and begins anew.
"""

from __future__ import annotations

import operator
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import torch
import typer

from evals.cases import instructions, updates
from evals.edits import RealEdit, load
from evals.outside.case import Case
from evals.publish import Json, Model, Quick, publish
from evals.spans import KINDS, ByKind, kinds_of
from evals.timing.turns import SURE, faster, in_turns
from fastedit.console import reported
from fastedit.decode.session import decode
from fastedit.draft.base import Closing
from fastedit.draft.heads.eagle import OWN
from fastedit.engine.edits.plan import EditPlan, PlannedRegion
from fastedit.engine.models.folder import model_folder
from fastedit.engine.models.load import LoadedModel, load_model
from fastedit.errors import FasteditError
from fastedit.sampling import Sampling
from fastedit.train.table import table

PER_EDIT = 2  # regions of one edit
REPOSITORY = 30  # files that are not edited
Workload = Literal["update", "instruction", "new lines"]
NEW = 0.3  # share of new lines in the wanted region from which an edit counts as mostly new
WORKLOADS: dict[Workload, Callable[[], list[Case]]] = {
    "update": lambda: updates("test"),
    "instruction": lambda: instructions("test"),
    "new lines": lambda: updates("test", new=NEW),
}
NONE = "none"
FULL, QUICK = 8, 2  # regions of each workload
FEW = 5  # regions below which nothing is distinguishable
ALONE = (
    "lookup",
    "lookahead",
    "suffix-cache",
    "rest={files}",
    "layerskip={half}",
)
QUICK_ALONE = ("lookup", "lookahead", "rest={files}")


@dataclass(slots=True)
class Row:
    """One drafter on one workload. `seconds` has one entry an edit; `same` counts answers equal to plain decoding's."""

    kinds: ByKind = field(default_factory=ByKind)
    seconds: list[float] = field(default_factory=list)
    drafted: int = 0
    rows: int = 0
    passes: int = 0
    chars: int = 0
    same: int = 0
    switched_off: dict[str, int] = field(default_factory=dict)

    def figures(self, plain: Row) -> dict[str, Any]:
        """Beside those of plain decoding."""
        tokens = sum(self.kinds.tokens.values())
        return {
            "characters/s": self.chars / sum(self.seconds),
            "x none": sum(plain.seconds) / sum(self.seconds),
            "tokens a pass": self.kinds.tokens_per_pass(),
            **{kind: self.kinds.tokens_per_pass(kind) for kind in KINDS},
            "rows a pass": self.rows / max(1, self.passes),
            "drafted a token": self.drafted / max(1, tokens),
            "regions": len(self.seconds),
            "same": self.same,
            "seconds": self.seconds,
            "switched off": self.switched_off,
        }


Results = dict[str, dict[str, Row]]  # by workload and drafter


def answer(
    model: LoadedModel, drafter: str, row: Row, clock: Callable[[], float], part: PlannedRegion
) -> list[int]:
    """The tokens, of a prompt that the model has never read; what it cost is added to the row."""
    model.target.pool.forget()
    started = clock()
    prompt = model.format.encode(part.task, part.prediction)
    speculation = drafter != NONE
    setting = drafter if speculation else "lookup"
    # A tenant each: no drafter may remember what another one has just been asked.
    session = model.session(prompt, Sampling(), speculation=speculation, drafter=setting, tenant=drafter)
    passes = [len(accepted.tokens) for accepted in decode(session)]
    row.seconds.append(clock() - started)
    tokens = session.output
    row.kinds.add(_kinds(model, part, tokens), passes)
    row.drafted += session.tally.drafted.total()
    row.rows += sum(session.tally.rows) - len(prompt.ids)
    row.passes += session.tally.passes
    row.chars += sum(len(line) + 1 for line in part.task.lines)
    for name, times in session.tally.switched_off.items():
        row.switched_off[name] = row.switched_off.get(name, 0) + times
    return tokens


def _kinds(model: LoadedModel, part: PlannedRegion, tokens: Sequence[int]) -> list[Any]:
    try:
        return list(kinds_of(model.format, part.task, tokens))
    except ValueError:  # an answer that is not well formed tells no lines apart
        return ["novel"] * len(tokens)


def measure(
    model: LoadedModel, parts: Sequence[PlannedRegion], drafters: Mapping[str, str]
) -> dict[str, Row]:
    """Every region by every drafter, the order turned by one from region to region. By the names of the settings."""
    clock = time.process_time if model.target.device.type == "cpu" else time.perf_counter
    found = {name: Row() for name in drafters}
    answer(model, NONE, Row(), clock, parts[0])  # the first pass of a process pays for others
    prompt = model.format.encode(parts[0].task, parts[0].prediction)
    for name, setting in drafters.items():  # loads models and builds indexes
        made = () if name == NONE else model.drafting.drafters(setting, prompt)
        for drafter in made:
            if isinstance(drafter, Closing):
                drafter.close()
    ways = {name: partial(answer, model, setting, found[name], clock) for name, setting in drafters.items()}
    tokens = in_turns(parts, ways)
    for name in drafters:
        found[name].same = sum(map(operator.eq, tokens[name], tokens[NONE]))
    return found


def region_parts(cases: Sequence[Case], each: int) -> list[PlannedRegion]:
    """The regions that the engine would rewrite, of one edit at most `each`; edits that it refuses before any model are
    left out."""
    parts: list[PlannedRegion] = []
    for case in cases:
        try:
            parts += EditPlan(case.request("model")).parts[:each]  # looked for only now
        except FasteditError:
            continue
    return parts


def repository(files: Sequence[RealEdit], cases: Sequence[Case]) -> list[RealEdit]:
    """The files that are edited, and others of their packages."""
    packages, paths = {case.id.partition("/")[0] for case in cases}, {case.path for case in cases}
    inside = [file for file in files if file.package in packages]
    return sorted(inside, key=lambda file: file.path not in paths)[: len(paths) + REPOSITORY]


def settings(
    model: LoadedModel, files: Sequence[RealEdit], folder: Path, also: Sequence[str], *, quick: bool
) -> dict[str, str]:
    """By the name in the tables, the setting: each drafter alone, then together with lookup.

    REST's repository are the files before the edit.
    """
    half = max(1, model.target.network.layers // 2)
    for file in files:
        place = folder / "files" / file.package / file.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(file.old, "utf-8")
    alone = [name.format(files=folder / "files", half=half) for name in (QUICK_ALONE if quick else ALONE)]
    if (model_folder(model.name) / OWN).is_dir():
        alone.append("eagle")
    alone += also
    both = [f"lookup+{name}" for name in alone[1:]]
    return {NONE: NONE} | {_short(name): name for name in [*alone, *both]}


def _short(setting: str) -> str:
    """Without the folders."""
    return "+".join(part.partition("=")[0] for part in setting.split("+"))


def recommendation(results: Results) -> str:
    """A line a workload. Drafters that the measurement does not tell apart from the fastest are named with it."""
    rows = [_recommended(name, found) for name, found in results.items()]
    return table(["workload", "fastest", "x none", "not distinguishable from it"], rows)


def _recommended(name: str, found: Mapping[str, Row]) -> list[str]:
    order = sorted(found, key=lambda drafter: sum(found[drafter].seconds))
    best = order[0]
    alike = [other for other in order[1:] if faster(found[best].seconds, found[other].seconds) < SURE]
    speed = sum(found[NONE].seconds) / sum(found[best].seconds)
    few = len(found[best].seconds) < FEW
    return [name, best, f"{speed:.2f}", "too few edits to tell" if few else ", ".join(alike) or "-"]


@reported
def main(
    quick: Quick = False,
    model: Model = "embedded",
    also: Annotated[list[str] | None, typer.Option(help="One more drafter, such as eagle=FOLDER.")] = None,
    workload: Annotated[Workload | None, typer.Option(help="Only this one.")] = None,
    json_file: Json = None,
) -> None:
    """Tokens a pass, cost and speed by drafter and kind of span, and which drafter for which workload."""
    with tempfile.TemporaryDirectory(prefix="fastedit-drafters-") as scratch:
        os.environ["XDG_CACHE_HOME"] = str(Path(scratch) / "cache")  # what drafters learn begins anew
        torch.set_num_threads(1)
        loaded = load_model(model)
        count = QUICK if quick else FULL
        asked = {name: WORKLOADS[name]()[:count] for name in ([workload] if workload else WORKLOADS)}
        known = repository(load("test"), [case for cases in asked.values() for case in cases])
        names = settings(loaded, known, Path(scratch), also or (), quick=quick)
        work = {name: region_parts(cases, PER_EDIT)[:count] for name, cases in asked.items()}
        results: Results = {}
        for name, parts in work.items():
            results[name] = measure(loaded, parts, names)
            print(f"{name}: done", file=sys.stderr)
    where = f"1 thread, torch {torch.__version__}, {loaded.target.dtype}; model {model}"
    figures = {
        name: {short: row.figures(rows[NONE]) for short, row in rows.items()}
        for name, rows in results.items()
    }
    publish(where, {}, figures, json_file, quick=quick)
    print(f"\n{recommendation(results)}")


if __name__ == "__main__":
    typer.run(main)
