"""Features of an alignment and signs of a text, in words that a user of them knows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from fastedit.sketch.paths.lattice import Layer
from fastedit.sketch.rivals import kinds

# What is true of a reading in which such a feature counts more: the first pattern that begins the feature's name.
# Nothing of blank lines.
PHRASES: Final = (
    (r"same blanks|(equal|new|gone), blank", ""),
    (r"another definition", "lines of the update are found in another definition"),
    (r"equal|line (above|below) equal|inline marker", "lines of the update stand in the file as they are"),
    (r"(?:in )?another block", "lines of the update are found in another block"),
    (r"same (block|definition)|bare", "lines of the update are found in the block that it shows"),
    (r"changed: another file line", "a line changes, and another line of the file is more like the new one"),
    (r"changed: words of its own go", "a changed line loses words that no other line has"),
    (r"changed: a name", "a name comes where the update gives it the value that stood there"),
    (r"changed.*: (alikeness|words|as another)", "a changed line keeps many of its words"),
    (r"changed.*: (same|other)", "a changed line gives something a name or a value"),
    (r"changed", "a line of the file is changed"),
    (
        r"new.* (as in the file|like a line|of a name|with the target)|new n(ear|ext)",
        "a new line repeats one of the file",
    ),
    (r"new import in", "a new import comes among those of the file"),
    (r"new key where", "a new key comes where its block ends"),
    (r"new key", "a new key comes elsewhere than where its block ends"),
    (r"new elsewhere", "a new line comes elsewhere than where the block of a marker ends"),
    (r"new (deeper|further out)", "a new line is at another depth than the lines around it"),
    (r"new outside of the block", "a new line is outside of the block that the update shows"),
    (r"new in the block", "a new line is in the block that the update shows"),
    (r"gone.*shown elsewhere", "lines go that the update shows elsewhere"),
    (r"gone|.*GONE", "lines of the file go"),
    (r"kept.*though shown", "lines stay that the update shows elsewhere"),
    (r"kept|markers part", "a marker keeps lines of another block"),
    (r"leap|.*LEAP", "lines stay without a marker"),
    (r"note", "a comment is taken to say that lines go"),
    (r"marker|.*(MARK|KEEP)", "a comment is taken for a marker"),
    (r"new|.*NEW", "a line of the update is new"),
)

# What speaks against a text, where the sign's name does not say it to a user.
SIGNS: Final = {
    "a marker hides nothing": "a marker stands where the file has nothing to keep",
    "a name loses its first line": "the line that gives a name its first value goes or changes its place",
    "brackets askew": "brackets would not pair",
    "lines that the file has once stand twice": "lines that the file has once would stand there twice",
} | {name: sign.said for name, sign in kinds.SIGNS.items() if sign.said}
# Signs that are of lines of the file which the update does not show, by what becomes of these.
OF_UNSHOWN: Final = {
    "a definition goes unshown where another stays so": Layer.GONE,
    "lines go next to a marker": Layer.GONE,
    "lines stay unmarked": Layer.LEAP,
    "lines stay unmarked that have to do with what changes": Layer.LEAP,
    "lines that go unsaid have nothing to do with what changes": Layer.GONE,
}


@cache
def phrase(feature: str) -> str:
    """What is true of a reading in which the feature counts more. Raises StopIteration for none that there is."""
    return next(said for pattern, said in PHRASES if re.match(pattern, feature))


def for_and_against(
    grounds: Mapping[str, tuple[float, float]], names: tuple[str, str]
) -> tuple[list[str], list[str]]:
    """What speaks for the first of two readings with these names, and what for the other, the weightiest first.
    `grounds`: by feature, how much oftener it counts in the first, and what that adds to its score."""
    found = dict[str, list[tuple[float, str]]]()
    for feature, (more, value) in grounds.items():
        found.setdefault(phrase(feature), []).append((value, names[int(more < 0)]))
    totals = {said: sum(value for value, _ in values) for said, values in found.items() if said}
    told: tuple[list[str], list[str]] = ([], [])
    for said in sorted(totals, key=lambda said: -abs(totals[said])):
        side = int(totals[said] < 0)
        where = (min if side else max)(found[said])[1]
        told[side].append(f"in {where}, {said}")
    return told
