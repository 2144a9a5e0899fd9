"""What an instruction is expected to take, by its length and by the names in it. Reads no meaning: an estimate that
errs costs tokens, never an edit."""

from __future__ import annotations

from typing import Final, NamedTuple

from fastedit.english.said import read
from fastedit.locate.filemap import file_map
from fastedit.source.document import Document

SHORT: Final = 24  # words


class InstructionKind(NamedTuple):
    """`renames`: it names something that the file has and something that it has not, as who renames does."""

    renames: bool
    short: bool


class Estimate(NamedTuple):
    """`share` of such instructions can be said as operations; `sayable` and `other` are the tokens that blocks take for
    those and for the rest."""

    share: float
    sayable: int
    other: int


# Of 200 instructions that people typed (docs/log.md, A price for operations).
MEASURED: Final[dict[InstructionKind, Estimate]] = {
    InstructionKind(renames=True, short=True): Estimate(0.74, 139, 74),
    InstructionKind(renames=True, short=False): Estimate(0.27, 147, 183),
    InstructionKind(renames=False, short=True): Estimate(0.49, 67, 138),
    InstructionKind(renames=False, short=False): Estimate(0.24, 158, 231),
}
PLACES: Final = 2.2  # hunks of such an edit in the mean


def kind_of(document: Document, instruction: str) -> InstructionKind:
    names = {mention.text for mention in read(instruction).mentions if mention.sure}
    known = any(file_map(document).lines_with(name) for name in names)
    return InstructionKind(
        known and any(name not in document.text for name in names), len(instruction.split()) <= SHORT
    )


def estimate(document: Document, instruction: str | None) -> Estimate:
    """The estimate for an instruction; none of it is sayable where there is only an update."""
    if instruction is None:
        return Estimate(0.0, 0, MEASURED[InstructionKind(renames=False, short=True)].other)
    return MEASURED[kind_of(document, instruction)]
