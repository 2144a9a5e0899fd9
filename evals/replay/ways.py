"""Ways to write the same real edits with one set of random weights, and what each pass of theirs took."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, NamedTuple

import torch
import typer
from torch import Tensor

from evals.replay.edits import Case, prompt_of
from evals.replay.models import Watched
from evals.replay.passes import PassLog, ReplayedEdit, ReplayedPass
from evals.timing.ceilings import Clock
from evals.timing.turns import in_turns
from fastedit.decode.passes import Turn
from fastedit.decode.scheduler import Scheduler
from fastedit.decode.session import MAX_ROWS, Session, decode
from fastedit.decode.verify import Verdict, leads_of, walk
from fastedit.draft import drafters_for
from fastedit.draft.budget import CostTable
from fastedit.draft.tree import TokenTree
from fastedit.prompt.base import Prompt
from fastedit.sampling import Sampling


class TransformersLookup(NamedTuple):
    """transformers' prompt lookup, in its own names."""

    prompt_lookup_num_tokens: int
    max_matching_ngram_size: int

    def __str__(self) -> str:
        return f"{self.prompt_lookup_num_tokens} tokens, n-grams up to {self.max_matching_ngram_size}"


SWEEP = (
    TransformersLookup(10, 2),
    TransformersLookup(20, 3),
    TransformersLookup(40, 3),
    TransformersLookup(40, 5),
    TransformersLookup(80, 5),
)
Processor = Annotated[
    bool, typer.Option("--processor", help="Processor time of one thread: for a machine that is busy.")
]


def clock_of(processor: bool) -> Clock:
    """The wall's, or the processor's of one thread, to which torch is held then."""
    if processor:
        torch.set_num_threads(1)
    return time.process_time if processor else time.perf_counter


Way = Callable[[Case, int | None], ReplayedEdit]
"""Writes the first so many tokens of an edit's answer, all with None."""


class _Overruling:
    """Runs turns as the scheduler does, overrules what was accepted by the answer that was really given, and notes
    what each pass was about, by answer.

    Where kernels have moved keys already, along the path that the random model takes, they are not moved again.
    """

    def __init__(self, target: Watched, costs: CostTable) -> None:
        self._runner, self._target = Scheduler(target, costs), target
        self.wanted: dict[object, Sequence[int]] = {}
        self.passes: dict[object, list[tuple[int, int, int]]] = {}

    def run(self, turn: Turn) -> None:
        before = turn.cache.length
        self._runner.run(turn)
        if turn.error is not None:
            raise turn.error
        wanted = self.wanted[turn.owner]
        tree = turn.tree if turn.drafts is not None else TokenTree.empty()
        path, last = walk(tree, lambda row, position: wanted[position], turn.position)
        # States of other rows than the random model's path: a head reads as many as the answer keeps.
        kept = len(turn.trunk) + len(path)
        turn.states = {layer: state[:1].expand(kept, -1).clone() for layer, state in turn.states.items()}
        on_device = self._target.kernels is not None
        turn.verdict = Verdict(path, last, [0.0] * (len(path) + 1), moved=on_device)
        if not on_device:
            # The rows that the real answer decides by are looked at; a random model agrees with the first alone.
            leads = leads_of(self._target.logits)
            for node in path:
                leads(1 + node)
        decided = 1 + len(turn.tree) if turn.drafts is not None else 0
        shape = (len(turn.trunk) + len(turn.tree), decided, before)
        self.passes.setdefault(turn.owner, []).append(shape)

    def leave(self, owner: object) -> None:
        self._runner.leave(owner)


