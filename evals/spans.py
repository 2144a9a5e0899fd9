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


def _nothing() -> dict[Kind, float]:
    return dict.fromkeys(KINDS, 0.0)


@dataclass(slots=True)
class ByKind:
    """Tokens by kind, and the passes that they took: a pass over several kinds counts for each by its share of the
    pass's tokens."""

    tokens: dict[Kind, float] = field(default_factory=_nothing)
    passes: dict[Kind, float] = field(default_factory=_nothing)

    def add(self, kinds: Iterable[Kind], passes: Iterable[int]) -> None:
        """`passes` are the tokens of each pass, in order. A pass without a token, over a part of the prompt or at the
        very end, counts for none."""
        left = iter(kinds)
        for count in passes:
            here = list(islice(left, count))
            for kind in here:
                self.tokens[kind] += 1
                self.passes[kind] += 1 / len(here)

    def tokens_per_pass(self, *kinds: Kind) -> float:
        """Of these kinds, all by default."""
        passes = sum(self.passes[kind] for kind in kinds or KINDS)
        return sum(self.tokens[kind] for kind in kinds or KINDS) / passes if passes else 0.0


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
