"""Whether what is opened and closed by name comes in pairs: elements, and blocks such as `if()` ... `endif()`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from fastedit.source.outline import CLOSED_BY_END, STRING

_TAG = re.compile(r"<(?P<closes>/)?(?P<name>[A-Za-z][\w:.-]*)")
_STRING = re.compile(rf"(?<!\w)(?:{STRING.pattern})")  # behind a letter it is an apostrophe
_BLOCK = re.compile(
    rf"\s*(?:\{{%-?\s*(?P<closes>end)?(?P<name>[a-z]+)|(?P<ends>end)?(?P<kind>{CLOSED_BY_END}))\b"
)


def unpaired(come: Iterable[str], gone: Iterable[str], closed: frozenset[str]) -> int:
    """How many more are opened than closed, or the other way around, once these lines have come and those gone. Only
    the names that the file closes, `closed`, have to be."""
    more = Counter[str]()
    for lines, sign in ((come, 1), (gone, -1)):
        for line in lines:
            for name, by in _opened(line):
                if name in closed:
                    more[name] += sign * by
    return sum(map(abs, more.values()))


def closed_names(lines: Iterable[str]) -> frozenset[str]:
    """The names of what the lines close: `</div>` closes `<div`, `endif` closes `if`."""
    return frozenset(
        name for line in lines if "</" in line or "end" in line for name, by in _opened(line) if by < 0
    )


def ends_in_tag(line: str) -> bool:
    """Whether a line begins with a tag and ends within one."""
    return line.lstrip().startswith("<") and line.rfind("<") > line.replace("=>", "=_").rfind(">")


def is_element(line: str) -> bool:
    """Whether a line is one element, or several, from its beginning to its end."""
    begins = _TAG.match(line.lstrip())
    if begins is None or begins["closes"] or not line.rstrip().endswith(">"):
        return False
    name = f"<{begins['name']}"
    return line.rstrip().endswith("/>") or sum(by for one, by in _opened(line) if one == name) == 0


def element_ends(line: str, closer: str) -> bool:
    """Whether `closer` begins by closing the element that a line begins with and leaves open."""
    begins, ends = _TAG.match(line.lstrip()), _TAG.match(closer.lstrip())
    if begins is None or ends is None or begins["closes"] or not ends["closes"]:
        return False
    return begins["name"] == ends["name"]


def _opened(line: str) -> list[tuple[str, int]]:
    """What the line opens (1) and closes (-1). What a string says is no element."""
    found = (
        [(f"<{tag['name']}", -1 if tag["closes"] else 1) for tag in _TAG.finditer(_STRING.sub("", line))]
        if "<" in line
        else []
    )
    if block := _BLOCK.match(line):
        found.append((block["name"] or block["kind"], -1 if block["closes"] or block["ends"] else 1))
    return found
