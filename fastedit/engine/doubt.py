"""Why the likeliest reading of an update may not be the one that is meant, and where that is open."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fastedit.engine.merge import SURE, Merge, Reading
from fastedit.readings import LIKELY, parting_line, share
from fastedit.sketch.lattice import Step
from fastedit.sketch.removals import removed_names
from fastedit.source.document import Document
from fastedit.source.outline import definition_at, parents

_COUNTS = {2: "two", 3: "three"}


def doubts_about(document: Document, merge: Merge, *, by_model: bool = False) -> tuple[str, ...]:
    """Empty where the likeliest reading of an update of the document is sure. `by_model`: they go back to the model
    that wrote the update, which can choose no reading."""
    best = merge.best
    if best.posterior >= SURE:
        return best.broken
    return (*_missing(document, merge), _unsure(document, merge, by_model=by_model), *best.reasons)


def _unsure(document: Document, merge: Merge, *, by_model: bool) -> str:
    best, offered = merge.best, merge.offered
    instead = ", or write the edit as SEARCH/REPLACE blocks" if by_model else ""
    others = [reading for reading in offered if reading is not best]
    standing = [other for other in others if other.posterior >= LIKELY and not other.broken]
    if not standing:
        where = f"repeat more of what the file has around line {_first_line(best)}"
        if others:
            where = f"{_parting(merge, best, others[0])}; repeat more of what the file has there"
        return f"this reading of the update is uncertain ({share(best.posterior)}): {where}{instead}"
    line = parting_line(document, best.hunks, standing[0].hunks)
    shares = [share(reading.posterior) for reading in offered if reading.posterior >= LIKELY]
    figures = ", ".join(shares[:-1]) + f" or {shares[-1]}"
    return (
        f"the update has {_COUNTS[len(offered)]} readings, which diverge at line {line} ({figures}): "
        f"{_parting(merge, best, standing[0])}; repeat more of what the file has there{instead or ', or choose'}"
    )


def _first_line(reading: Reading) -> int:
    return reading.hunks[0].start + 1 if reading.hunks else 1


def _parting(merge: Merge, one: Reading, other: Reading) -> str:
    """What each takes a line for that they take differently: one of the update, else lines of the file."""
    mine, theirs = ({step.sketch: said for step, said in _said(merge, reading)} for reading in (one, other))
    for row, said in mine.items():
        if row is not None and said != theirs.get(row, said):
            return f"{said}, or {theirs[row]}"
    apart = zip(_said(merge, one), _said(merge, other), strict=False)
    return next(
        (f"{said.strip()}, or {instead.strip()}" for (_, said), (_, instead) in apart if said != instead), ""
    )


def _said(merge: Merge, reading: Reading) -> list[tuple[Step, str]]:
    return list(zip(reading.path, merge.told(reading), strict=True))


def _missing(document: Document, merge: Merge) -> Iterator[str]:
    """What the file lacks: what the update says is gone, and definitions in which a marker stands for code."""
    lines = merge.update.texts
    for gone in dict.fromkeys(gone for line in lines for gone in removed_names(line)):
        if re.split(r"\W+", gone)[-1] not in document.text:
            yield f"the update says that {gone} is gone, but the file does not have it"
    above = parents(lines)
    known = {definition_at(document.lines, row) for row in range(len(document.lines))}
    for row in dict.fromkeys(above[row] for row, line in enumerate(merge.update.lines) if line.marker):
        name = None if row is None else definition_at(lines, row)
        if name is not None and name not in known:
            yield f"a marker in the update stands for code of {name}, which the file does not have"
