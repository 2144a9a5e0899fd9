"""Whole functions that come and go."""

from __future__ import annotations

import re

from fastedit.train.change import Change, revised
from fastedit.train.families.places import block_end, signature
from fastedit.train.families.scene import Parts, Scene, family
from fastedit.train.families.speech import FUNCTIONS
from fastedit.train.families.wording import handed
from fastedit.train.regions import definition_at, indent_of, reindent


@family(
    languages=FUNCTIONS,
)
def delete_definition(scene: Scene) -> tuple[Parts, Change] | None:
    at, lines = signature(scene), scene.lines
    stop = block_end(scene, at.line) if at else None
    if at is None or stop is None:
        return None
    start = at.line
    while start and lines[start - 1].lstrip().startswith("@"):
        start -= 1
    if start and re.match(r"\s*(?:#(?!include|define|if|endif|else)|//|/?\*)", lines[start - 1]):
        return None  # whether its comment goes too is a matter of taste
    while stop < len(lines) and not lines[stop].strip():
        stop += 1
    if stop == len(lines) and not lines[-1].strip():
        return None  # how many blank lines stay depends on what follows
    if stop == len(lines) or lines[stop].strip()[0] in "})":
        while start and not lines[start - 1].strip():
            start -= 1
    if stop - start == len(lines):
        return None
    said = at.name + scene.rng.choice(("", "", "()"))
    return {"f": scene.quoted(said)}, revised(lines, drop=range(start, stop))


@family()
def add_function(scene: Scene) -> tuple[Parts, Change] | None:
    heads = [
        i
        for i, line in enumerate(scene.donor)
        if (scene.speech.function and scene.speech.function.match(line))
    ]
    at, head = signature(scene), scene.pick(heads)
    if at is None or head is None:
        return None
    block = reindent(definition_at(list(scene.donor), head), "")
    stop = block_end(scene, at.line)
    if stop is None or not 1 < len(block) <= 10 or any("```" in line for line in block):
        return None
    indent = scene.indent(at.line)
    apart = [""] * (1 if indent else 2)
    new = [indent + line if line else "" for line in block]
    behind = scene.lines[stop : stop + 1]
    if behind and behind[0].strip():
        new = [*apart, *new, *([] if indent_of(behind[0]) < len(indent) else apart)]
    else:
        new = [*apart, *new]
    code = handed(scene.rng, block)
    return {"f": scene.quoted(at.name), "code": code}, revised(scene.lines, insert={stop: new})
