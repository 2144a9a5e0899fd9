"""`python -m evals.gpu`: whole real edits on a GPU, with random weights in the exact shapes of well-known models.

Every pass is really computed, verification and the moving of keys included; only *which* tokens are accepted comes from
the real edit (REPLAYED): a random model would agree with no draft. Prompts are the file and its update, answers the
whole new file, in the embedded tokenizer's ids, which are shorter than those of the models whose shapes these are. The
clock runs from the prompt's ids to the last token. Beside it, with the same replay: the same passes without
speculation, and transformers' generate, plain and with prompt lookup, whose logits are overruled token by token.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Thread
from typing import Annotated, Any

import torch
import typer
from torch import Tensor

from evals.drafts import COLUMNS, TOKENIZER, Case, case, line_encoder, pick
from evals.edits import load
from evals.gpu_machine import gpu, lacking
from evals.gpu_passes import measured, show_passes
from evals.machine import machine
from evals.replay import accepted_path
from evals.table import table
from fastedit.decode.costs import measure
from fastedit.decode.passes import Runner, Turn
from fastedit.decode.scheduler import Scheduler
from fastedit.decode.session import Session, decode
from fastedit.decode.verify import Verdict
from fastedit.draft import drafters_for
from fastedit.draft.budget import CostTable
from fastedit.edit.request import Sampling
from fastedit.model.fused import FusedNetwork, Shape
from fastedit.model.narrow import narrower
from fastedit.model.settings import DEFAULT, Exactness, Settings, Weights
from fastedit.model.target import Target
from fastedit.prompt.base import Prompt

SHAPES = {
    "qwen2.5-1.5b": ("qwen2", 28, 1536, 8960, 12, 2, 151936, True),
    "qwen2.5-7b": ("qwen2", 28, 3584, 18944, 28, 4, 152064, False),
    "llama-3-70b": ("llama", 80, 8192, 28672, 64, 8, 128256, False),
    "qwen2.5-32b": ("qwen2", 64, 5120, 27648, 40, 8, 152064, False),
}
CONTEXT = 32768
PLAIN_TOKENS = 200  # of each edit without drafts: enough for a rate, since every token costs the same


@dataclass(frozen=True, slots=True)
class Speed:
    way: str
    edits: int
    tokens: int
    passes: int
    seconds: float

    @property
    def rate(self) -> float:
        return self.tokens / self.seconds


class Replay:
    """Runs turns as `runner` does, then overrules what was accepted by the answer that was really given."""

    def __init__(self, runner: Runner, wanted: dict[object, Sequence[int]]) -> None:
        self._runner, self.wanted = runner, wanted

    def run(self, turn: Turn) -> None:
        self._runner.run(turn)
        rest = self.wanted[turn.owner][turn.position :]
        path = accepted_path(turn.tree, rest) if turn.wish is not None else []
        turn.error, turn.verdict = None, Verdict(path, rest[len(path)], [0.0] * (len(path) + 1))

    def leave(self, owner: object) -> None:
        self._runner.leave(owner)


def random_config(name: str) -> dict[str, object]:
    kind, layers, width, inner, heads, kv_heads, vocab, tied = SHAPES[name]
    return {
        "model_type": kind, "hidden_act": "silu", "num_hidden_layers": layers, "hidden_size": width,
        "intermediate_size": inner, "num_attention_heads": heads, "num_key_value_heads": kv_heads,
        "vocab_size": vocab, "tie_word_embeddings": tied, "rms_norm_eps": 1e-6, "rope_theta": 1e6,
        "max_position_embeddings": CONTEXT,
    }  # fmt: skip


def random_target(name: str, device: torch.device, settings: Settings = DEFAULT) -> Target:
    """A model of this shape with small random weights, made where it is to run."""
    config = random_config(name)
    shape = Shape.of(config)
    assert shape is not None
    weights = Random(sizes_of(name, shape), device)
    network = FusedNetwork(shape, weights, torch.bfloat16, device, narrower(settings.weights, device))
    return Target(name, network, torch.bfloat16, device, f"random {name}", settings)


class Random(dict[str, Tensor]):
    """Weights that are made when they are taken: all of the largest shape would not fit before they are narrower."""

    def __init__(self, sizes: dict[str, tuple[int, ...]], device: torch.device) -> None:
        super().__init__({name: torch.empty(size, device="meta") for name, size in sizes.items()})
        self._device = device

    def pop(self, name: str, *default: Any) -> Any:
        if name not in self:
            return super().pop(name, *default)
        size = super().pop(name).shape
        if "norm" in name:
            return torch.ones(size, device=self._device)
        return torch.randn(size, device=self._device, dtype=torch.bfloat16) * 0.02


def sizes_of(name: str, shape: Shape) -> dict[str, tuple[int, ...]]:
    kind, _, width, inner = SHAPES[name][:4]
    q, kv = shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim
    sizes: dict[str, tuple[int, ...]] = {
        "model.norm.weight": (width,),
        "model.embed_tokens.weight": (shape.vocab, width),
    }
    if not shape.tied:
        sizes["lm_head.weight"] = (shape.vocab, width)
    for layer in range(shape.layers):
        at = f"model.layers.{layer}."
        for part, rows in (("q", q), ("k", kv), ("v", kv)):
            sizes[f"{at}self_attn.{part}_proj.weight"] = (rows, width)
            if kind == "qwen2":
                sizes[f"{at}self_attn.{part}_proj.bias"] = (rows,)
        sizes[f"{at}self_attn.o_proj.weight"] = (width, q)
        sizes[f"{at}mlp.gate_proj.weight"] = sizes[f"{at}mlp.up_proj.weight"] = (inner, width)
        sizes[f"{at}mlp.down_proj.weight"] = (width, inner)
        for norm in ("input_layernorm", "post_attention_layernorm"):
            sizes[f"{at}{norm}.weight"] = (width,)
    return sizes


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
    target: Target,
    costs: CostTable,
    cases: Sequence[Case],
    way: str,
    *,
    speculation: bool,
    at_once: int,
    rows: int,
) -> Speed:
    """All edits, `at_once` at a time, each group to its end before the next."""
    replay = Replay(Scheduler(target, costs), {})
    tokens = passes = 0
    seconds = 0.0
    for start in range(0, len(cases), at_once):
        target.pool.forget()
        sessions = []
        for found in cases[start : start + at_once]:
            prompt, wanted = prompt_of(found, target.vocab)
            if not speculation:
                wanted = [*wanted[:PLAIN_TOKENS], wanted[-1]]
            session = Session(
                target, prompt, drafters_for(prompt), Sampling(), costs=costs, speculation=speculation,
                max_rows=rows, runner=replay,
            )  # fmt: skip
            replay.wanted[session] = wanted
            sessions.append(session)
        seconds += _timed(lambda sessions=sessions: _all(sessions))  # type: ignore[misc]
        tokens += sum(len(session.output) for session in sessions)
        passes += sum(session.tally.passes + session.tally.prefills for session in sessions)
    return Speed(way, len(cases), tokens, passes, seconds)


def _all(sessions: Sequence[Session]) -> None:
    def run(session: Session) -> None:
        for _ in decode(session):
            pass

    threads = [Thread(target=run, args=(session,)) for session in sessions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def theirs(name: str, cases: Sequence[Case], way: str, options: dict[str, int]) -> Speed:
    """transformers' generate on the same shape, overruled at every position."""
    from transformers import AutoConfig, AutoModelForCausalLM, LogitsProcessor, LogitsProcessorList

    class Overrule(LogitsProcessor):  # type: ignore[misc]
        def __init__(self, start: int, wanted: Sequence[int]) -> None:
            self._start, self._wanted = start, wanted

        def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
            at = min(input_ids.shape[1] - self._start, len(self._wanted) - 1)
            return torch.full_like(scores, -1e4).index_fill_(
                1, scores.new_tensor([self._wanted[at]]).long(), 0.0
            )

    config = AutoConfig.for_model(**random_config(name))
    with torch.device("cuda"):
        model = AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16).eval()
    tokens, seconds = 0, 0.0
    for found in cases:
        prompt, wanted = prompt_of(found, int(config.vocab_size))
        wanted = wanted if options else [*wanted[:PLAIN_TOKENS], wanted[-1]]
        ids = torch.tensor([prompt.ids], device="cuda")
        processors = LogitsProcessorList([Overrule(len(prompt.ids), wanted)])

        def run(ids: Tensor = ids, wanted: Sequence[int] = wanted, processors: object = processors) -> None:
            with torch.inference_mode():
                model.generate(
                    ids, attention_mask=torch.ones_like(ids), max_new_tokens=len(wanted), do_sample=False,
                    eos_token_id=wanted[-1], pad_token_id=wanted[-1], logits_processor=processors, **options,
                )  # fmt: skip

        seconds += _timed(run)
        tokens += len(wanted) - 1
    return Speed(way, len(cases), tokens, 0, seconds)


