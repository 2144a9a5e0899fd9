"""Ways to make the same edits on a GPU, with which tokens are accepted taken from the real edits."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from threading import Thread
from typing import Any

import torch

from evals.drafts import COLUMNS, TOKENIZER, Case, case, line_encoder, pick
from evals.edits import RealEdit, Split, load
from evals.gpu_shapes import Watched, random_config
from evals.overruled import overruled
from evals.replay import accepted_path
from evals.ways import Lookup
from fastedit.decode.passes import Runner, Turn
from fastedit.decode.scheduler import Scheduler
from fastedit.decode.session import Session, decode
from fastedit.decode.verify import Verdict
from fastedit.draft import drafters_for
from fastedit.draft.budget import CostTable
from fastedit.prompt.base import Prompt
from fastedit.sampling import Sampling

# Of each edit that is written token by token: every token costs the same, and whole files would take an hour.
PLAIN_TOKENS = 200
SWEEP = (Lookup(10, 2), Lookup(20, 3), Lookup(40, 3), Lookup(40, 5), Lookup(80, 5))
TUNED_ON = 1000  # tokens of an answer


@dataclass(frozen=True, slots=True)
class Made:
    """One edit: seconds from its prompt's ids to its last token; `rows` are those of its passes, prompt and drafts
    included, 0 where they are not known."""

    tokens: int
    passes: int
    rows: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Speed:
    """The first edits of the run, made in one way, `at_once` at a time. `seconds` is from the first one's start to the
    last one's end. `reckoned`: from the times of the first token and of PLAIN_TOKENS."""

    way: str
    at_once: int
    reckoned: bool
    edits: tuple[Made, ...]
    seconds: float

    @property
    def tokens(self) -> int:
        return sum(made.tokens for made in self.edits)

    @property
    def rate(self) -> float:
        return self.tokens / self.seconds

    @property
    def rows(self) -> int:
        return sum(made.rows for made in self.edits)

    def times_as_fast_as(self, other: Speed) -> float:
        """Over the edits that both have made, one at a time."""
        both = min(len(self.edits), len(other.edits))
        return sum(made.seconds for made in other.edits[:both]) / sum(
            made.seconds for made in self.edits[:both]
        )


class Replay:
    """Runs turns as `runner` does, then overrules what was accepted by the answer that was really given.

    Where kernels have moved keys already, along the path that the random model takes, they are not moved again.
    """

    def __init__(self, runner: Runner, wanted: dict[object, Sequence[int]], *, moved: bool) -> None:
        self._runner, self.wanted, self._moved = runner, wanted, moved

    def run(self, turn: Turn) -> None:
        self._runner.run(turn)
        rest = self.wanted[turn.owner][turn.position :]
        if turn.error is not None:
            raise turn.error
        path = accepted_path(turn.tree, rest) if turn.wish is not None else []
        # States of other rows than the random model's path: a head reads as many as the answer keeps.
        kept = len(turn.trunk) + len(path)
        turn.states = {layer: state[:1].expand(kept, -1).clone() for layer, state in turn.states.items()}
        turn.verdict = Verdict(path, rest[len(path)], [0.0] * (len(path) + 1), moved=self._moved)

    def leave(self, owner: object) -> None:
        self._runner.leave(owner)


def real_edits(split: Split, count: int, longest: int) -> list[Case]:
    """Edits of up to 15 % of a file whose prompt and answer have at most `longest` tokens."""
    edits = load(split)
    every = pick(edits, COLUMNS["lt2"][0], COLUMNS["5to15"][1], len(edits))
    return [found for _, found in islice(short_enough(every, longest), count)]


def short_enough(
    edits: Iterable[RealEdit], longest: int, *, with_update: bool = True
) -> Iterator[tuple[RealEdit, Case]]:
    """Those whose prompt and answer have at most `longest` tokens."""
    encode = line_encoder(TOKENIZER)
    for edit in edits:
        if len(edit.old) < 4 * longest:
            found = case(edit, encode, with_update=with_update)
            if _length(found) <= longest:
                yield edit, found


def _length(found: Case) -> int:
    drafting, wanted = found
    return len(drafting.original) + len(drafting.update) + len(wanted) + 1


def prompt_of(found: Case, vocab: int) -> tuple[Prompt, list[int]]:
    """The file and its update as the prompt; the answer ends with a stop token."""
    drafting, wanted = found
    stop = vocab - 1
    ids = (*drafting.original, *drafting.update)
    prompt = Prompt(
        ids, drafting.original, drafting.update, drafting.prediction, frozenset({stop}), len(wanted) + 1
    )
    return prompt, [*wanted, stop]


