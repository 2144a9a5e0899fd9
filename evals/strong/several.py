"""Instructions about several real files of the train packages, with answers to the prompts that they make.

Each has a judge: what must and must not stand in files afterwards; every other file stays as it is. One hand wrote
instructions, judges and answers, so these tell whether right answers are delivered, not how often a model is right.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.edits import LANGUAGES, PYTHON, release
from evals.outside.outcome import texts_after
from evals.outside.releases import HERE
from evals.strong.scored import Result, Scored, ScoredQuestion, ask, quickest, read
from fastedit.engine import Engine
from fastedit.engine.changes.change import ChangeRequest, change
from fastedit.serve.jobs.held import HeldChange
from fastedit.source.document import Document
from fastedit.train import jsonl
from fastedit.train.sources.archive import members

TASKS = HERE / "several-train.jsonl"


@dataclass(frozen=True, slots=True)
class Task:
    """`want` has the texts that must and must not stand in a file, None for one that must be gone."""

    id: str
    package: str
    paths: tuple[str, ...]
    instruction: str
    want: Mapping[str, Mapping[str, list[str]] | None]
    answers: Mapping[str, str]

    def is_right(self, old: Mapping[str, str], new: Mapping[str, str]) -> bool:
        kept = {path: text for path, text in old.items() if path not in self.want}
        rest = {path: text for path, text in new.items() if path not in self.want}
        return kept == rest and all(_fits(new.get(path), parts) for path, parts in self.want.items())


def tasks() -> list[Task]:
    return [Task(**row | {"paths": tuple(row["paths"])}) for row in jsonl.read(TASKS)]


def texts_of(task: Task) -> dict[str, str]:
    """The files as the release has them. Raises Unavailable."""
    locked = [entry for lock in (PYTHON, LANGUAGES) for entry in json.loads(lock.read_text("utf-8"))["train"]]
    entry = next(entry for entry in locked if entry["package"] == task.package)
    archive = release(task.package, **entry["old"])
    return {str(path): data.decode() for path, data in members(archive, lambda path: str(path) in task.paths)}


def question_of(task: Task, old: Mapping[str, str]) -> ScoredQuestion:
    def ask(model: str) -> Result:
        request = ChangeRequest(None, instruction=task.instruction, paths=task.paths)
        files = {path: Document.from_text(text, Path(path)) for path, text in old.items()}
        result = change(Engine.load(model), request, HeldChange(request, files))
        new = texts_after(old, result)
        hunks = (hunk for file in result.files for hunk in file.hunks)
        return Result(result, hunks, bool(task.want) and task.is_right(old, new))

    return ScoredQuestion(task.id, tuple(old.values()), not task.want, ask)


def scored(model: str | None, rounds: int) -> list[Scored]:
    """What becomes of a model's answers, or of those that are kept here. Raises Unavailable and ModelUnavailable."""
    asked = [(task, question_of(task, texts_of(task))) for task in tasks()]
    if model is not None:
        return [ask(question, model) for _, question in asked]
    kept = [(question, *answer) for task, question in asked for answer in task.answers.items()]
    return quickest([[read(*each) for each in kept] for _ in range(rounds)])


def _fits(text: str | None, parts: Mapping[str, Any] | None) -> bool:
    if text is None or parts is None:
        return text is None and parts is None
    return all(part in text for part in parts["has"]) and not any(part in text for part in parts["lacks"])
