"""`python -m evals.outside.chats FOLDER...`: what becomes of edits in chats that people had with aider and committed.

Each folder is a git repository whose history has a `.aider.chat.history.md`: what a model answered, and the commit that
aider made of it. The files before that commit and the answer go in; right is what the commit has, ends of the files
aside. Of the answers whose commit has nothing else. No such repository is kept here.
"""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from evals.outside.outcome import Outcome, texts_after
from evals.publish import Json, publish
from fastedit.console import reported
from fastedit.engine import Engine
from fastedit.engine.changes.change import ChangeRequest, change
from fastedit.errors import FasteditError, UsageError
from fastedit.request import Policy
from fastedit.serve.jobs.held import HeldChange
from fastedit.source.document import Document

HISTORY = ".aider.chat.history.md"
_MODEL = re.compile(r"> (?:Main model|Models?): \S+(?: with (?P<format>.+?) edit format)?")
_APPLIED = re.compile(r"> Applied edit to (?P<path>.+?)\s*")
_COMMIT = re.compile(r"> Commit (?P<commit>[0-9a-f]{7,40})\b.*")
# What aider tells the model of blocks that it could not apply ends so.
_TOLD = re.compile(r"The SEARCH section must exactly match|Just reply with fixed versions|Don't re-send them")
_FAILED = re.compile(
    r"> (?:The LLM did not|# \d+ SEARCH|Only \d|Retry|Attempt|Fix|Unable|Add file|Can't|Malformed)"
)


@dataclass(slots=True)
class Answer:
    """What a model answered, in which of aider's edit formats, the files that aider changed, and the commits before
    and after; `base` is None where the files had been committed."""

    format: str
    lines: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    base: str | None = None
    commit: str = ""


@dataclass(frozen=True, slots=True)
class ChatEdit:
    """An answer with the files before and after it."""

    commit: str
    format: str
    message: str
    before: Mapping[str, str]
    after: Mapping[str, str]


def answers(history: str) -> Iterator[Answer]:
    """The answers of a chat that were committed on their own."""
    edit_format, committing, mixed = "", False, False
    answer = Answer("")
    for line in history.replace("\r\n", "\n").split("\n"):
        begins = line.startswith(("#### ", "# aider chat started"))
        if found := _MODEL.match(line):
            edit_format = found["format"] or edit_format
        elif line.startswith("> Committing "):
            committing = True  # what somebody had changed by hand
        elif found := _APPLIED.fullmatch(line):
            answer.paths.append(found["path"])
        elif found := _COMMIT.fullmatch(line):
            if committing:
                answer.base, committing = found["commit"], False
            elif answer.paths:
                answer.commit = found["commit"]
                if not mixed:
                    yield answer
                answer, mixed = Answer(edit_format), False
        elif begins or line.startswith("> Edit the files?") or (_FAILED.match(line) and not answer.paths):
            # The next commit has an applied answer that has none of its own.
            mixed = (mixed or bool(answer.paths)) and not line.startswith("# ")
            answer = Answer(edit_format)
        elif not line.startswith("> "):
            if answer.paths and line.strip():
                answer, mixed = Answer(edit_format), True
            answer.format = edit_format
            if _TOLD.match(line):
                answer.lines.clear()
            else:
                answer.lines.append(line)


def edits(folder: Path) -> Iterator[ChatEdit]:
    """The committed answers of a repository. Raises UsageError for a folder that is none."""
    known = set[str]()
    for version in _git(folder, "log", "--all", "--format=%H", "--", HISTORY).split():
        for answer in answers(_shown(folder, version, HISTORY)):
            if answer.commit not in known:
                known.add(answer.commit)
                yield from _edit(folder, answer)


def _edit(folder: Path, answer: Answer) -> Iterator[ChatEdit]:
    """The answer with its files; nothing where the commit is gone, or has more than the answer."""
    try:
        base, commit = _git(folder, "rev-parse", f"{answer.commit}^", answer.commit).split()
        changed = set(_git(folder, "diff", "--name-only", "-z", base, commit).split("\0")) - {""}
    except UsageError:
        return
    paths = {path.replace("\\", "/") for path in answer.paths}
    if changed != paths or not base.startswith(answer.base or ""):
        return
    before, after = ({path: _shown(folder, at, path) for path in sorted(paths)} for at in (base, commit))
    message = "\n".join(answer.lines).strip("\n")
    yield ChatEdit(commit, answer.format or "not named", message, before, after)


def _shown(folder: Path, commit: str, path: str) -> str:
    """A file as a commit has it, nothing where it has none."""
    try:
        return _git(folder, "show", f"{commit}:{path}")
    except UsageError:
        return ""


def _git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, check=False)
    if done.returncode:
        raise UsageError(f"{folder}: git {words[0]} says {done.stderr.decode(errors='replace').strip()!r}")
    return done.stdout.decode(errors="replace")


def outcome(engine: Engine, edit: ChatEdit, policy: Policy = "merge") -> Outcome:
    """What becomes of it; aider's `whole` is named to fastedit, as a caller of that would."""
    files = {path: Document.from_text(text, Path(path)) for path, text in edit.before.items() if text}
    request = ChangeRequest(
        edit.message,
        policy=policy,
        format="whole" if edit.format == "whole" else None,
        path=next(iter(edit.after)) if len(edit.after) == 1 else None,
    )
    try:
        result = change(engine, request, HeldChange(request, files))
    except FasteditError:
        return Outcome.REFUSED
    new = texts_after({path: file.text for path, file in files.items()}, result)
    right = all(_same(new.pop(path, ""), text) for path, text in edit.after.items()) and not new
    return Outcome.of(result.status, right)


def _same(one: str, other: str) -> bool:
    return one.replace("\r\n", "\n").rstrip("\n") == other.replace("\r\n", "\n").rstrip("\n")


@reported
def main(
    folders: Annotated[list[Path], typer.Argument(help="Git repositories, with or without a work tree.")],
    show: Annotated[Outcome | None, typer.Option(help="Print the commits of one outcome.")] = None,
    model: Annotated[str | None, typer.Option(help="A model for what code alone does not settle.")] = None,
    json_file: Json = None,
) -> None:
    """Outcomes of the answers of models that aider committed, by edit format."""
    engine = Engine(model) if model else Engine()
    counts: dict[str, Counter[Outcome]] = {}
    for folder in folders:
        for edit in edits(folder):
            found = outcome(engine, edit, "auto" if model else "merge")
            counts.setdefault(edit.format, Counter())[found] += 1
            if found is show:
                print(f"{folder} {edit.commit[:10]} {edit.format}")
    if not counts:
        raise UsageError(f"no answer in {HISTORY} of {', '.join(map(str, folders))} that was committed alone")
    counts["all"] = sum(counts.values(), Counter())
    rows = {
        name: {"answers": found.total(), **{each.value: found[each] for each in Outcome}}
        for name, found in counts.items()
    }
    settings = f"{len(folders)} repositories, {f'model {model}' if model else 'no model'}"
    publish(settings, {}, {"edit format": rows}, json_file)


if __name__ == "__main__":
    typer.run(main)