def ours(
    target: Watched,
    costs: CostTable,
    cases: Sequence[Case],
    way: str,
    *,
    speculation: bool,
    at_once: int,
    rows: int,
    most: int | None = None,
) -> Speed:
    """All edits, `at_once` at a time, each group to its end before the next; of each answer its first `most` tokens."""
    replay = Replay(Scheduler(target, costs), {}, moved=target.kernels is not None)
    made: list[Made] = []
    seconds = 0.0
    for start in range(0, len(cases), at_once):
        target.pool.forget()
        sessions = []
        for found in cases[start : start + at_once]:
            prompt, wanted = prompt_of(found, target.vocab)
            session = Session(
                target, prompt, drafters_for(prompt), Sampling(), costs=costs, speculation=speculation,
                max_rows=rows, runner=replay,
            )  # fmt: skip
            replay.wanted[session] = [*wanted[:most], wanted[-1]] if most is not None else wanted
            sessions.append(session)
        target.begin()
        taken, ends = _all(sessions)
        seconds += taken
        for session, end in zip(sessions, ends, strict=True):
            tally = session.tally
            made.append(Made(len(session.output), tally.passes + tally.prefills, sum(tally.rows), end))
    return Speed(way, at_once, most is not None, tuple(made), seconds)


def plain(target: Watched, costs: CostTable, cases: Sequence[Case]) -> Speed:
    """Token by token with CUDA graphs, one edit at a time."""
    first, more = (
        ours(target, costs, cases, "", speculation=False, at_once=1, rows=1, most=most).edits
        for most in (1, PLAIN_TOKENS)
    )
    return reckoned("fastedit, no speculation", first, more, [len(found[1]) for found in cases])


def reckoned(way: str, first: Sequence[Made], more: Sequence[Made], tokens: Sequence[int]) -> Speed:
    """Whole edits of so many tokens, from the times of their first token and of some more."""
    made = [
        Made(
            count, count, 0, a.seconds + (b.seconds - a.seconds) * (count - a.tokens) / (b.tokens - a.tokens)
        )
        if b.tokens > a.tokens
        else b
        for a, b, count in zip(first, more, tokens, strict=True)
    ]
    return Speed(way, 1, True, tuple(made), sum(one.seconds for one in made))


def _all(sessions: Sequence[Session]) -> tuple[float, list[float]]:
    """Seconds until all are at their end, and until each of them is."""
    ends = [0.0] * len(sessions)
    failed: list[BaseException] = []

    def run(index: int, session: Session) -> None:
        try:
            for _ in decode(session):
                pass
        except BaseException as error:
            failed.append(error)
        ends[index] = time.perf_counter()

    threads = [Thread(target=run, args=item) for item in enumerate(sessions)]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
    return max(ends) - started, [end - started for end in ends]


def theirs(name: str, cases: Sequence[Case], tuning: Case, device: torch.device) -> Iterator[Speed]:
    """transformers' generate on the same shape, overruled at every position: plain, and with prompt lookup in that
    setting of SWEEP which is the fastest on `tuning`."""
    from transformers import AutoConfig, AutoModelForCausalLM

    config = AutoConfig.for_model(**random_config(name))
    with torch.device(device):
        model = AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16).eval()
    make = partial(_generate, model)
    make(cases[0], {}, 20)  # warms up
    first, more = ([make(found, {}, most) for found in cases[:2]] for most in (1, PLAIN_TOKENS))
    yield reckoned("transformers", first, more, [len(found[1]) for found in cases[:2]])
    best = min(SWEEP, key=lambda lookup: make(tuning, lookup._asdict(), TUNED_ON).seconds)
    made = tuple(make(found, best._asdict(), None) for found in cases[:4])
    way = f"transformers, prompt lookup {best}"
    yield Speed(way, 1, False, made, sum(one.seconds for one in made))


def _generate(model: Any, found: Case, options: dict[str, int], most: int | None) -> Made:
    prompt, wanted = prompt_of(found, int(model.config.vocab_size))
    stop, wanted = wanted[-1], wanted[:most] if most is not None else wanted
    started = _now()
    overruled(model, prompt, wanted, options)
    return Made(len(wanted) - (wanted[-1] == stop), 0, 0, _now() - started)


def _now() -> float:
    """Seconds, when the device has done what it was asked for."""
    if torch.accelerator.is_available():
        torch.accelerator.synchronize()
    return time.perf_counter()
