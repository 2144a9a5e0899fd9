"""Changes of any kind at random places, for updates to show."""

from __future__ import annotations

import random

from fastedit.source.outline import indentation
from fastedit.train.changes.change import KEYWORDS, NUMBER, STRING, WORD, Out, RegionChange, kept, spliced
from fastedit.train.changes.regions import reindent

MOVES, REWRITES = 0.06, 0.06  # shares of changes


def random_change(
    rng: random.Random, lines: tuple[str, ...], donor: tuple[str, ...], hunks: int
) -> RegionChange | None:
    """Replace, insert, delete, move or modify lines in up to `hunks` places; new code comes from the donor lines."""
    if rng.random() < MOVES and (change := _moved(rng, lines)) is not None:
        return change
    if rng.random() < REWRITES and len(lines) > 3:
        answer = _rewritten(rng, lines, donor)
    else:
        answer = _edited(rng, lines, donor, hunks)
    if tuple(out.text for out in answer) == lines or not (answer and _ends_inferable(answer, len(lines))):
        return None
    return RegionChange(lines, tuple(answer))


def _edited(rng: random.Random, lines: tuple[str, ...], donor: tuple[str, ...], hunks: int) -> list[Out]:
    answer: list[Out] = []
    at, spots = 0, sorted(rng.sample(range(len(lines) + 1), min(hunks, len(lines))))
    for spot in spots:
        if spot < at:
            continue
        answer += kept(lines, at, spot)
        new, at = _edit_at(rng, lines, spot, donor)
        answer += new
    return answer + kept(lines, at)


def _moved(rng: random.Random, lines: tuple[str, ...]) -> RegionChange | None:
    """Up to six lines put elsewhere, where both places have lines around them that stay."""
    count = rng.choice((1, 1, 2, 3, 4, 6))
    if len(lines) < count + 4:
        return None
    start = rng.randrange(1, len(lines) - count)
    stop = start + count
    gaps = [gap for gap in range(1, len(lines)) if gap < start - 1 or gap > stop + 1]
    if not gaps or not any(line.strip() for line in lines[start:stop]):
        return None
    gap = rng.choice(gaps)
    near = next((lines[i] for i in range(gap - 1, -1, -1) if lines[i].strip()), "")
    block = lines[start:stop]
    block = tuple(reindent(block, indentation(near))) if rng.random() < 0.3 else block
    moved = [Out(text) for text in block]
    if gap < start:
        answer = [*kept(lines, 0, gap), *moved, *kept(lines, gap, start), *kept(lines, stop)]
    else:
        answer = [*kept(lines, 0, start), *kept(lines, stop, gap), *moved, *kept(lines, gap)]
    return RegionChange(lines, tuple(answer))


def _rewritten(rng: random.Random, lines: tuple[str, ...], donor: tuple[str, ...]) -> list[Out]:
    """Much of what stands between the first line and the last one said anew."""
    answer = kept(lines, 0, 1)
    for line in range(1, len(lines) - 1):
        roll = rng.random()
        if roll < 0.2:
            answer += [Out(text) for text in _borrowed(rng, lines, line, donor)]
        if roll < 0.3:
            answer.append(modified(rng, lines, line, donor))
        elif roll < 0.75:
            answer += kept(lines, line, line + 1)
    return answer + kept(lines, len(lines) - 1)


def _ends_inferable(answer: list[Out], count: int) -> bool:
    """Nothing vanishes at the region's head or tail, where no sketch can show it."""
    lines = [out.line for out in answer if out.line is not None]
    return bool(lines) and lines[0] == 0 and lines[-1] == count - 1


def _edit_at(
    rng: random.Random, lines: tuple[str, ...], spot: int, donor: tuple[str, ...]
) -> tuple[list[Out], int]:
    kind = rng.choices(("modify", "insert", "replace", "delete", "double"), (40, 25, 18, 13, 4))[0]
    left = len(lines) - spot
    if not left:
        return [Out(text) for text in _borrowed(rng, lines, spot - 1, donor)], spot
    if kind == "modify":
        count = min(left, rng.choice((1, 1, 1, 2, 3)))
        return [modified(rng, lines, i, donor) for i in range(spot, spot + count)], spot + count
    if kind == "delete" and len(lines) > 2:
        return [], spot + min(left, rng.choice((1, 1, 2, 3, 5)))
    if kind == "double":
        copy = [
            modified(rng, lines, i, donor) for i in range(spot, min(len(lines), spot + rng.randint(1, 3)))
        ]
        return [Out(out.text) for out in copy], spot
    new = [Out(text) for text in _borrowed(rng, lines, spot, donor)]
    if kind == "insert":
        return new, spot
    return new, spot + min(left, rng.choice((1, 1, 2, 3, 4)))


def _borrowed(rng: random.Random, lines: tuple[str, ...], spot: int, donor: tuple[str, ...]) -> list[str]:
    count = rng.choice((1, 1, 1, 2, 2, 3, 4, 6))
    start = rng.randrange(max(1, len(donor) - count))
    near = next((lines[i] for i in range(spot, -1, -1) if lines[i].strip()), "")
    block = reindent(donor[start : start + count], indentation(near))
    # Blank lines where new code meets old are a matter of taste.
    while block and not block[-1]:
        block.pop()
    return block[next((i for i, line in enumerate(block) if line), len(block)) :]


def modified(rng: random.Random, lines: tuple[str, ...], index: int, donor: tuple[str, ...]) -> Out:
    """A version of one line with a name, number, string or ending changed."""
    line = lines[index]
    if not line.strip():
        return Out(line, index, True)
    names = [m for m in WORD.finditer(line) if m[0] not in KEYWORDS]
    others = [m[0] for text in donor for m in WORD.finditer(text) if m[0] not in KEYWORDS]
    roll = rng.random()
    if roll < 0.2 and (numbers := list(NUMBER.finditer(line))):
        found = rng.choice(numbers)
        return Out(spliced(line, found, str(rng.choice((0, 1, 2, 5, 10, 64, rng.randint(0, 999))))), index)
    if roll < 0.35 and (strings := list(STRING.finditer(line))) and others:
        found = rng.choice(strings)
        return Out(spliced(line, found, found[0][0] + rng.choice(others) + found[0][0]), index)
    if names and others:
        found = rng.choice(names)
        new = rng.choice(others)
        shape = rng.choice(
            (new, new, f"{found[0]}_{new}", f"{found[0]}, {new}", f"{new}.{found[0]}", f"{new}({found[0]})")
        )
        return Out(spliced(line, found, shape), index)
    return Out(line + rng.choice(("  # TODO", ";", ",", "  # noqa")), index)
