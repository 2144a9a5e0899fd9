"""`python -m evals.histories REPO...`: small commits of any git clone as edits: message, file before and after.

What a commit's author said about it is what somebody might have asked for. Few messages say all that it does, so right
is what gives the same file; of the rest, what is delivered as `ok` is what to look at: `--show "wrong, ok"`.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, cast, get_args

import typer

from evals.outside.case import Case, same_text
from evals.outside.outcome import Outcome, attempt_all, grouped
from evals.outside.report import Unknown, choose, described, report
from evals.publish import fail
from fastedit.engine import Engine
from fastedit.request import Policy
from fastedit.source.languages import TEXT, notation_of

CHANGED = 40  # lines that a commit takes out and puts in, at most
LENGTH = 2000  # lines of a file, at most


class NoHistory(Exception):
    """A folder whose commits cannot be read; one line."""


@dataclass(frozen=True, slots=True)
class Commit:
    """What a commit says in its first line, and the one file that it changes, before and after."""

    id: str
    repository: str
    path: str
    message: str
    before: str
    after: str

    def case(self) -> Case:
        return Case(
            id=f"{self.id[:12]} {self.path}",
            suite="histories",
            split="dev",
            kind="commit",
            author=self.repository,
            language=notation_of(Path(self.path), self.before),
            path=self.path,
            old=self.before,
            instruction=self.message,
            update=None,
            judge=same_text(self.after),
        )


def commits(repository: Path) -> Iterator[Commit]:
    """Commits that change one file of a known language a little, newest first. Raises NoHistory."""
    for commit, message, path in _small_commits(repository):
        before, after = (_text(repository, f"{side}:{path}") for side in (f"{commit}^", commit))
        if before is None or after is None or not 1 <= before.count("\n") <= LENGTH:
            continue
        if notation_of(Path(path), before) != TEXT:
            yield Commit(commit, repository.resolve().name, path, message, before, after)


def _small_commits(repository: Path) -> Iterator[tuple[str, str, str]]:
    """(commit, first line of its message, the one path that it changes)."""
    log = _git(repository, "log", "--no-merges", "--diff-filter=M", "--numstat", "--format=%x00%H%x00%s")
    if log is None:
        raise NoHistory(f"{repository}: git finds no history there; name the folder of a clone")
    parts = log.split("\0")[1:]
    for commit, rest in zip(parts[::2], parts[1::2], strict=True):
        message, _, stats = rest.partition("\n")
        rows = [line.split("\t") for line in stats.splitlines() if line.strip()]
        if len(rows) == 1 and rows[0][0].isdigit() and sum(map(int, rows[0][:2])) <= CHANGED:
            yield commit, message, rows[0][2]


def _text(repository: Path, name: str) -> str | None:
    return _git(repository, "show", name)


def _git(repository: Path, *words: str) -> str | None:
    """What git prints, None where it fails or prints no text."""
    try:
        done = subprocess.run(["git", "-C", str(repository), *words], capture_output=True, check=True)
        return done.stdout.decode()
    except (OSError, subprocess.CalledProcessError, UnicodeDecodeError):
        return None


def main(
    repositories: Annotated[list[Path], typer.Argument(metavar="REPO...", help="Folders of git clones.")],
    most: Annotated[int, typer.Option(help="Commits of each.", min=1)] = 50,
    policy: Annotated[str, typer.Option(help="merge, auto or model.")] = "merge",
    model: Annotated[str, typer.Option(help="As `fastedit apply --model` takes it.")] = "embedded",
    show: Annotated[str | None, typer.Option(help="Print the cases of one outcome.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Keep (message, before, after) here as JSON lines.")
    ] = None,
) -> None:
    """Six outcomes of the commits' messages as instructions."""
    try:
        choose("policy", [policy], get_args(Policy))
        choose("outcome", [show] if show else [], tuple(Outcome))
        drawn = [commit for repository in repositories for commit in islice(commits(repository), most)]
    except (Unknown, NoHistory) as error:
        fail("evals.histories", error)
    if not drawn:
        fail("evals.histories", "no commit there changes one file of a known language by few lines")
    met = attempt_all(Engine.load(model), [commit.case() for commit in drawn], cast(Policy, policy))
    print(report(grouped(met)))
    if show:
        print("\n".join(described(m) for m in met if m.outcome == show))
    if out:
        out.write_text("".join(json.dumps(asdict(commit)) + "\n" for commit in drawn), "utf-8")


if __name__ == "__main__":
    typer.run(main)
