"""Evaluation cases: a whole file, what is asked, and the one text that is right.

Two sources, both on packages that training never saw. *Real*, here: a changed region of a file between two releases,
asked for by an update sketch. *Synthetic*, in `evals.instructions`: what is asked in words.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path

from evals.edits import RealEdit
from evals.regions import MOST, ChangedRegion, changed_regions, definitions_in
from evals.sense import asks_for_something, stands_alone
from evals.sketch import sketch
from fastedit.request import LineRange
from fastedit.source.hunks import Hunk, diff_lines
from fastedit.source.languages import language_of

PER_FILE = 2


@dataclass(frozen=True, slots=True)
class Case:
    """One edit. `lines` is the changed region's length.

    `kind` is `update`, the instruction's family, or `several` for an instruction that asks for two things.
    """

    id: str
    kind: str
    language: str
    path: str
    old: str
    wanted: str
    lines: int
    instruction: str | None = None
    update: str | None = None


def update_cases(files: Sequence[RealEdit], count: int, seed: int = 0) -> list[Case]:
    """At most `count` real edits, taken from the packages in turn and at most two from a file.

    Regions that make no sense without the file's other changes are left out, and those of which no sketch can tell what
    changes, for what goes looks like what stays.
    """
    cases: list[Case] = []
    for file in in_turn(files, seed):
        if len(cases) >= count:
            break
        old, new = lines_of(file.old), lines_of(file.new)
        language = language_of(Path(file.path), file.old)
        regions, _ = changed_regions(len(old), diff_lines(old, new), definitions_in(old, language))
        rng = random.Random(f"{seed} {file.package} {file.path}")
        for region in rng.sample(regions, min(PER_FILE, len(regions))):
            wanted = _applied(old, region)
            if not stands_alone(old, wanted, language):
                continue
            update = sketch(old, wanted, language, rng)
            if asks_for_something(update, old, language):
                cases.append(_update_case(file, region, language, text_like(wanted, file.old), update))
    return cases[:count]


def _applied(old: Sequence[str], region: ChangedRegion) -> list[str]:
    new = list(old)
    for hunk in reversed(region.hunks):
        new[hunk.start : hunk.stop] = hunk.lines
    return new


def _update_case(file: RealEdit, region: ChangedRegion, language: str, wanted: str, update: str) -> Case:
    return Case(
        id=f"{file.package}/{file.path}:{region.start + 1}",
        kind="update",
        language=language,
        path=file.path,
        old=file.old,
        wanted=wanted,
        lines=region.lines,
        update=update,
    )


def lines_of(text: str) -> list[str]:
    """Lines without their ends; a final line feed opens no further line."""
    return text.removesuffix("\n").split("\n")


def text_like(lines: Sequence[str], like: str) -> str:
    """The lines as a text that ends as another does."""
    return "\n".join(lines) + ("\n" if like.endswith("\n") else "")


def whole_region(count: int, hunks: Sequence[Hunk], places: Sequence[LineRange]) -> ChangedRegion | None:
    """The one region that holds all hunks; None where they lie too far apart."""
    regions, unusable = changed_regions(count, hunks, places)
    if unusable or not regions:
        return None
    whole = ChangedRegion(regions[0].start, regions[-1].stop, list(hunks))
    return whole if whole.lines <= MOST else None


def in_turn(files: Sequence[RealEdit], seed: int) -> Iterator[RealEdit]:
    """The files in random order, one of each package in turn."""
    rng = random.Random(seed)
    packages: dict[str, list[RealEdit]] = {}
    for file in files:
        packages.setdefault(file.package, []).append(file)
    shuffled = [rng.sample(group, len(group)) for group in packages.values()]
    return (file for file in chain.from_iterable(zip_longest(*shuffled)) if file is not None)
