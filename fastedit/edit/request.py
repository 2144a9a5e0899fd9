"""What a person or an agent asks for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from fastedit.edit.document import Document

Policy = Literal["model", "merge", "auto"]


@dataclass(frozen=True, slots=True)
class LineRange:
    """Lines `start` up to but not including `stop`, counted from 0."""

    start: int
    stop: int

    def __len__(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a token is chosen. Temperature 0 is greedy; `top_k` 0 and `top_p` 1 keep the whole distribution."""

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0
    seed: int = 0

    @property
    def greedy(self) -> bool:
        return self.temperature == 0.0


@dataclass(frozen=True, slots=True)
class EditRequest:
    """One edit of one document: an instruction, an update sketch, or both.

    `symbol` and `lines` narrow where the edit may land. `speculation=False` decodes one token a pass.
    """

    document: Document
    instruction: str | None = None
    update: str | None = None
    symbol: str | None = None
    lines: LineRange | None = None
    policy: Policy = "auto"
    sampling: Sampling = field(default_factory=Sampling)
    speculation: bool = True
