"""Whether a block gives something twice that it may give but once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fastedit.check.base import Rule
from fastedit.check.change import Change, short
from fastedit.source.outline import indent_width, is_comment

_NAME = r"""(?P<quote>["'`]?)(?P<name>[\w$.-]+)(?P=quote)"""
_DECLARED = re.compile(rf"(?:\w+\s+)*(?:const|val|static|final)\s(?:[^=;(]*\s)?{_NAME}\s*(?::[^=]*)?=(?!=)")
_STORED = re.compile(r"(?P<name>\w+(?:\s*,\s*\w+)*)\s*:=")  # Go
_KEY = re.compile(rf"{_NAME}\??\s*:(?![:=])\s*\S")
_ARM = re.compile(r"(?P<name>\S.*?)\s+[=-]>\s")
_ASSIGNED = re.compile(r"[\w$.\[\], ]+=(?!=)")


def _nothing_twice(change: Change) -> Iterator[str]:
    """No new line gives what a line of its block gives that stays, unless the update shows that line too."""
    shown = {text.strip() for text in change.update.texts} if change.update is not None else set()
    for row in sorted(change.new_rows):
        line = change.new[row].strip()
        given = _given(line)
        again = given is None and _ASSIGNED.match(line) is not None
        if not line or is_comment(line) or not (given or again):
            continue
        for kept in _block(change.new, row):
            old = change.new[kept].strip()
            if kept in change.new_rows or (old in shown and old != line):
                continue
            if old == line or (given is not None and _given(old) == given):
                yield f"{short(given or line)} stands at line {kept + 1} and again at line {row + 1}"
                return


def _given(line: str) -> str | None:
    """What may stand once in a block: a name that is declared, a key that has a value, the pattern of an arm."""
    if found := _DECLARED.match(line) or _STORED.match(line):
        return found["name"]
    arm = _ARM.match(line)
    if (
        arm is not None
        and "=" not in re.sub(r"[=!<>]=", "", arm["name"])
        and arm["name"].count("(") == arm["name"].count(")")
    ):
        return f"{arm['name']} =>"
    return f"{found['name']}:" if (found := _KEY.match(line)) else None


def _block(lines: Sequence[str], row: int) -> Iterator[int]:
    """The other lines of the same block at the same indentation."""
    width = indent_width(lines[row])
    for rows in (range(row - 1, -1, -1), range(row + 1, len(lines))):
        for other in rows:
            if not lines[other].strip():
                continue
            if indent_width(lines[other]) < width:
                break
            if indent_width(lines[other]) == width:
                yield other


RULE = Rule(
    code="FE117",
    name="twice",
    sentence=(
        "No new line declares a name, gives a key its value or assigns in the words of a line of its block "
        "that stays, unless the update shows that line too."
    ),
    why="What moved, or was rewritten beside a marker, stands at its old place as well.",
    example=(" const ROOT = join(here, 'public')\n const TYPES = {}\n+const ROOT = join(here, 'public')"),
    severity="wrong",
    applies_to=("merge",),
    check=_nothing_twice,
)
