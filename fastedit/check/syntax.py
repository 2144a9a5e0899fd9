"""Whether the result still parses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import product, zip_longest
from math import prod
from operator import eq

from fastedit.check.base import Rule
from fastedit.check.change import Change, ChangedPart, short
from fastedit.check.template import reads_filled
from fastedit.source.languages import languages, named
from fastedit.source.preprocessor import CONDITION, branches
from fastedit.source.syntax import Syntax, error_in, has_grammar

_HEADER = re.compile(r"<[\w./+-]+>")  # as an argument: `__has_include(<a.h>)`
_FIRST = {name: name for name in ("ifdef", "ifndef")} | {"elifdef": "ifdef", "elifndef": "ifndef"}
_MOST_BRANCHES = 8  # of a file's conditions together, each parsed


def _parses(change: Change) -> Iterator[str]:
    """The result parses no worse than the original."""
    if not change.hunks or not has_grammar(change.language):
        return
    for part in change.parts_with_unread:
        # What the language's own parser reads needs no other.
        error = error_in(change.language, part.new.lines, part.new_start)
        if error is not None:  # of an older version of the language, may be
            error = error_in(change.language, tuple(part.new.respelled.lines), part.new_start)
        if error is None and named(change.language).error is not None:
            continue
        worse = _worse(change, part)
        if worse is not None and change.is_new and _is_meant(change, part):
            continue
        if worse is not None:
            yield f"the result has a syntax error near {_named(change, part.new_start + min(worse))}"
        elif error is not None and error_in(change.language, part.old.lines) is None:
            yield f"the result is not valid {change.language}: {error}"


def _is_meant(change: Change, part: ChangedPart) -> bool:
    """Whether a new text may be right as it is. A template is yet to be filled, and where there are macros, nothing but
    brackets that do not pair is surely wrong."""
    language = named(change.language)

    def reads(lines: tuple[str, ...]) -> bool:
        if language.error is not None:
            return error_in(language.name, lines) is None
        return not Syntax(lines, language.name).respelled.damage

    if language.macros and _brackets_pair(part.new):
        return True
    return reads_filled(part.new.lines, reads)


def _brackets_pair(syntax: Syntax) -> bool:
    """Whether as many brackets of each kind open as close where every `#if` holds, comments and strings left out."""
    lines = _joined(syntax.lines)
    branch = Syntax(_branch(lines, [0] * len(_branches(lines))), syntax.language.name)
    found, nodes = Counter[str](), [branch.root]
    while nodes:
        node = nodes.pop()
        found[node.type] += not node.children and not node.is_missing
        nodes += node.children
    return all(found[left] == found[right] for left, right in ("()", "[]", "{}"))


def _named(change: Change, row: int) -> str:
    """A line of the result, and which one of the update it is where it came from there."""
    text = change.new[row].strip()
    rows = (
        [at for at, line in enumerate(change.update.texts, 1) if line.strip() == text]
        if change.update
        else []
    )
    written = f", update line {rows[0]}" if len(rows) == 1 and row in change.new_rows else ""
    return f"its line {row + 1}{written}" + (f": {short(text)}" if text else "")


def _worse(change: Change, part: ChangedPart) -> set[int] | None:
    """The lines on which errors are that come; None where none is left in the text that the grammar can read."""
    if part.new.damage <= part.old.damage:
        return None
    old, new = part.old.respelled, part.new.respelled
    # What the other spelling itself breaks would hide what the edit does, and so would an error that goes on from the
    # old ones.
    goes_on = old.damage and _balance(old) != _balance(new) and _touches_errors(change, part, old, new)
    comparable = old.damage <= part.old.damage and not goes_on
    if comparable and (new.damage <= old.damage or _parses_in_each_branch(old, new)):
        return None
    wider = _wider(change)
    if wider is not None:
        before, after = (Syntax(syntax.lines, wider).respelled for syntax in (part.old, part.new))
        if not after.damage and not before.damage:
            return None
    return {row for row in new.damaged if not _was_damaged(change, part, old, row)} or new.damaged


def _was_damaged(change: Change, part: ChangedPart, old: Syntax, row: int) -> bool:
    """Whether an error on a line of the part's result was there before."""
    before = change.old_row(part.new_start + row)
    return before is not None and before - part.old_start in old.damaged


