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
    "annotate {p} of {f} [as|with] {t}",
    "add the type {t} to {p} in {f}",
    "{p} in {f} is a {t}, annotate it",
    "type {p} as {t} in {f}",
    "add the annotation {t} [for|to] the parameter {p} of {f}",
    "the parameter {p} of {f} should have the type {t}",
    "give {p} in {f} the type {t}",
    "{p} of {f} needs the annotation {t}",
    "in {f}, annotate {p} with {t}",
    kept_back=("declare {p} of {f} to be {t}", "let {p} in {f} be of type {t}"),
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
    "change the [type|annotation] of {p} in {f} to {t}",
    "{p} of {f} should be [a|of type] {t}",
    "the type of {p} in {f} should be {t}",
    "in {f}, [change|make] {p} [to a|a] {t}",
    "use {t} as the type of {p} in {f}",
    "{p} in {f} has the wrong type, it should be {t}",
    "annotate {p} of {f} as {t} instead",
    "let {f} take {p} as {t}",
    kept_back=("{p} of {f} becomes a {t}", "retype {p} in {f} to {t}"),
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
    "[remove|drop|delete] the [type|annotation|type annotation] of {p} in {f}",
    "{p} of {f} should have no annotation",
    "do not annotate {p} in {f}",
    "the annotation of {p} in {f} is [wrong|not needed], remove it",
    "strip the type from {p} in {f}",
    "take the annotation off {p} in {f}",
    "in {f}, {p} needs no type, remove it",
    "get rid of the annotation of {p} in {f}",
    kept_back=("leave {p} of {f} without a type", "no annotation for {p} in {f}"),
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
    "annotate the [return type|result] of {f} [as|with] {t}",
    "{f} returns {t}, annotate it",
    "add the return type {t} to {f}",
    "add the return annotation {t} to {f}",
    "{f} should be annotated to return {t}",
    "the return type of {f} is {t}, add it",
    "give {f} the return type {t}",
    "{f} needs the return type {t}",
    kept_back=("declare that {f} returns {t}", "say in the signature that {f} returns {t}"),
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
    "change the return type of {f} to {t}",
    "{f} should be declared to return {t}",
    "the return type of {f} should be {t}",
    "make {t} the return type of {f}",
    "annotate {f} as returning {t} instead",
    "{f} has the wrong return type, it should be {t}",
    "[set|update] the return type of {f} to {t}",
    "use {t} as the return type of {f}",
    kept_back=("{f} now has the return type {t}", "let the return type of {f} be {t}"),
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
