"""What a person or an agent asks for."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, get_args

from fastedit.errors import UsageError
from fastedit.sampling import Sampling
from fastedit.source.document import Document
from fastedit.source.languages import check_language

if TYPE_CHECKING:
    from fastedit.ops.base import Operation

TIME_LIMIT = 10.0  # seconds that a model may take to settle which reading is meant
Policy = Literal["model", "merge", "auto"]
PlanName = Literal["auto", "operations", "sketch", "rewrite"]


@dataclass(frozen=True, slots=True)
class LineRange:
    """Lines `start` up to but not including `stop`, counted from 0."""

    start: int
    stop: int

    def __len__(self) -> int:
        return self.stop - self.start

    def holds(self, start: int, stop: int) -> bool:
        """Whether lines `start` up to `stop` are all among these."""
        return self.start <= start and stop <= self.stop


@dataclass(frozen=True, slots=True)
class EditRequest:
    """One edit of one document: an instruction, an update (a sketch, or an edit in any other format), or both; or typed
    operations, which are carried out in order and go with neither.

    `format` insists on the format of the update, which is otherwise told from its text (`fastedit/formats`). `symbol`
    and `lines` narrow where the edit may land. `speculation=False` decodes one token a pass. `drafter` names
    who drafts (`draft/registry.py`); the output is the model's own whoever does. What drafters remember of one `tenant`
    is never proposed to another. `choice` takes one of an update's readings, by the number that an earlier result gave
    it; 1 is the most likely. `time_limit` is in seconds: what a model may take to settle which reading is meant, or to
    mend an edit that the checks hold back.
    `language`, a name of `fastedit.source.languages`, becomes the document's. `plan` is how a strong model is asked
    (docs/models.md), `conventions` what the project asks of its code, which such a model is told. Hunks of a `live`
    edit come while they are written, and stand; else a model may mend all of its answer. `ignore` are the codes of
    rules that hold nothing back (docs/checks.md). `base` is the file as the edit's author read it, where that may have
    changed since: the edit is made of it (`symbol`, `lines` and `choice` are of it too) and carried over to the
    document; StaleFile where both change a line.

    Raises UsageError for words that are no text (bytes of an argument that are not UTF-8, lone surrogates) and for a
    language that there is not.
    """

    document: Document
    instruction: str | None = None
    update: str | None = None
    symbol: str | None = None
    lines: LineRange | None = None
    policy: Policy = "auto"
    sampling: Sampling = field(default_factory=Sampling)
    speculation: bool = True
    drafter: str = "lookup"
    tenant: str = ""
    choice: int | None = None
    time_limit: float = TIME_LIMIT
    format: str | None = None
    operations: tuple[Operation, ...] = ()
    language: str | None = None
    plan: PlanName = "auto"
    conventions: str = ""
    live: bool = True
    ignore: frozenset[str] = frozenset()
    base: Document | None = None

    def __post_init__(self) -> None:
        for name, value in (("document", self.document), ("base", self.base)):
            if not isinstance(value, Document) and (name == "document" or value is not None):
                raise UsageError(
                    f"the {name} of an EditRequest is a Document, not {type(value).__name__}: "
                    "make one with Document.read(path) or Document.from_text(text)"
                )
        if self.language is not None:
            check_language(self.language)
            object.__setattr__(self, "document", replace(self.document, language=self.language))
        if self.plan not in get_args(PlanName):
            raise UsageError(f"plan {self.plan!r}: must be {', '.join(get_args(PlanName))}")
        check_utf_8(instruction=self.instruction, update=self.update, symbol=self.symbol)
        if self.choice is not None and self.choice < 1:
            raise UsageError(f"choice {self.choice}: readings are counted from 1")
        if not self.time_limit > 0:
            raise UsageError(f"time limit {self.time_limit:g}: must be above 0 seconds")


def check_utf_8(**words: str | None) -> None:
    """Raises UsageError for words that are no text: bytes of an argument that are not UTF-8, lone surrogates."""
    for name, text in words.items():
        try:
            (text or "").encode("utf-8")
        except UnicodeEncodeError as error:
            raise UsageError(
                f"the {name} is not UTF-8 at character {error.start + 1}; write it in UTF-8"
            ) from None
