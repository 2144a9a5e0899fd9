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
import json
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import torch
import typer

from evals.drafts import Case, pick
from evals.edits import RealEdit, load
from evals.gpu_shapes import SHAPES, Watched, random_target
from evals.gpu_ways import SWEEP, short_enough
from evals.machine import machine
from evals.publish import Json, Quick, fail
from evals.shapes_bound import Ceilings, Work, ceilings, faster_dtype
from evals.shapes_llama import LlamaFile, lacking
from evals.shapes_ways import Clock, Processor, Way, Written, clock_of, ours, random_model, theirs
from evals.table import table
from evals.ways import Lookup
from fastedit.decode.costs import measure
from fastedit.model.fused import FusedNetwork

NAMES = ("qwen2.5-0.5b", "qwen2.5-1.5b")
MOST_CHANGED = 0.15  # of a file's lines
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


def compared(cases: Sequence[Case], ways: Mapping[str, Way], plain: int) -> dict[str, list[Written]]:
    """Every edit in every way, the order of the ways turned by one from edit to edit."""
    written: dict[str, list[Written]] = {name: [] for name in ways}
    names = list(ways)
    for index, found in enumerate(cases):
        turn = index % len(names)
        for name in names[turn:] + names[:turn]:
            most = plain if name in UNDRAFTED else None
            written[name].append(ways[name](found, most))
    return written


def whole_s(written: Written, tokens: int) -> float:
    """Seconds of an answer of so many tokens, the missing ones at the pace of those that were decoded."""
    missing = tokens - written.tokens
    return written.seconds + (missing * written.decoding_s / written.decoded if missing else 0.0)


def figures(written: Sequence[Written], tokens: Sequence[int], work: Work, ceiling: Ceilings) -> Figures:
    """`bound_s` is of the rows that must be computed, `passes_s` of the passes that were made."""
    seconds = sum(whole_s(one, count) for one, count in zip(written, tokens, strict=True))
    decoded, decoding_s = sum(one.decoded for one in written), sum(one.decoding_s for one in written)
    bound = sum(
        work.seconds(ceiling, one.prompt - one.reused + count, count, one.reused)
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
        "share_of_passes": sum(work.seconds(ceiling, one.rows, one.wanted, one.before) for one in passes)
        / sum(one.seconds for one in written),
        "first_token_s": sum(one.first.seconds for one in written) / len(written),
        "drafting_share": sum(one.drafting_s for one in written) / sum(one.seconds for one in written),
        "reused": sum(one.reused for one in written) / sum(one.prompt for one in written),
    }


def tuned(make: Callable[[Lookup], Way], found: Case) -> tuple[Way, str]:
    """Prompt lookup in the setting that writes the beginning of this edit fastest."""
    taken = {lookup: make(lookup)(found, TUNED_ON).seconds for lookup in SWEEP}
    best = min(SWEEP, key=lambda lookup: taken[lookup])
    return make(best), str(best)


def again(edit: RealEdit, longest: int) -> dict[str, Case]:
    """Further requests on an edit's file: another sketch of the same edit, and, now that the file has changed, the
    edit back."""
    more = {
        "another sketch of the same file": replace(edit, path=f"{edit.path} again"),
        "back, after the first edit": replace(edit, old=edit.new, new=edit.old),
    }
    return {name: found for name, one in more.items() for _, found in short_enough([one], 2 * longest)}


def of_shape(name: str, dtype: torch.dtype, sizes: Sizes, scratch: Path, clock: Clock) -> dict[str, Any]:
    """All figures of one shape."""
    every = {split: pick(load(split), 0.0, MOST_CHANGED, len(load(split))) for split in ("test", "dev")}
    edits = list(islice(short_enough(every["test"], sizes.longest), sizes.edits))
    tuning = next(short_enough(every["dev"], sizes.longest))[1]
    ceiling = ceilings(dtype, clock)
    target = random_target(name, torch.device("cpu"), dtype=dtype)
    costs = measure(target)
    model = random_model(name, dtype)
    make = theirs(model, clock)
    settings: dict[str, str] = {}
    ways = {
        OURS: ours(target, costs, clock),
        PLAIN: ours(target, costs, clock, speculation=False),
        THEIRS: make({}),
    }
    ways[TUNED], settings[TUNED] = tuned(lambda lookup: make(lookup._asdict()), tuning)
    if lacking() is None:
        context = 2 * sizes.longest
        file = LlamaFile(name, model.state_dict(), dtype, scratch)
        ways[LLAMA] = file.way(None, context, clock)
        ways[LLAMA_TUNED], settings[LLAMA_TUNED] = tuned(
            lambda lookup: file.way(lookup, context, clock), tuning
        )
    compared([tuning], ways, 2)  # warms up
    cases = [found for _, found in edits]
    written = compared(cases, ways, sizes.plain)
    second = seconds(target, ways[OURS], ours(target, costs, clock, keep=True), edits, sizes.longest)
    ceiling = ceiling.best(ceilings(dtype, clock))
    work, tokens = work_of(target), [len(found[1]) for found in cases]
    rows = {way: figures(made, tokens, work, ceiling) for way, made in written.items()}
    rows |= {way: figures(made, counts, work, ceiling) for way, (made, counts) in second.items()}
    return {
        "ceilings": asdict(ceiling),
        "costs": asdict(costs),
        "settings": settings,
        "edits": len(cases),
        "ways": rows,
        "headline": headline(rows),
        "passes": {way: [asdict(one) for one in made] for way, made in written.items()},
    }


