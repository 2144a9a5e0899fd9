"""Rewrites that repeat: once the output has written `bar` for `foo`, the text ahead is expected to change alike."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from copy import copy
from typing import NamedTuple

from fastedit.draft.lookup.index import TextIndex
from fastedit.draft.lookup.record import Odds

LONGEST = 8  # tokens on either side; what is longer hardly repeats
LINE = 40  # tokens in which several changes are looked for
OCCURRENCES = 24  # a run that stands in more places is told apart by what stands around it
CONTEXT = 3  # tokens of it, at most, on either side
MEMORY = 32  # substitutions in mind at once
_REPEATS = 0.28  # share that repeat at their next occurrence, on the train split of evals.edits


class TokenChange(NamedTuple):
    """`text[start:stop]` is expected to become `new`; `rule` is the substitution that says so."""

    start: int
    stop: int
    new: tuple[int, ...]
    rule: int


class View(NamedTuple):
    """The text from some place on with changes applied. `changes` come with the index of their first token."""

    tokens: list[int]
    changes: list[tuple[int, TokenChange]]

    def place(self, at: int, count: int) -> int | None:
        """The place in the text after `count` tokens of the view that begins at `at`; None inside a change."""
        shift = 0
        for index, change in self.changes:
            if count <= index:
                break
            if count < index + len(change.new):
                return None
            shift += (change.stop - change.start) - len(change.new)
        return at + count + shift


class Substitutions:
    """What replaced what, and where it may do so again. Applied to `index.text`, which stays as it is."""

    def __init__(self, index: TextIndex) -> None:
        self._index, self._text = index, index.text
        self._changes: list[TokenChange] = []  # by start, not overlapping
        self._rules: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
        self.odds = Odds((_REPEATS,) * MEMORY, weight=1.0)

    def copy(self) -> Substitutions:
        twin = copy(self)
        twin._changes, twin._rules, twin.odds = self._changes.copy(), self._rules.copy(), self.odds.copy()
        return twin

    def learn(self, start: int, stop: int, new: Sequence[int]) -> None:
        """The output has `new` in place of `text[start:stop]`; several changes one for one are told apart."""
        old = self._text[start:stop]
        if len(old) != len(new) or len(old) > LINE:
            self._add(start, stop, new)
            return
        begin = 0
        for at in range(len(old) + 1):
            if at == len(old) or old[at] == new[at]:
                if begin < at:
                    self._add(start + begin, start + at, new[begin:at])
                begin = at + 1

    def _add(self, start: int, stop: int, new: Sequence[int]) -> None:
        old = self._text[start:stop]
        while old and new and old[0] == new[0]:
            old, new, start = old[1:], new[1:], start + 1
        while old and new and old[-1] == new[-1]:
            old, new, stop = old[:-1], new[:-1], stop - 1
        if not (old or new) or max(len(old), len(new)) > LONGEST or len(self._rules) == MEMORY:
            return
        found = self._occurrences(start, stop)
        if found is None:
            return
        before, after, starts = found
        pattern = tuple(self._text[start - before : stop + after])
        rule = self._rules.setdefault((pattern, tuple(new)), len(self._rules))
        if rule == len(self._rules) - 1:
            width = stop - start
            for at in starts:
                if at >= stop:
                    self._insert(TokenChange(at, at + width, tuple(new), rule))

    def view(self, at: int, count: int) -> View | None:
        """The text from `at` on, about `count` tokens of it, or None where no change is expected there."""
        first = bisect_left(self._changes, (at,))
        if first == len(self._changes) or self._changes[first].start >= at + count:
            return None
        tokens: list[int] = []
        changes: list[tuple[int, TokenChange]] = []
        for change in self._changes[first:]:
            if len(tokens) + change.start - at >= count:
                break
            tokens += self._text[at : change.start]
            changes.append((len(tokens), change))
            tokens += change.new
            at = change.stop
        return View(tokens + self._text[at : at + max(0, count - len(tokens))], changes)

    def observe(self, at: int, view: View, tokens: list[int]) -> None:
        """The output went on from `at` with `tokens`; score the changes that it reached."""
        for index, change in view.changes:
            if index >= len(tokens) or tokens[:index] != view.tokens[:index]:
                return
            if index < len(view.tokens):
                plain = self._text[change.start] if change.start < len(self._text) else None
                if tokens[index] in (view.tokens[index], plain):
                    self.odds.observe(change.rule, tokens[index] == view.tokens[index])

    def _occurrences(self, start: int, stop: int) -> tuple[int, int, list[int]] | None:
        """How much context tells `text[start:stop]` apart, before and after it, and where such runs start."""
        for reach in range(0 if stop > start else 1, 2 * CONTEXT + 1):
            before, after = (reach + 1) // 2, reach // 2
            if start < before or stop + after > len(self._text):
                return None
            ends = self._index.ends(self._text[start - before : stop + after])
            if len(ends) <= OCCURRENCES:
                return before, after, [end - after - (stop - start) for end in ends]
        return None

    def _insert(self, change: TokenChange) -> None:
        where = bisect_left(self._changes, change)
        free_before = where == 0 or self._changes[where - 1].stop <= change.start
        if free_before and (where == len(self._changes) or change.stop <= self._changes[where].start):
            self._changes.insert(where, change)
