"""Versions of dependencies in pyproject.toml, requirements.txt, package.json and Cargo.toml."""

from __future__ import annotations

import re
from functools import partial
from typing import Any, NamedTuple

from fastedit.ops.base import Operation, Outcome, option
from fastedit.ops.keys.entry import KeyEntry, NodeSpan, candidate, check_single
from fastedit.ops.keys.notation import Hunks, New, Notation, at
from fastedit.ops.keys.operations import opened
from fastedit.ops.names.resolve import only
from fastedit.ops.source import ByteEdit, Source

_NAME = re.compile(r"\s*([A-Za-z0-9][\w.-]*)")
_REQUIREMENT = re.compile(
    r"(?P<head>\s*+[A-Za-z0-9][\w.-]*+\s*+(?:\[[^\]]*\]\s*+)?)"
    r"(?P<constraint>[<>=!~](?:[^;@#\\]*[^;@#\\\s])?+)?(?P<tail>\s*+(?:;[^\\]*)?)"
)
_LINE = re.compile(r"\s*+(?P<text>(?![#-])\S++(?:\s++(?!#)\S++)*+)(?:\s++#.*|\s*+)")  # of requirements.txt
_BARE_VERSION = re.compile(r"[0-9][\w.+*!-]*")
_PINNED = re.compile(r"(?P<head>(?:[~^=]|[~>=]=)?\s*)[0-9][\w.+*!-]*")


class _Pin(NamedTuple):
    """A dependency. `version` holds its constraint, None where it has none, and `text` is what stands there: a whole
    requirement, or a version alone where the dependency is `named` by a key.
    """

    name: str
    entry: KeyEntry
    version: KeyEntry | None
    text: str
    named: bool


class SetDependency(
    Operation, needs="has_dependencies", example="pyproject.toml twisted '>=24.7'", brings_code=False
):
    """Set the version constraint of a dependency; its extras and markers stay."""

    package: str = option("the package's name, without extras")
    constraint: str = option("'>=2,<3', '^10.2.0'; a bare version keeps the operator that is there")
    group: str | None = option(
        "where it stands: dev, devDependencies, dependency-groups.docs; needed where it stands in several places",
        None,
    )

    def carry_out(self, source: Source) -> Outcome:
        notation = opened(source)
        pin, wanted = _pin(notation, self.package, self.group), self.constraint.strip()
        if pin.version is None or (pin.named and re.search("[:/]", pin.text)):
            raise notation.refused(f"`{pin.entry.dotted}` has no version constraint; edit it as text")
        change = _constrained if pin.named else _required
        new = change(notation, pin.text, wanted)
        if new == pin.text:
            return Outcome((), (f"`{pin.entry.dotted}` is {new} already",))
        return notation.set(pin.version, New(new)).outcome()


def _kind(notation: Notation, path: tuple[str, ...]) -> str | None:
    """`#` or `=` for the path of a dependency, None for another."""
    for place in notation.keys.dependencies:
        keys = place.split(".")
        if len(keys) == len(path) and all(
            key in ("*", "#", "=", at) for key, at in zip(keys, path, strict=True)
        ):
            return keys[-1]
    return None


def _pins(notation: Notation) -> list[_Pin]:
    """All dependencies of the file, in order."""
    found = []
    for entry in notation.root.walk():
        kind = _kind(notation, entry.path)
        if kind is None:
            continue
        version = entry.child("version") if entry.kind == "map" else entry
        text = at(notation.values, version.path) if version is not None else ""
        text = text if isinstance(text, str) else ""
        name = _NAME.match(text)
        if kind == "=":
            found.append(_Pin(entry.key, entry, version if text else None, text, True))
        elif name:
            found.append(_Pin(name[1], entry, version, text, False))
    return found


def _pin(notation: Notation, package: str, group: str | None) -> _Pin:
    """The one dependency of this name. Raises TargetUnresolved."""
    named = [pin for pin in _pins(notation) if _same(notation, pin.name, package.strip())]
    exact = [pin for pin in named if pin.entry.parent is not None and pin.entry.parent.dotted == group]
    found = exact or [pin for pin in named if group is None or _is_in(pin.entry.parent, group)]
    others = [pin.entry for pin in named]
    at, none = partial(candidate, notation.source), "is not a dependency in this file"
    entry = only(
        notation.source, package, [p.entry for p in found], at, others, way_out="name its group", none=none
    )
    check_single(notation.source, entry)
    return next(pin for pin in found if pin.entry is entry)


def _is_in(entry: KeyEntry | None, group: str) -> bool:
    return entry is not None and group in (entry.dotted, *entry.path)


def _same(notation: Notation, one: str, other: str) -> bool:
    if notation.keys.folds_names:
        one, other = (re.sub(r"[-_.]+", "-", name).lower() for name in (one, other))
    return one == other


def _constrained(notation: Notation, old: str, wanted: str) -> str:
    """The new constraint; a bare version takes the operator of the old one."""
    if not _BARE_VERSION.fullmatch(wanted):
        return wanted
    pinned = _PINNED.fullmatch(old)
    if pinned is None:
        none = f"it can take none from `{old}`" if old else "there is none to take"
        raise notation.refused(f"{wanted} needs an operator, such as >={wanted}, as {none}")
    return pinned["head"] + wanted


def _required(notation: Notation, old: str, wanted: str) -> str:
    """The requirement with another constraint. Raises OperationRefused for one that is not plain."""
    from packaging.requirements import InvalidRequirement, Requirement  # only now: it takes a while
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    match = _REQUIREMENT.fullmatch(old)
    if match is None:
        raise notation.refused(f"`{old}` is not a plain requirement; edit it as text")
    constraint = _constrained(notation, match["constraint"] or "", wanted)
    new = match["head"] + constraint + match["tail"]
    try:
        _ = Requirement(old), Requirement(new), SpecifierSet(constraint)
    except (InvalidRequirement, InvalidSpecifier):
        raise notation.refused(f"`{new}` would not be a requirement; correct {wanted}") from None
    return new


class Requirements(Notation):
    """A list of requirements; options, comments and blank lines are none."""

    def read(self) -> KeyEntry:
        root = KeyEntry((), 0, "list")
        for row, match in enumerate(map(_LINE.fullmatch, self.source.lines)):
            if match is None:
                continue
            start = self.source.start(row) + len(match.string[: match.start("text")].encode())
            value = NodeSpan(start, start + len(match["text"].encode()))
            root.add(KeyEntry((str(len(root.children)),), row, "value", value=value))
        return root

    @staticmethod
    def data(text: str) -> Any:
        if re.search(r"\\\n", text):
            raise ValueError("it has lines that go on in the next one")
        return [match["text"] for match in map(_LINE.fullmatch, text.split("\n")) if match]

    def replaced(self, entry: KeyEntry, new: New) -> Hunks:
        assert entry.value is not None
        return self.source.hunks([ByteEdit(entry.value.start_byte, entry.value.end_byte, str(new.data))])
