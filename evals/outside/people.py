"""Instructions as people type them to a tool, and programs that judge what became of the file.

Each was written blind, from one real file alone. A judge is one exact text, a predicate over the text before and
after, or "nothing may be done". docs/evaluation.md has the procedure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

from evals.edits import opcodes
from evals.outside.case import Case, Judge
from evals.outside.releases import Split
from evals.outside.sources import rows, text_of
from fastedit.source.languages import notation_of
from fastedit.source.syntax import Syntax, error_in, has_grammar

# A right answer takes away no more lines of the file than so many times what the writer's own does, and a few.
_FACTOR, _MORE = 4, 15


def load(split: Split) -> list[Case]:
    """The instructions of a half."""
    return [_case(row, text_of(row, split).old) for row in rows("people", split)]


def _case(row: dict[str, Any], old: str) -> Case:
    path = row["file"]["path"]
    language = notation_of(Path(path), old)
    told = {name: row[name] for name in ("id", "kind", "author", "instruction", "expressible")}
    return Case(language=language, path=path, old=old, judge=_judge(row, old, language), **told)


def solved(old: str, solution: Sequence[dict[str, Any]]) -> str:
    """The text with the writer's own answer in it."""
    for edit in solution:
        old = old.replace(edit["old"], edit["new"], -1 if edit.get("all") else 1)
    return old


def _judge(row: dict[str, Any], old: str, language: str) -> Judge | None:
    if row["judge"] == "must_not":
        return None
    own = solved(old, row["solution"])
    if row["judge"] == "exact":
        return lambda text: text == own
    most = _FACTOR * _lines_gone(old, own) + _MORE
    sound = parses(own.split("\n"), language)

    def judge(text: str) -> bool:
        if text == own:
            return True
        if _lines_gone(old, text) > most or (sound and not parses(text.split("\n"), language)):
            return False
        try:
            return _predicate(row["check"])(old, text)
        except Exception:  # written for right answers: what it cannot even read is none
            return False

    return judge


def parses(lines: Sequence[str], language: str) -> bool:
    """Whether the text is free of syntax errors, in Python of those too that only its compiler finds.

    Without a grammar nothing is an error.
    """
    if language == "python":
        return error_in(language, tuple(lines)) is None
    return not has_grammar(language) or not Syntax(lines, language).damage


@cache
def _predicate(source: str) -> Callable[[str, str], bool]:
    space: dict[str, Any] = {}
    exec(source, space)
    return cast(Callable[[str, str], bool], space["check"])


def _lines_gone(old: str, new: str) -> int:
    return sum(i2 - i1 for tag, i1, i2, _, _ in opcodes(old.split("\n"), new.split("\n")) if tag != "equal")
