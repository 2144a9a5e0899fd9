"""What became of an edit's hunks, as a part of answers and errors."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import Field

from fastedit.formats.report import Report
from fastedit.ops import Candidate
from fastedit.serve.bodies.fields import Span, Strict


class ReportOut(Strict):
    """What became of one hunk."""

    number: int = Field(description="Counts the hunks of one file from 1, as the author wrote them.")
    step: str = Field(description="How it was placed; `unplaced` or `ambiguous` if it was not.")
    lines: list[Span] = Field(description="The lines it replaces, or all that it may mean.")
    problem: str = Field(description="Why it has no place, and the way out, in one line.")
    nearest: list[str] = Field(
        description="The lines of the file, numbered, that are most like its old text."
    )


class PlaceOut(Strict):
    """A place of the file that an operation may mean."""

    line: int = Field(ge=1, description="From 1, of the file before.")
    text: str
    why: str = Field(description="What it is, or why it stays as it is.")


def placed(candidates: Iterable[Candidate]) -> list[PlaceOut]:
    return [PlaceOut.model_validate(candidate.as_dict()) for candidate in candidates]


def reported(reports: Iterable[Report]) -> list[ReportOut]:
    return [ReportOut.model_validate(report.as_dict()) for report in reports]
