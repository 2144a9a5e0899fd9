"""Edits as they are sent: rows of a set with the files that they are about, each as a case with its judge.

Agents' are sketches, blocks, diffs, envelopes, string pairs, functions and whole files. Each was written blind for a
real change between two releases, from the file before and after alone; a second blind reader said whether it says what
it should. docs/evaluation.md has the procedure.

Others are sketches whose change is kept as ranges of the file's lines. Some are of changes that their authors thought
of themselves: each had one file at a time of the sets of `evals.edits` or of a single release, thought of two changes
to it and wrote the sketch of each, with nothing else to see. Hazards mean one thing to anybody who reads them and are
easily misread: a program that is gone made them of real functions in the files of both halves.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from evals.edits import EditsOfRows, changed
from evals.outside.case import Case, same_but_for_depth, same_text
from evals.outside.releases import Split
from evals.outside.sources import rows, text_of
from fastedit.source.languages import language_of, notation_of


def agents(split: Split) -> list[Case]:
    """The call as agents make it: the edit, and a line that says what it does. Raises FileUnreadable."""
    return [_of_agent(row, split) for row in rows("agents", split)]


def agents_alone(split: Split) -> list[Case]:
    """The same edits with nothing beside them."""
    return [replace(case, instruction=None) for case in agents(split)]


def _of_agent(row: dict[str, Any], split: Split) -> Case:
    source = text_of(row, split)
    assert source.new is not None
    path, judge = row["file"]["path"], same_text(source.new, source.old)
    kind = row["format"] if row["habit"] is None else f"sketch: {row['habit']}"
    language = language_of(Path(path), source.old)
    told = {name: row[name] for name in ("id", "author", "instruction", "says_so")}
    return Case(
        kind=kind, language=language, path=path, old=source.old, update=row["edit"], judge=judge, **told
    )


def thought_of(suite: str, split: Split) -> list[Case]:
    """Raises FileUnreadable, also before a set is built that one of them is of."""
    edits = EditsOfRows(split)
    return [
        _of_change(row, (edits[row] if "set" in row else text_of(row, split)).old)
        for row in rows(suite, split)
    ]


def _of_change(row: dict[str, Any], old: str) -> Case:
    path = Path(row["path"])
    kind = f"sketch: {path.suffix.removeprefix('.') or path.name}"
    judge = same_text(changed(old, row["change"]), old)
    return Case(
        row["id"], kind, row["author"], notation_of(path, old), row["path"], old, judge, update=row["edit"]
    )


def hazards(split: Split) -> list[Case]:
    """Raises FileUnreadable."""
    return [_of_hazard(row, text_of(row, split).old) for row in rows("hazards", split)]


def _of_hazard(row: dict[str, Any], text: str) -> Case:
    old, wanted = texts_of(row, text)
    language, path = notation_of(Path(row["file"]["key"]), text), row["file"]["path"]
    judge = same_but_for_depth(wanted) if row.get("loose") else same_text(wanted)
    return Case(row["id"], row["kind"], row["author"], language, path, old, judge, update=row["edit"])


def texts_of(row: dict[str, Any], text: str) -> tuple[str, str]:
    """The file before and after. Where `text`, as the release has it, lacks the hazard, `before` puts it there."""
    old = changed(text, row.get("before", ()))
    return old, changed(old, row["change"])
