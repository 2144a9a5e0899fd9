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
    "[delete|remove|drop] the line {a}{w}",
    "[delete|remove|drop] {a}{w}",
    "take out the line {a}",
    "[take|throw] {a} out",
    "get rid of [the line |]{a}{w}",
    "{a} [can|should|must] go",
    "we [don't|do not] need {a} any more, [remove|delete] it",
    "the line {a} is [wrong|superfluous|not needed], [remove|delete] it",
    "{a} is no longer [needed|used], drop it",
    "[erase|strip] [the line |]{a}",
    kept_back=("kill the line {a}", "there should be no {a} any more", "{a} has to be removed{w}"),
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
    "[after|below|behind|right after] {a} [add|insert|put]{code}",
    "[add|insert|put] [after|below|behind] {a}{code}",
    "[add|insert|put] this [after|below|behind|right after] {a}{code}",
    "[add|insert] the following [after|below] {a}{code}",
    "[after|directly below] {a} we need{code}",
    "{a} should be followed by this{code}",
    "[after|below] {a} there should be{code}",
    "[append|add] to {a}{code}",
    kept_back=("next after {a} comes{code}", "place this under {a}{code}", "follow {a} with{code}"),
    languages=ANY,
)
def insert_after(scene: Scene) -> tuple[Parts, Change] | None:
    return _inserted(scene, before=False)


@family(
    "[before|above|right before] {a} [add|insert|put]{code}",
    "[add|insert|put] [before|above|in front of] {a}{code}",
    "[add|insert|put] this [before|above|right above] {a}{code}",
    "[add|insert] the following [before|above] {a}{code}",
    "[before|directly above] {a} we need{code}",
    "{a} should be preceded by this{code}",
    "[before|above] {a} there should be{code}",
    "[insert|put] on top of {a}{code}",
    kept_back=("ahead of {a} goes{code}", "place this over {a}{code}", "precede {a} with{code}"),
    languages=ANY,
)
def insert_before(scene: Scene) -> tuple[Parts, Change] | None:
    return _inserted(scene, before=True)


@family(
    "replace [the line |]{a} [with|by]{code}",
    "[change|turn] the line {a} [to|into]{code}",
    "instead of {a} [write|put|use]{code}",
    "[write|use] this instead of {a}{code}",
    "the line {a} should [be|read]{code}",
    "{a} should become{code}",
    "rewrite [the line |]{a} as{code}",
    "swap [the line |]{a} for{code}",
    kept_back=("exchange {a} for{code}", "put in place of {a}{code}", "what says {a} must say{code}"),
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
    "swap [the lines |]{a} and {b}",
    "[exchange|switch|interchange] [the lines |]{a} and {b}",
    "swap {a} with {b}",
    "{a} and {b} should [swap|change|trade] places",
    "swap the order of {a} and {b}",
    "{b} [belongs|should come|must come] before {a}, swap them",
    "the lines {a} and {b} are in the wrong order, [swap|exchange] them",
    "reverse the order of {a} and {b}",
    kept_back=("{a} and {b} need to trade places", "flip {a} and {b}"),
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
    "move [the line |]{a} [{side}|right {side}|directly {side}] {b}",
    "{a} [belongs|should stand|should be|must come] {side} {b}, move it",
    "put [the line |]{a} {side} {b}[ instead|]",
    "[the line |]{a} should move {side} {b}",
    "shift {a} so that it stands [right |]{side} {b}",
    "please move {a}: it belongs [right |]{side} {b}",
    "take {a} and put it {side} {b}",
    "{a} has to be {side} {b}, move it there",
    kept_back=("relocate {a} to [right |]{side} {b}", "{a} should go {side} {b} instead of where it is"),
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
    "duplicate [the line |]{a}",
    "[copy|repeat] the line {a} [right |directly |]below it",
    "add a second {a} [right|directly] [after|below] the first",
    "{a} should be there twice",
    "write [the line |]{a} twice",
    "double the line {a}",
    "we need {a} twice in a row",
    "repeat {a} on the next line",
    kept_back=("put a copy of {a} under it", "{a} is needed two times in a row"),
    languages=ANY,
)
def duplicate_line(scene: Scene) -> tuple[Parts, Change] | None:
    at = scene.pick(_level(scene))
    if at is None:
        return None
    return {"a": scene.shown(at)}, revised(scene.lines, insert={at + 1: [scene.lines[at]]})


@family(
    "[delete|remove|drop] the lines from {a} to {b}",
    "[delete|remove|drop] everything from {a} [to|through|up to and including] {b}",
    "[delete|remove] the block from {a} to {b}",
    "take out the lines from {a} [to|through] {b}",
    "get rid of the lines {a} to {b}",
    "[delete|remove] all lines [from {a} to {b}|between {a} and {b}, both included]",
    "the code from {a} to {b} is no longer needed, remove it",
    "from {a} to {b}: delete",
    kept_back=("erase what stands from {a} through {b}", "nothing from {a} to {b} should remain"),
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
    "[delete|remove|drop] [these|the following] lines{code}",
    "[delete|remove] this{code}",
    "[delete|remove] [this|the following] [code|block|part]{code}",
    "take [this|these lines] out{code}",
    "get rid of [this|the following]{code}",
    "[this|the following] is no longer needed, [remove|delete] it{code}",
    "we can drop this{code}",
    "remove what says{code}",
    kept_back=("erase these lines{code}", "the following has to go{code}"),
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
