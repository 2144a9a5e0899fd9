"""`python -m evals.exactness`: what bitwise exactness costs on a CPU, and how often rows differ without it.

The same tokens run behind the same prompt as passes of many rows, and one by one. Time is the processor's own on one
thread, so that what else runs on the machine does not count; the best of several runs. `evals.gpu --exactness bitwise`
gives the price on a GPU.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any, get_args

import torch
import typer
from torch import Tensor

from evals.publish import Json, Model, publish
from fastedit.decode.layout import Part, lay_out
from fastedit.draft.base import Branch
from fastedit.draft.tree import Merger, TokenTree
from fastedit.engine.folder import model_folder
from fastedit.model.cache import Cache
from fastedit.model.settings import Exactness, Settings
from fastedit.model.target import Target

CONTEXT, ROWS, RUNS = 512, (1, 16, 64, 128), 3


@dataclass(frozen=True, slots=True)
class Price:
    """`differ` is the share of rows whose logits are not those of the same token in a
    pass by itself, `flipped` the share whose likeliest token is another."""

    rows: int
    trunk_ms: float
    tree_ms: float
    differ: float
    flipped: float


def prices(target: Target) -> Iterator[Price]:
    """A pass over a prompt's rows, and over one trunk row with a drafted chain, behind CONTEXT tokens."""
    tokens = [(7 * i * i + 3 * i) % target.vocab for i in range(CONTEXT + ROWS[-1])]
    cache = target.new_cache()
    target.forward(lay_out([Part(tokens[:CONTEXT], TokenTree.empty(), cache)]))
    cache.keep(range(CONTEXT))
    alone = one_by_one(target, cache, tokens[CONTEXT:])
    for rows in ROWS:
        behind = tokens[CONTEXT : CONTEXT + rows]
        tree = chain(behind[1:]) if rows > 1 else TokenTree.empty()
        trunk_ms, _ = best(target, Part(behind, TokenTree.empty(), cache))
        tree_ms, logits = best(target, Part(behind[:1], tree, cache))
        differ = (logits != alone[:rows]).any(-1)
        flipped = logits.argmax(-1) != alone[:rows].argmax(-1)
        shares = (float(which.float().mean()) for which in (differ, flipped))
        yield Price(rows, trunk_ms, tree_ms, *shares)
    cache.free()


def one_by_one(target: Target, cache: Cache, tokens: Sequence[int]) -> Tensor:
    """Logits of each in a pass of its own; the cache ends as it began."""
    length, found = cache.length, []
    for token in tokens:
        found.append(target.forward(lay_out([Part([token], TokenTree.empty(), cache)])))
        cache.keep([0])
    cache.truncate(length)
    return torch.cat(found)


def chain(tokens: Sequence[int]) -> TokenTree:
    """A draft without branches."""
    return Merger([Branch(list(tokens), [1.0] * len(tokens), "chain")]).tree([len(tokens)])


def best(target: Target, part: Part) -> tuple[float, Tensor]:
    times = []
    for _ in range(RUNS):
        started = time.process_time()
        logits = target.forward(lay_out([part]))
        times.append(1000.0 * (time.process_time() - started))
    return min(times), logits


def main(
    model: Model = "embedded",
    dtype: Annotated[str, typer.Option(help="float32 or bfloat16.")] = "float32",
    json_file: Json = None,
) -> None:
    """Milliseconds of a pass in both modes, and the shares of rows that differ."""
    torch.set_num_threads(1)
    figures: dict[str, Any] = {}
    for exactness in get_args(Exactness):
        settings = Settings(exactness)
        target = Target.load(model_folder(model), dtype=getattr(torch, dtype), settings=settings)
        figures[exactness] = {str(price.rows): asdict(price) for price in prices(target)}
    where = f"torch {torch.__version__}, one thread; model {model} in {dtype}, {CONTEXT} tokens of context"
    publish(where, {}, figures, json_file)


if __name__ == "__main__":
    typer.run(main)
