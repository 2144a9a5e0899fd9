"""What a head learns from: text, and what the target computed for it."""

from __future__ import annotations

import json
from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True, slots=True)
class Answer:
    """Token ids of prompt and answer, which starts at `start`; `novel` says for each answer token whether lookup
    drafts had nothing for it."""

    ids: tuple[int, ...]
    start: int
    novel: tuple[bool, ...]

    def line(self) -> str:
        novel = "".join("01"[new] for new in self.novel)
        return json.dumps({"ids": self.ids, "start": self.start, "novel": novel}) + "\n"

    @classmethod
    def of_line(cls, line: str) -> Answer:
        row = json.loads(line)
        return cls(tuple(row["ids"]), row["start"], tuple(mark == "1" for mark in row["novel"]))


@dataclass(frozen=True, slots=True)
class Lesson:
    """An answer with what the target computed for it: `states` [n, layers * width], those that the head reads, and
    `final` [n - start + 1, width], what its output matrix was asked with from the prompt's last token on."""

    answer: Answer
    states: Tensor
    final: Tensor
