"""Entries of lists and mappings: in code, JSON, YAML and TOML."""

from __future__ import annotations

import re
from typing import NamedTuple

from fastedit.train.change import Change, revised
from fastedit.train.families.places import balanced, split_commas
from fastedit.train.families.scene import Parts, Scene, family
from fastedit.train.families.speech import FUNCTIONS, SCRIPTS
from fastedit.train.regions import indent_of

_NAMED = r"(?:[\w:<>*&\[\]]+\s+)*?[\"']?(?P<name>[A-Za-z_$][\w.$-]*)[\"']?(?:\s*:\s*[\w\[\], .|]+)?\s*(?::=|=|:)\s*"
_ONE_LINE = re.compile(rf"(?P<head>\s*{_NAMED}\[)(?P<items>(?!.* for )[^\[\];]*)(?P<tail>\][;,]?)$")
_OPENED = re.compile(rf"\s*{_NAMED}[\[{{]$")
_COMMENTED = re.compile(r"\s(?:#|//|/\*)")
_MAPPINGS = ("python", "json", *SCRIPTS)


class Open(NamedTuple):
    """Something with an entry a line: its name, its first and last entry, the line that closes it."""

    name: str
    first: int
    last: int
    close: int


def opened(scene: Scene, pattern: re.Pattern[str]) -> list[Open]:
    """What the pattern opens, where every line up to the closing one is an entry of its own."""
    lines, found = scene.lines, []
    for at, line in enumerate(lines):
        match = pattern.match(line)
        if not match or not scene.once(match["name"]):
            continue
        stop = at + 1
        while (
            stop < len(lines) and lines[stop].strip() and indent_of(lines[stop]) == indent_of(lines[at + 1])
        ):
            stop += 1
        rows = lines[at + 1 : stop]
        closed = (
            stop < len(lines)
            and lines[stop].strip()[:1] in ("]", "}", ")")
            and indent_of(lines[stop]) == indent_of(line)
        )
        # A comma behind the last entry would stand in a comment behind it.
        plain = all(balanced(row) and row.strip()[0] not in "#/*}])" for row in rows) and not (
            rows and _COMMENTED.search(rows[-1])
        )
        if rows and closed and plain and indent_of(rows[0]) > indent_of(line):
            found.append(Open(match["name"], at + 1, stop - 1, stop))
    return found


def _appended(scene: Scene, at: Open, entry: str) -> Change:
    """The entry behind the last one, which gets a comma where the others have one."""
    last = scene.lines[at.last].rstrip()
    indent = scene.indent(at.last)
    if last.endswith((",", ";")):
        return revised(scene.lines, insert={at.close: [indent + entry + last[-1]]})
    return revised(scene.lines, {at.last: last + ","}, insert={at.close: [indent + entry]})


def _item(scene: Scene, like: str) -> str:
    """Something as the other items are."""
    if like[:1] in ("'", '"'):
        return like[0] + scene.name() + like[0]
    return str(scene.rng.randint(0, 999)) if like.isdigit() else scene.name()


@family(
    languages=(*FUNCTIONS, "json", "yaml", "toml"),
    near=(" = [", ": ["),
)
def add_item(scene: Scene) -> tuple[Parts, Change] | None:
    found = scene.matches(_ONE_LINE)
    one_line = [(i, m) for i, m in found if scene.once(m["name"]) and m["items"].strip()]
    several = (
        []
        if scene.language == "toml"
        else opened(scene, re.compile(_OPENED.pattern.replace("[\\[{]", "\\[")))
    )
    if several and (not one_line or scene.chance(0.6)):
        at = scene.rng.choice(several)
        item = _item(scene, scene.lines[at.last].strip().rstrip(","))
        return {"x": f"`{item}`", "n": scene.quoted(at.name)}, _appended(scene, at, item)
    picked = scene.pick(one_line)
    items = split_commas(picked[1]["items"]) if picked else None
    if picked is None or not items or not items[-1]:
        return None
    line, match = picked
    item = _item(scene, items[-1])
    put = f"{match['head']}{match['items'].rstrip()}, {item}{match['tail']}"
    if match["items"] != match["items"].rstrip():
        return None
    return {"x": f"`{item}`", "n": scene.quoted(match["name"])}, revised(scene.lines, {line: put})


