"""A change of many files in words, as a diff and as JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from fastedit.cli.output.report import costs
from fastedit.files.git_patch import git_patch
from fastedit.files.paths import patch_name
from fastedit.result import Status
from fastedit.source.document import Document

if TYPE_CHECKING:
    from fastedit.engine.changes.change import ChangeResult, FileChange


def lines(result: ChangeResult) -> Iterator[str]:
    """What would happen: a line for each file and, indented, for each hunk; then what is to be known of all of it."""
    for file in result.files:
        yield _titled(file)
        for report in file.reports:
            yield f"  {report}"
            yield from (f"    {line}" for line in report.nearest)
        yield from (f"  note: {note}" for note in file.notes)
        yield from (f"  suspect: {reason}" for reason in file.reasons)
    yield from (f"note: {note}" for note in result.notes)


def notes(result: ChangeResult) -> Iterator[str]:
    """What a model and operations say beside the diff."""
    yield from (f"note: {note}" for note in result.notes)
    yield from (f"note: {file.name}: {note}" for file in result.files for note in file.notes)


def summary(result: ChangeResult) -> str:
    """What the change comes to, in one line."""
    counts = [_counts(file) for file in result.files if file.status is not None]
    added, removed = sum(count[0] for count in counts), sum(count[1] for count in counts)
    count = len(result.files)
    refused = sum(bool(file.problem) for file in result.files)
    held = "in part" if result.partial and refused < count else "refused"
    outcome = held if refused else result.status
    parts = [f"{outcome}: {count} file{'s' if count != 1 else ''} +{added} -{removed}"]
    if result.formats:
        parts.append(", ".join(result.formats))
    return " · ".join([*parts, *(costs(result.receipt) if result.receipt else ())])


def diff(file: FileChange, root: str) -> str:
    """The section of a git diff for a file under `root`; empty where it cannot be changed or stays the same."""
    if file.problem:
        return ""
    path, to = (name and patch_name(os.path.join(root, name), git=True) for name in (file.path, file.to))
    return git_patch(path, to, file.before, file.after, executable=file.executable)


def encoding(file: FileChange) -> str:
    return (file.before or file.after or Document.from_text("")).encoding


def as_json(result: ChangeResult, root: str, written: bool) -> str:
    """One JSON object. Lines count from 0, their ends exclusive."""
    return json.dumps(
        {
            "status": result.status,
            "formats": result.formats,
            "written": written,
            "reasons": result.reasons,
            "notes": result.notes,
            "receipt": None if result.receipt is None else result.receipt.as_dict(),
            "files": [_file(file) for file in result.files],
            "diff": "".join(diff(file, root) for file in result.files),
        }
    )


def _file(file: FileChange) -> dict[str, Any]:
    after = None if file.problem else file.after
    return {
        "path": file.path,
        "to": file.to,
        "action": file.action,
        "status": file.outcome,
        "reasons": file.reasons,
        "notes": file.notes,
        "left": [place.as_dict() for place in file.left],
        "problem": file.problem,
        "reports": [report.as_dict() for report in file.reports],
        "hunks": list(map(asdict, file.hunks)),
        "sha256": {
            "before": None if file.before is None else file.before.sha256,
            "after": None if after is None else after.sha256,
        },
    }


def _titled(file: FileChange) -> str:
    if file.problem:
        told = any(not report.step.placed for report in file.reports)
        return f"refused {file.name}" + ("" if told else f": {file.problem}")
    return f"unchanged {file.name}" if file.status is Status.UNCHANGED else file.title


def _counts(file: FileChange) -> tuple[int, int]:
    """Lines added and removed."""
    if file.before is None:
        return 0 if file.after is None else len(file.after.lines), 0
    if file.after is None:
        return 0, len(file.before.lines)
    return sum(len(hunk.lines) for hunk in file.hunks), sum(hunk.stop - hunk.start for hunk in file.hunks)
