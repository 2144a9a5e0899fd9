"""A place in a text that the output mostly copies: it follows, loses and finds again."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from fastedit.draft.lookup.index import TextIndex
from fastedit.draft.lookup.record import TRUSTED, CopyPrior, CopyRecord, Guess
from fastedit.draft.lookup.substitution import Substitutions

TRUST = 12  # tokens in a row after which one place is enough
GUESSES = 4
RESUME, ONE_FOR_ONE = 60, 61

# Measured over the train split of evals.edits: how often a place's next token is right. A row for each length of the
# match (1, 2, 3-4, 5-8, 9-16, more); columns by distance from the place left (before it, at it, up to 8, up to 64,
# further on), each for the first and the other guesses. Then how soon a copy breaks.
_MATCHED_ODDS = (
    (0.24, 0.32, 0.17, 0.19, 0.52, 0.34, 0.35, 0.29, 0.22, 0.24),
    (0.38, 0.44, 0.62, 0.18, 0.79, 0.51, 0.63, 0.41, 0.44, 0.41),
    (0.43, 0.51, 0.45, 0.20, 0.92, 0.70, 0.75, 0.54, 0.47, 0.44),
    (0.59, 0.68, 0.45, 0.40, 0.95, 0.85, 0.90, 0.69, 0.58, 0.57),
    (0.67, 0.73, 0.60, 0.50, 0.96, 0.80, 0.97, 0.80, 0.70, 0.65),
    (0.87, 0.60, 0.70, 0.60, 0.97, 0.80, 0.95, 0.80, 0.80, 0.65),
)
_UNMATCHED_ODDS = (0.02, 0.05)
COPY_PRIOR = CopyPrior(
    odds=(*(odds for row in _MATCHED_ODDS for odds in row), *_UNMATCHED_ODDS),
    trusted=(0.1, 0.1, 0.1, 0.1, 0.1, 0.024, 0.014, 0.0059, 0.0032, 0.0017, 0.0018),
    guessed=(
        (0.56, 0.49, 0.31, 0.24, 0.19, 0.08, 0.04, 0.015, 0.003, 0.002, 0.002),
        (0.53, 0.33, 0.29, 0.18, 0.096, 0.057, 0.025, 0.012, 0.0025, 0.002, 0.002),
        (0.11, 0.076, 0.077, 0.041, 0.032, 0.019, 0.011, 0.005, 0.0025, 0.002, 0.002),
    ),
)


class Cursor:
    """Follows `text`; `guesses` are the places where the output may go on.

    Once `TRUST` tokens were copied there is one guess. When the output leaves the text, the guesses are the places
    that the end of the output matches, those nearest after the place left preferred, and two that need no match:
    the place left (something was inserted) and as far after it as tokens were written since (one for one).
    """

    def __init__(self, text: Sequence[int], record: CopyRecord, substitute: bool = False) -> None:
        self._index = TextIndex(text)
        self.substitutions = Substitutions(self._index)
        self._substitute = substitute
        self.text = self._index.text
        self._record = record
        self._tail: list[int] = []
        self._left = 0  # index of the text's first token that was not copied
        self._written = 0  # tokens since then
        self.guesses = [Guess(0, TRUST, TRUSTED)]

    def copy(self, record: CopyRecord) -> Cursor:
        """`record` is the copy's own."""
        twin = copy(self)
        twin._record, twin.substitutions = record, self.substitutions.copy()
        return twin

    def observe(self, tokens: list[int]) -> None:
        count = len(tokens)
        self._tail = [*self._tail[-64:], *tokens] if count < 64 else tokens[-64:]
        self._written += count
        lead, copied, at = self._follow(tokens)
        if lead is not None and lead.matched + copied >= TRUST:
            if self._substitute and lead.kind != TRUSTED:
                self._learn(lead, copied, count)
            if copied == count and at is not None:
                self.guesses = [Guess(at, lead.matched + count, TRUSTED)]
                return
            if at is not None:
                self._left, self._written = at, count - copied
        self.guesses = self._look_around()

    def _learn(self, lead: Guess, copied: int, count: int) -> None:
        """The copy is found again: what was left out there, and what was written instead?"""
        earlier = self._written - count
        matched = min(lead.matched, earlier)
        new = self._written - count - matched
        last = len(self._tail) - count - matched
        if 0 <= new <= last and lead.at - matched >= self._left:
            self.substitutions.learn(self._left, lead.at - matched, self._tail[last - new : last])

    def _follow(self, tokens: list[int]) -> tuple[Guess | None, int, int | None]:
        """The guess that was right for longest, for how many tokens, and where the text goes on after them."""
        lead, best, place = None, -1, None
        for guess in self.guesses:
            copied = agreeing(self.text, guess.at, tokens)
            at: int | None = guess.at + copied
            view = self.substitutions.view(guess.at, len(tokens))
            if view is not None:
                self.substitutions.observe(guess.at, view, tokens)
                changed = agreeing(view.tokens, 0, tokens)
                if changed > copied:
                    copied, at = changed, view.place(guess.at, changed)
            self._record.observe(guess, copied, copied < len(tokens))
            if copied > best:
                lead, best, place = guess, copied, at
        return lead, best, place

    def _look_around(self) -> list[Guess]:
        places = self._index.places(self._tail, self._left, GUESSES)
        guesses = [
            Guess(at, matched, _kind(matched, at - self._left, rank))
            for rank, (at, matched) in enumerate(places)
        ]
        taken = {guess.at for guess in guesses}
        for kind, at in ((RESUME, self._left), (ONE_FOR_ONE, self._left + self._written)):
            if at not in taken and at < len(self.text):
                guesses.append(Guess(at, 0, kind))
        return guesses


def agreeing(text: list[int], at: int, tokens: list[int]) -> int:
    """How many of `tokens` stand in `text` from `at` on."""
    count = min(len(tokens), len(text) - at)
    ahead = text[at : at + count]
    if not ahead or ahead[0] != tokens[0]:
        return 0
    if ahead == tokens[:count]:
        return count
    return next(
        (i for i, (mine, theirs) in enumerate(zip(ahead, tokens, strict=False)) if mine != theirs), count
    )


_LENGTHS = (0, 0, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4)


def _kind(matched: int, distance: int, rank: int) -> int:
    """The entry of `_MATCHED_ODDS`, counted row by row."""
    length = _LENGTHS[matched] if matched < len(_LENGTHS) else 5
    far = 0 if distance < 0 else 1 if distance == 0 else 2 if distance <= 8 else 3 if distance <= 64 else 4
    return length * 10 + far * 2 + (rank > 0)
