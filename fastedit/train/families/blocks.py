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


@family(
    "wrap {a} in try/except {e} and {x}",
    "put {a} [into|in] a try block; on {e} {x}",
    "catch {e} around {a} and {x}",
    "surround {a} with try/except {e}: {x}",
    "on {e} in {a}, {x}",
    "if {a} raises {e}, {x}",
    "{a} may raise {e}: catch it and {x}",
    "handle {e} from {a} with {x}",
    "{x} when {a} fails with {e}",
    kept_back=("should {a} end in {e}, {x}", "protect {a} from {e}: {x}"),
)
def wrap_try(scene: Scene) -> tuple[Parts, Change] | None:
    at = scene.pick(statements(scene))
    if at is None:
        return None
    error, leave = scene.rng.choice(_ERRORS), scene.rng.choice(_LEAVES)
    parts = {"a": scene.shown(at), "e": error, "x": scene.coded(leave)}
    return parts, _wrapped(scene, at, ["try:"], [f"except {error}:", scene.unit(at) + leave])


@family(
    "wrap {a} in try/catch and do {x} [in the catch|on an error]",
    "put {a} in a try block; in the catch do {x}",
    "catch [errors|exceptions] of {a} and do {x}",
    "surround {a} with try and catch: {x}",
    "when {a} throws, do {x}",
    "{a} may throw: catch it and do {x}",
    "handle errors from {a} with {x}",
    "guard {a} with try/catch and {x}",
    kept_back=("should {a} throw, {x}", "protect {a} by a try, with {x} in the catch"),
    languages=SCRIPTS,
)
def wrap_catch(scene: Scene) -> tuple[Parts, Change] | None:
    at = scene.pick(statements(scene, declarations=False))
    if at is None:
        return None
    leave = scene.rng.choice((*scene.speech.logs, "return null;", "throw error;")).format(m=scene.words(1, 3))
    foot = ["} catch (error) {", scene.unit(at) + leave, "}"]
    return {"a": scene.shown(at), "x": f"`{leave}`"}, _wrapped(scene, at, ["try {"], foot)


@family(
    "wrap {a} in {c}",
    "put {a} [into|in] a {c} block",
    "run {a} inside {c}",
    "surround {a} with {c}",
    "{a} should [run|happen] inside {c}",
    "use {c} around {a}",
    "do {a} within {c}",
    "execute {a} under {c}",
    kept_back=("{a} belongs in a block of {c}", "let {c} enclose {a}"),
)
def wrap_with(scene: Scene) -> tuple[Parts, Change] | None:
    at = scene.pick(statements(scene))
    if at is None:
        return None
    context = scene.rng.choice(_CONTEXTS).format(n=scene.name(), m=scene.name())
    head = f"with {context}"
    return {"a": scene.shown(at), "c": f"`{head}`"}, _wrapped(scene, at, [head + ":"], [])


@family(
    "raise {e} instead of {a}",
    "instead of {a}, raise {e}",
    "[replace|swap] {a} [with|by|for] [raising |]{e}",
    "{a} should raise {e} instead",
    "raise {e} where it says {a}",
    "do not {a}, raise {e}",
    "{a} hides the error, raise {e} there",
    "turn {a} into raising {e}",
    kept_back=("where {a} stands {e} should be raised", "let it raise {e}, not {a}"),
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
