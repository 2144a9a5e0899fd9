"""Drafts from the original: what was copied so far goes on being copied."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from fastedit.draft.base import Branch
from fastedit.draft.lookup.cursor import COPY_PRIOR, Cursor
from fastedit.draft.lookup.record import CopyRecord, Guess


class OriginalDrafter:
    """Also drafts from the predicted merge, under another name: to a drafter it is a text to copy like any other.

    With `substitute` what was replaced once is expected to be replaced again.
    """

    def __init__(self, text: Sequence[int], name: str = "original", *, substitute: bool = False) -> None:
        self.name = name
        self._record = CopyRecord(COPY_PRIOR)
        self._cursor = Cursor(text, self._record, substitute)

    def copy(self) -> OriginalDrafter:
        twin = copy(self)
        twin._record = self._record.copy()
        twin._cursor = self._cursor.copy(twin._record)
        return twin

    def observe(self, tokens: list[int]) -> None:
        self._cursor.observe(tokens)

    def propose(self, limit: int) -> list[Branch]:
        found = []
        for guess in self._cursor.guesses:
            found += self._branches(guess, limit)
        found.sort(key=lambda branch: -branch.survival[0])
        return found

    def _branches(self, guess: Guess, limit: int) -> list[Branch]:
        """The copy from one place on, and before it, if it is expected to change, the changed one."""
        text, substitutions = self._cursor.text, self._cursor.substitutions
        survival = self._record.survival(guess, min(limit, len(text) - guess.at))
        if not len(survival):
            return []
        plain = Branch(text[guess.at : guess.at + len(survival)], survival, self.name)
        view = substitutions.view(guess.at, len(survival))
        if view is None:
            return [plain]
        tokens = view.tokens[: len(survival)]
        changed = survival[: len(tokens)].copy()
        for index, change in view.changes:
            changed[index:] *= substitutions.odds[change.rule]
        first, change = view.changes[0]
        survival = survival.copy()
        survival[first:] *= 1.0 - substitutions.odds[change.rule]
        return [
            Branch(tokens, changed, "substitution"),
            Branch(plain.tokens, survival, self.name),
        ]
