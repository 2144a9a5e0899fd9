"""Cases that are asked for in words: one thing, several at once, or one beside an update that shows another.

Synthetic: families that training knows, made for whole files of packages that it does not, in wordings that are kept
back from training unless said otherwise. What an instruction names is unambiguous in its file, and the wanted file
parses.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from evals.cases import Case, in_turn, lines_of, text_like, whole_region
from evals.edits import RealEdit
from evals.regions import ChangedRegion, definitions_in
from evals.sense import parses
from fastedit.source.hunks import diff_lines
from fastedit.source.languages import language_of
from fastedit.train.change import Change, combined
from fastedit.train.families import FAMILIES, Scene
from fastedit.train.families.wording import dressed, phrases
from fastedit.train.wishes import crossed

DONOR_LINES = 40
ATTEMPTS = 60
SECONDS = 20  # further changes that are tried beside one
NAME = re.compile(r"[A-Za-z_]\w*")
Wish = tuple[str, Change]


def instruction_cases(files: Sequence[RealEdit], each: int, seed: int = 0) -> list[Case]:
    """Up to `each` instructions of every family that Python has, on the old texts of Python files."""
    order = list(in_turn(files, seed))
    cases: list[Case] = []
    for name, family in FAMILIES.items():
        if "python" not in family.languages:
            continue
        rng = random.Random(f"{seed} {name}")
        made: dict[str, Case] = {}
        for _ in range(ATTEMPTS * each):
            file, scene = _scene(rng, order)
            wish = _wish(scene, name)
            case = wish and _case(file, scene, name, wish[1], dressed(rng, wish[0], scene.lines))
            if case is not None:
                made.setdefault(file.path, case)
            if len(made) == each:
                break
        cases += made.values()
    return cases


def spoken_cases(files: Sequence[RealEdit], count: int, seed: int = 0) -> list[Case]:
    """At most `count` instructions of any family, on files of any language."""
    rng = random.Random(f"{seed} spoken")
    made: dict[str, Case] = {}
    for file in in_turn(files, seed):
        for _ in range(ATTEMPTS):
            scene = Scene(rng, *_texts(rng, file, file), _language(file))
            name = rng.choice([n for n, f in FAMILIES.items() if scene.language in f.languages] or [""])
            wish = _wish(scene, name) if name else None
            case = wish and _case(file, scene, name, wish[1], dressed(rng, wish[0], scene.lines))
            if case is not None:
                made[file.path] = case
                break
        if len(made) == count:
            break
    return list(made.values())


def several_cases(files: Sequence[RealEdit], count: int, seed: int = 0) -> list[Case]:
    """At most `count` cases that ask for two things in words."""
    order, rng = list(in_turn(files, seed)), random.Random(f"{seed} several")
    cases: list[Case] = []
    for _ in range(ATTEMPTS * count):
        file, scene = _scene(rng, order)
        found = next(_pairs(scene), None)
        if found is not None:
            cases += [case for case in [_several(file, scene, *found)] if case is not None]
        if len(cases) == count:
            break
    return cases


def _pairs(scene: Scene) -> Iterator[tuple[Wish, Wish, Change]]:
    """Two wishes for lines near each other, and the change that both together are."""
    names = [name for name, family in FAMILIES.items() if scene.language in family.languages]
    first = _wish(scene, scene.rng.choice(names))
    if first is None or "\n" in first[0]:
        return
    for _ in range(SECONDS):
        second = _wish(scene, scene.rng.choice(names))
        if second is None or crossed(first[1], second[0]) or crossed(second[1], first[0]):
            continue
        whole = combined(first[1], second[1])
        if whole is not None and _region(scene, whole) is not None:
            yield first, second, whole


def _several(file: RealEdit, scene: Scene, first: Wish, second: Wish, whole: Change) -> Case | None:
    sentence = first[0] + scene.rng.choice(phrases("joints")) + second[0]
    return _case(file, scene, "several", whole, dressed(scene.rng, sentence, scene.lines))


def _scene(rng: random.Random, order: Sequence[RealEdit]) -> tuple[RealEdit, Scene]:
    file = rng.choice(order)
    return file, Scene(rng, *_texts(rng, file, rng.choice(order)), "python")


def _texts(rng: random.Random, file: RealEdit, donor: RealEdit) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A file's lines, and some of another from which names and code are borrowed."""
    lines = lines_of(donor.old)
    at = rng.randrange(max(1, len(lines) - DONOR_LINES))
    return tuple(lines_of(file.old)), tuple(lines[at : at + DONOR_LINES])


def _language(file: RealEdit) -> str:
    return language_of(Path(file.path), file.old)


def _wish(scene: Scene, name: str) -> Wish | None:
    """A family's sentence and change, unless the file leaves open what is meant."""
    made = FAMILIES[name].bare(scene, held_out=True)
    return None if made is None or ambiguous(made[0], scene.lines) else made


def _region(scene: Scene, change: Change) -> ChangedRegion | None:
    """The one region that holds the change; None where there is none, or no change."""
    hunks = diff_lines(scene.lines, change.text)
    return whole_region(len(scene.lines), hunks, definitions_in(scene.lines, scene.language))


def _case(file: RealEdit, scene: Scene, kind: str, change: Change, instruction: str) -> Case | None:
    region = _region(scene, change)
    if region is None or not parses(change.text, scene.language):
        return None
    return Case(
        id=f"{file.package}/{file.path}:{region.hunks[0].start + 1}:{kind}",
        kind=kind,
        language=scene.language,
        path=file.path,
        old=file.old,
        wanted=text_like(change.text, file.old),
        lines=region.lines,
        instruction=instruction,
    )


def ambiguous(instruction: str, lines: Sequence[str]) -> bool:
    """Whether a person could read the instruction in another way in this file."""
    text = "\n".join(lines)
    return any(_defined(word, text) > 1 for word in set(NAME.findall(instruction)))


def _defined(name: str, text: str) -> int:
    return len(re.findall(rf"^\s*(?:async\s+)?(?:def|class)\s+{name}\b", text, re.MULTILINE))
