"""What drafters are compared on: regions of five kinds of edit, all of files that training never saw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from evals.cases import Case, lines_of, update_cases
from evals.edits import RealEdit
from evals.instructions import spoken_cases
from evals.ways import region_parts
from evals.workloads import made
from fastedit.engine.plan import Part
from fastedit.source.hunks import diff_lines

SEED = 1
NEW = 0.3  # share of new lines in the wanted region from which an edit counts as mostly new
PER_EDIT = 2  # regions of one edit
PLENTY = 15  # edits that are looked through for each that is wanted
REPOSITORY = 30  # files that are not edited
Workload = Literal["update", "instruction", "new lines", "rename", "insertion"]
WORKLOADS: tuple[Workload, ...] = get_args(Workload)


def cases_of(name: Workload, files: Sequence[RealEdit], count: int) -> list[Case]:
    """`update`: real changes, shown. `instruction`: synthetic ones, asked for in words. `new lines`: real changes at
    least NEW of whose region is new. `rename`: a name of the file's own, throughout a file of about 300 lines.
    `insertion`: a function of 20 lines that nothing in the file resembles."""
    if name == "instruction":
        return spoken_cases(files, count, SEED)
    if name == "rename":
        return made("rename", count)
    if name == "insertion":
        return made("new code", count)
    if name == "update":
        return update_cases(files, count, SEED)
    return [case for case in update_cases(files, PLENTY * count, SEED) if share_new(case) >= NEW][:count]


def share_new(case: Case) -> float:
    """Of the lines that the wanted region has, how many the old one has not."""
    hunks = diff_lines(lines_of(case.old), lines_of(case.wanted))
    added = sum(len(hunk.lines) for hunk in hunks)
    gone = sum(hunk.stop - hunk.start for hunk in hunks)
    return added / max(1, case.lines - gone + added)


def regions(cases: Sequence[Case], most: int) -> list[Part]:
    """What the engine would rewrite, up to `most`."""
    return region_parts(cases, PER_EDIT)[:most]


def repository(files: Sequence[RealEdit], cases: Sequence[Case]) -> list[RealEdit]:
    """The files that are edited, and others of their packages."""
    packages, paths = {case.id.partition("/")[0] for case in cases}, {case.path for case in cases}
    inside = [file for file in files if file.package in packages]
    return sorted(inside, key=lambda file: file.path not in paths)[: len(paths) + REPOSITORY]
