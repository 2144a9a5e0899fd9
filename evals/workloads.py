"""What ways and drafters are compared on: edits of a known kind, of files that training never saw.

The made ones are cut from real files, so that their lines are real code: a file of a wanted length is put together from
the test split, and one kind of change is made to it, with the sketch that asks for it.
"""

from __future__ import annotations

import contextlib
import random
import re
from collections.abc import Callable, Sequence

from evals.cases import Case, instructions, updates
from evals.edits import RealEdit, load
from evals.sketch import sketch
from fastedit.source.definitions import definitions
from fastedit.source.hunks import diff_lines
from fastedit.source.syntax import Syntax

SEED = 1
MANY_HUNKS = 12
MOST_DRAWS = 5  # for each case that is wanted
NEW = 0.3  # share of new lines in the wanted region from which an edit counts as mostly new
_NAME = re.compile(r"\b[A-Za-z_]\w{3,}\b")


def long_file(files: Sequence[RealEdit], lines: int) -> list[str]:
    """About `lines` lines of Python: whole files of the split, one behind the other, cut behind a definition."""
    found: list[str] = []
    for file in files:
        found += file.old.removesuffix("\n").split("\n")
        if len(found) >= lines:
            break
    stops = [place.stop for place in definitions(Syntax(found, "python")) if place.stop <= lines]
    return found[: max(stops, default=lines)]


def made_case(kind: str, number: int, old: list[str], new: list[str], rng: random.Random) -> Case:
    """The change from `old` to `new` with a sketch that asks for it."""
    size = sum(max(len(hunk.lines), hunk.stop - hunk.start) for hunk in diff_lines(old, new))
    return Case(
        id=f"{kind}:{number}",
        kind="update",
        language="python",
        path=f"{kind.replace(' ', '_')}.py",
        old="\n".join(old) + "\n",
        wanted="\n".join(new) + "\n",
        lines=size,
        update=sketch(old, new, "python", rng),
    )


class NoPlace(Exception):
    """The file has nothing that the kind of change could be made to."""


def _bodies(lines: Sequence[str], least: int, most: int, wanted: int = 1) -> list[tuple[int, int]]:
    """Functions of `least` up to `most` lines, as (header, stop). Raises NoPlace where there are fewer than wanted."""
    places = definitions(Syntax(lines, "python"))
    found = [
        (place.start, place.stop)
        for place in places
        if least <= len(place) <= most
        and lines[place.start].lstrip().startswith("def ")
        and lines[place.stop - 1].strip()
    ]
    if len(found) < wanted:
        raise NoPlace
    return found


def five_lines(old: list[str], rng: random.Random) -> list[str]:
    """Five lines in a row get a note each."""
    start, _ = rng.choice(_bodies(old, 8, 60))
    new = list(old)
    for at in range(start + 1, start + 6):
        new[at] = f"{new[at]}  # note {at}" if new[at].strip() else new[at]
    return new


def many_hunks(old: list[str], rng: random.Random) -> list[str]:
    """One line in each of many functions."""
    new = list(old)
    places = _bodies(old, 3, 60)
    for start, _ in rng.sample(places, min(MANY_HUNKS, len(places))):
        new[start] = f"{new[start]}  # hunk {start}"
    return new


def whole_function(old: list[str], rng: random.Random) -> list[str]:
    """A function gets the body of another one."""
    (start, stop), (other, end) = rng.sample(_bodies(old, 6, 40, wanted=2), 2)
    indent, other_indent = (len(old[at]) - len(old[at].lstrip()) for at in (start, other))
    body = [f"{' ' * indent}{line[other_indent:]}" if line.strip() else line for line in old[other + 1 : end]]
    return [*old[: start + 1], *body, *old[stop:]]


def rename(old: list[str], rng: random.Random) -> list[str]:
    """A name of a function's own is another one throughout the file."""
    counts: dict[str, int] = {}
    for name in _NAME.findall("\n".join(old)):
        counts[name] = counts.get(name, 0) + 1
    names = sorted(name for name, count in counts.items() if 4 <= count <= 12)
    if not names:
        raise NoPlace
    name = rng.choice(names)
    return [re.sub(rf"\b{name}\b", f"{name}_renamed", line) for line in old]


def insertion(old: list[str], rng: random.Random) -> list[str]:
    """Three lines more behind a function's header."""
    start, stop = rng.choice(_bodies(old, 4, 60))
    first = next(line for line in old[start + 1 : stop] if line.strip())
    indent = " " * (len(first) - len(first.lstrip()))
    return [*old[: start + 1], *(f"{indent}inserted_{n} = {n}" for n in range(3)), *old[start + 1 :]]


def new_code(old: list[str], rng: random.Random) -> list[str]:
    """A function that nothing in the file resembles, behind the last line."""
    body = [f"    step_{n} = {rng.randrange(1000)} * step_{n - 1}" for n in range(1, 20)]
    return [*old, "", "", "def brand_new(step_0):", *body, "    return step_19"]


KINDS: dict[str, Callable[[list[str], random.Random], list[str]]] = {
    "five lines": five_lines,
    "many hunks": many_hunks,
    "whole function": whole_function,
    "rename": rename,
    "pure insertion": insertion,
    "new code": new_code,
}


def made(kind: str, count: int, lines: int = 300, seed: int = SEED) -> list[Case]:
    """`count` cases of a kind on files of about `lines` lines, those passed over in which there is no place for it."""
    files = load("test")
    cases: list[Case] = []
    for number in range(MOST_DRAWS * count):
        if len(cases) == count:
            break
        rng = random.Random(f"{seed} {kind} {lines} {number}")
        old = long_file(rng.sample(files, len(files)), lines)
        with contextlib.suppress(NoPlace):
            cases.append(made_case(kind, number, old, KINDS[kind](old, rng), rng))
    return cases


def mostly_new(count: int) -> list[Case]:
    """Real updates, at least NEW of whose region is new."""
    return [case for case in updates("test") if share_new(case) >= NEW][:count]


def share_new(case: Case) -> float:
    """Of the lines that the wanted region has, how many the old one has not."""
    hunks = diff_lines(case.old.split("\n"), case.wanted.split("\n"))
    added = sum(len(hunk.lines) for hunk in hunks)
    gone = sum(hunk.stop - hunk.start for hunk in hunks)
    return added / max(1, case.lines - gone + added)


REAL: dict[str, Callable[[int], list[Case]]] = {
    "real": lambda count: updates("test")[:count],
    "real in other languages": lambda count: updates("test", "languages")[:count],
    "new lines": mostly_new,
    "instruction": lambda count: instructions("test")[:count],
}


def workload(name: str, count: int) -> list[Case]:
    """One of `REAL`, a kind, or `five lines in N`. Raises ValueError for another name."""
    if name in REAL:
        return REAL[name](count)
    if name in KINDS:
        return made(name, count)
    if name.startswith("five lines in ") and name.rpartition(" ")[2].isdecimal():
        return made("five lines", count, int(name.rpartition(" ")[2]))
    known = ", ".join([*REAL, *KINDS, "five lines in N"])
    raise ValueError(f"{name}: no such workload; there are {known}")
