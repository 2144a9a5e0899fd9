"""Whether the result still parses."""

from __future__ import annotations

from collections.abc import Iterator

from fastedit.check.base import Rule
from fastedit.check.change import Change
from fastedit.source.languages import named
from fastedit.source.syntax import error_in, has_grammar


def _parses(change: Change) -> Iterator[str]:
    """The result parses no worse than the original."""
    if not change.hunks or not has_grammar(change.language):
        return
    for part in change.parts:
        # What the language's own parser reads needs no other.
        error = error_in(change.language, part.new.lines, part.new_start)
        if error is None and named(change.language).error is not None:
            continue
        if part.new.damage > part.old.damage:
            line = min(part.new.damaged - part.old.damaged or part.new.damaged)
            yield f"the result has a syntax error near line {part.new_start + line + 1}"
        elif error is not None and error_in(change.language, part.old.lines) is None:
            yield f"the result is not valid {change.language}: {error}"


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