def _touches_errors(change: Change, part: ChangedPart, old: Syntax, new: Syntax) -> bool:
    """Whether a line that a hunk takes away or brings is within an error, or next to one."""
    before = [range(hunk.start - part.old_start, hunk.stop - part.old_start) for hunk in change.hunks]
    starts = (start - part.new_start for start in change.starts)
    after = [range(start, start + len(hunk.lines)) for start, hunk in zip(starts, change.hunks, strict=True)]
    return any(
        error.start <= rows.stop and rows.start <= error.stop
        for errors, changed in ((old.damaged_parts, before), (new.damaged_parts, after))
        for error in errors
        for rows in changed
    )


def _wider(change: Change) -> str | None:
    """The language that files of this suffix may be in as well, and whose grammar reads more."""
    path = change.document.path
    suffix = path.suffix.lower() if path is not None else ""
    wider = (each for each in languages() if each.extends == change.language and suffix in each.suffixes)
    return next((each.name for each in wider), None)


def _balance(syntax: Syntax) -> list[int]:
    """How many brackets of each kind open more often than they close."""
    return [syntax.data.count(left) - syntax.data.count(right) for left, right in (b"()", b"[]", b"{}")]


def _parses_in_each_branch(old: Syntax, new: Syntax) -> bool:
    """Whether only `#if` itself has no place in the grammar, as below a label or in a list: whatever it leaves parses
    as before."""
    language = new.language
    if not language.conditional_lines:
        return False
    before, after = _joined(old.lines), _joined(new.lines)
    if not all(_is_sound(line, new) for line in {*after} - {*before}):
        return False
    # How many branches to choose from at each depth; one more than an `#if` has is none of its.
    choices = [max(2, *counts) for counts in zip_longest(_branches(before), _branches(after), fillvalue=0)]
    if not choices or prod(choices) > _MOST_BRANCHES:
        return False
    for chosen in product(*map(range, choices)):
        was, now = (Syntax(_branch(lines, chosen), language.name) for lines in (before, after))
        if now.damage > was.damage:
            return False
    return True


def _is_sound(line: str, syntax: Syntax) -> bool:
    """Whether a line is no condition, or one that reads alone."""
    found = CONDITION.match(line)
    if found is None or found[1] in ("else", "endif"):
        return True
    asked = _HEADER.sub("0", line[found.end() :])
    alone = f"#{_FIRST.get(found[1], 'if')}{asked}"
    return not Syntax((alone, "#endif"), syntax.language.name).damage


def _joined(lines: Iterable[str]) -> list[str]:
    """The lines, those of a condition that goes on as one and blank ones."""
    joined, above = list[str](), None
    for line in lines:
        if above is not None:
            joined[above] = joined[above][:-1] + line
        elif line.endswith("\\") and CONDITION.match(line):
            above = len(joined)
        joined.append("" if above is not None and above < len(joined) else line)
        above = above if line.endswith("\\") else None
    return joined


def _branches(lines: Sequence[str]) -> list[int]:
    """The most branches that an `#if` has, at each depth."""
    most = list[int]()
    for _, at in branches(lines):
        most += [0] * (len(at) - len(most))
        if at:
            most[len(at) - 1] = max(most[len(at) - 1], at[-1] + 1)
    return most


def _branch(lines: Sequence[str], chosen: Sequence[int]) -> list[str]:
    """The lines that are left where of each `#if` the branch of the index holds that is chosen at its depth, others
    blank."""
    left, around = list[str](), False
    for line, (is_condition, at) in zip(lines, branches(lines), strict=True):
        # A condition that closes nothing stays an error.
        stays = not (around or at) if is_condition else all(map(eq, at, chosen))
        left.append(line if stays else "")
        around = bool(at)
    return [*left, "#if"] if around else left  # so does one that nothing closes


RULE = Rule(
    code="FE101",
    name="syntax",
    sentence="The result parses no worse than the original.",
    why=(
        "A file that no longer parses is broken for everyone who uses it. Errors that were there "
        "before are not held against an edit, nor is what the grammar lacks and the language has: "
        "macros of C, a bare `&` in JSX. A new file must parse, unless it is a template, or in a "
        "language that has macros."
    ),
    example=("-x = f(1)\n+x = f(1"),
    severity="broken",
    applies_to=("merge", "literal", "strong"),
    check=_parses,
)
