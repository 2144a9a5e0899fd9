"""Whether names and numbers come from somewhere."""

from __future__ import annotations

import builtins
import keyword
import re
from collections import Counter
from collections.abc import Iterator

from fastedit.check.base import Rule
from fastedit.check.change import Change

_NUMBER = re.compile(r"(?<![\w.])\d[\w.]*")
_SMALL = frozenset({"0", "1", "2"})
_DUNDER = re.compile(r"__\w+__")


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text))


# What stands in code of some language whatever the code is about.
KEYWORDS = (
    frozenset(keyword.kwlist)
    | frozenset(keyword.softkwlist)
    | _words(
        """self cls this super null nil true false undefined public private protected static final void var let const
    function func fn new typeof instanceof throw throws catch switch default do struct enum impl trait interface
    type package use mod pub mut ref auto template typename namespace using include define extends implements"""
    )
)
_NAMES = frozenset(dir(builtins)) | _words(
    """NaN Self string number boolean any object char Error err Exception e Ok Some Err Result Option Vec String Box
    fmt println console log Promise Array Map Set Math JSON Object std size_t NULL nullptr i j k x n logger logging
    override"""
)


def _nothing_invented(change: Change) -> Iterator[str]:
    """Each name and number in new lines is the file's, the instruction's or the language's; a new name comes twice."""
    if change.predicted or change.said is None:
        return
    known = change.old_words | change.said_words | KEYWORDS | _NAMES
    new = Counter[str]()
    for part in change.parts:
        for name, places in part.new.identifiers.items():
            new[name] += sum(part.new_start + place in change.new_rows for place in places)
    for name, count in new.items():
        if count == 1 and name not in known and not _DUNDER.fullmatch(name):
            yield f"the name `{name}` comes from nowhere"
            return
    numbers = _SMALL.union(_NUMBER.findall(change.document.text), _NUMBER.findall(change.said))
    for line in sorted(change.new_rows):
        for number in sorted(set(_NUMBER.findall(change.new[line])) - numbers):
            yield f"the number {number} comes from nowhere"
            return


RULE = Rule(
    code="FE122",
    name="invented",
    sentence=(
        "Each name and number in new lines is the file's, the instruction's or the language's, "
        "unless a new name comes twice."
    ),
    why=(
        "A small model makes up names. A strong model knows more of them than a rule does, so it "
        "is not held to this."
    ),
    example=(' fastedit apply store.py -i "close the file"\n+    handle.shut()'),
    severity="doubt",
    applies_to=("embedded",),
    check=_nothing_invented,
)
