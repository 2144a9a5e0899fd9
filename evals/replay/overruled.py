"""transformers' generate, made to write a given text: the model computes, and what it says is overruled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any, NamedTuple

import torch
from torch import Tensor

from fastedit.prompt.base import Prompt


class ReplayedStep(NamedTuple):
    """One pass: seconds from the start until its outcome was known, its rows, and the tokens that it brought."""

    seconds: float
    rows: int
    tokens: int


def overruled(
    model: Any,
    prompt: Prompt,
    wanted: Sequence[int],
    options: Mapping[str, Any],
    clock: Callable[[], float] = perf_counter,
) -> tuple[list[ReplayedStep], list[int]]:
    """Generate with these options until all of `wanted` is written, or its stop token. Returns the passes and what was
    written."""
    from transformers import LogitsProcessor, LogitsProcessorList

    stop = min(prompt.stop)
    ids = torch.tensor([prompt.ids], device=model.device)
    texts = torch.tensor(wanted, device=model.device)
    begun: list[tuple[float, int]] = []  # of each pass, when and with how many rows
    known: list[int | None] = []  # of each pass, the tokens that were written when its first logits came

    class Overrule(LogitsProcessor):  # type: ignore[misc]
        def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
            at = min(input_ids.shape[1] - ids.shape[1], len(wanted) - 1)
            # Prompt lookup also asks between passes, of its candidates, and before the first one.
            if known and known[-1] is None:
                known[-1] = at
            return scores.fill_(-1e4).index_fill_(1, texts[at : at + 1], 0.0)

    def note(module: Any, arguments: Any, named: Mapping[str, Any]) -> None:
        begun.append((clock() - started, int(named["input_ids"].shape[1])))
        known.append(None)

    hook = model.register_forward_pre_hook(note, with_kwargs=True)
    started = clock()
    try:
        with torch.inference_mode():
            out = model.generate(
                ids, attention_mask=torch.ones_like(ids), max_new_tokens=len(wanted), do_sample=False,
                eos_token_id=stop, pad_token_id=stop, logits_processor=LogitsProcessorList([Overrule()]), **options,
            )  # fmt: skip
    finally:
        hook.remove()
    written: list[int] = out[0, ids.shape[1] :].tolist()
    return steps_of(begun, known, len(written), clock() - started), written


def steps_of(
    begun: Sequence[tuple[float, int]], known: Sequence[int | None], count: int, seconds: float
) -> list[ReplayedStep]:
    """A pass ends where the next begins. One without logits brought nothing: it read a part of the prompt."""
    steps: list[ReplayedStep] = []
    after, end = count, seconds
    for (start, rows), before in zip(reversed(begun), reversed(known), strict=True):
        steps.append(ReplayedStep(end, rows, 0 if before is None else after - before))
        after, end = after if before is None else before, start
    return steps[::-1]
