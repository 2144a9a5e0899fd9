"""Ways to decode one prompt, and the clock that times them from text to text."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from transformers import PreTrainedModel

from fastedit.decode.session import decode
from fastedit.engine.models import LoadedModel
from fastedit.engine.plan import Part
from fastedit.prompt.base import Prompt
from fastedit.sampling import Sampling

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


def rewrite(model: LoadedModel, part: Part, way: Decode) -> Timing:
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