@family(
    languages=(*FUNCTIONS, "json", "yaml", "toml"),
    near=(" = [", ": ["),
)
def remove_item(scene: Scene) -> tuple[Parts, Change] | None:
    found = scene.matches(_ONE_LINE)
    picked = scene.pick([(i, m) for i, m in found if scene.once(m["name"])])
    items = split_commas(picked[1]["items"]) if picked else None
    if picked is None or not items or len(items) < 2 or not all(items):
        return None
    line, match = picked
    gone = scene.rng.choice(items)
    spaces = match["items"][: len(match["items"]) - len(match["items"].lstrip())]
    if items.count(gone) > 1 or "`" in gone or match["items"].strip() != ", ".join(items):
        return None
    put = match["head"] + spaces + ", ".join(item for item in items if item != gone)
    put += match["items"][len(match["items"].rstrip()) :] + match["tail"]
    return {"x": f"`{gone}`", "n": scene.quoted(match["name"])}, revised(scene.lines, {line: put})


@family(
    languages=(*_MAPPINGS, "yaml", "toml"),
    near=("{\n", ":\n", "]\n"),
)
def add_entry(scene: Scene) -> tuple[Parts, Change] | None:
    if scene.language in ("yaml", "toml"):
        return _add_setting(scene)
    at = scene.pick(opened(scene, re.compile(_OPENED.pattern.replace("[\\[{]", "\\{"))))
    found = re.match(r"\s*([\"']?)[\w.-]+\1: ", scene.lines[at.last]) if at else None
    if at is None or found is None:
        return None
    entry = f"{found[1]}{scene.name()}{found[1]}: {scene.value()}"
    return {"e": f"`{entry}`", "n": scene.quoted(at.name)}, _appended(scene, at, entry)


def _add_setting(scene: Scene) -> tuple[Parts, Change] | None:
    """A line more at the end of a section of TOML or of a mapping in YAML."""
    lines, toml = scene.lines, scene.language == "toml"
    head = re.compile(r"\[([\w.-]+)\]$" if toml else r"\s*([\w.-]+):$")
    entry = re.compile(r"[\w.-]+ = .*" if toml else r"\s+[\w.-]+: \S.*")
    places = [i for i, line in enumerate(lines) if (m := head.match(line)) and scene.once(m[1])]
    at = scene.pick(places)
    if at is None or at + 1 >= len(lines) or not entry.fullmatch(lines[at + 1]):
        return None
    indent = indent_of(lines[at + 1])
    if not toml and indent <= indent_of(lines[at]):
        return None
    stop = at + 1
    while stop < len(lines) and entry.fullmatch(lines[stop]) and indent_of(lines[stop]) == indent:
        stop += 1
    # What goes on deeper or in a list is for the model to find its end; the sentence would be the same.
    if (
        stop < len(lines)
        and lines[stop].strip()
        and ((toml and not lines[stop].startswith("[")) or indent_of(lines[stop]) >= indent > 0)
    ):
        return None
    if not balanced(lines[stop - 1]) or lines[stop - 1].rstrip().endswith(("|", ">", "\\", "[")):
        return None
    new = f"{scene.name()} = {scene.value()}" if toml else f"{scene.name()}: {scene.value()}"
    title = lines[at].strip().rstrip(":")
    said = scene.quoted(title if toml and scene.chance(0.7) else title.strip("[]"))
    return {"e": f"`{new}`", "n": said}, revised(lines, insert={stop: [scene.indent(at + 1) + new]})


@family(
    languages=("json", "yaml", "toml", "css"),
)
def remove_key(scene: Scene) -> tuple[Parts, Change] | None:
    lines = scene.lines
    pattern = re.compile(r"\s*([\"']?)(?P<name>[\w.-]+)\1\s*[:=]\s*(?![\[{|>]\s*$)\S.*$")
    found = [(i, m) for i, m in scene.matches(pattern) if balanced(lines[i])]
    picked = scene.pick([(i, m) for i, m in found if scene.once(m["name"])])
    if picked is None or len(lines) < 3:
        return None
    at, match = picked
    behind = lines[at + 1] if at + 1 < len(lines) else ""
    if scene.language in ("yaml", "toml") and indent_of(behind) > indent_of(lines[at]):
        return None
    put = {}
    if scene.language == "json" and not lines[at].rstrip().endswith(","):
        # The last entry takes the comma before it along.
        above = lines[at - 1].rstrip() if at else ""
        if not behind.strip().startswith("}") or not above.endswith(","):
            return None
        put = {at - 1: above.removesuffix(",")}
    return {"k": scene.quoted(match["name"])}, revised(lines, put, drop={at})
