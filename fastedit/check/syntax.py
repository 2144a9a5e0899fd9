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
    if change.near and not any(error_in(change.language, tuple(new.lines)) for _, new in change.near):
        return
    # What the language's own parser reads needs no other, and a result without an error is no worse than anything.
    error = error_in(change.language, change.new)
    if error is None and named(change.language).error is not None:
        return
    new = change.new_syntax
    assert new is not None
    old = change.old_syntax if new.damage else new
    assert old is not None
    if new.damage > old.damage:
        places = {node.start_point.row for node in new.find("(ERROR) @found (MISSING) @found")}
        known = {node.start_point.row for node in old.find("(ERROR) @found (MISSING) @found")}
        line = min(places - known or places)
        yield f"the result has a syntax error near line {line + 1}"
    elif error is not None and error_in(change.language, change.old) is None:
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
