"""Drafts what followed the longest earlier occurrence of the output's end: in the update, the original, the output."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from fastedit.draft.base import Branch
from fastedit.draft.lookup.automaton import SuffixAutomaton
from fastedit.draft.lookup.cursor import COPY_PRIOR, agreeing
from fastedit.draft.lookup.record import TRUSTED, CopyRecord, Guess

TRUST = 24  # matched tokens from which the automaton is left alone while the copy goes on
REACH = 32  # tokens of the output's end that are matched after a copy has broken
KNOWN = 24  # tokens in one pass beyond which they came from a long draft, so from known text
CONTEXT = 8  # tokens of copied output that are added again around what is new
BRANCHES = 2

# A row for each bit length of the match (0, 1, 2-3, 4-7, ... from 32 on); columns for one, two and more ways to go on.
# Far below how often such guesses are right: mostly they repeat what a copy already tells, and what counts is how
# often they are right where nothing better is known.
_ODDS = (
    (0.15, 0.1, 0.1),
    (0.25, 0.1, 0.1),
    (0.35, 0.1, 0.1),
    (0.45, 0.1, 0.1),
    (0.55, 0.1, 0.1),
    (0.65, 0.1, 0.1),
)
_LONG_ODDS = (0.75, 0.1, 0.1)
_PRIOR = COPY_PRIOR._replace(odds=tuple(odds for row in (*_ODDS, _LONG_ODDS) for odds in row))


class SuffixDrafter:
    """Copied output is not added to the automaton again, so that it costs nothing beyond a comparison."""

    name = "suffix"

    def __init__(self, texts: Sequence[Sequence[int]]) -> None:
        self._automaton = SuffixAutomaton()
        self._unread = texts  # until something is observed: before that nothing is proposed
        self._record = CopyRecord(_PRIOR)
        self._tail: list[int] = []
        self._joined = False  # whether the automaton's last token is the output's last token
        self._end = 0, 0  # state and length of the output's longest end that the automaton has
        self._guesses: list[Guess] = []

    def copy(self) -> SuffixDrafter:
        twin = copy(self)
        twin._automaton, twin._record = self._automaton.copy(), self._record.copy()
        return twin

    def observe(self, tokens: list[int]) -> None:
        for text in self._unread:
            self._automaton.add(text)
            self._automaton.separate()
        self._unread = ()
        count = len(tokens)
        before = self._tail
        self._tail = [*before[-REACH:], *tokens] if count < REACH else tokens[-REACH:]
        followed = self._follow(tokens)
        if followed is not None and followed.matched + count >= TRUST:
            self._guesses = [Guess(followed.at + count, followed.matched + count, TRUSTED)]
            self._joined = False
            return
        if self._joined and count <= KNOWN:
            self._automaton.add(tokens)
            self._match(tokens)
        else:
            self._rejoin(before, tokens)
        self._guesses = self._look()

    def _follow(self, tokens: list[int]) -> Guess | None:
        """The guess with the longest match among those that were right to the end."""
        followed: Guess | None = None
        for guess in self._guesses:
            copied = agreeing(self._automaton.text, guess.at, tokens)
            self._record.observe(guess, copied, copied < len(tokens))
            if copied == len(tokens) and (followed is None or guess.matched > followed.matched):
                followed = guess
        return followed

    def _rejoin(self, before: Sequence[int], tokens: Sequence[int]) -> None:
        """Leave out what was copied, but for some context."""
        if len(tokens) > KNOWN:
            if self._joined:
                self._automaton.add(tokens[:CONTEXT])
            fragment = list(tokens[-CONTEXT:])
        else:
            fragment = [*before[-CONTEXT:], *tokens]
        self._automaton.separate()
        self._automaton.add(fragment)
        self._joined = True
        self._end = 0, 0
        self._match(self._tail)

    def propose(self, limit: int) -> list[Branch]:
        found = []
        for guess in self._guesses:
            survival = self._record.survival(guess, min(limit, len(self._automaton.text) - guess.at))
            if len(survival):
                tokens = self._automaton.text[guess.at : guess.at + len(survival)]
                found.append(Branch(tokens, survival, self.name))
        return found

    def _match(self, tokens: Sequence[int]) -> None:
        self._end = self._automaton.match(tokens, *self._end)

    def _look(self) -> list[Guess]:
        a = self._automaton
        state, matched = a.followed(*self._end)
        if not state:
            return []
        options = a.follow[state]
        row = min(matched.bit_length(), 6) * 3
        kind = row + min(len(options), 3) - 1
        return [Guess(a.end[to] - 1, matched, kind) for to in list(options.values())[:BRANCHES]]
