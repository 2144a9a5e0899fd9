"""Whole lines that go, come, move or take each other's place."""

from __future__ import annotations

from fastedit.train.change import Change, revised
from fastedit.train.families.scene import Parts, Scene, family
from fastedit.train.families.speech import ANY
from fastedit.train.families.wording import handed
from fastedit.train.regions import indent_of, reindent

# A line that ends so goes on in the next.
_OPEN = (":", ",", "(", "[", "{", "\\", "=>", "->", "&&", "||", "+", "=", ".", "|", ">")


def _block(scene: Scene, most: int) -> list[str]:
    """Lines of code from elsewhere, at no indentation, that the region has not."""
    count = min(most, scene.rng.choice((1, 1, 1, 2, 3)))
    start = scene.rng.randrange(max(1, len(scene.donor) - count))
    block = [line.rstrip() for line in reindent(scene.donor[start : start + count], "") if line.strip()]
    here = {line.strip() for line in scene.lines}
    return [] if any("`" in line or line.strip() in here for line in block) else block


@family(
    languages=ANY,
)
def delete_line(scene: Scene) -> tuple[Parts, Change] | None:
    at = scene.pick(scene.unique())
    if at is None or len(scene.lines) < 3:
        return None
    return {"a": scene.shown(at), "w": scene.where(at)}, revised(scene.lines, drop={at})


def _inserted(scene: Scene, before: bool) -> tuple[Parts, Change] | None:
    at, block = scene.pick(scene.unique()), _block(scene, 3)
    if at is None or not block or (not before and scene.lines[at].rstrip().endswith(_OPEN)):
        return None
    new = [scene.indent(at) + line for line in block]
    parts = {"a": scene.rng.choice(("", "", "the line ")) + scene.shown(at), "code": handed(scene.rng, block)}
    return parts, revised(scene.lines, insert={at if before else at + 1: new})


@family(
    languages=ANY,
)
def insert_after(scene: Scene) -> tuple[Parts, Change] | None:
    return _inserted(scene, before=False)


@family(
    languages=ANY,
)
def insert_before(scene: Scene) -> tuple[Parts, Change] | None:
    return _inserted(scene, before=True)


@family(
    languages=ANY,
)
def replace_line(scene: Scene) -> tuple[Parts, Change] | None:
    at, block = scene.pick(scene.unique()), _block(scene, 2)
    if at is None or not block:
        return None
    first, *rest = [scene.indent(at) + line for line in block]
    change = revised(scene.lines, {at: first}, insert={at + 1: rest})
    return {"a": scene.shown(at), "code": handed(scene.rng, block)}, change


def _level(scene: Scene) -> list[int]:
    """Lines that could stand in each other's place: quotable and nothing open behind them."""
    return [at for at in scene.unique() if not scene.lines[at].rstrip().endswith(_OPEN)]


@family(
    languages=ANY,
)
def swap_lines(scene: Scene) -> tuple[Parts, Change] | None:
    first = scene.pick(_level(scene))
    if first is None:
        return None
    near = range(first + 1, min(len(scene.lines), first + 6))
    second = scene.pick(
        [at for at in near if at in _level(scene) and scene.indent(at) == scene.indent(first)]
    )
    if second is None:
        return None
    change = revised(scene.lines, {first: scene.lines[second], second: scene.lines[first]})
    return {"a": scene.shown(first), "b": scene.shown(second)}, change


@family(
    languages=ANY,
)
def move_line(scene: Scene) -> tuple[Parts, Change] | None:
    level = _level(scene)
    at, before = scene.pick(level), scene.chance(0.5)
    if at is None:
        return None
    target = scene.pick([i for i in level if i != at and scene.indent(i) == scene.indent(at)])
    gap = (target if before else target + 1) if target is not None else at
    if gap in (at, at + 1):
        return None
    change = revised(scene.lines, drop={at}, insert={gap: [scene.lines[at]]})
    side = scene.rng.choice(("before", "above") if before else ("after", "below", "behind"))
    assert target is not None
    return {"a": scene.shown(at), "b": scene.shown(target), "side": side}, change


@family(
    languages=ANY,
)
def duplicate_line(scene: Scene) -> tuple[Parts, Change] | None:
    at = scene.pick(_level(scene))
    if at is None:
        return None
    return {"a": scene.shown(at)}, revised(scene.lines, insert={at + 1: [scene.lines[at]]})


@family(
    languages=ANY,
)
def delete_block(scene: Scene) -> tuple[Parts, Change] | None:
    unique = scene.unique()
    first = scene.pick(unique)
    last = scene.pick([at for at in unique if first is not None and first + 1 < at < first + 9])
    if first is None or last is None or last - first + 1 >= len(scene.lines):
        return None
    within = scene.lines[first : last + 1]
    if any(line.strip() and indent_of(line) < indent_of(scene.lines[first]) for line in within):
        return None
    parts = {"a": scene.shown(first), "b": scene.shown(last)}
    return parts, revised(scene.lines, drop=range(first, last + 1))


@family(
    languages=ANY,
)
def delete_shown(scene: Scene) -> tuple[Parts, Change] | None:
    first = scene.pick(scene.unique())
    if first is None:
        return None
    stop = min(len(scene.lines), first + scene.rng.choice((1, 2, 2, 3, 4)))
    shown = scene.lines[first:stop]
    if len(shown) == len(scene.lines) or not shown[-1].strip() or any("```" in line for line in shown):
        return None
    code = "\n".join([":", *(reindent(shown, "") if scene.chance(0.5) else shown)])
    return {"code": code}, revised(scene.lines, drop=range(first, stop))
