"""Which tokens of an answer are copied, which edit a line and which are new; and what each kind costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import islice
from typing import Literal, get_args

from fastedit.prompt.base import AnswerLine, PromptFormat, RegionTask

Kind = Literal["copied", "edited", "novel"]
KINDS: tuple[Kind, ...] = get_args(Kind)
ALIKE = 0.6  # likeness to a line of the region, from 0 to 1, from which a line is that one, edited


@dataclass(slots=True)
class Costs:
    """Tokens of one kind, and the passes and seconds that they took: a pass over several kinds counts for each by its
    share of the pass's tokens."""

    tokens: int = 0
    passes: float = 0.0
    seconds: float = 0.0

    def add(self, other: Costs) -> None:
        self.tokens += other.tokens
        self.passes += other.passes
        self.seconds += other.seconds

    @property
    def tokens_per_pass(self) -> float:
        return self.tokens / self.passes if self.passes else 0.0


@dataclass(slots=True)
class ByKind:
    """Costs of every kind."""

    costs: dict[Kind, Costs] = field(default_factory=lambda: {kind: Costs() for kind in KINDS})

    def __getitem__(self, kind: Kind) -> Costs:
        return self.costs[kind]

    def add(self, other: ByKind) -> None:
        for kind, costs in other.costs.items():
            self.costs[kind].add(costs)

    @property
    def whole(self) -> Costs:
        found = Costs()
        for costs in self.costs.values():
            found.add(costs)
        return found


def kinds_of(form: PromptFormat, task: RegionTask, tokens: Sequence[int]) -> list[Kind]:
    """Of every token of an answer, by the line that it stands in."""
    reader = form.reader(task)
    found: list[Kind] = []
    open_tokens = 0
    for token in tokens:
        lines = reader.push([token])
        if lines:  # the token begins the next line, or ends this one
            found += [_kind(lines[0], task.lines)] * open_tokens
            open_tokens = 0
        open_tokens += 1
    rest = reader.finish()
    return found + [_kind(rest[0], task.lines) if rest else "copied"] * open_tokens


def _kind(line: AnswerLine, region: Sequence[str]) -> Kind:
    text = line.text.strip()
    if line.origin is not None or line.text in region:
        return "copied"
    matcher = SequenceMatcher(None, autojunk=False)
    matcher.set_seq2(text)
    for other in region:
        matcher.set_seq1(other.strip())
        if matcher.quick_ratio() >= ALIKE and matcher.ratio() >= ALIKE:
            return "edited"
    return "novel"


def attributed(kinds: Iterable[Kind], passes: Sequence[tuple[int, float]]) -> ByKind:
    """`passes` are the tokens and seconds of each pass, in order. A pass without a token, over a part of the prompt or
    at the very end, counts for none."""
    found, left = ByKind(), iter(kinds)
    for count, seconds in passes:
        here = list(islice(left, count))
        for kind in here:
            costs = found[kind]
            costs.tokens += 1
            costs.passes += 1 / len(here)
            costs.seconds += seconds / len(here)
    return found
