"""Whether the result still parses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fastedit.check.base import Rule
from fastedit.check.change import Change, ChangedPart, short
from fastedit.source.languages import named
from fastedit.source.syntax import Syntax, error_in, has_grammar

_CONDITION = re.compile(r"\s*#\s*(ifdef|ifndef|if|elif\w*|else|endif)\b")


def _parses(change: Change) -> Iterator[str]:
    """The result parses no worse than the original."""
    if not change.hunks or not has_grammar(change.language):
        return
    for part in change.parts:
        # What the language's own parser reads needs no other.
        error = error_in(change.language, part.new.lines, part.new_start)
        if error is None and named(change.language).error is not None:
            continue
        if part.new.damage > part.old.damage and not _parses_in_each_branch(part):
            line = min(part.new.damaged - part.old.damaged or part.new.damaged)
            yield f"the result has a syntax error near {_named(change, part.new_start + line)}"
        elif error is not None and error_in(change.language, part.old.lines) is None:
            yield f"the result is not valid {change.language}: {error}"


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


def _parses_in_each_branch(part: ChangedPart) -> bool:
    """Whether only `#if` itself has no place in the grammar, as below a label: what it leaves parses either way."""
    language, lines = part.new.language, part.new.lines
    if not language.conditional_lines or not all(
        map(_CONDITION.match, (lines[row] for row in part.new.damaged))
    ):
        return False
    for holds in (True, False):
        old, new = (_branch(syntax.lines, holds) for syntax in (part.old, part.new))
        if old is None or new is None:
            return False
        if Syntax(new, language.name).damage > Syntax(old, language.name).damage:
            return False
    return True


def _branch(lines: Sequence[str], holds: bool) -> list[str] | None:
    """The lines that are left where each `#if` holds, or where none does, others blank; None where they do not pair."""
    left: list[str] = []
    kept: list[bool] = []
    for line in lines:
        found = _CONDITION.match(line)
        left.append(line if found is None and all(kept) else "")
        if found is None:
            continue
        if found[1].startswith("if"):
            kept.append(holds)
        elif not kept:
            return None
        elif found[1] == "endif":
            kept.pop()
        else:
            kept[-1] = found[1] == "else" and not holds
    return None if kept else left


RULE = Rule(
    code="FE101",
    name="syntax",
    sentence="The result parses no worse than the original.",
    why=(
        "A file that no longer parses is broken for everyone who uses it. Errors that were there "
        "before are not held against an edit."
    ),
    example=("-x = f(1)\n+x = f(1"),
    severity="broken",
    applies_to=(
        "merge",
        "literal",
        "strong",
        "embedded",
    ),
    check=_parses,
)
