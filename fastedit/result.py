"""What comes back: the new text as hunks, the verdict of the checks, and the receipt."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, apply_hunks

if TYPE_CHECKING:
    from fastedit.ops.base import Candidate


class Status(StrEnum):
    OK = "ok"
    SUSPECT = "suspect"
    UNCHANGED = "unchanged"


@dataclass(slots=True)
class Receipt:
    """What a result cost. Token counts are the target model's; times are milliseconds.

    `exactness` and `weights` are the settings that the model ran with. `drafted` and `accepted` count tokens by drafter
    name. `margin` is the least difference between the best and second-best logit on a token that copying does not
    predict (None where there is none). `confidence` is the posterior of a merge, and of a model's answer how often
    those with such a margin were right, where that is known. `switched_off` counts, by name, drafters that failed and
    were asked no more. `plan` is how a strong model was asked, `plan_tokens` what that was expected to take;
    `other_plan` is the best of the others that were priced.
    """

    model: str = "none"
    policy: str = "merge"
    exactness: str = "default"
    weights: str = "default"
    prompt_tokens: int = 0
    output_tokens: int = 0
    generated_tokens: int = 0
    drafted: dict[str, int] = field(default_factory=dict)
    accepted: dict[str, int] = field(default_factory=dict)
    passes: int = 0
    rows: int = 0  # of all passes, those over the prompt included
    undrafted_passes: int = 0  # nobody proposed anything, nothing paid, or speculation was off
    offered_at: list[int] = field(default_factory=list)  # passes whose draft reached position 2**i, by i
    accepted_at: list[int] = field(default_factory=list)  # and those whose accepted tokens did
    first_hunk_ms: float | None = None
    draft_ms: float = 0.0
    total_ms: float = 0.0
    rewritten_chars: int = 0
    margin: float | None = None
    confidence: float | None = None
    switched_off: dict[str, int] = field(default_factory=dict)
    plan: str | None = None
    plan_tokens: int | None = None
    other_plan: str | None = None
    other_plan_tokens: int | None = None

    @property
    def tokens_per_pass(self) -> float:
        return self.output_tokens / self.passes if self.passes else 0.0

    @property
    def chars_per_second(self) -> float:
        return 1000.0 * self.rewritten_chars / self.total_ms if self.total_ms else 0.0

    def add(self, other: Receipt) -> None:
        """Count what another answer of the same edit cost too."""
        self.prompt_tokens += other.prompt_tokens
        self.output_tokens += other.output_tokens
        self.generated_tokens += other.generated_tokens
        self.passes += other.passes
        self.rows += other.rows
        self.undrafted_passes += other.undrafted_passes
        self.draft_ms += other.draft_ms
        for mine, more in ((self.drafted, other.drafted), (self.accepted, other.accepted)):
            for name, count in more.items():
                mine[name] = mine.get(name, 0) + count

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {
            "tokens_per_pass": self.tokens_per_pass,
            "chars_per_second": self.chars_per_second,
        }


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an edit has come while it decodes. `fraction` is an estimate from 0 to 1, `region` counts from 1."""

    fraction: float
    output_tokens: int
    passes: int
    tokens_per_second: float
    region: int = 1
    regions: int = 1


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another text that may be meant: a reading of the update, with its posterior and the number that a request's
    `choice` takes it by, or another opinion, which has neither."""

    hunks: tuple[Hunk, ...]
    number: int | None = None
    posterior: float | None = None


@dataclass(frozen=True, slots=True)
class EditResult:
    """The whole answer. `reasons` say why a result is suspect; `alternatives` are what else may be meant, the likeliest
    first. `notes` say what a person should know besides, such as what of the update is no edit; `left` are the places
    that typed operations may mean too and leave as they are."""

    document: Document
    hunks: tuple[Hunk, ...]
    status: Status
    reasons: tuple[str, ...]
    receipt: Receipt
    alternatives: tuple[Alternative, ...] = ()
    drops_final_newline: bool = False  # as in `apply_hunks`
    notes: tuple[str, ...] = ()
    left: tuple[Candidate, ...] = ()

    @property
    def text(self) -> str:
        return apply_hunks(self.document, self.hunks, drops_final_newline=self.drops_final_newline)

    def text_of(self, other: Alternative) -> str:
        """The new text that an alternative is."""
        return apply_hunks(self.document, other.hunks)

    @property
    def is_changed(self) -> bool:
        """Whether the text is another one than before."""
        return bool(self.hunks) or self.drops_final_newline

    @property
    def data(self) -> bytes:
        return self.document.encode(self.text)

    @property
    def sha256(self) -> str:
        """Hex, of the whole new file."""
        return hashlib.sha256(self.data).hexdigest()
