"""Drafts what followed the longest earlier occurrence of the output's end: in the update, the original, the output."""

from __future__ import annotations

from collections.abc import Sequence

from fastedit.draft.automaton import SuffixAutomaton
from fastedit.draft.base import Branch
from fastedit.draft.cursor import agreeing
from fastedit.draft.record import TRUSTED, CopyPrior, CopyRecord, Guess

TRUST = 24  # matched tokens from which the automaton is left alone while the copy goes on
CONTEXT = 8  # tokens of copied output that are added again before what is new
BRANCHES = 3

# Measured over the train split of evals.edits. Odds: a row for each bit length of the match (0, 1, 2-3, 4-7, ... from
# 32 on); columns for one, two and more ways to go on.
_PRIOR = CopyPrior(
    odds=(
        *(0.15, 0.1, 0.1),
        *(0.59, 0.29, 0.09),
        *(0.66, 0.31, 0.13),
        *(0.76, 0.34, 0.14),
        *(0.87, 0.33, 0.21),
        *(0.92, 0.35, 0.16),
        *(0.98, 0.39, 0.10),
    ),
    trusted=(0.1, 0.1, 0.1, 0.1, 0.1, 0.09, 0.05, 0.013, 0.0044, 0.0016, 0.0018),
    guessed=(
        (0.53, 0.38, 0.29, 0.17, 0.10, 0.042, 0.020, 0.0046, 0.0027, 0.002, 0.002),
        (0.24, 0.17, 0.16, 0.11, 0.062, 0.039, 0.015, 0.0059, 0.0026, 0.002, 0.002),
        (0.004, 0.008, 0.006, 0.011, 0.006, 0.005, 0.0035, 0.0024, 0.0017, 0.002, 0.002),
    ),
)


class SuffixDrafter:
    """Copied output is not added to the automaton again, so that it costs nothing beyond a comparison."""

    name = "suffix"

    def __init__(self, texts: Sequence[Sequence[int]]) -> None:
        self._automaton = SuffixAutomaton()
        for text in texts:
            self._automaton.separate()
            self._automaton.add(text)
        self._automaton.separate()
        self._record = CopyRecord(_PRIOR)
        self._tail: list[int] = []
        self._joined = False  # whether the automaton's last token is the output's last token
        self._state, self._length = 0, 0
        self._guesses: list[Guess] = []

    def observe(self, tokens: Sequence[int]) -> None:
        count = len(tokens)
        best = 0
        followed: Guess | None = None
        for guess in self._guesses:
            copied = agreeing(self._automaton.text, guess.at, tokens)
            self._record.observe(guess, copied, copied < count)
            if copied == count and (followed is None or guess.matched > followed.matched):
                followed = guess
            best = max(best, copied)
        before = self._tail
        self._tail = [*before[-64:], *tokens] if count < 64 else list(tokens[-64:])
        if followed is not None and followed.matched + count >= TRUST:
            self._guesses = [Guess(followed.at + count, followed.matched + count, TRUSTED)]
            self._joined = False
            return
        if self._joined:
            self._automaton.add(tokens)
            self._advance(tokens)
        else:
            skip = max(0, best - CONTEXT)
            self._automaton.separate()
            self._automaton.add([*before[-CONTEXT:], *tokens] if best < CONTEXT else tokens[skip:])
            self._state = self._length = 0
            self._advance(self._tail[-32:])
            self._joined = True
        self._guesses = self._look()

    def propose(self, limit: int) -> list[Branch]:
        found = []
        for guess in self._guesses:
            tokens = self._automaton.text[guess.at : guess.at + limit]
            if tokens:
                found.append(Branch(tokens, self._record.survival(guess, len(tokens)), self.name))
        return found

    def _advance(self, tokens: Sequence[int]) -> None:
        """Longest suffix of the output that occurs before its own end."""
        follow, link, length = self._automaton.follow, self._automaton.link, self._automaton.length
        state, matched = self._state, self._length
        for token in tokens:
            while state and token not in follow[state]:
                state = link[state]
                matched = length[state]
            if token in follow[state]:
                state = follow[state][token]
                matched += 1
        self._state, self._length = state, matched

    def _look(self) -> list[Guess]:
        a = self._automaton
        state, matched = self._state, self._length
        while state and not a.follow[state]:
            state = a.link[state]
            matched = a.length[state]
        if not state:
            return []
        options = a.follow[state]
        row = min(matched.bit_length(), 6) * 3
        kind = row + min(len(options), 3) - 1
        return [Guess(a.end[to] - 1, matched, kind) for to in list(options.values())[:BRANCHES]]
