"""Statements put in blocks, or exchanged for others."""

from __future__ import annotations

import re

from fastedit.train.change import Change, revised
from fastedit.train.families.places import statements
from fastedit.train.families.scene import Parts, Scene, family
from fastedit.train.families.speech import SCRIPTS

_ERRORS = (
    "ValueError",
    "KeyError",
    "TypeError",
    "OSError",
    "Exception",
    "RuntimeError",
    "AttributeError",
    "IndexError",
    "NotImplementedError",
)
_LEAVES = ("pass", "return None", "raise", "continue", "return False")
_CONTEXTS = ("open({n}) as {m}", "{n}", "{n}.{m}()", "suppress({n})", "{n}({m})", "{n} as {m}")


def _wrapped(scene: Scene, at: int, head: list[str], foot: list[str]) -> Change:
    indent = scene.indent(at)
    return revised(
        scene.lines,
        {at: scene.unit(at) + scene.lines[at]},
        insert={at: [indent + line for line in head], at + 1: [indent + line for line in foot]},
    )


@family()
def wrap_try(scene: Scene) -> tuple[Parts, Change] | None:
    at = scene.pick(statements(scene))
    if at is None:
        return None
    error, leave = scene.rng.choice(_ERRORS), scene.rng.choice(_LEAVES)
    parts = {"a": scene.shown(at), "e": error, "x": scene.coded(leave)}
    return parts, _wrapped(scene, at, ["try:"], [f"except {error}:", scene.unit(at) + leave])


@family(
    languages=SCRIPTS,
)
def wrap_catch(scene: Scene) -> tuple[Parts, Change] | None:
    at = scene.pick(statements(scene, declarations=False))
    if at is None:
        return None
    leave = scene.rng.choice((*scene.speech.logs, "return null;", "throw error;")).format(m=scene.words(1, 3))
    foot = ["} catch (error) {", scene.unit(at) + leave, "}"]
    return {"a": scene.shown(at), "x": f"`{leave}`"}, _wrapped(scene, at, ["try {"], foot)


@family()
def wrap_with(scene: Scene) -> tuple[Parts, Change] | None:
    at = scene.pick(statements(scene))
    if at is None:
        return None
    context = scene.rng.choice(_CONTEXTS).format(n=scene.name(), m=scene.name())
    head = f"with {context}"
    return {"a": scene.shown(at), "c": f"`{head}`"}, _wrapped(scene, at, [head + ":"], [])


@family(
    near=("return None", "return False", "pass\n", "continue\n", "return\n", "return []"),
)
def raise_instead(scene: Scene) -> tuple[Parts, Change] | None:
    pattern = re.compile(r"\s+(?:return(?: None| False| True| \[\]| \{\}| -1)?|pass|continue|break)$")
    places = [i for i, line in enumerate(scene.lines) if pattern.match(line)]
    texts = [scene.lines[i].strip() for i in places]
    at = scene.pick([i for i, text in zip(places, texts, strict=True) if texts.count(text) == 1])
    if at is None:
        return None
    error = f'{scene.rng.choice(_ERRORS)}("{scene.words(1, 4)}")'
    put = f"{scene.indent(at)}raise {error}"
    return {"a": f"`{scene.lines[at].strip()}`", "e": f"`{error}`"}, revised(scene.lines, {at: put})
