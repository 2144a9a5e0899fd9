"""Evaluation cases: a whole file, what is asked, and the one text that is right.

Two sources, both on packages that training never saw. *Real*: a changed region of a file between two releases,
asked for by an update sketch. *Synthetic*: an instruction of a family that training knows, made for a whole file,
so that what it names is unambiguous there, and such that the file still parses.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path

from evals.edits import RealEdit
from evals.regions import MOST, ChangedRegion, changed_regions, definitions_in
from evals.sense import asks_for_something, parses, stands_alone
from evals.sketch import sketch
from fastedit.edit.hunks import Hunk, diff_lines
from fastedit.edit.language import language_of
from fastedit.edit.request import LineRange
from fastedit.train.families import FAMILIES, IMPORT

PER_FILE = 2
DONOR_LINES = 40
ATTEMPTS = 60
IMPORT_LIKE = re.compile(r"\s*(?:import|from)\s")
NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Case:
    """One edit. `kind` is `update` or the instruction's family; `lines` is the changed region's length."""

    id: str
    kind: str
    language: str
    path: str
    old: str
    wanted: str
    lines: int
    hunks: int
    instruction: str | None = None
    update: str | None = None

    @property
    def mode(self) -> str:
        return "update" if self.kind == "update" else "instruction"


@dataclass(slots=True)
class Census:
    """Hunks of the files that were opened, and those that no region of up to 60 lines holds.

    Then the regions that were drawn and left out: `torn` make no sense without the file's other changes, and of
    `silent` ones no sketch can tell what changes, for what goes looks like what stays.
    """

    files: int = 0
    hunks: int = 0
    unusable: int = 0
    torn: int = 0
    silent: int = 0

    def describe(self) -> str:
        return (
            f"{self.unusable} of the {self.hunks} hunks in {self.files} files need more than {MOST} lines, "
            f"{self.torn} regions make no sense alone, {self.silent} sketches ask for nothing"
        )


def update_cases(files: Sequence[RealEdit], count: int, seed: int = 0) -> tuple[list[Case], Census]:
    """At most `count` real edits, taken from the packages in turn and at most two from a file."""
    cases: list[Case] = []
    census = Census()
    for file in in_turn(files, seed):
        if len(cases) >= count:
            break
        old, new = lines_of(file.old), lines_of(file.new)
        hunks = diff_lines(old, new)
        language = language_of(Path(file.path), file.old)
        regions, unusable = changed_regions(len(old), hunks, definitions_in(old, language))
        census.files += 1
        census.hunks += len(hunks)
        census.unusable += unusable
        rng = random.Random(f"{seed} {file.package} {file.path}")
        for region in rng.sample(regions, min(PER_FILE, len(regions))):
            wanted = _applied(old, region)
            if not stands_alone(old, wanted, language):
                census.torn += 1
                continue
            update = sketch(old, wanted, language, rng)
            if not asks_for_something(update, old, language):
                census.silent += 1
                continue
            cases.append(_update_case(file, region, language, _text(wanted, file.old), update))
    return cases[:count], census


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
        hunks=len(region.hunks),
        update=update,
    )


def instruction_cases(files: Sequence[RealEdit], each: int, seed: int = 0) -> list[Case]:
    """Up to `each` instructions of every family, on the old texts of the files."""
    order = list(in_turn(files, seed))
    cases: list[Case] = []
    for name, family in FAMILIES.items():
        if "python" not in family.languages:
            continue
        rng = random.Random(f"{seed} {name}")
        made: dict[str, Case] = {}
        for _ in range(ATTEMPTS * each):
            file, donor = rng.choice(order), rng.choice(order)
            case = _instruction_case(name, file, lines_of(donor.old), rng)
            if case is not None:
                made.setdefault(file.path, case)
            if len(made) == each:
                break
        cases += made.values()
    return cases


def _instruction_case(name: str, file: RealEdit, donor: list[str], rng: random.Random) -> Case | None:
    lines = tuple(lines_of(file.old))
    at = rng.randrange(max(1, len(donor) - DONOR_LINES))
    made = FAMILIES[name](rng, lines, tuple(donor[at : at + DONOR_LINES]))
    if made is None:
        return None
    instruction, change = made
    hunks = diff_lines(lines, change.text)
    wanted = _text(change.text, file.old)
    if not hunks or ambiguous(name, instruction, lines) or not parses(change.text, "python"):
        return None
    region = whole_region(len(lines), hunks, definitions_in(lines, "python"))
    if region is None:
        return None
    return Case(
        id=f"{file.package}/{file.path}:{region.start + 1}:{name}",
        kind=name,
        language="python",
        path=file.path,
        old=file.old,
        wanted=wanted,
        lines=region.lines,
        hunks=len(hunks),
        instruction=instruction,
    )


def lines_of(text: str) -> list[str]:
    """Lines without their ends; a final line feed opens no further line."""
    return text.removesuffix("\n").split("\n")


def _text(lines: Sequence[str], like: str) -> str:
    return "\n".join(lines) + ("\n" if like.endswith("\n") else "")


def whole_region(count: int, hunks: Sequence[Hunk], places: Sequence[LineRange]) -> ChangedRegion | None:
    """The one region that holds all hunks; None where they lie too far apart."""
    regions, unusable = changed_regions(count, hunks, places)
    if unusable or not regions:
        return None
    whole = ChangedRegion(regions[0].start, regions[-1].stop, list(hunks))
    return whole if whole.lines <= MOST else None


def ambiguous(name: str, instruction: str, lines: Sequence[str]) -> bool:
    """Whether a person could read the instruction in another way in this file."""
    text = "\n".join(lines)
    if any(_defined(word, text) > 1 for word in set(NAME.findall(instruction))):
        return True
    if name == "add_import":
        runs = [bool(IMPORT.match(line)) for line in lines]
        starts = sum(now and not before for before, now in zip([False, *runs], runs, strict=False))
        return starts > 1 or any(IMPORT_LIKE.match(line) and not IMPORT.match(line) for line in lines)
    return False


def _defined(name: str, text: str) -> int:
    return len(re.findall(rf"^\s*(?:async\s+)?(?:def|class)\s+{name}\b", text, re.MULTILINE))


def in_turn(files: Sequence[RealEdit], seed: int) -> Iterator[RealEdit]:
    """The files in random order, one of each package in turn."""
    rng = random.Random(seed)
    packages: dict[str, list[RealEdit]] = {}
    for file in files:
        packages.setdefault(file.package, []).append(file)
    shuffled = [rng.sample(group, len(group)) for group in packages.values()]
    return (file for file in chain.from_iterable(zip_longest(*shuffled)) if file is not None)
