"""Ways to decode one prompt, timed from text to text and turn by turn.

All ways get the same prompt, stop at the same token, run in the same process with the same dtype and threads, and
take turns region by region, so that a drifting machine hits all alike. The clock runs from the region's text to the
rewritten text: tokenization, the prompt's pass and detokenization are in it; loading the model and locating the
region are not.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import torch
from transformers import PreTrainedModel

from evals.cases import Case
from fastedit.decode.session import decode
from fastedit.engine.models import LoadedModel
from fastedit.engine.plan import Part, make_plan
from fastedit.errors import FasteditError
from fastedit.prompt.base import Prompt
from fastedit.request import EditRequest
from fastedit.sampling import Sampling
from fastedit.source.document import Document

Decode = Callable[[Prompt], list[int]]


class Lookup(NamedTuple):
    """transformers' prompt lookup, in its own names."""

    prompt_lookup_num_tokens: int
    max_matching_ngram_size: int

    def __str__(self) -> str:
        return f"{self.prompt_lookup_num_tokens} tokens, n-grams up to {self.max_matching_ngram_size}"


LOOKUP_DEFAULT = Lookup(10, 2)


@dataclass(frozen=True, slots=True)
class Timing:
    """One rewrite of one region. `chars` counts the rewritten text; the stop token is not among the tokens."""

    seconds: float
    tokens: tuple[int, ...]
    chars: int


def fastedit_decoder(model: LoadedModel, *, speculation: bool) -> Decode:
    """The engine's own decoding, as `fastedit apply` runs it, of a prompt that it has never read."""

    def run(prompt: Prompt) -> list[int]:
        model.target.pool.forget()
        session = model.session(prompt, Sampling(), speculation=speculation)
        return [token for accepted in decode(session) for token in accepted.tokens]

    return run


def transformers_decoder(model: PreTrainedModel, lookup: Lookup | None) -> Decode:
    """transformers' greedy generate with its KV cache, with prompt lookup if `lookup` is given."""
    return _generate(model, {} if lookup is None else lookup._asdict())


def assisted_decoder(model: PreTrainedModel, assistant: PreTrainedModel) -> Decode:
    """transformers' assisted generation: `assistant` drafts, as many tokens as its own schedule says."""
    return _generate(model, {"assistant_model": assistant})


def _generate(model: PreTrainedModel, options: dict[str, Any]) -> Decode:
    def run(prompt: Prompt) -> list[int]:
        ids = torch.tensor([prompt.ids], device=model.device)
        stop = sorted(prompt.stop)
        with torch.inference_mode():
            out = model.generate(
                ids,
                attention_mask=torch.ones_like(ids),
                max_new_tokens=prompt.answer_limit,
                do_sample=False,
                use_cache=True,
                eos_token_id=stop,
                pad_token_id=stop[0],
                **options,
            )
        tokens: list[int] = out[0, ids.shape[1] :].tolist()
        return tokens[:-1] if tokens[-1] in prompt.stop else tokens

    return run


def rewrite(model: LoadedModel, way: Decode, part: Part) -> Timing:
    """Time one region from text to text."""
    # Whoever comes second must not find the region's lines already tokenized.
    clear = getattr(getattr(model.format, "encode_line", None), "cache_clear", None)
    if clear is not None:
        clear()
    started = time.perf_counter()
    prompt = model.format.encode(part.task, part.prediction)
    tokens = way(prompt)
    reader = model.format.reader(part.task)
    try:
        lines = reader.push(tokens) + reader.finish()
    except ValueError:
        lines = []
    seconds = time.perf_counter() - started
    return Timing(seconds, tuple(tokens), sum(len(line.text) + 1 for line in lines))


def region_parts(cases: Sequence[Case], each: int | None = None) -> list[Part]:
    """The regions that the engine would rewrite, of one edit at most `each`; edits that it refuses before any model are
    left out."""
    parts: list[Part] = []
    for case in cases:
        document = Document.from_text(case.old, Path(case.path))
        try:
            plan = make_plan(EditRequest(document, case.instruction, case.update, policy="model"))
            parts += plan.parts[:each]  # looked for only now
        except FasteditError:
            continue
    return parts


Item = TypeVar("Item")
Made = TypeVar("Made")


def in_turns(items: Iterable[Item], ways: Mapping[str, Callable[[Item], Made]]) -> dict[str, list[Made]]:
    """Every item in every way, the order of the ways turned by one from item to item."""
    made: dict[str, list[Made]] = {name: [] for name in ways}
    names = list(ways)
    for number, item in enumerate(items):
        turn = number % len(ways)
        for name in (*names[turn:], *names[:turn]):
            made[name].append(ways[name](item))
    return made


def compare(model: LoadedModel, parts: Sequence[Part], ways: dict[str, Decode]) -> dict[str, list[Timing]]:
    """Every part decoded every way, in turns."""
    return in_turns(parts, {name: partial(rewrite, model, way) for name, way in ways.items()})


def figures(timings: dict[str, list[Timing]], reference: str) -> dict[str, dict[str, float]]:
    """By way: speed in total and in the median edit, and the share of edits with the reference's tokens."""
    found = {}
    for name, runs in timings.items():
        total = sum(run.seconds for run in runs)
        same = sum(run.tokens == other.tokens for run, other in zip(runs, timings[reference], strict=True))
        found[name] = {
            "chars_per_s": sum(run.chars for run in runs) / total,
            "median_chars_per_s": statistics.median(run.chars / run.seconds for run in runs),
            "seconds": total,
            "median_ms": 1000 * statistics.median(run.seconds for run in runs),
            "tokens": sum(len(run.tokens) for run in runs),
            "identical": same / len(runs),
        }
    return found


def tune_lookup(
    model: LoadedModel, plain: PreTrainedModel, parts: Sequence[Part], sweep: Sequence[Lookup]
) -> Lookup:
    """The fastest setting of prompt lookup on these parts."""
    ways = {str(lookup): transformers_decoder(plain, lookup) for lookup in sweep}
    found = figures(compare(model, parts, ways), str(sweep[0]))
    return max(sweep, key=lambda lookup: found[str(lookup)]["chars_per_s"])
