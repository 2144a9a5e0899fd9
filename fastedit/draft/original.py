"""Drafts from the original: what was copied so far goes on being copied."""

from __future__ import annotations

from collections.abc import Sequence

from fastedit.draft.base import Branch
from fastedit.draft.cursor import COPY_PRIOR, Cursor
from fastedit.draft.record import CopyRecord


class OriginalDrafter:
    def __init__(self, original: Sequence[int], name="original") -> None:
        self.name = name
        self._record = CopyRecord(COPY_PRIOR)
        self._cursor = Cursor(original, self._record)

    def observe(self, tokens: Sequence[int]) -> None:
        self._cursor.observe(tokens)

    def propose(self, limit: int) -> list[Branch]:
        cursor = self._cursor
        found = []
        for guess in cursor.guesses:
            tokens = cursor.text[guess.at : guess.at + limit]
            if tokens:
                found.append(Branch(tokens, self._record.survival(guess, len(tokens)), self.name))
        found.sort(key=lambda b: -b.survival[0])
        return found
