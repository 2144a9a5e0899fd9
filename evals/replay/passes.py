"""The passes of an edit that is replayed, and what another engine's were about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evals.timing.ceilings import Clock


@dataclass(frozen=True, slots=True)
class ReplayedPass:
    """One pass: its rows, of which `wanted` went through the head, after `before` slots; the tokens that it brought,
    and the seconds from the edit's start to its end."""

    rows: int
    wanted: int
    before: int
    tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class ReplayedEdit:
    """One edit. `drafting_s`: within the passes' seconds."""

    prompt: int
    passes: tuple[ReplayedPass, ...]
    drafting_s: float = 0.0

    @property
    def tokens(self) -> int:
        return sum(one.tokens for one in self.passes)

    @property
    def rows(self) -> int:
        return sum(one.rows for one in self.passes)

    @property
    def seconds(self) -> float:
        return self.passes[-1].seconds

    @property
    def first(self) -> ReplayedPass:
        """The pass that read the prompt's end, which verifies a draft already."""
        return next(one for one in self.passes if one.tokens)

    @property
    def decoding_s(self) -> float:
        return self.seconds - self.first.seconds

    @property
    def decoded(self) -> int:
        """Tokens of all passes after the first."""
        return self.tokens - self.first.tokens

    def whole_s(self, tokens: int) -> float:
        """Seconds of an answer of so many tokens, the missing ones at the pace of those that were decoded."""
        missing = tokens - self.tokens
        return self.seconds + (missing * self.decoding_s / self.decoded if missing else 0.0)


class PassLog:
    """Notes the passes of an engine that writes a wanted text. The clock runs from here."""

    def __init__(self, prompt: int, wanted: Sequence[int], clock: Clock) -> None:
        self._prompt, self._wanted = prompt, wanted
        self._clock, self._started = clock, clock()
        self._begun: list[tuple[float, int]] = []  # of each pass, when and with how many rows
        self._known: list[
            int | None
        ] = []  # of each pass, the tokens that were written when it was asked for one

    def begin(self, rows: int) -> None:
        """A pass begins, so the one before has ended."""
        self._begun.append((self._clock() - self._started, rows))
        self._known.append(None)

    def token(self, written: int) -> int:
        """The token wanted after so many."""
        at = min(written, len(self._wanted) - 1)
        # Some also ask between passes, of their candidates, and before the first one.
        if self._known and self._known[-1] is None:
            self._known[-1] = at
        return self._wanted[at]

    def edit(self, *, whole: bool) -> ReplayedEdit:
        """All passes, now that the text is written. One that was asked for no token read a part of the prompt.

        `whole`: the last token is the stop token, which is no part of the answer.
        """
        passes = list[ReplayedPass]()
        end, written, stop = self._clock() - self._started, len(self._wanted), int(whole)
        for (start, rows), at in zip(reversed(self._begun), reversed(self._known), strict=True):
            tokens = 0 if at is None else written - at
            written -= tokens
            before = self._prompt + written if len(passes) + 1 < len(self._begun) else 0
            passes.append(ReplayedPass(rows, rows, before, tokens - stop, end))
            end, stop = start, 0
        return ReplayedEdit(self._prompt, tuple(reversed(passes)))
