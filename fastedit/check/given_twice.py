"""Whether a block or a selector has something twice that it may have but once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice, takewhile
from typing import NamedTuple

from fastedit.check.base import Reason, Rule
from fastedit.check.change import Change, short
from fastedit.source.definitions import declared
from fastedit.source.language import notation_in
from fastedit.source.languages import named
from fastedit.source.outline import along_block, block_end, indent_width, is_comment

_NAME = r"""(?P<quote>["'`]?)(?P<name>[\w$.-]+(?:/[\w$.-]+)*)(?P=quote)"""
# No part is tried in two ways: what a line of thousands of words would take grows with its length alone.
_DECLARED = re.compile(
    rf"(?=[^=]*=(?!=))(?>(?:\w+\s+)*?(?:const|val|static|final)\s)(?:(?:[^=;(:{{]|::)*\s)?{_NAME}\s*[:=]"
)
_STORED = re.compile(r"(?P<name>\w+(?:\s*,\s*\w+)*)\s*:=")  # Go
_KEY = re.compile(rf"{_NAME}\??(?::|\s+:\s)(?![:=])\s*\S")  # `f :a` gives Ruby's f a symbol
_ARM = re.compile(r"(?P<name>\S(?:.*?\S)??)\s++[=-]>\s")
_CASE = re.compile(r"case\s+(?P<name>\S(?:.*?\S)??)\s*+(?<!:):(?!:)")
_ASSIGNED = re.compile(r"[\w$.\[\], ]+=(?!=)")


def _nothing_twice(change: Change) -> Iterator[Reason]:
    """No block or selector has a second time what it may have but once."""
    yield from _given_twice(change)
    yield from _styled_twice(change)


def _styled_twice(change: Change) -> Iterator[Reason]:
    """No new rule of a style sheet has all selectors of one in its block that stays and a property of it, unless the
    update shows that one too."""
    notation = named(notation_in(change.document))
    if not notation.selects or notation.part is None:
        return
    shown, part = _shown(change), notation.part
    for row in (row for row in sorted(change.new_rows) if part.match(change.new[row])):
        rule = _styled(change.new, row)
        alike = {
            kept
            for selector in rule.selectors
            for kept in change.kept_rows_with(selector)
            if part.match(line := change.new[kept]) and line.strip() not in shown
            if (other := _styled(change.new, kept)).selectors <= rule.selectors
            and other.properties & rule.properties
        }
        # A rule in another block, such as a media query's, is another one.
        for kept in chain(*(along_block(change.new, row, step) for step in (-1, 1))) if alike else ():
            if kept in alike:
                said = short(change.new[kept])
                phrase = f"{said} stands at result line {kept + 1} and again at line {row + 1}"
                yield Reason(phrase, doubled=change.old_rows([kept]))


class _Styled(NamedTuple):
    """The selectors of a rule of a style sheet, and the properties that it gives them."""

    selectors: frozenset[str]
    properties: frozenset[str]


def _styled(lines: Sequence[str], row: int) -> _Styled:
    """The rule that opens its block on this line, with what stands above those within it; an at-rule has none."""
    first = row
    while first and lines[first - 1].rstrip().endswith(","):
        first -= 1
    head = " ".join(" ".join(lines[first : row + 1]).split()).removesuffix("{")
    selectors = frozenset(map(str.strip, head.split(",")))
    inner = () if head.startswith("@") else map(str.strip, lines[row + 1 : block_end(lines, row)])
    own = takewhile(lambda line: not line.endswith("{"), inner)
    given = (_given(line) for line in own if not is_comment(line))
    return _Styled(selectors, frozenset(one.name for one in given if one is not None and one.sign == ":"))


def _shown(change: Change) -> Counter[str]:
    """The update's lines that are not new in the result: what the update has as a new line it does not show."""
    shown = Counter(text.strip() for text in (change.update.texts if change.update is not None else ()))
    return shown - Counter(change.new[row].strip() for row in change.new_rows)


def _given_twice(change: Change) -> Iterator[Reason]:
    """No new line gives what one line of its block gives that stays, unless the update shows that line too. What begins
    a part is its name: `a:hover {` gives `a` nothing; sentences give nothing either."""
    notation = named(notation_in(change.document))
    part = notation.part
    if notation.prose:
        return
    rows = list(_more_given(change))
    if not rows:
        return
    shown, typed = _shown(change), dict(_typed(change))
    for row in rows:
        line = change.new[row].strip()
        names = is_comment(line) or (part is not None and part.match(line) is not None)
        given = None if names else typed.get(row, _given(line))
        if given is None or given.name not in change.document.text:
            continue
        alike = {
            kept
            for kept in change.kept_rows_with(given.name)
            if typed.get(kept, _given(change.new[kept].strip())) == given
        }
        if not alike:
            continue
        block = chain(
            *(_beside(change, row, step, part if notation.parts_follow else None) for step in (-1, 1))
        )
        # What its block has several times may stand there once more: the steps of a scenario.
        match list(islice(filter(alike.__contains__, block), 2)):
            case [kept] if change.new[kept].strip() not in shown:
                said = short(given.name + given.sign)
                phrase = f"{said} stands at result line {kept + 1} and again at line {row + 1}"
                yield Reason(phrase, doubled=change.old_rows([kept]))
                return


def _typed(change: Change) -> Iterator[tuple[int, _Given]]:
    """The lines of the result that declare a name after its type, where no second one may in a block."""
    language = named(change.language)
    for part in change.parts if language.types == "before" else ():
        for node in part.new.nodes(language.variables):
            holder = node if node.child_by_field_name("type") is not None else node.parent
            name = node.child_by_field_name("name") or declared(node)
            if holder is None or holder.child_by_field_name("type") is None or name is None:
                continue
            row, column = name.start_point
            # A loop's own variable stands in brackets; what has parameters is a function.
            if b"(" not in part.new.data[name.start_byte - column : name.end_byte + 1]:
                yield part.new_start + row, _Given(part.new.text(name))


def _more_given(change: Change) -> Iterator[int]:
    """The new lines, without those in whose place a line as deep went that gave the same: what stays beside them stood
    beside that."""
    for hunk, start in zip(change.hunks, change.starts, strict=True):
        went = Counter(
            (indent_width(line), _given(line.strip())) for line in change.old[hunk.start : hunk.stop]
        )
        for row, line in enumerate(hunk.lines, start):
            key = indent_width(line), _given(line.strip())
            if key[1] is not None and went[key]:
                went[key] -= 1
            else:
                yield row


def _beside(change: Change, row: int, step: int, part: re.Pattern[str] | None) -> Iterator[int]:
    """The lines of a line's block above or below it, up to where a part begins that has no block of its own."""
    for other in along_block(change.new, row, step):
        if part is not None and part.match(change.new[other]):
            return
        yield other


class _Given(NamedTuple):
    name: str
    sign: str = ""


@lru_cache(maxsize=1 << 14)  # the same lines are looked at for each new one
def _given(line: str) -> _Given | None:
    """What may stand once in a block: a name that is declared, a key that has a value, the pattern of an arm, and an
    assignment in these words."""
    if found := _CASE.match(line):
        return _Given(f"case {found['name']}", ":")
    if found := _DECLARED.match(line) or _STORED.match(line):
        return _Given(found["name"])
    arm = _ARM.match(line)
    if (
        arm is not None
        and "=" not in re.sub(r"[=!<>]=", "", arm["name"])
        and arm["name"].count("(") == arm["name"].count(")")
    ):
        return _Given(arm["name"], " =>")
    if found := _KEY.match(line):
        return _Given(found["name"], ":")
    return _Given(line) if _ASSIGNED.match(line) else None


RULE = Rule(
    code="FE117",
    name="twice",
    sentence=(
        "No new line repeats a declaration, key or assignment that stays in the same block or rule of a style sheet, "
        "unless the update shows the old line too."
    ),
    why="What moved, or was rewritten next to a marker, stands at its old place as well.",
    example=(" const ROOT = join(here, 'public')\n const TYPES = {}\n+const ROOT = join(here, 'public')"),
    severity="wrong",
    applies_to=("merge",),
    check=_nothing_twice,
)