@dataclass(frozen=True, slots=True)
class Ours:
    """The engine's decoding, as `fastedit apply` runs it; a `Way`. No edit knows the prompt of an earlier one."""

    target: Watched
    costs: CostTable
    clock: Clock = time.perf_counter
    speculation: bool = True
    rows: int = MAX_ROWS

    def __call__(self, found: Case, most: int | None = None) -> ReplayedEdit:
        (written,) = self.together([found], most)
        return written

    def together(self, cases: Sequence[Case], most: int | None = None) -> list[ReplayedEdit]:
        """Edits that are made at once. Each one's seconds are from the common start to its own end."""
        self.target.pool.forget()
        self.target.begin()
        write = partial(self._written, most, _Overruling(self.target, self.costs), self.clock())
        if len(cases) == 1:
            return [write(cases[0])]
        with ThreadPoolExecutor(len(cases)) as pool:
            return list(pool.map(write, cases))

    def _written(
        self, most: int | None, overruling: _Overruling, started: float, found: Case
    ) -> ReplayedEdit:
        prompt, wanted = prompt_of(found, self.target.vocab)
        session = Session(
            self.target, prompt, drafters_for(prompt), Sampling(), costs=self.costs, speculation=self.speculation,
            max_rows=self.rows, runner=overruling,
        )  # fmt: skip
        overruling.wanted[session] = wanted if most is None else [*wanted[:most], wanted[-1]]
        ends = [(len(accepted.tokens), self.clock() - started) for accepted in decode(session)]
        if session.tally.switched_off:
            raise RuntimeError(f"drafters failed: {', '.join(session.tally.switched_off)}")
        shapes = overruling.passes.pop(session)
        passes = (ReplayedPass(*shape, *end) for shape, end in zip(shapes, ends, strict=True))
        return ReplayedEdit(len(prompt.ids), tuple(passes), session.tally.draft_ms / 1000.0)


def theirs(model: Any, clock: Clock, lookup: TransformersLookup | None = None) -> Way:
    """transformers' generate on the same shape, plain or with prompt lookup."""
    options = {} if lookup is None else lookup._asdict()

    def write(found: Case, most: int | None = None) -> ReplayedEdit:
        prompt, wanted = prompt_of(found, int(model.config.vocab_size))
        passes = _overruled(model, prompt, wanted[:most], options, clock)
        return passes.edit(whole=most is None)

    return write


def _overruled(
    model: Any, prompt: Prompt, wanted: Sequence[int], options: Mapping[str, Any], clock: Clock
) -> PassLog:
    """transformers' generate, until all of `wanted` is written: the model computes, and what it says is overruled."""
    from transformers import LogitsProcessor, LogitsProcessorList

    stop = min(prompt.stop)
    ids = torch.tensor([prompt.ids], device=model.device)

    class Overrule(LogitsProcessor):  # type: ignore[misc]
        def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
            token = passes.token(input_ids.shape[1] - ids.shape[1])
            scores.fill_(-1e4)[:, token] = 0.0
            return scores

    def note(module: Any, arguments: Any, named: Mapping[str, Any]) -> None:
        passes.begin(int(named["input_ids"].shape[1]))

    hook = model.register_forward_pre_hook(note, with_kwargs=True)
    passes = PassLog(len(prompt.ids), wanted, clock)
    try:
        with torch.inference_mode():
            out = model.generate(
                ids, attention_mask=torch.ones_like(ids), max_new_tokens=len(wanted), do_sample=False,
                eos_token_id=stop, pad_token_id=stop, logits_processor=LogitsProcessorList([Overrule()]), **options,
            )  # fmt: skip
    finally:
        hook.remove()
    assert out[0, ids.shape[1] :].tolist() == list(wanted), "another text was written"
    return passes


def tuned(make: Callable[[TransformersLookup], Way], found: Case, tokens: int) -> tuple[Way, str]:
    """Prompt lookup in that setting of SWEEP which writes the first so many tokens of this edit fastest."""
    taken = {lookup: make(lookup)(found, tokens).seconds for lookup in SWEEP}
    best = min(SWEEP, key=lambda lookup: taken[lookup])
    return make(best), str(best)


def compared(
    cases: Sequence[Case], ways: Mapping[str, Way], most: Mapping[str, int]
) -> dict[str, list[ReplayedEdit]]:
    """Every edit in every way, in turns. `most` has the tokens that some ways write of each answer."""
    return in_turns(cases, {name: partial(_first, way, most.get(name)) for name, way in ways.items()})


def _first(way: Way, most: int | None, found: Case) -> ReplayedEdit:
    return way(found, most)