def _timed(run: Callable[[], None]) -> float:
    torch.cuda.synchronize()
    started = time.perf_counter()
    run()
    torch.cuda.synchronize()
    return time.perf_counter() - started


def main(
    shape: Annotated[str, typer.Option(help=f"One of {', '.join(SHAPES)}.")] = "qwen2.5-7b",
    edits: Annotated[int, typer.Option(help="Real edits; 16 of them are also made at once.")] = 16,
    rows: Annotated[int, typer.Option(help="Rows of one edit in a pass, at most.")] = 256,
    weights: Annotated[Weights, typer.Option(help="The 70B shape fits on one card in fp8 only.")] = "default",
    exactness: Annotated[Exactness, typer.Option(help="bitwise shows the price of exact mode.")] = "default",
    json_file: Annotated[Path | None, typer.Option("--json", help="Write all figures here.")] = None,
) -> None:
    """Output tokens a second over whole edits, replayed."""
    if shape not in SHAPES:
        raise typer.BadParameter(f"no shape {shape}: choose one of {', '.join(SHAPES)}")
    reason = lacking()
    if reason is not None:
        print(f"evals.gpu: {reason}", file=sys.stderr)
        raise typer.Exit(2)
    card = gpu()
    encode = line_encoder(TOKENIZER)
    low, high = COLUMNS["lt2"][0], COLUMNS["5to15"][1]
    cases = [case(edit, encode, with_update=True) for edit in pick(load("test"), low, high, edits)]
    settings = Settings(exactness, weights)
    target = random_target(shape, torch.device("cuda"), settings)
    costs, passes = measure(target), list(measured(target, card))
    ours(target, costs, cases[:1], "warm up", speculation=True, at_once=1, rows=rows)
    found = [
        ours(target, costs, cases, "fastedit, one at a time", speculation=True, at_once=1, rows=rows),
        ours(target, costs, cases, "fastedit, 16 at once", speculation=True, at_once=16, rows=rows),
        ours(target, costs, cases[:4], "fastedit, no speculation", speculation=False, at_once=1, rows=rows),
    ]
    del target
    torch.cuda.empty_cache()
    if settings == DEFAULT:  # transformers has neither setting, and the largest shape does not fit without
        found.append(theirs(shape, cases[:2], "transformers", {}))
        lookup = {"prompt_lookup_num_tokens": 40, "max_matching_ngram_size": 5}
        found.append(
            theirs(shape, cases[:4], "transformers, prompt lookup 40 tokens, n-grams up to 5", lookup)
        )
    print(
        f"{card}; {machine()}\nshape {shape}, {settings}, random weights; acceptance REPLAYED from real edits"
    )
    body = [[s.way, str(s.edits), str(s.tokens), str(s.passes), f"{s.rate:.0f}"] for s in found]
    print(table(["way", "edits", "tokens", "passes", "tokens/s"], body))
    print(show_passes(passes))
    if json_file:
        data = {
            "gpu": card.as_dict(),
            "machine": machine(),
            "shape": shape,
            "settings": asdict(settings),
            "replayed": True,
            "passes": [asdict(one) | one.work._asdict() for one in passes],
            "costs": asdict(costs),
        }
        json_file.write_text(
            json.dumps(data | {"ways": [asdict(s) | {"rate": s.rate} for s in found]}, indent=1)
        )


if __name__ == "__main__":
    typer.run(main)
