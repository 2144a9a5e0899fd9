"""Parameters and their defaults."""

from __future__ import annotations

import re

from fastedit.train.change import Change, revised
from fastedit.train.families.places import param_name, signature, split_commas, with_params
from fastedit.train.families.scene import Parts, Scene, family
from fastedit.train.families.speech import FUNCTIONS, SCRIPTS

_DEFAULTS = ("python", *SCRIPTS, "cpp")
# How a default is likely to end in a signature.
_SET = (
    "=None)",
    "=None,",
    "=False)",
    "=False,",
    "=True)",
    "=True,",
    " = None)",
    " = None,",
    "=0)",
    " = {})",
    " = false)",
)
_RECEIVERS = ("self", "cls", "&self", "&mut self", "mut self")


def _params(params: str) -> list[str] | None:
    """A signature's parameters; None where one takes more than a place of its own."""
    if any(mark in params for mark in ("*args", "**", "...", "*,", "/")) or params.strip() == "void":
        return None
    return split_commas(params) if params.strip() else []


def _new_parameter(scene: Scene) -> str:
    name = scene.name()
    spelled = scene.speech.parameter.format(n=name, t=scene.rng.choice(scene.speech.types))
    if scene.language == "python":
        kind = scene.rng.choice(scene.speech.types)
        return name + scene.rng.choice(("", f"={scene.value()}", f": {kind}", f": {kind} = {scene.value()}"))
    return spelled + (f" = {scene.value()}" if scene.language in _DEFAULTS and scene.chance(0.4) else "")


@family(
    languages=FUNCTIONS,
)
def add_parameter(scene: Scene) -> tuple[Parts, Change] | None:
    at = signature(scene)
    params = _params(at.params) if at else None
    if at is None or params is None or at.params.rstrip().endswith(","):
        return None
    new = _new_parameter(scene)
    line = with_params(scene, at, [*params, new])
    return {"p": f"`{new}`", "f": scene.quoted(at.name)}, revised(scene.lines, {at.line: line})


@family(
    languages=FUNCTIONS,
)
def add_first_parameter(scene: Scene) -> tuple[Parts, Change] | None:
    at = signature(scene)
    params = _params(at.params) if at else None
    if at is None or not params or params[0].split(":")[0] in _RECEIVERS:
        return None
    new = scene.speech.parameter.format(n=scene.name(), t=scene.rng.choice(scene.speech.types))
    line = with_params(scene, at, [new, *params])
    return {"p": f"`{new}`", "f": scene.quoted(at.name)}, revised(scene.lines, {at.line: line})


@family(
    languages=FUNCTIONS,
)
def remove_parameter(scene: Scene) -> tuple[Parts, Change] | None:
    at = signature(scene)
    params = (_params(at.params) if at else None) or []
    named = [(i, name) for i, param in enumerate(params) if (name := param_name(scene, param))]
    picked = scene.pick(named)
    if at is None or picked is None:
        return None
    place, name = picked
    line = with_params(scene, at, params[:place] + params[place + 1 :])
    f = scene.quoted(at.name)
    # Where the body has it too, a sentence about the function would leave open what is to happen there.
    if not scene.once(name) or scene.chance(0.3):
        f = f"the signature of {f}"
    parts = {"p": scene.quoted(name), "f": f}
    return parts, revised(scene.lines, {at.line: line})


@family(
    languages=_DEFAULTS,
)
def add_default(scene: Scene) -> tuple[Parts, Change] | None:
    at = signature(scene)
    params = (_params(at.params) if at else None) or []
    name = param_name(scene, params[-1]) if params else None
    if at is None or name is None or "=" in params[-1] or "?" in params[-1]:
        return None
    value = scene.value()
    glue = "=" if scene.language == "python" and ":" not in params[-1] else " = "
    line = with_params(scene, at, [*params[:-1], params[-1] + glue + value])
    parts = {"p": scene.quoted(name), "v": scene.coded(value), "f": scene.quoted(at.name)}
    return parts, revised(scene.lines, {at.line: line})


def _with_default(scene: Scene) -> tuple[Parts, int, list[str], int] | None:
    """A parameter that has a default: the words for it, its line, all parameters and which of them."""
    at = signature(scene)
    params = (_params(at.params) if at else None) or []
    places = [i for i, param in enumerate(params) if "=" in param and param_name(scene, param)]
    if at is None or not places:
        return None
    place = scene.rng.choice(places)
    name = param_name(scene, params[place])
    assert name is not None
    return {"p": scene.quoted(name), "f": scene.quoted(at.name), "at": at.params}, at.line, params, place


def _with(scene: Scene, line: int, old: str, params: list[str]) -> Change:
    text = scene.lines[line].replace(f"({old})", f"({', '.join(params)})", 1)
    return revised(scene.lines, {line: text})


@family(
    languages=_DEFAULTS,
    near=_SET,
)
def change_default(scene: Scene) -> tuple[Parts, Change] | None:
    picked = _with_default(scene)
    if picked is None:
        return None
    parts, line, params, place = picked
    head = re.match(r"[^=]*=\s*", params[place])
    value = scene.value()
    if head is None or params[place] == head[0] + value:
        return None
    params[place] = head[0] + value
    return parts | {"v": scene.coded(value)}, _with(scene, line, parts["at"], params)


@family(
    languages=_DEFAULTS,
    near=_SET,
)
def remove_default(scene: Scene) -> tuple[Parts, Change] | None:
    picked = _with_default(scene)
    if picked is None:
        return None
    parts, line, params, place = picked
    params[place] = params[place].split("=", 1)[0].rstrip()
    return parts, _with(scene, line, parts["at"], params)
