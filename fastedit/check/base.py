"""What a rule is, and an objection that it raises."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from fastedit.check.change import Author, Change

# broken: the file is broken; no certainty outweighs it, and it cannot be ignored.
# wrong:  the change is wrong as it stands; no certainty outweighs it.
# doubt:  evidence against a reading of an update, which a reading that is sure all the same outweighs.
Severity = Literal["broken", "wrong", "doubt"]


class Rule(NamedTuple):
    """A sentence that must hold of a change. `check` says where it does not, a phrase each.

    `name` is the one that the merge's weights know it by (`objection: NAME`); `applies_to`
    are the authors whose changes are held to it; `example` is one that it holds back. A phrase may come with what
    another text would do (`Reason`).
    """

    code: str
    name: str
    sentence: str
    why: str
    example: str
    severity: Severity
    applies_to: tuple[Author, ...]
    check: Callable[[Change], Iterator[str | Reason]]

    @property
    def can_be_ignored(self) -> bool:
        return self.severity != "broken"

    @property
    def is_decisive(self) -> bool:
        """Whether no certainty outweighs what it objects to."""
        return self.severity != "doubt"


class Reason(NamedTuple):
    """A phrase, and the lines of the file that a text without the fault would keep, each with the name that it gives
    (`lost`), or would not keep (`doubled`)."""

    phrase: str
    lost: tuple[tuple[int, str], ...] = ()
    doubled: tuple[int, ...] = ()


class Objection(NamedTuple):
    """Why a change may be wrong, and the rule that says so; `Reason` says what the lines are."""

    rule: Rule
    reason: str
    lost: tuple[tuple[int, str], ...] = ()
    doubled: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.reason} ({self.rule.code})"
