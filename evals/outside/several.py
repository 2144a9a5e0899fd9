"""Instructions about several real files of the train packages, with answers to the prompts that they make.

Each has a judge: what must and must not stand in files afterwards; every other file stays as it is. One hand wrote
instructions, judges and answers, so these tell whether right answers are delivered, not how often a model is right.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from evals.edits import release
from evals.outside.releases import HERE
from evals.outside.scripted import scripted
from evals.table import table
from fastedit.engine import Engine
from fastedit.engine.changes import ChangeRequest, ChangeResult, change
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


Scored = tuple[str, str, str, str, int, int, float]


def ask(task: Task, old: Mapping[str, str], shape: str, model: str) -> Scored:
    """Task, shape, outcome, reasons, tokens of the answer and of the files, and this process's time in ms. Raises
    ModelUnavailable."""
    request = ChangeRequest(None, instruction=task.instruction, paths=task.paths)
    started, tokens = process_time(), 0
    try:
        result = change(Engine.load(model), request, Texts(old))
        outcome, said = outcome_of(task, result, old), "; ".join(result.reasons)
        tokens = result.receipt.output_tokens if result.receipt is not None else 0
    except ModelUnavailable:
        raise
    except FasteditError as error:
        outcome, said = "refused", str(error)
    ms = 1000 * (process_time() - started)
    return task.id, shape, outcome, said, tokens, sum(map(tokens_of, old.values())), ms


def scored(model: str | None) -> Iterator[Scored]:
    """What becomes of a model's answers, or of those that are kept here. Raises Unavailable and ModelUnavailable."""
    for task in tasks():
        old = texts_of(task)
        if model is not None:
            yield ask(task, old, "asked", model)
            continue
        for shape, answer in task.answers.items():
            with scripted(answer) as (address, _):
                name, _, outcome, said, _, size, ms = ask(task, old, shape, address)
            yield name, shape, outcome, said, tokens_of(answer), size, ms


def report(model: str | None = None) -> str:
    """A table by shape, and a line for each answer that was not delivered as it should. Raises as `scored` does."""
    found = list(scored(model))
    outcomes = sorted({each[2] for each in found})
    lines = []
    for shape in [*sorted({each[1] for each in found}), None]:
        group = [each for each in found if shape in (None, each[1])]
        share = sum(each[4] for each in group) / sum(each[5] for each in group)
        counts = [str(sum(each[2] == outcome for each in group)) for outcome in outcomes]
        ms = f"{median(each[6] for each in group):.0f}"
        lines.append([shape or "all", str(len(group)), *counts, f"{share:.0%}", ms])
    head = ["", "answers", *outcomes, "tokens, of a rewrite's", "ms, median"]
    left = [each for each in found if each[2] not in ("delivered, right", "left alone, rightly")]
    return "\n".join(
        [table(head, lines), *(f"{name} {shape}: {out}: {said}" for name, shape, out, said, *_ in left)]
    )


def _fits(text: str | None, parts: Mapping[str, Any] | None) -> bool:
    if text is None or parts is None:
        return text is None and parts is None
    return all(part in text for part in parts["has"]) and not any(part in text for part in parts["lacks"])
