"""`python -m evals.shapes`: whole real edits on this processor, with random weights in the shapes of Qwen2.5-Coder.

Every pass is really computed; only *which* tokens are accepted comes from the real edit (REPLAYED), for a random model
would agree with no draft. Prompts are the file and its update, answers the whole new file, in the embedded tokenizer's
ids. Beside the engine, in the same run and turn by turn: the same passes without drafts, transformers' generate, plain
and with prompt lookup in that setting which is the fastest on an edit of dev, and llama.cpp; what they choose is
overruled token by token, so that all write the same text.

*Decoding* is what follows the pass that reads the prompt's end, whose draft is left out on both sides. Ways without
drafts write the first tokens of each answer, and the rest is reckoned at their pace. *Bound*: the time that the
measured rate of products and of memory allow for the rows of prompt and answer, each computed once, in one pass.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import torch
import typer

from evals.publish import Json, Quick, check_known, publish
from evals.replay.edits import drawn
from evals.replay.llama_cpp import LlamaFile, lacking
from evals.replay.models import SHAPES, PassCost, random_model, random_target
from evals.replay.passes import ReplayedEdit
from evals.replay.ways import Ours, Processor, Way, clock_of, compared, theirs, tuned
from evals.timing.ceilings import Ceilings, Clock, dtype_of_processor, of_processor
from fastedit.console import reported
from fastedit.decode.costs import measure

NAMES = ("qwen2.5-0.5b", "qwen2.5-1.5b")
OURS, PLAIN, THEIRS, TUNED = "fastedit", "fastedit, no drafts", "transformers", "transformers, prompt lookup"
LLAMA, LLAMA_TUNED = "llama.cpp", "llama.cpp, prompt lookup"
UNDRAFTED = (PLAIN, THEIRS, LLAMA)
TUNED_ON = 300  # tokens of an answer

Figures = dict[str, float]


@dataclass(frozen=True, slots=True)
class Sizes:
    """Edits of a shape; the most tokens of prompt and answer; and how many tokens ways without drafts write."""

    edits: int
    longest: int
    plain: int


FULL, QUICK = Sizes(6, 2048, 24), Sizes(2, 1024, 12)


def figures(
    written: Sequence[ReplayedEdit], tokens: Sequence[int], cost: PassCost, ceiling: Ceilings
) -> Figures:
    """`bound_s` is of the rows that must be computed, `passes_s` of the passes that were made."""
    seconds = sum(one.whole_s(count) for one, count in zip(written, tokens, strict=True))
    decoded, decoding_s = sum(one.decoded for one in written), sum(one.decoding_s for one in written)
    bound = sum(
        ceiling.floor(cost.work(one.prompt + count, count))[0]
        for one, count in zip(written, tokens, strict=True)
    )
    passes = [one for edit in written for one in edit.passes]
    return {
        "prompt_tokens": sum(one.prompt for one in written),
        "tokens": sum(tokens),
        "passes": len(passes),
        "tokens_a_pass": sum(one.tokens for one in written) / sum(one.tokens > 0 for one in passes),
        "decoding_tokens_per_s": decoded / decoding_s,
        "tokens_per_s": sum(tokens) / seconds,
        "bound_tokens_per_s": sum(tokens) / bound,
        "share_of_bound": bound / seconds,
        "share_of_passes": sum(
            ceiling.floor(cost.work(one.rows, one.wanted, one.before))[0] for one in passes
        )
        / sum(one.seconds for one in written),
        "first_token_s": sum(one.first.seconds for one in written) / len(written),
        "drafting_share": sum(one.drafting_s for one in written) / sum(one.seconds for one in written),
    }


def of_shape(name: str, dtype: torch.dtype, sizes: Sizes, scratch: Path, clock: Clock) -> dict[str, Any]:
    """All figures of one shape."""
    cases = list(islice(drawn("test", sizes.longest), sizes.edits))
    tuning = next(drawn("dev", sizes.longest))
    ceiling, cpu = of_processor(dtype, clock), torch.device("cpu")
    target = random_target(name, cpu, dtype=dtype)
    costs = measure(target)
    model = random_model(name, dtype, cpu)
    settings: dict[str, str] = {}
    ways: dict[str, Way] = {
        OURS: Ours(target, costs, clock),
        PLAIN: Ours(target, costs, clock, speculation=False),
        THEIRS: theirs(model, clock),
    }
    ways[TUNED], settings[TUNED] = tuned(lambda lookup: theirs(model, clock, lookup), tuning, TUNED_ON)
    if lacking() is None:
        context = 2 * sizes.longest
        file = LlamaFile(name, model.state_dict(), dtype, scratch)
        ways[LLAMA] = file.way(None, context, clock)
        ways[LLAMA_TUNED], settings[LLAMA_TUNED] = tuned(
            lambda lookup: file.way(lookup, context, clock), tuning, TUNED_ON
        )
    compared([tuning], ways, dict.fromkeys(UNDRAFTED, 2))  # warms up
    written = compared(cases, ways, dict.fromkeys(UNDRAFTED, sizes.plain))
    ceiling = ceiling.best(of_processor(dtype, clock))
    work, tokens = PassCost.of(target), [len(found[1]) for found in cases]
    rows = beside({way: figures(made, tokens, work, ceiling) for way, made in written.items()})
    return {
        "ceilings": ceiling._asdict(),
        "costs": asdict(costs),
        "settings": settings,
        "edits": len(cases),
        "ways": rows,
        "passes": {way: [asdict(one) for one in made] for way, made in written.items()},
    }


def beside(rows: Mapping[str, Figures]) -> dict[str, Figures]:
    """Each way with its speed against transformers without drafts, decoding alone and with the prompt."""
    speeds = {"decoding_x_plain": "decoding_tokens_per_s", "x_plain": "tokens_per_s"}
    plain = rows[THEIRS]
    return {
        way: {name: row[key] / plain[key] for name, key in speeds.items()} | row for way, row in rows.items()
    }


def headline(rows: Mapping[str, Figures]) -> Figures:
    """Against the others, with the prompt and decoding alone, and against the bound."""
    fast, others = rows[OURS], [way for way in (THEIRS, TUNED, LLAMA, LLAMA_TUNED) if way in rows]
    speeds = {"x": "tokens_per_s", "decoding_x": "decoding_tokens_per_s"}
    found = {f"{name} {way}": fast[key] / rows[way][key] for name, key in speeds.items() for way in others}
    return found | {"share_of_bound": fast["share_of_bound"], "share_of_passes": fast["share_of_passes"]}


@reported
def main(
    quick: Quick = False,
    shapes: Annotated[list[str] | None, typer.Option("--shape", help=f"Of {', '.join(NAMES)}.")] = None,
    processor: Processor = False,
    json_file: Json = None,
) -> None:
    """Output tokens a second over real edits, replayed, side by side."""
    names = shapes or (NAMES[:1] if quick else NAMES)
    check_known("shape", names, SHAPES)
    sizes = QUICK if quick else FULL
    clock = clock_of(processor)
    dtype = dtype_of_processor()
    before, found = os.getloadavg(), {}
    for name in names:
        with tempfile.TemporaryDirectory() as scratch:
            found[name] = of_shape(name, dtype, sizes, Path(scratch), clock)
        gc.collect()  # the next shape needs the memory
        print(f"{name}: {found[name]['edits']} edits, {found[name]['settings']}", file=sys.stderr)
    kind = "processor time" if processor else "wall time"
    where = f"{torch.get_num_threads()} threads, torch {torch.__version__}, {dtype}; {kind}, REPLAYED"
    rows, passes = ({name: one.pop(part) for name, one in found.items()} for part in ("ways", "passes"))
    absent = {"llama.cpp": reason} if (reason := lacking()) else {}
    publish(
        where, headline(rows[names[-1]]), rows, json_file, quick=quick,
        load=(before, os.getloadavg()), absent=absent, shapes=found, edits=passes,
    )  # fmt: skip


if __name__ == "__main__":
    typer.run(main)
