"""What each way of asking costs, and which costs least.

A cost is a time, in tokens that the model writes. What it drafts for itself is copied almost for free
(`docs/drafters.md`); behind an address each token takes its turn. What it has to read for one way alone counts too.
What an instruction is expected to take is told by its length and by the names in it, not by its meaning: an estimate
that errs costs tokens, never an edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from fastedit.english.said import read
from fastedit.locate.filemap import file_map
from fastedit.plan import operations
from fastedit.plan.base import DocumentTask, Way, tokens_of
from fastedit.plan.rewrite import spans
from fastedit.source.document import Document

_OPERATION = 40  # tokens of the operations that say an edit
_TAGS = 20
_DRAFTED = 1 / 12  # of a token's time, that a copied one takes where the file drafts it
_READ = 1 / 115  # that one of the prompt takes; docs/log.md has the source
# Of the next best way's time that operations must be expected to stay below: whatever else a prompt offers can be
# misread, and the estimates are no better than that.
_WORTH = 0.75
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


@dataclass(frozen=True, slots=True)
class PlanChoice:
    """The way taken and the best of the others that were priced, with the tokens that the model is expected to write
    in each."""

    way: Way
    tokens: int
    other: Way | None = None
    other_tokens: int | None = None


def choose(
    task: DocumentTask, asked: Way | None, *, places: int, drafted: bool, tools: bool = False
) -> PlanChoice:
    """The cheapest way, or the one that was `asked` for.

    `places` is how many the instruction seems to concern; `drafted`: a model of our own writes, with drafts; `tools`:
    the model may be offered some, without which operations are only taken where they are asked for.
    """
    tokens = _tokens(task, places)
    costs: dict[Way, float] = {
        "sketch": tokens["sketch"],
        "rewrite": tokens["rewrite"] * (_DRAFTED if drafted else 1.0),
    }
    return _cheapest((task,), tokens, costs, asked, tools=tools)


def choose_for_several(
    tasks: Sequence[DocumentTask], asked: Way | None, *, tools: bool = False
) -> PlanChoice:
    """The same for one edit of several files, none of which is rewritten as a whole."""
    each = [_tokens(task, max(len(task.regions), 1)) for task in tasks]
    ways: tuple[Way, ...] = ("operations", "sketch")
    tokens = {way: sum(of_one[way] for of_one in each) for way in ways}
    return _cheapest(tasks, tokens, {"sketch": tokens["sketch"]}, asked, tools=tools)


def _cheapest(
    tasks: Sequence[DocumentTask],
    tokens: Mapping[Way, int],
    costs: dict[Way, float],
    asked: Way | None,
    *,
    tools: bool,
) -> PlanChoice:
    # To count what tells of operations imports them all: only where they can be the cheapest.
    likely = tools and tokens["operations"] / _WORTH < min(costs.values())
    if likely and (told := max(operations.tokens_told((task,)) for task in tasks)):
        costs["operations"] = (tokens["operations"] + _READ * told) / _WORTH
    ranked = sorted(costs, key=lambda way: costs[way])
    way = asked or ranked[0]
    other = next((each for each in ranked if each != way), None)
    return PlanChoice(way, tokens[way], other, None if other is None else tokens[other])


def _tokens(task: DocumentTask, places: int) -> dict[Way, int]:
    """What the model is expected to write in each way."""
    expected = estimate(task.document, task.instruction)
    grown = max(1.0, places / PLACES)
    other = grown * (1 - expected.share) * expected.other
    return {
        "operations": round(expected.share * _OPERATION + other),
        "sketch": round(grown * expected.share * expected.sayable + other),
        "rewrite": _TAGS + sum(tokens_of(task.text_of(span)) for span in spans(task)),
    }
