"""What passes between the text packages and the token packages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from fastedit.source.prediction import Prediction
from fastedit.source.update import Update


@dataclass(frozen=True, slots=True)
class RegionTask:
    """One region to rewrite, as lines without their line ends.

    `targets` has, for each line of the update, the line of the region that it stands for, None for markers and new
    lines. `about` is what a chat model is told of the file around the region; `before` and `after` are lines around it.
    """

    lines: tuple[str, ...]
    instruction: str | None = None
    update: Update | None = None
    targets: tuple[int | None, ...] | None = None
    language: str = "text"
    about: str = ""
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """Token ids for the model, and what drafters may draw on.

    `original` is the answer that changes nothing, `removal` the one that takes every line away (empty where a format
    simply leaves lines out); `prediction` the answer of the predicted merge; `update` the update's tokens. All are
    written exactly as the model would write an answer, without the stop token.
    """

    ids: tuple[int, ...]
    original: tuple[int, ...]
    update: tuple[int, ...]
    prediction: tuple[int, ...] | None
    stop: frozenset[int]
    answer_limit: int
    removal: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """One finished line of the answer. `origin` is the index of the region's line that it copies byte for byte."""

    text: str
    origin: int | None


class AnswerReader(Protocol):
    """Turns answer tokens into lines as they arrive."""

    def push(self, tokens: Sequence[int]) -> list[AnswerLine]:
        """Lines that these tokens finish."""

    def finish(self) -> list[AnswerLine]:
        """The lines still open when the answer stops. Raises ValueError on an answer that is not well formed."""


class PromptFormat(Protocol):
    """One way of asking one kind of model for a rewrite."""

    def encode(self, task: RegionTask, prediction: Prediction | None) -> Prompt:
        """The prompt for a region. `prediction` is for drafting only."""

    @property
    def longest_token(self) -> int:
        """No token stands for more characters than this."""

    def reader(self, task: RegionTask) -> AnswerReader:
        """A fresh reader for one answer to this task."""
