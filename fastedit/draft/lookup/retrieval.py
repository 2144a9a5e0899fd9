"""Drafts from a repository's files: what follows there where the output's end stands (REST, He et al. 2024).

The files' tokens lie in one array with a suffix array beside it, so that every place that the output's end occurs at
is one range of it. The continuations found there are proposed by how often they occur.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from fastedit.draft.base import Branch, Drafter
from fastedit.draft.lookup.record import Odds
from fastedit.errors import ModelUnavailable, UsageError
from fastedit.source.languages import language_of

if TYPE_CHECKING:
    from fastedit.model.target import Target
    from fastedit.prompt.base import Prompt

MOST_TOKENS = 4_000_000
MOST_BYTES = 1 << 20  # of a file; what is longer was hardly written by a person
KEY = 10  # tokens by which suffixes are sorted
MATCH = 8  # tokens of the output's end that are looked for, at most
LEAST = 2  # and at least
LENGTH = 12  # tokens of a proposal
SAMPLE = 64  # occurrences that are counted
BRANCHES = 3
FLOOR = 0.03
END = -1  # stands after each text
_ODDS = (
    0.25,
    0.35,
    0.45,
    0.5,
    0.55,
    0.6,
    0.65,
)  # that the next token is among those found, by length of the match


class RetrievalIndex:
    """Of texts of tokens."""

    def __init__(self, texts: Sequence[Sequence[int]]) -> None:
        parts = [np.asarray([*text, END], dtype=np.int32) for text in texts]
        self.tokens = np.concatenate([*parts, np.full(KEY + LENGTH, END, dtype=np.int32)])
        count = len(self.tokens) - KEY - LENGTH
        columns = [self.tokens[depth : depth + count] for depth in range(KEY)]
        self._order: NDArray[np.int64] = np.lexsort(columns[::-1]) if count else np.zeros(0, dtype=np.int64)

    def __len__(self) -> int:
        return len(self._order)

    def following(self, tail: Sequence[int]) -> tuple[int, NDArray[np.int32]]:
        """How many tokens of the tail's end occur, and what follows them: int32 [occurrences, LENGTH], at most SAMPLE.

        Where a text is over there is END, and then whatever lies after it.
        """
        for matched in range(min(MATCH, len(tail)), LEAST - 1, -1):
            first, last = self._range(tail[-matched:])
            if first < last:
                picked = np.unique(np.linspace(first, last - 1, min(SAMPLE, last - first)).astype(np.int64))
                starts = self._order[picked] + matched
                return matched, self.tokens[starts[:, None] + np.arange(LENGTH)]
        return 0, np.zeros((0, LENGTH), dtype=np.int32)

    def _range(self, wanted: Sequence[int]) -> tuple[int, int]:
        """The suffixes that begin with `wanted`."""
        first, last = 0, len(self._order)
        for depth, token in enumerate(wanted):
            first = self._bisect(first, last, depth, token)
            last = self._bisect(first, last, depth, token + 1)
        return first, last

    def _bisect(self, low: int, high: int, depth: int, token: int) -> int:
        while low < high:
            middle = (low + high) // 2
            if self.tokens[self._order[middle] + depth] < token:
                low = middle + 1
            else:
                high = middle
        return low


class Retrieval:
    """One index, shared by all answers."""

    def __init__(self, index: RetrievalIndex) -> None:
        self.index = index

    def drafters(self, prompt: Prompt) -> tuple[Drafter, ...]:
        return (RetrievalDrafter(self.index),)


def source(target: Target, argument: str) -> Retrieval:
    """The source files below folder `argument`. Raises UsageError where there are none, ModelUnavailable where the
    target has no tokenizer that could read them."""
    assert target.folder is not None
    file = target.folder / "tokenizer.json"
    try:
        tokenizer = Tokenizer.from_file(str(file))
        config = json.loads((target.folder / "config.json").read_text("utf-8"))
    except Exception as error:  # tokenizers raises nothing narrower
        raise ModelUnavailable(f"{file}: no usable tokenizer ({error}); retrieval needs one") from None
    texts = list(_texts(Path(argument), tokenizer, by_line=config.get("prompt_format") is not None))
    if not texts:
        raise UsageError(f"rest={argument}: no source files there; name the folder of a repository")
    return Retrieval(RetrievalIndex(texts))


def _texts(folder: Path, tokenizer: Tokenizer, *, by_line: bool) -> Iterator[list[int]]:
    """The tokens of the files, in order of their paths; of each line where a model writes lines one by one."""
    left = MOST_TOKENS
    for file in sorted(folder.rglob("*")):
        hidden = any(
            part.startswith(".") or part == "node_modules" for part in file.relative_to(folder).parts
        )
        if hidden or language_of(file, "") == "text" or not file.is_file():
            continue
        try:
            text = file.read_text("utf-8") if file.stat().st_size <= MOST_BYTES else ""
        except (OSError, UnicodeDecodeError):
            continue  # what cannot be read is no draft
        for piece in text.splitlines() if by_line else [text]:
            ids = tokenizer.encode(piece, add_special_tokens=False).ids
            left -= len(ids)
            if left < 0:
                return
            if len(ids) > LEAST:
                yield ids


class RetrievalDrafter:
    """Of one answer."""

    name = "rest"

    def __init__(self, index: RetrievalIndex) -> None:
        self._index = index
        self._tail: list[int] = []
        self._odds = Odds(_ODDS)
        self._offered: tuple[int, set[int]] | None = (
            None  # the kind of the last proposal, and its first tokens
        )

    def copy(self) -> RetrievalDrafter:
        twin = copy(self)
        twin._odds = self._odds.copy()
        return twin

    def observe(self, tokens: Sequence[int]) -> None:
        if self._offered is not None:
            self._odds.observe(self._offered[0], tokens[0] in self._offered[1])
            self._offered = None
        self._tail = [*self._tail, *tokens][-MATCH:]

    def propose(self, limit: int) -> list[Branch]:
        matched, found = self._index.following(self._tail)
        firsts = Counter(found[:, 0].tolist())
        firsts.pop(END, None)
        if not firsts:
            return []
        kind = matched - LEAST
        leading = firsts.most_common(BRANCHES)
        self._offered = (kind, {token for token, _ in leading})
        odds = self._odds[kind]
        branches = [
            self._branch(found[found[:, 0] == token], odds * count / len(found), limit)
            for token, count in leading
        ]
        return [branch for branch in branches if branch.tokens]

    def _branch(self, found: NDArray[np.int32], chance: float, limit: int) -> Branch:
        """Along what follows most often, as long as that is likely enough. All of `found` begin with one token."""
        tokens: list[int] = []
        survival: list[float] = []
        for depth in range(min(limit, LENGTH)):
            values, counts = np.unique(found[:, depth], return_counts=True)
            best = int(counts.argmax())
            chance *= counts[best] / len(found)
            if values[best] == END or chance < FLOOR:
                break
            tokens.append(int(values[best]))
            survival.append(chance)
            found = found[found[:, depth] == values[best]]
        return Branch(tokens, survival, self.name)
