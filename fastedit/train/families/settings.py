"""What has a name and a value: variables, keys, properties."""

from __future__ import annotations

import re

from fastedit.train.change import NUMBER, Change, revised
from fastedit.train.families.expressions import other
from fastedit.train.families.scene import Parts, Scene, family
from fastedit.train.families.speech import FUNCTIONS
from fastedit.train.regions import indent_of

_LITERAL = (
    r"(?:-?\d[\d_.]*[a-zA-Z%]*|\"[^\"\\]*\"|'[^'\\]*'"
    r"|True|False|None|true|false|null|nil|nullptr|NULL|#\w+|\[\]|\{\})"
)
_ASSIGNED = re.compile(
    rf"(?P<head>\s*(?:[\w:<>*&\[\]]+\s+)*?(?P<name>[A-Za-z_$][\w.$]*)(?:\s*:\s*[\w\[\]|<> .]+)?\s*(?::=|=)\s*)"
    rf"(?P<value>{_LITERAL})(?P<tail>\s*[;,]?\s*(?:(?:#|//).*)?)$"
)
_ENTRY = re.compile(
    r"(?P<head>\s*(?P<quote>[\"']?)(?P<name>[A-Za-z_$][\w.$-]*)(?P=quote)\s*[:=]\s*)"
    rf"(?P<value>{_LITERAL}|[A-Za-z][\w./-]*)(?P<tail>\s*[;,]?\s*(?:#.*)?)$"
)
_DATA = ("json", "yaml", "toml", "css")


def _set(scene: Scene, pattern: re.Pattern[str]) -> tuple[Parts, Change] | None:
    found = scene.matches(pattern)
    picked = scene.pick(found)
    if picked is None:
        return None
    at, match = picked
    name, old = match["name"], match["value"]
    inside = ""
    if sum(other["name"] == name for _, other in found) > 1:
        # The same name elsewhere: only what it stands under tells which one is meant.
        above = _parent(scene, at)
        if above is None:
            return None
        begin, title = above
        alike = [i for i, other in found if i > begin and other["name"] == name]
        stop = next(
            (i for i in range(begin + 1, len(scene.lines)) if _leaves(scene, begin, i)), len(scene.lines)
        )
        if sum(i < stop for i in alike) != 1:
            return None
        inside = f" {scene.rng.choice(('in', 'in', 'of', 'under', 'for'))} {scene.quoted(title)}"
    new = other(scene, old) if NUMBER.fullmatch(old) or old[0] in "\"'" else scene.value()
    if new == old or "`" in new:
        return None
    change = revised(scene.lines, {at: match["head"] + new + match["tail"]})
    return {"a": scene.quoted(name), "b": scene.coded(new), "w": inside, "old": scene.coded(old)}, change


def _parent(scene: Scene, at: int) -> tuple[int, str] | None:
    """The line that the line stands under, and what that one is called, which no other line is."""
    for above in range(at - 1, -1, -1):
        line = scene.lines[above]
        heads = (
            line.lstrip().startswith("[")
            if scene.language == "toml"
            else line.strip() and indent_of(line) < indent_of(scene.lines[at])
        )
        if heads:
            title = re.match(r"\s*[\"'\[]*([\w.#*: -]*\w)", line)
            return (above, title[1]) if title and scene.once(title[1]) else None
    return None


def _leaves(scene: Scene, begin: int, at: int) -> bool:
    line = scene.lines[at]
    if scene.language == "toml":
        return line.lstrip().startswith("[")
    return bool(line.strip()) and indent_of(line) <= indent_of(scene.lines[begin])


@family(
    languages=FUNCTIONS,
)
def change_value(scene: Scene) -> tuple[Parts, Change] | None:
    return _set(scene, _ASSIGNED)


@family(
    languages=_DATA,
)
def change_key(scene: Scene) -> tuple[Parts, Change] | None:
    return _set(scene, _ENTRY)


@family(
    languages=_DATA,
)
def rename_key(scene: Scene) -> tuple[Parts, Change] | None:
    found = scene.matches(_ENTRY)
    picked = scene.pick([(at, match) for at, match in found if scene.once(match["name"])])
    if picked is None:
        return None
    at, match = picked
    name, line, new = match["name"], scene.lines[at], scene.name()
    put = line[: match.start("name")] + new + line[match.end("name") :]
    return {"a": scene.quoted(name), "b": scene.quoted(new)}, revised(scene.lines, {at: put})
