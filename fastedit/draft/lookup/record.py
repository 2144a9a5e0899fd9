"""What a drafter has learned of its own reliability, from the first token on."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

LONGEST = 1024
WEIGHT = 60.0
# Run lengths that share one hazard: 0, 1, 2, 3-4, 5-8, ... tokens.
_EDGES = (0, 1, 2, 3, 5, 9, 17, 33, 65, 129, 257)
_BUCKET = np.searchsorted(_EDGES, np.arange(LONGEST), side="right") - 1


class Hazard:
    """The chance that a copy breaks at its next token, by the length of the run so far.

    Rates start at `prior` with the weight of WEIGHT tokens each and follow what happens. Old counts fade, so that
    a file which changes character is followed.
    """

    def __init__(self, prior: Sequence[float], memory: float = 4000.0) -> None:
        self._tokens = np.full(len(_EDGES), WEIGHT)
        self._breaks = np.asarray(prior, dtype=np.float64) * WEIGHT
        self._memory = memory
        self._kept: NDArray[np.float64] | None = None

    def copy(self) -> Hazard:
        twin = copy(self)
        twin._tokens, twin._breaks = self._tokens.copy(), self._breaks.copy()
        return twin

    def observe(self, run: int, copied: int, broke: bool) -> None:
        """`copied` more tokens followed a run of `run`; then, with `broke`, one did not."""
        end = min(run + copied + broke, LONGEST)
        at = min(run, LONGEST - 1)
        while at < end:
            bucket = int(_BUCKET[at])
            upto = min(end, _EDGES[bucket + 1] if bucket + 1 < len(_EDGES) else LONGEST)
            self._tokens[bucket] += upto - at
            at = upto
        if broke:
            self._breaks[_BUCKET[min(run + copied, LONGEST - 1)]] += 1.0
            self._kept = None
            total = self._tokens.sum()
            if total > self._memory:
                self._tokens *= self._memory / total
                self._breaks *= self._memory / total

    def survival(self, run: int, count: int) -> NDArray[np.float64]:
        """float64[count]: the chance that a run of `run` tokens goes on for 1, 2, ... `count` more."""
        run = min(run, LONGEST - count)
        if self._kept is None:
            self._kept = self._chances()
        ahead: NDArray[np.float64] = self._kept[run + 1 : run + 1 + count] / self._kept[run]
        return ahead

    def fresh(self, count: int) -> NDArray[np.float64]:
        """float64[count]: the chance that a run that begins with a right token has 1, 2, ... `count` of them."""
        if self._kept is None:
            self._kept = self._chances()
        return self._kept[:count]

    def _chances(self) -> NDArray[np.float64]:
        """float64[LONGEST + 1]: the chance to get to a run of 0, 1, 2, ... tokens."""
        rates = np.minimum(self._breaks / self._tokens, 0.999)
        chances = np.ones(LONGEST + 1)
        np.cumprod(1.0 - rates[_BUCKET], out=chances[1:])
        return chances


class Odds:
    """The chance that a guess is right, by kind of guess; each starts at its prior with the weight of `weight`."""

    def __init__(self, prior: Sequence[float], weight: float = 8.0) -> None:
        self._right = [p * weight for p in prior]
        self._tried = [weight] * len(self._right)

    def copy(self) -> Odds:
        twin = copy(self)
        twin._right, twin._tried = self._right.copy(), self._tried.copy()
        return twin

    def observe(self, kind: int, right: bool) -> None:
        self._tried[kind] += 1.0
        self._right[kind] += right

    def __getitem__(self, kind: int) -> float:
        return self._right[kind] / self._tried[kind]


_FAIR, _GOOD = 0.4, 0.7
TRUSTED = -1
FLOOR = 0.03  # no pass is so cheap that a token less likely than that pays for its row
_NOTHING = np.zeros(0)


class Guess(NamedTuple):
    """A place in a text where the output may go on.

    `at`: index of the text's next token; `matched`: how many tokens before it agree with the end of the output;
    `kind`: which odds it has, or TRUSTED.
    """

    at: int
    matched: int
    kind: int


class CopyPrior(NamedTuple):
    """What a CopyRecord starts from: the odds of each kind of guess, and the hazards of a trusted copy and of copies
    that began with a bad, a fair and a good guess."""

    odds: tuple[float, ...]
    trusted: tuple[float, ...]
    guessed: tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]


class CopyRecord:
    """How often guesses of each kind are right, and how soon copies break that began with a bad or a good one."""

    def __init__(self, prior: CopyPrior) -> None:
        self._prior = prior.odds
        self.odds = Odds(prior.odds)
        self.trusted = Hazard(prior.trusted)
        self.guessed = [Hazard(hazard) for hazard in prior.guessed]

    def copy(self) -> CopyRecord:
        twin = copy(self)
        twin.odds, twin.trusted = self.odds.copy(), self.trusted.copy()
        twin.guessed = [hazard.copy() for hazard in self.guessed]
        return twin

    def survival(self, guess: Guess, count: int) -> NDArray[np.float64]:
        """float64[at most count]: the chance that the next 1, 2, ... tokens are all right, down to FLOOR."""
        if guess.kind == TRUSTED:
            return self.trusted.survival(guess.matched, count)
        odds = self.odds[guess.kind]
        if odds < FLOOR:
            return _NOTHING
        chance = self._hazard(guess.kind).fresh(count) * odds
        return chance[: int((-chance).searchsorted(-FLOOR, side="right"))]

    def observe(self, guess: Guess, copied: int, broke: bool) -> None:
        if guess.kind == TRUSTED:
            self.trusted.observe(guess.matched, copied, broke)
            return
        self.odds.observe(guess.kind, copied > 0)
        if copied:
            self._hazard(guess.kind).observe(0, copied - 1, broke)

    def _hazard(self, kind: int) -> Hazard:
        odds = self._prior[kind]
        return self.guessed[0 if odds < _FAIR else 1 if odds < _GOOD else 2]
