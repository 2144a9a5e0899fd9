"""Families of instructions: each makes an instruction for a region and the one change that answers it."""

from fastedit.train.families import (
    annotations,
    blocks,
    bodies,
    calls,
    comments,
    conditions,
    entries,
    expressions,
    functions,
    imports,
    lines,
    members,
    modifiers,
    names,
    settings,
    signatures,
)
from fastedit.train.families.imports import IMPORT
from fastedit.train.families.scene import Family, Scene

_ROOMS = (
    annotations,
    blocks,
    bodies,
    calls,
    comments,
    conditions,
    entries,
    expressions,
    functions,
    imports,
    lines,
    members,
    modifiers,
    names,
    settings,
    signatures,
)
FAMILIES: dict[str, Family] = {
    made.name: made for room in _ROOMS for made in vars(room).values() if isinstance(made, Family)
}

__all__ = ["FAMILIES", "IMPORT", "Family", "Scene"]
