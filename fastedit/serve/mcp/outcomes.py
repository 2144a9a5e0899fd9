"""What an agent is told of a change, in words that it can act on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from pydantic import BaseModel, Field

from fastedit.engine.changes.change import BOUND, ChangeResult, FileChange
from fastedit.files.git_patch import git_patch
from fastedit.formats.report import Report, spans
from fastedit.result import Status
from fastedit.serve.bodies.reports import PlaceOut, placed


class HunkReport(BaseModel):
    """What became of one hunk."""

    number: int = Field(description="Counts the hunks of one file from 1, as they were sent.")
    step: str = Field(description="How it was placed; unplaced or ambiguous if it was not.")
    lines: str = Field(description="The lines it replaces, from 1, or all that it may mean.")
    problem: str = Field(description="Why it has no place, and the way out.")
    nearest: list[str] = Field(description="The lines of the file that are most like its old text.")

    @classmethod
    def of(cls, report: Report) -> HunkReport:
        return cls(
            number=report.number,
            step=report.step.value,
            lines=spans(report.lines) if report.lines else "",
            problem=report.problem,
            nearest=list(report.nearest),
        )


class FileOutcome(BaseModel):
    """What became of one file."""

    path: str | None = Field(description="Its name before; null for a new file.")
    to: str | None = Field(description="Its name after; null for a deleted file.")
    status: Literal["ok", "suspect", "unchanged", "refused"]
    diff: str = Field(description="A git diff; empty for a new and a deleted file.")
    reports: list[HunkReport]
    reasons: list[str] = Field(description="Why it is suspect.")
    notes: list[str] = Field(description="What else is to be known of operations.")
    left: list[PlaceOut] = Field(description="Places that operations may also refer to and leave alone.")
    problem: str = Field(description="Why it is refused.")

    @classmethod
    def of(cls, file: FileChange) -> FileOutcome:
        return cls(
            path=file.path,
            to=file.to,
            status=file.outcome,
            diff=_diff(file),
            reports=[HunkReport.of(report) for report in file.reports],
            reasons=list(file.reasons),
            notes=list(file.notes),
            left=placed(file.left),
            problem=file.problem,
        )


class ChangeOutcome(BaseModel):
    """What became of a change."""

    status: Literal["ok", "suspect", "unchanged"]
    written: bool
    actions: list[str] = Field(description="What was done to files, or would be: a line for each.")
    held: str = Field(description="What was not done, why, and the way out; empty if all was.")
    formats: list[str]
    files: list[FileOutcome]
    notes: list[str] = Field(description="What a model says besides, and what of the message is no edit.")
    receipt: dict[str, Any] | None = Field(description="What a model that was asked cost; null if none was.")

    @classmethod
    def of(cls, result: ChangeResult, actions: list[str], held: str, *, written: bool) -> ChangeOutcome:
        return cls(
            status=result.status.value,
            written=written,
            actions=actions,
            held=held,
            formats=list(result.formats),
            files=[FileOutcome.of(file) for file in result.files],
            notes=list(result.notes),
            receipt=None if result.receipt is None else result.receipt.as_dict(),
        )


def _diff(file: FileChange) -> str:
    if file.problem or file.before is None or file.after is None:
        return ""
    return git_patch(file.path, file.to, file.before, file.after)


def objections(result: ChangeResult, delivered: Sequence[FileChange]) -> str:
    """Why files are not `delivered`: which hunk, what the nearest lines are, and the way out; empty if all are."""
    held = [file for file in result.files if file not in delivered and (file.problem or file.reasons)]
    lines = [line for file in held for line in _objections(file)]
    if result.partial:
        lines += [f"{file.name}: {BOUND}" for file in result.bound(delivered)]
    if any(file.problem for file in held):
        others = len(held) < len(result.files) and not result.partial
        way_out = ", or write the others: apply_change and apply_operations take partial" if others else ""
        lines.append(f"correct that and send the change again{way_out}")
    elif held:
        lines.append("correct that and send the change again, or write it as it is with force=true")
    return "\n".join(lines)


def _objections(file: FileChange) -> Iterator[str]:
    yield from file.objections()
    yield from file.excerpts(lambda reading: "check=true shows all")
    if file.status is Status.SUSPECT and file.confidence is not None and file.readings:
        listed = " or ".join(f'"{reading}"' for reading in file.readings)
        yield f'{file.name}: choices={{"{file.path}": {listed}}} with the same message takes another reading'
