"""Whether the result still parses."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import lru_cache

from fastedit.check.base import Rule
from fastedit.check.change import Change
from fastedit.source.syntax import has_grammar


def _parses(change: Change) -> Iterator[str]:
    """The result parses no worse than the original."""
    if not change.hunks or not has_grammar(change.language):
        return
    if change.near and not (
        change.language == "python"
        and any(_python_error(tuple(new.lines)) is not None for _, new in change.near)
    ):
        return
    old, new = change.old_syntax, change.new_syntax
    assert old is not None
    assert new is not None
    if new.damage > old.damage:
        places = {node.start_point.row for node in new.find("(ERROR) @found (MISSING) @found")}
        known = {node.start_point.row for node in old.find("(ERROR) @found (MISSING) @found")}
        line = min(places - known or places)
        yield f"the result has a syntax error near line {line + 1}"
    elif (
        change.language == "python" and (error := _python_error(change.new)) and not _python_error(change.old)
    ):
        yield f"the result is no valid Python: {error}"


@lru_cache(maxsize=4)  # each reading of an update is held against the same file
def _python_error(lines: tuple[str, ...]) -> str | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile("\n".join(lines) + "\n", "<result>", "exec", dont_inherit=True)
        except SyntaxError as error:
            return f"{error.msg} (line {error.lineno})"
        except (ValueError, RecursionError, MemoryError) as error:
            return str(error) or type(error).__name__
    return None


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
        "strong",
        "embedded",
    ),
    check=_parses,
)
