"""Ways to write the same real edits with one set of random weights, and what each pass of theirs took."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import torch
import typer

from evals.drafts import Case
from evals.gpu_shapes import Watched, random_config
from evals.gpu_ways import Replay, prompt_of
from evals.overruled import Step, overruled
from fastedit.decode.passes import Turn
from fastedit.decode.scheduler import Scheduler
from fastedit.decode.session import Session, decode
from fastedit.decode.verify import Leads
from fastedit.draft import drafters_for
from fastedit.draft.base import Drafter
from fastedit.draft.budget import CostTable
from fastedit.engine.models import MAX_ROWS
from fastedit.prompt.base import Prompt
from fastedit.sampling import Sampling

Clock = Callable[[], float]
Processor = Annotated[
    bool, typer.Option("--processor", help="Processor time of one thread: for a machine that is busy.")
]
Extra = Callable[[Prompt, Sequence[int]], Sequence[Drafter]]
"""Drafters beside lookup, for a prompt and the answer that will be written."""


def clock_of(processor: bool) -> Clock:
    """The wall's, or the processor's of one thread, to which torch is held then."""
    if processor:
        torch.set_num_threads(1)
    return time.process_time if processor else time.perf_counter


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass: its rows, of which `wanted` went through the head, behind `before` slots; the tokens that it brought,
    and the seconds from the edit's start to its end."""

    rows: int
    wanted: int
    before: int
    tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Written:
    """One edit. `reused`: tokens of the prompt that needed no pass. `drafting_s`: within the passes' seconds."""

    prompt: int
    passes: tuple[Pass, ...]
    reused: int = 0
    drafting_s: float = 0.0

    @property
    def tokens(self) -> int:
        return sum(one.tokens for one in self.passes)

    @property
    def seconds(self) -> float:
        return self.passes[-1].seconds

    @property
    def first(self) -> Pass:
        """The pass that read the prompt's end, which verifies a draft already."""
        return next(one for one in self.passes if one.tokens)

    @property
    def decoding_s(self) -> float:
        return self.seconds - self.first.seconds

    @property
    def decoded(self) -> int:
        """Tokens of all passes behind the first."""
        return self.tokens - self.first.tokens


Way = Callable[[Case, int | None], Written]
"""Writes the first so many tokens of an edit's answer, all with None."""


class _Watching(Replay):
    """Notes what each pass was about, and looks at the logits that the real answer decides by: a random model agrees
    with the first row's alone."""

    def __init__(self, target: Watched, costs: CostTable, wanted: Sequence[int]) -> None:
        super().__init__(Scheduler(target, costs), {}, moved=target.kernels is not None)
        self._target, self._answer = target, wanted
        self.passes: list[tuple[int, int, int]] = []

    def run(self, turn: Turn) -> None:
        self.wanted[turn.owner] = self._answer
        before = turn.cache.length
        super().run(turn)
        assert turn.verdict is not None
        leads = Leads(self._target.logits)
        for node in turn.verdict.path:
            leads(1 + node)
        rows = len(turn.trunk) + len(turn.tree)
        self.passes.append((rows, 1 + len(turn.tree) if turn.wish is not None else 1, before))


def ours(
    target: Watched,
    costs: CostTable,
    clock: Clock,
    *,
    speculation: bool = True,
    extra: Extra | None = None,
    keep: bool = False,
) -> Way:
    """The engine's decoding, as `fastedit apply` runs it. With `keep` prompts of earlier edits stay known."""

    def write(found: Case, most: int | None = None) -> Written:
        if not keep:
            target.pool.forget()
        prompt, wanted = prompt_of(found, target.vocab)
        watching = _Watching(target, costs, wanted if most is None else [*wanted[:most], wanted[-1]])
        started = clock()
        drafters = (*drafters_for(prompt), *(extra(prompt, wanted) if extra else ()))
        session = Session(
            target, prompt, drafters, Sampling(), costs=costs, speculation=speculation,
            max_rows=MAX_ROWS, runner=watching,
        )  # fmt: skip
        ends = [(len(accepted.tokens), clock() - started) for accepted in decode(session)]
        if session.tally.switched_off:
            raise RuntimeError(f"drafters failed: {', '.join(session.tally.switched_off)}")
        passes = (Pass(*shape, *end) for shape, end in zip(watching.passes, ends, strict=True))
        return Written(len(prompt.ids), tuple(passes), session.tally.reused, session.tally.draft_ms / 1000.0)

    return write


def theirs(model: Any, clock: Clock) -> Callable[[dict[str, Any]], Way]:
    """transformers' generate on the same shape, by the options of `generate`."""

    def write(options: dict[str, Any], found: Case, most: int | None = None) -> Written:
        prompt, wanted = prompt_of(found, int(model.config.vocab_size))
        steps, written = overruled(model, prompt, wanted[:most], options, clock)
        assert written == list(wanted[:most]), "another text was written"
        return of_steps(steps, len(prompt.ids), whole=most is None)

    return lambda options: partial(write, options)


def random_model(name: str, dtype: torch.dtype) -> Any:
    """transformers' model of a shape."""
    from transformers import AutoConfig, AutoModelForCausalLM

    config = AutoConfig.for_model(**random_config(name))
    return AutoModelForCausalLM.from_config(config, dtype=dtype).eval()


def of_steps(steps: Sequence[Step], prompt: int, *, whole: bool) -> Written:
    """`whole`: the last token is the stop token, which is no part of the answer."""
    passes, before = [], 0
    for index, step in enumerate(steps):
        tokens = step.tokens - (whole and index == len(steps) - 1)
        passes.append(Pass(step.rows, step.rows, before, tokens, step.seconds))
        before += step.tokens + (prompt if index == 0 else 0)
    return Written(prompt, tuple(passes))
