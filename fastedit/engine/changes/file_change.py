"""What a change of many files makes of one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from fastedit.errors import FasteditError
from fastedit.excerpts import excerpts
from fastedit.files.effects import Effect
from fastedit.formats.report import Report, told
from fastedit.readings import Option, options, reading_of
from fastedit.result import Alternative, Status
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk

if TYPE_CHECKING:
    from fastedit.ops.base import Candidate

Action = Literal["create", "delete", "rename", "edit"]


@dataclass(slots=True, eq=False)
class FileChange:
    """What becomes of one file. `path` is its name before, None for a new file, `to` its name after, None for a deleted
    one.

    `hunks` and those of `alternatives` are over the lines of `before`. `reasons` say why it is held back, `problem` why
    it cannot be done at all. `notes` and `left` are as in `EditResult`, `confidence` as in `Receipt`, for a sketch.
    """

    path: str | None
    to: str | None
    before: Document | None
    after: Document | None
    hunks: tuple[Hunk, ...] = ()
    reports: tuple[Report, ...] = ()
    reasons: tuple[str, ...] = ()
    problem: str = ""
    alternatives: tuple[Alternative, ...] = ()
    executable: bool = False
    error: FasteditError | None = field(default=None, repr=False)
    notes: tuple[str, ...] = ()
    left: tuple[Candidate, ...] = ()
    confidence: float | None = None

    @property
    def name(self) -> str:
        """What the file is called: its new name, unless it does not get it."""
        first, second = (self.path, self.to) if self.problem else (self.to, self.path)
        return first or second or "the file"

    @property
    def names(self) -> set[str]:
        """All paths that the change concerns."""
        return {path for path in (self.path, self.to) if path is not None}

    @property
    def action(self) -> Action:
        if self.path is None:
            return "create"
        if self.to is None:
            return "delete"
        return "edit" if self.to == self.path else "rename"

    @property
    def drops_final_newline(self) -> bool:
        """As in `apply_hunks`."""
        if self.problem or self.before is None or self.after is None or not self.after.text:
            return False
        return self.before.ends[-1:] != ("",) and self.after.ends[-1:] == ("",)

    @property
    def title(self) -> str:
        """What is done to it, such as `rename a.py to b.py`."""
        return f"rename {self.path} to {self.to}" if self.action == "rename" else f"{self.action} {self.name}"

    @property
    def status(self) -> Status | None:
        """None where it cannot be done at all."""
        if self.problem:
            return None
        if self.reasons:
            return Status.SUSPECT
        same = self.before is not None and self.after is not None and self.before.text == self.after.text
        return Status.UNCHANGED if same and self.path == self.to else Status.OK

    @property
    def outcome(self) -> Literal["ok", "suspect", "unchanged", "refused"]:
        """The status in one word."""
        return "refused" if self.status is None else self.status.value

    @property
    def options(self) -> tuple[Option, ...]:
        """What else a sketch may mean."""
        return () if self.before is None else options(self.before, self.hunks, self.alternatives)

    @property
    def readings(self) -> list[str]:
        """The other readings of a sketch, as a choice takes them."""
        numbers = (other.number for other in self.alternatives if other.number is not None)
        return [] if self.before is None else [reading_of(self.before, number) for number in numbers]

    def excerpts(self, whole: Callable[[str], str]) -> Iterator[str]:
        """The readings of a sketch that is held back, in a few lines each. `whole` says how to see all of one, which it
        gets as a choice takes it; "" is the only one."""
        before = self.before
        if self.status is not Status.SUSPECT or self.confidence is None or before is None:
            return
        first = Option(None, self.confidence, 0, self.hunks)
        yield from excerpts(
            before, first, self.options, lambda number: whole(reading_of(before, number) if number else "")
        )

    def objections(self) -> Iterator[str]:
        """Why it is held back, a line each: of hunks without a place, what the nearest lines are."""
        unplaced = list(told(self.name, self.reports)) if self.problem else []
        yield from unplaced
        if self.problem and not unplaced:
            yield f"{self.name}: {self.problem}"
        yield from (f"{self.name}: {reason}" for reason in self.reasons if not self.problem)

    @property
    def data(self) -> bytes | None:
        """The new contents, None for a deleted file."""
        return None if self.after is None else self.after.encode(self.after.text)

    def effect(self) -> Effect | None:
        """What is to be done on disk; None for nothing."""
        before, after = self.before, self.after
        kept = before is not None and after is not None and before.text == after.text
        if kept and self.to == self.path:
            return None
        expected = None if before is None else before.sha256
        data, executable = None if kept else self.data, self.executable and self.path is None
        return Effect(self.path, self.to, data, expected, executable)
