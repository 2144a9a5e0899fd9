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
