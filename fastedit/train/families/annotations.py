"""Types of parameters and results."""

from __future__ import annotations

import re

from fastedit.train.change import Change, revised
from fastedit.train.families.places import Signature, param_name, signature, split_commas, with_params
from fastedit.train.families.scene import Parts, Scene, family

_TYPED = ("python", "typescript", "tsx", "rust")
_RESULT = re.compile(r"(?P<head>.*\)\s*(?:->|:)\s*)(?P<type>[^\s{:][^{:]*?)(?P<tail>\s*[{:]\s*)$")


def _typed(scene: Scene, annotated: bool) -> tuple[Signature, list[str], int, str] | None:
    """A parameter with or without a type."""
    at = signature(scene)
    params = (split_commas(at.params) if at and at.params.strip() else None) or []
    named = [(i, n) for i, param in enumerate(params) if (n := param_name(scene, param))]
    picked = scene.pick([(i, n) for i, n in named if (":" in params[i]) == annotated])
    return (at, params, *picked) if at and picked else None


def _kind(scene: Scene) -> str:
    return scene.rng.choice(scene.speech.types) if scene.chance(0.8) else scene.name().capitalize()


@family(
    languages=("python", "typescript", "tsx"),
)
def add_annotation(scene: Scene) -> tuple[Parts, Change] | None:
    picked = _typed(scene, annotated=False)
    if picked is None:
        return None
    at, params, place, name = picked
    kind, (bare, *default) = _kind(scene), params[place].split("=", 1)
    value = f" = {default[0].strip()}" if default else ""
    line = with_params(scene, at, [*params[:place], f"{bare.strip()}: {kind}{value}", *params[place + 1 :]])
    parts = {"p": scene.quoted(name), "f": scene.quoted(at.name), "t": scene.coded(kind)}
    return parts, revised(scene.lines, {at.line: line})


@family(
    languages=_TYPED,
)
def change_annotation(scene: Scene) -> tuple[Parts, Change] | None:
    picked = _typed(scene, annotated=True)
    if picked is None:
        return None
    at, params, place, name = picked
    found = re.match(r"([^:]*:\s*)([^=]+?)(\s*=.*)?$", params[place])
    kind = _kind(scene)
    if found is None or found[2] == kind:
        return None
    line = with_params(scene, at, [*params[:place], found[1] + kind + (found[3] or ""), *params[place + 1 :]])
    parts = {"p": scene.quoted(name), "f": scene.quoted(at.name), "t": scene.coded(kind)}
    return parts, revised(scene.lines, {at.line: line})


@family(
    languages=("python",),
)
def remove_annotation(scene: Scene) -> tuple[Parts, Change] | None:
    picked = _typed(scene, annotated=True)
    if picked is None:
        return None
    at, params, place, name = picked
    _, *default = params[place].split("=", 1)
    bare = name + (f"={default[0].strip()}" if default else "")
    line = with_params(scene, at, [*params[:place], bare, *params[place + 1 :]])
    return {"p": scene.quoted(name), "f": scene.quoted(at.name)}, revised(scene.lines, {at.line: line})


@family(
    languages=("python", "typescript", "tsx"),
)
def add_return_type(scene: Scene) -> tuple[Parts, Change] | None:
    at = signature(scene)
    line = scene.lines[at.line].rstrip() if at else ""
    kind, tail = _kind(scene), ":" if scene.language == "python" else " {"
    if at is None or not line.endswith(")" + tail):
        return None
    arrow = " -> " if scene.language == "python" else ": "
    put = line.removesuffix(tail) + arrow + kind + tail
    return {"f": scene.quoted(at.name), "t": scene.coded(kind)}, revised(scene.lines, {at.line: put})


@family(
    languages=_TYPED,
)
def change_return_type(scene: Scene) -> tuple[Parts, Change] | None:
    at = signature(scene)
    found = _RESULT.match(scene.lines[at.line]) if at else None
    kind = _kind(scene)
    if (
        at is None
        or found is None
        or found["type"] == kind
        or not found["head"].rstrip().endswith(("->", ":"))
    ):
        return None
    put = found["head"] + kind + found["tail"]
    return {"f": scene.quoted(at.name), "t": scene.coded(kind)}, revised(scene.lines, {at.line: put})
