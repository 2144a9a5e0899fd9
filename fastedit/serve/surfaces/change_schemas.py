"""The bodies of `POST /v1/changes`."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import ConfigDict, Field
from pydantic.config import JsonDict

from fastedit.engine.changes.change import ChangeResult, FileChange, HunkPlaced
from fastedit.request import PlanName, Policy
from fastedit.serve.bodies.errors import CHANGES, ways_out_of
from fastedit.serve.bodies.fields import FormatName, LanguageName, Sha256, Strict, Text
from fastedit.serve.bodies.operation_fields import AddressedIn
from fastedit.serve.bodies.reports import PlaceOut, ReportOut, placed, reported
from fastedit.serve.bodies.schemas import DROPS_FINAL_NEWLINE, AlternativeOut, HunkOut, PlainHunk, numbered
from fastedit.serve.jobs.merged import marked

EXAMPLE: JsonDict = {
    "message": "*** Begin Patch\n*** Update File: cache.py\n@@\n-SIZE = 16\n+SIZE = 64\n"
    "*** Add File: limits.py\n+MOST = 1024\n*** End Patch\n",
    "files": [{"path": "cache.py", "content": "SIZE = 16\n"}],
}
NAMELESS_EXAMPLE: JsonDict = {
    "message": "<<<<<<< SEARCH\nSIZE = 16\n=======\nSIZE = 64\n>>>>>>> REPLACE\n",
    "path": "cache.py",
    "format": "search_replace",
    "files": [{"path": "cache.py", "content": "SIZE = 16\n"}, {"path": "limits.py", "content": ""}],
    "partial": True,
}
OPERATIONS_EXAMPLE: JsonDict = {
    "operations": [
        {"path": "cache.py", "op": "rename", "target": "SIZE", "new": "MOST"},
        {"path": "limits.py", "op": "add-import", "module": "cache", "member": "MOST"},
    ],
    "files": [{"path": "cache.py", "content": "SIZE = 16\n"}, {"path": "limits.py", "content": ""}],
}
INSTRUCTION_EXAMPLE: JsonDict = {
    "instruction": "rename SIZE to MOST in both files",
    "files": [
        {"path": "cache.py", "content": "SIZE = 16\n"},
        {"path": "app.py", "content": "from cache import SIZE\n\nprint(SIZE)\n"},
        {"path": "README.md", "content": "A cache.\n", "context": True},
    ],
}


class HeldFileIn(Strict):
    """A file as the client has it."""

    path: Text = Field(description="As the message names it: relative. Answers write it with /.")
    content: Text = Field(description="The whole file. Its line ends, BOM and final newline are kept.")
    language: LanguageName | None = Field(default=None, description="As in /v1/edits.")
    context: bool = Field(default=False, description="Shown to a model that is asked, and not to be changed.")
    base_sha256: Sha256 | None = Field(
        default=None, description="Refuse with 409 unless `content` has this hash."
    )
    choice: int | None = Field(
        default=None,
        ge=1,
        le=9999,
        description="The reading of its sketch to take, as an earlier answer numbered them.",
    )


class ChangeIn(Strict):
    model_config = ConfigDict(
        json_schema_extra={"examples": [EXAMPLE, NAMELESS_EXAMPLE, OPERATIONS_EXAMPLE, INSTRUCTION_EXAMPLE]}
    )

    message: Text | None = Field(
        default=None, description="The edit as an agent wrote it, in any format, with prose around it or not."
    )
    operations: list[AddressedIn] = Field(
        default=[],
        description="Typed operations instead of a message, each with the `path` of its file; those of a file are "
        "carried out in order.",
    )
    files: list[HeldFileIn] = Field(
        description="The files that the message may change. Nothing is opened here."
    )
    path: Text | None = Field(
        default=None,
        description="The file to edit if the message names none; not needed if only one is sent.",
    )
    root: Text | None = Field(
        default=None,
        description="The absolute path of the folder that the files lie in, for messages with absolute paths, as a "
        "language server's edits have.",
    )
    format: FormatName | None = Field(default=None, description="Insist on one format.")
    instruction: Text | None = Field(
        default=None,
        description="What a sketch is for, in words; without a message and operations, what a strong model is asked to "
        "do in the files.",
    )
    plan: PlanName = Field(default="auto", description="How a strong model is asked: operations or sketch.")
    partial: bool = Field(
        default=False, description="Deliver the files that can be changed even if others cannot."
    )
    policy: Policy = Field(default="auto", description="Who decides, as in /v1/edits.")
    drafter: Text | None = Field(default=None, description="As in /v1/edits.")
    ignore: list[Text] = Field(default=[], description="As in /v1/edits.")
    tenant: Text = Field(default="", max_length=256, description="As in /v1/edits.")
    deadline_ms: int | None = Field(
        default=None, ge=1, lt=1 << 63, description="408 after this time; the server has a limit too."
    )
    model: Text | None = None


class FileOut(Strict):
    """What becomes of one file."""

    path: str | None = Field(description="Its name before; null for a new file.")
    to: str | None = Field(description="Its name after; null for a deleted file.")
    status: Literal["ok", "suspect", "unchanged", "refused"]
    content: str | None = Field(description="The whole file after; null where it is deleted or refused.")
    executable: bool = Field(description="A new file is a program.")
    hunks: list[HunkOut]
    drops_final_newline: bool = Field(description=DROPS_FINAL_NEWLINE)
    reports: list[ReportOut] = Field(description="One for each hunk that is placed by its text or lines.")
    reasons: list[str] = Field(description="Why it is suspect.")
    notes: list[str] = Field(description="What else you should know of operations.")
    left: list[PlaceOut] = Field(description="Places that operations may also refer to and leave alone.")
    problem: str = Field(description="Why it is refused, in one line.")
    ways_out: list[str] = Field(
        description="The fields that the problem's way out is taken by, or the path of another endpoint."
    )
    alternatives: list[AlternativeOut] = Field(description="What else a sketch may mean.")
    confidence: float | None = Field(
        description="From 0 to 1, that this is what a sketch means; null if it was placed otherwise."
    )

    @classmethod
    def of(cls, file: FileChange) -> FileOut:
        after = None if file.problem else file.after
        return cls(
            path=file.path,
            to=file.to,
            status=file.outcome,
            content=None if after is None else marked(after, after.text),
            executable=file.executable,
            hunks=[] if file.problem else numbered(file.hunks),
            drops_final_newline=file.drops_final_newline,
            reports=reported(file.reports),
            reasons=list(file.reasons),
            notes=list(file.notes),
            left=placed(file.left),
            problem=file.problem,
            ways_out=ways_out_of(file.error, CHANGES),
            alternatives=[AlternativeOut.of(option) for option in file.options],
            confidence=file.confidence,
        )


class HunkPlacedOut(Strict):
    """A hunk that has one place whatever the others are: a preview, until the result."""

    path: str
    report: ReportOut
    hunks: list[PlainHunk] = Field(description="What it changes, over the lines of the file as it was sent.")

    @classmethod
    def of(cls, placed: HunkPlaced) -> HunkPlacedOut:
        [report] = reported([placed.report])
        return cls(path=placed.path, report=report, hunks=list(map(PlainHunk.of, placed.hunks)))


class ChangeOut(Strict):
    """How a change ended. It is one thing: unless `partial`, either every file is to be written or none."""

    id: str
    model: str
    status: Literal["ok", "suspect", "unchanged"] = Field(
        description="`suspect` if any file is suspect or refused."
    )
    formats: list[str] = Field(description="The formats that the message is written in.")
    reasons: list[str] = Field(description="Why files are held back, each named.")
    deliver: list[str] = Field(description="The files to write, by their name after (before, if deleted).")
    files: list[FileOut] = Field(description="In the order of the message.")
    notes: list[str] = Field(description="What a model says besides, and what of the message is no edit.")
    receipt: dict[str, Any] | None = Field(description="What a model that was asked cost; null if none was.")

    @classmethod
    def of(cls, result: ChangeResult, identity: str, model: str) -> ChangeOut:
        return cls(
            id=identity,
            model=model,
            status=result.status.value,
            formats=list(result.formats),
            reasons=list(result.reasons),
            deliver=[file.name for file in result.delivered],
            files=[FileOut.of(file) for file in result.files],
            notes=list(result.notes),
            receipt=None if result.receipt is None else result.receipt.as_dict() | {"model": model},
        )
