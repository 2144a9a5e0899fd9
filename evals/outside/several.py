"""Instructions about several real files of the train packages, with answers to the prompts that they make.

Each has a judge: what must and must not stand in files afterwards; every other file stays as it is. One hand wrote
instructions, judges and answers, so these tell whether right answers are delivered, not how often a model is right.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time
from typing import Any

from evals.edits import release
from evals.outside.releases import HERE
from evals.outside.scored import Scored, quickest, share_changed
from evals.outside.scripted import scripted
from fastedit.engine import Engine
from fastedit.engine.changes import ChangeRequest, ChangeResult, change
from fastedit.engine.dialogue import REPAIRED
from fastedit.errors import FasteditError, ModelUnavailable
from fastedit.plan.base import tokens_of
from fastedit.result import Status
from fastedit.source.document import Document
from fastedit.train.archive import members

TASKS = HERE / "several-train.jsonl"
LOCKS = (HERE.parent / "edits.lock.json", HERE.parent / "languages.lock.json")


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


class Texts:
    """The files of a task in memory."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = dict(texts)

    def read(self, path: str) -> Document | None:
        text = self.texts.get(path)
        return None if text is None else Document.from_text(text, Path(path))


def tasks() -> list[Task]:
    rows = [json.loads(line) for line in TASKS.read_text("utf-8").splitlines()]
    return [Task(**row | {"paths": tuple(row["paths"])}) for row in rows]


def texts_of(task: Task) -> dict[str, str]:
    """The files as the release has them. Raises Unavailable."""
    locked = [entry for lock in LOCKS for entry in json.loads(lock.read_text("utf-8"))["train"]]
    entry = next(entry for entry in locked if entry["package"] == task.package)
    archive = release(task.package, **entry["old"])
    return {str(path): data.decode() for path, data in members(archive, lambda path: str(path) in task.paths)}


def outcome_of(task: Task, result: ChangeResult, old: Mapping[str, str]) -> str:
    if result.status is Status.UNCHANGED:
        return "left alone, rightly" if not task.want else "left alone, wrongly"
    new = dict(old)
    for file in result.files:
        if file.path is not None:
            new.pop(file.path, None)
        if file.to is not None and file.after is not None:
            new[file.to] = file.after.text
    right = bool(task.want) and task.is_right(old, new)
    return f"{'delivered' if result.delivered else 'held back'}, {'right' if right else 'wrong'}"


def ask(task: Task, old: Mapping[str, str], model: str) -> Scored:
    """What the model's answer to one task comes to, under the way that it was asked. Raises ModelUnavailable."""
    request = ChangeRequest(None, instruction=task.instruction, paths=task.paths)
    asked, tokens, changed, way = 1, 0, 0.0, "none"
    started = process_time()
    try:
        result = change(Engine.load(model), request, Texts(old))
        outcome, said = outcome_of(task, result, old), "; ".join((*result.reasons, *result.notes))
        if result.receipt is not None:
            way, tokens = str(result.receipt.plan), result.receipt.output_tokens
        asked = 1 + (REPAIRED in said)
        hunks = (hunk for file in result.files for hunk in file.hunks)
        changed = share_changed(hunks, sum(text.count("\n") for text in old.values()))
    except ModelUnavailable:
        raise
    except FasteditError as error:
        outcome, said = "refused", str(error)
    ms = 1000 * (process_time() - started)
    size = sum(map(tokens_of, old.values()))
    return Scored(task.id, way, outcome, said, asked, tokens, size, changed, ms)


def scored(model: str | None, rounds: int) -> list[Scored]:
    """What becomes of a model's answers, or of those that are kept here. Raises Unavailable and ModelUnavailable."""
    texts = {task.id: texts_of(task) for task in tasks()}
    if model is not None:
        return [ask(task, texts[task.id], model) for task in tasks()]
    return quickest([list(_kept(texts)) for _ in range(rounds)])


def _kept(texts: Mapping[str, Mapping[str, str]]) -> Iterator[Scored]:
    for task in tasks():
        for shape, answer in task.answers.items():
            with scripted(answer) as server:
                found = ask(task, texts[task.id], server.address)
            written = len(server.asked) * tokens_of(answer)
            ms = found.ms - 1000 * server.seconds
            yield replace(found, shape=shape, asked=len(server.asked), answer_tokens=written, ms=ms)


def _fits(text: str | None, parts: Mapping[str, Any] | None) -> bool:
    if text is None or parts is None:
        return text is None and parts is None
    return all(part in text for part in parts["has"]) and not any(part in text for part in parts["lacks"])
