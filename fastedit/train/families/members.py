"""Fields of types and properties of rules."""

from __future__ import annotations

import re

from fastedit.train.change import Change, revised
from fastedit.train.families.entries import opened
from fastedit.train.families.scene import Parts, Scene, family

_TYPE = re.compile(
    r"\s*(?:export |pub |public |static |typedef )*(?:type |struct |interface |enum )"
    r"(?P<name>\w+)(?: struct| interface)? \{$"
)
_RULE = re.compile(r"(?P<name>[.#]?[\w-]+(?: [.#]?[\w-]+)*) \{$")


@family(
    "add the [field|member] {e} to {n}",
    "add {e} to {n}",
    "{n} needs [a|another|the] field {e}",
    "{n} should [also have|get] [a|the] field {e}",
    "[append|add] {e} to the fields of {n}",
    "give {n} [the|a] field {e}",
    "put {e} at the end of {n}",
    "extend {n} [by|with] {e}",
    kept_back=("let {n} have {e} as its last field", "{n} gets the further field {e}"),
    languages=("go", "rust", "c", "cpp", "typescript", "tsx"),
    near=("struct {", "struct ", "interface "),
)
def add_field(scene: Scene) -> tuple[Parts, Change] | None:
    at = scene.pick(opened(scene, _TYPE))
    if at is None or "(" in scene.lines[at.last] or "enum" in scene.lines[at.first - 1]:
        return None
    last = scene.lines[at.last].rstrip()
    end = last[-1] if last[-1] in ",;" else ""
    kind, name = scene.rng.choice(scene.speech.types), scene.name()
    if scene.language == "rust" and not end:
        return None
    new = scene.speech.parameter.format(n=name, t=kind).replace("* ", "*")
    said = new + (end if scene.chance(0.4) else "")
    change = revised(scene.lines, insert={at.close: [scene.indent(at.last) + new + end]})
    return {"e": f"`{said}`", "n": scene.quoted(at.name)}, change


@family(
    "add {e} to [the rule |]{n}",
    "[add|append] the property {e} to {n}",
    "{n} should [also have|get] {e}",
    "give {n} {e}",
    "put {e} at the end of [the rule |]{n}",
    "{n} needs {e}",
    "extend {n} [by|with] {e}",
    "{e} is missing in {n}, add it",
    kept_back=("let {n} have {e} too", "{n} gets the further property {e}"),
    languages=("css",),
)
def add_property(scene: Scene) -> tuple[Parts, Change] | None:
    at = scene.pick(opened(scene, _RULE))
    if at is None or not scene.lines[at.last].rstrip().endswith(";"):
        return None
    kind = scene.rng.choice(
        ("margin", "padding", "color", "width", "height", "display", "opacity", "font-weight")
    )
    new = f"{kind}: {scene.value()}"
    if any(line.strip().startswith(kind + ":") for line in scene.lines[at.first : at.close]):
        return None
    said = new + (";" if scene.chance(0.5) else "")
    change = revised(scene.lines, insert={at.close: [scene.indent(at.last) + new + ";"]})
    return {"e": f"`{said}`", "n": scene.quoted(at.name)}, change
