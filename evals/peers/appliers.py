"""Ways to apply an edit without a model of one's own: what the author model writes decides what can go wrong.

Each applier gets the edit in its own form, made from the real change: a sketch, search/replace blocks, or a diff.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from evals.apply_appliers import lacking, program
from evals.cases import Case, lines_of
from fastedit.engine import Engine
from fastedit.errors import FasteditError
from fastedit.request import EditRequest
from fastedit.result import Status
from fastedit.source.document import Document
from fastedit.source.hunks import diff_lines

CONTEXT = 3
_HEAD, _MIDDLE, _TAIL = "<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE"


@dataclass(frozen=True, slots=True)
class Applier:
    """`write` says the edit in this form; `apply` puts it into a text, None where it refuses."""

    name: str
    write: Callable[[Case], str]
    apply: Callable[[Case, str, str], str | None]
    program: str = ""

    def lacking(self) -> str | None:
        return lacking(self.program)


def sketch_of(case: Case) -> str:
    assert case.update is not None, "a case of kind `update` has one"
    return case.update


def blocks_of(case: Case) -> str:
    """Search/replace blocks: the changed lines with the context that makes them unique in the old file, at least 1."""
    old, written = lines_of(case.old), list[str]()
    for hunk in diff_lines(old, lines_of(case.wanted)):
        reach = next(
            r
            for r in range(1, len(old) + 2)
            if _places(old, old[max(hunk.start - r, 0) : hunk.stop + r]) == 1
        )
        before, after = old[max(hunk.start - reach, 0) : hunk.start], old[hunk.stop : hunk.stop + reach]
        written += [
            _HEAD,
            *before,
            *old[hunk.start : hunk.stop],
            *after,
            _MIDDLE,
            *before,
            *hunk.lines,
            *after,
            _TAIL,
        ]
    return "\n".join(written) + "\n"


def _places(lines: Sequence[str], wanted: Sequence[str]) -> int:
    return sum(lines[at : at + len(wanted)] == wanted for at in range(len(lines) - len(wanted) + 1))


def apply_blocks(case: Case, blocks: str, text: str) -> str | None:
    """Each block's search lines must stand exactly once, byte for byte; None where one does not."""
    lines = lines_of(text)
    for block in blocks.split(f"{_HEAD}\n")[1:]:
        old, _, rest = block.partition(f"\n{_MIDDLE}\n")
        search, replace = old.split("\n"), rest.removesuffix(f"{_TAIL}\n").removesuffix("\n").split("\n")
        places = [at for at in range(len(lines)) if lines[at : at + len(search)] == search]
        if len(places) != 1:
            return None
        lines[places[0] : places[0] + len(search)] = replace
    return "\n".join(lines) + ("\n" if text.endswith("\n") else "")


def diff_of(case: Case) -> str:
    """A unified diff with three lines of context, as `git diff` writes it."""
    rows = unified_diff(
        case.old.splitlines(keepends=True),
        case.wanted.splitlines(keepends=True),
        "a/file",
        "b/file",
        n=CONTEXT,
    )
    return "".join(row if row.endswith("\n") else f"{row}\n\\ No newline at end of file\n" for row in rows)


def _program(*command: str) -> Callable[[Case, str, str], str | None]:
    apply = program(*command)
    return lambda case, diff, text: apply(diff, "file", text)


def apply_merge(case: Case, sketch: str, text: str) -> str | None:
    """fastedit's own merge, without a model; None where it is held back or refused."""
    request = EditRequest(Document.from_text(text, Path(case.path)), None, sketch, policy="merge")
    try:
        result = Engine.load().apply(request)
    except FasteditError:
        return None
    return None if result.status is Status.SUSPECT else result.text


APPLIERS = (
    Applier("fastedit, merge alone", sketch_of, apply_merge),
    Applier("search/replace blocks", blocks_of, apply_blocks),
    Applier("git apply", diff_of, _program("git", "apply", "--whitespace=nowarn", "-p1", "-"), "git"),
    Applier(
        "patch, fuzz 2",
        diff_of,
        _program("patch", "-p1", "-s", "-f", "-F2", "--no-backup-if-mismatch", "file"),
        "patch",
    ),
    Applier(
        "patch, fuzz 3",
        diff_of,
        _program("patch", "-p1", "-s", "-f", "-F3", "--no-backup-if-mismatch", "file"),
        "patch",
    ),
)