def seconds(
    target: Watched, first: Way, keeping: Way, edits: Sequence[tuple[RealEdit, Case]], longest: int
) -> dict[str, tuple[list[Written], list[int]]]:
    """Second edits of each file, by kind, with their lengths."""
    made: dict[str, tuple[list[Written], list[int]]] = {}
    for edit, found in edits:
        for name, second in again(edit, longest).items():
            first(found, None)
            written, counts = made.setdefault(f"{OURS}, {name}", ([], []))
            written.append(keeping(second, None))
            counts.append(len(second[1]))
    target.pool.forget()
    return made


def work_of(target: Watched) -> Work:
    network = target.network
    assert isinstance(network, FusedNetwork)
    inner = SHAPES[target.name][3]
    return Work.of(network.shape, network.hidden, inner, target.dtype.itemsize)


def headline(rows: Mapping[str, Figures]) -> Figures:
    """Decoding alone against transformers, and with the prompt against the bound."""
    fast, plain, lookup = (rows[way] for way in (OURS, THEIRS, TUNED))
    return {
        "decoding_x_plain": fast["decoding_tokens_per_s"] / plain["decoding_tokens_per_s"],
        "decoding_x_lookup": fast["decoding_tokens_per_s"] / lookup["decoding_tokens_per_s"],
        "x_plain": fast["tokens_per_s"] / plain["tokens_per_s"],
        "x_lookup": fast["tokens_per_s"] / lookup["tokens_per_s"],
        "share_of_bound": fast["share_of_bound"],
        "share_of_passes": fast["share_of_passes"],
    }


def show(found: Mapping[str, Any]) -> str:
    rows: Mapping[str, Figures] = found["ways"]
    plain = rows[THEIRS]
    head = [
        "way", "tokens a pass", "decoding, tokens/s", "x plain", "first token, s", "with prompt, tokens/s", "x plain",
        "bound, tokens/s", "share", "share of its passes' bound",
    ]  # fmt: skip
    body = [
        [
            way,
            f"{row['tokens_a_pass']:.1f}",
            f"{row['decoding_tokens_per_s']:.1f}",
            f"{row['decoding_tokens_per_s'] / plain['decoding_tokens_per_s']:.2f}",
            f"{row['first_token_s']:.2f}",
            f"{row['tokens_per_s']:.1f}",
            f"{row['tokens_per_s'] / plain['tokens_per_s']:.2f}",
            f"{row['bound_tokens_per_s']:.0f}",
            f"{100 * row['share_of_bound']:.0f} %",
            f"{100 * row['share_of_passes']:.0f} %",
        ]
        for way, row in rows.items()
    ]
    return table(head, body)


def main(
    quick: Quick = False,
    shapes: Annotated[list[str] | None, typer.Option("--shape", help=f"Of {', '.join(NAMES)}.")] = None,
    processor: Processor = False,
    json_file: Json = None,
) -> None:
    """Output tokens a second over real edits, replayed, side by side."""
    names = shapes or (NAMES[:1] if quick else NAMES)
    unknown = [name for name in names if name not in SHAPES]
    if unknown:
        fail("evals.shapes", f"no shape {unknown[0]}: choose from {', '.join(SHAPES)}")
    sizes = QUICK if quick else FULL
    clock = clock_of(processor)
    _, _, hidden, inner = SHAPES[names[-1]][:4]
    dtype, products_ms = faster_dtype(hidden, inner, clock)
    data: dict[str, Any] = {
        "machine": machine(), "threads": torch.get_num_threads(), "load_before": os.getloadavg(), "quick": quick,
        "replayed": True, "clock": "processor time" if processor else "wall time",
        "dtype": str(dtype).removeprefix("torch."), "products_ms": products_ms,
    }  # fmt: skip
    print(
        f"{machine()}, {torch.get_num_threads()} threads, torch {torch.__version__}, {data['dtype']}: {products_ms}"
    )
    found = {}
    for name in names:
        with tempfile.TemporaryDirectory() as scratch:
            found[name] = of_shape(name, dtype, sizes, Path(scratch), clock)
        gc.collect()  # the next shape needs the memory
        print(f"\n{name}: {found[name]['edits']} edits, {found[name]['settings']}")
        print(f"{show(found[name])}\n{found[name]['headline']}", flush=True)
    if reason := lacking():
        print(f"llama.cpp: absent, {reason}")
        data["absent"] = {"llama.cpp": reason}
    if json_file:
        last = found[names[-1]]["headline"]
        data |= {"load_after": os.getloadavg(), "headline": last, "shapes": found}
        json_file.write_text(json.dumps(data, indent=1) + "\n")


if __name__ == "__main__":
    typer.run(main)
