"""Values for the places of a sentence: what a command can speak of in a file."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from fastedit.train.changes.change import spliced
from fastedit.train.families.ground import Ground
from fastedit.train.families.wording import phrases

Said = dict[str, str]
# Fields for names that the file has, and for names.
FOUND = frozenset({"target", "scope", "function", "parameter", "key", "parent"})
PLAIN = FOUND | {"new", "member"}
Sampler = Callable[["SlotDraw"], str | None]


@dataclass
class SlotDraw:
    """The values of one command on their way; a sampler sees those before it."""

    rng: random.Random
    ground: Ground
    others: Ground
    command: str
    said: Said = field(default_factory=dict)

    def pick(self, options: Sequence[str]) -> str | None:
        return self.rng.choice(options) if options else None

    def values(self, fields: Sequence[str]) -> Said | None:
        """One value for each field; None where the file has nothing for one."""
        for name in sorted(fields, key=lambda name: _ORDER.get(name, 0)):
            value = _SAMPLERS[name](self)
            if not value or "\n" in value or "`" in value or len(value) > 80:
                return None
            self.said[name] = value
        return self.said


def _target(draw: SlotDraw) -> str | None:
    ground, rng = draw.ground, draw.rng
    if draw.command.startswith("set target"):
        return draw.pick(ground.values)
    if not draw.command.startswith("rename"):
        return _dotted(draw, draw.pick(ground.definitions))
    if "scope" in draw.said:
        return draw.pick(sorted(ground.heads.get(draw.said["scope"], ())))
    if ground.definitions and rng.random() < 0.5:
        return _dotted(draw, draw.pick(ground.definitions))
    return draw.pick(ground.spoken)


def _dotted(draw: SlotDraw, name: str | None) -> str | None:
    types = draw.ground.types
    return f"{draw.rng.choice(types)}.{name}" if name and types and draw.rng.random() < 0.08 else name


def _parameter(draw: SlotDraw) -> str | None:
    return draw.pick(draw.ground.parameters(draw.said["function"])) or draw.pick(sorted(draw.ground.in_heads))


def new_name(draw: SlotDraw) -> str | None:
    """A name that could be one of the file's: like the old one, or like another's."""
    rng = draw.rng
    if draw.command.startswith("replace"):
        return _changed(draw)
    old = next((draw.said[f].split(".")[-1] for f in ("target", "key") if f in draw.said), None)
    other = draw.pick(draw.others.spoken) or "value"
    if old is None or rng.random() < 0.4:
        return other
    parts = re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", old) or [old]
    change = rng.random()
    if change < 0.3:
        parts[rng.randrange(len(parts))] = rng.choice(re.findall(r"[A-Za-z][a-z0-9]+", other) or [other])
    elif change < 0.5:
        parts.insert(rng.choice((0, len(parts))), rng.choice(phrases("endings")))
    elif change < 0.6:
        return rng.choice(
            (f"_{old}", old.lstrip("_") or old, f"{old}s", old.swapcase(), old.lower(), f"{old}_")
        )
    elif change < 0.75 and len(parts) > 1:
        del parts[rng.randrange(len(parts))]
    else:
        parts = re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", other) or [other]
    if "_" in old:
        return "_".join(part.lower() for part in parts) if old.islower() else "_".join(parts).upper()
    joined = "".join(part[:1].upper() + part[1:] for part in parts)
    return joined if old[:1].isupper() else joined[:1].lower() + joined[1:]


def _code(draw: SlotDraw) -> str | None:
    if draw.command.startswith("wrap"):
        return draw.rng.choice(phrases("blocks")).format(draw.pick(draw.ground.pieces) or "ready")
    if draw.command.startswith("guard"):
        return draw.rng.choice(phrases("leaving")).format(draw.pick(draw.others.defaults) or "None")
    if not draw.command.startswith("add parameter"):
        return draw.pick(draw.others.statements)
    name = draw.rng.choice(draw.others.spoken or ["value"]).lower()
    kind, default = draw.pick(draw.others.annotations) or "int", draw.pick(draw.others.defaults) or "None"
    return draw.rng.choice(
        (
            name,
            name,
            f"{name}={default}",
            f"{name}={default}",
            f"{name}: {kind}",
            f"{name}: {kind} = {default}",
        )
    )


def _anchor(draw: SlotDraw) -> str | None:
    return draw.pick([line.strip() for line in draw.ground.lines if 4 < len(line.strip()) < 50])


def _last(draw: SlotDraw) -> str | None:
    """A line soon after the anchor, as far to the right."""
    lines = draw.ground.lines
    first = next(i for i, line in enumerate(lines) if line.strip() == draw.said["anchor"])
    depth = len(lines[first]) - len(lines[first].lstrip())
    near = lines[first + 1 : first + 6]
    return draw.pick([line.strip() for line in near if line.strip() and not line[:depth].strip()])


def _decorator(draw: SlotDraw) -> str | None:
    own = draw.ground.decorators if draw.command.startswith("remove") else []
    return draw.pick(own or draw.others.decorators)


def _base(draw: SlotDraw) -> str | None:
    return draw.pick(draw.ground.definitions) or draw.pick(draw.others.annotations)


def _key(draw: SlotDraw) -> str | None:
    parent = draw.said.get("parent")
    entries = [entry for entry in draw.ground.entries if parent is None or entry.parent == parent]
    chosen = draw.rng.choice(entries) if entries else None
    if chosen is None or (
        parent is None and draw.command.startswith("delete") and chosen.parent and draw.rng.random() < 0.3
    ):
        return chosen and chosen.parent
    dotted = (
        parent is None
        and chosen.parent
        and re.fullmatch(r"[\w.-]+", chosen.parent)
        and draw.rng.random() < 0.25
    )
    return f"{chosen.parent}.{chosen.key}" if dotted else chosen.key


def _changed(draw: SlotDraw) -> str | None:
    """A piece of code like another."""
    old, rng = draw.said["old"], draw.rng
    chance = rng.random()
    if number := re.search(r"\d+", old):
        return spliced(old, number, str(rng.choice((0, 1, 2, 5, 10, 64, 100, 1000))))
    if chance < 0.5 and (names := re.findall(r"[A-Za-z_]\w+", old)):
        name = rng.choice(names)
        return old.replace(name, rng.choice(draw.others.spoken or ["value"]), 1)
    return draw.pick(draw.ground.pieces)


def _literal(draw: SlotDraw) -> str | None:
    if draw.rng.random() < 0.7:
        return draw.pick(draw.others.defaults)
    return draw.pick(draw.ground.pieces)


def _value(draw: SlotDraw) -> str | None:
    if draw.command.startswith("set target"):
        return _literal(draw)
    key, rng = draw.said["key"].split(".")[-1], draw.rng
    old = next((entry.value for entry in draw.ground.entries if entry.key == key), "")
    if number := re.search(r"\d+", old):
        return spliced(old, number, str(rng.choice((0, 1, 2, 5, 10, 30, 64, 88, 100, 3600))))
    if old in ("true", "false") or rng.random() < 0.2:
        return rng.choice(("true", "false", "on", "off"))
    return (
        draw.pick([entry.value for entry in draw.ground.entries])
        if rng.random() < 0.5
        else draw.pick(draw.others.spoken)
    )


def _condition(draw: SlotDraw) -> str | None:
    name, value = draw.pick(draw.ground.spoken) or "value", draw.pick(draw.others.defaults) or "None"
    return draw.rng.choice(phrases("conditions")).format(name, value)


# A sampler may look at fields that come before it.
_ORDER = {"function": -2, "scope": -2, "parent": -2, "key": -1, "target": -1, "old": -1, "anchor": -1}
_SAMPLERS: Mapping[str, Sampler] = {
    "target": _target,
    "scope": lambda draw: draw.pick([f for f in draw.ground.functions if draw.ground.heads.get(f)]),
    "function": lambda draw: _dotted(draw, draw.pick(draw.ground.functions)),
    "parameter": _parameter,
    "new": new_name,
    "member": new_name,
    "module": lambda draw: draw.pick(
        draw.ground.modules
        if draw.command.startswith("remove") and draw.rng.random() < 0.9
        else draw.others.modules
    ),
    "code": _code,
    "anchor": _anchor,
    "last": _last,
    "old": lambda draw: draw.pick(draw.ground.pieces),
    "text": lambda draw: draw.pick(draw.others.prose),
    "condition": _condition,
    "base": _base,
    "modifier": lambda draw: draw.rng.choice(phrases("modifiers")),
    "default": lambda draw: draw.pick(draw.others.defaults),
    "type": lambda draw: draw.pick(draw.others.annotations),
    "decorator": _decorator,
    "key": _key,
    "value": _value,
    "parent": lambda draw: draw.pick([entry.parent for entry in draw.ground.entries if entry.parent]),
}
