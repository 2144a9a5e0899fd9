"""`python -m evals.fidelity`: a generated torture set through every surface, byte for byte.

An edit is right where the whole file is one of the results that differ in nothing but the edit; it may be held back
as suspect or refused, and then nothing may have changed. Everything else is a failure. With policy `model` the model
writes the edited definition anew, rightly or not: there every byte outside the definition is compared.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from evals.fidelity.language_server import LanguageServer, language_server
from evals.fidelity.surfaces import FileCommand, Http, Outcome, PipeCommand, Surface, mcp
from evals.fidelity.torture import SEED, Torture, torture
from evals.publish import Json, Model, Quick, publish
from evals.serving import serving

QUICK = 24
WITH_MODEL, QUICK_WITH_MODEL = 60, 3
LONGEST_FOR_MODEL = 4_000  # bytes; the torture of a model is its time


@dataclass(frozen=True, slots=True)
class Verdict:
    """`result` is exact, held, refused or failed; `why` says what failed."""

    case: str
    surface: str
    policy: str
    result: str
    why: str = ""


def judge(case: Torture, surface: str, policy: str, outcome: Outcome) -> Verdict:
    """What became of one case."""
    held = {"suspect": "held", "refused": "refused"}.get(outcome.status)
    why = outcome.fault
    if not why and held is None:
        why = _lost(case, policy, outcome.data)
    return Verdict(case.id, surface, policy, "failed" if why else held or "exact", why)


def _lost(case: Torture, policy: str, data: bytes | None) -> str:
    """What is wrong with delivered bytes; empty where nothing is."""
    if data is None:
        return "nothing came back"
    if not case.wanted:
        return "edited though it is no text"
    if data in case.wanted:
        return ""
    before, behind = case.frame
    if policy == "merge" or not before:
        return f"other bytes: {_difference(data, case)}"
    inside = data.startswith(before) and data.endswith(behind) and len(data) >= len(before) + len(behind)
    return "" if inside else f"bytes outside the definition changed: {_difference(data, case)}"


def _difference(data: bytes, case: Torture) -> str:
    """The first place where the result leaves the nearest right one."""

    def common(wanted: bytes) -> int:
        pairs = zip(data, wanted, strict=False)
        return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(data), len(wanted)))

    wanted = max(case.wanted, key=common)
    at = common(wanted)
    return f"at byte {at} {data[at : at + 24]!r} for {wanted[at : at + 24]!r}"


def run(surface: Surface, cases: Sequence[Torture], policy: str) -> Iterator[Verdict]:
    console = Console(stderr=True)
    for case in track(cases, f"{surface.name}, {policy}", console=console, transient=True):
        yield judge(case, surface.name, policy, surface.edit(case, policy))


def all_surfaces(cases: Sequence[Torture], asked: Sequence[Torture], model: str) -> Iterator[Verdict]:
    """Every case by merge through every surface; the asked ones by the model too, where the surface has the choice."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield from run(FileCommand(folder), cases, "merge")
        yield from run(PipeCommand(folder), cases, "merge")
        with language_server(model) as connection:
            for opens in (True, False):
                yield from run(LanguageServer(connection, folder, opens=opens), cases, "merge")
            yield from run(LanguageServer(connection, folder, opens=True), asked, "model")
        with serving(model) as server:
            yield from run(Http(server.url, native=True), cases, "merge")
            yield from run(Http(server.url, native=False), cases, "auto")
            yield from run(Http(server.url, native=True), asked, "model")
        with mcp(folder, model) as tool:
            yield from run(tool, cases, "auto")


def figures(verdicts: Sequence[Verdict]) -> dict[str, dict[str, int]]:
    """Counts by surface and policy."""
    found: dict[str, Counter[str]] = {}
    for verdict in verdicts:
        found.setdefault(f"{verdict.surface}, {verdict.policy}", Counter())[verdict.result] += 1
    names = ("exact", "held", "refused", "failed")
    return {
        name: {"cases": counts.total()} | {key: counts[key] for key in names}
        for name, counts in found.items()
    }


def main(
    quick: Quick = False,
    model: Model = "embedded",
    only: Annotated[str, typer.Option(help="Cases whose name has this in it.")] = "",
    json_file: Json = None,
) -> None:
    """Bytes that an edit does not concern, counted by surface; ends with 1 where any was lost."""
    rng = random.Random(SEED)
    cases = [case for case in torture() if only in case.id]
    short = [case for case in cases if case.frame[0] and case.wanted and len(case.data) < LONGEST_FOR_MODEL]
    if quick:
        cases, short = (rng.sample(some, min(QUICK, len(some))) for some in (cases, short))
    asked = rng.sample(short, min(QUICK_WITH_MODEL if quick else WITH_MODEL, len(short)))
    verdicts = list(all_surfaces(cases, asked, model))
    found = figures(verdicts)
    failed = [verdict for verdict in verdicts if verdict.result == "failed"]
    for verdict in failed:
        print(f"{verdict.surface}, {verdict.policy}: {verdict.case}: {verdict.why}", file=sys.stderr)
    headline = {"cases": len(verdicts), "failures": len(failed)}
    settings = f"{len(cases)} files with one edit each, seed {SEED}; model {model}"
    publish(settings, headline, found, json_file, quick=quick, failed=[asdict(each) for each in failed])
    raise typer.Exit(1 if failed else 0)


if __name__ == "__main__":
    typer.run(main)
