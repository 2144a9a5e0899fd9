"""`fastedit train finetune`: a user's own model, tuned on edits."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Annotated

import typer

from fastedit.console import reported, say
from fastedit.engine.models.folder import NANO, model_folder
from fastedit.errors import UsageError, not_installed
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.train import options
from fastedit.train.synthesis import gather
from fastedit.train.synthesis.examples import ExampleSource, Stage


@reported
def finetune(
    model: Annotated[str, typer.Option(help="A causal language model: a folder or a hub id.")],
    out: Annotated[Path, typer.Option(help="Where the tuned model goes; for `fastedit apply --model`.")],
    run: Annotated[str, typer.Option(help="Folder under runs/; the same name resumes it.")] = "tuned",
    edits: options.OwnEdits = None,
    corpus: options.Sources = None,
    steps: Annotated[int, options.count("Of the optimizer.")] = 500,
    batch: Annotated[int, options.count("Examples at once.")] = 4,
    accumulate: Annotated[int, options.count("Batches a step.")] = 4,
    longest: Annotated[int, options.count("Tokens of the longest example.")] = 4096,
    rank: Annotated[int, options.count("Of the adapters.", options.WIDTH)] = 16,
    rate: Annotated[float, options.rate("Peak learning rate.")] = 2e-4,
    seed: Annotated[int, options.seed("Of the adapters and examples.")] = 0,
    fsdp: Annotated[
        bool, typer.Option("--fsdp", help="Split the model over torchrun's processes: no GPU holds it whole.")
    ] = False,
) -> None:
    """Tune a model of your own on your edits.

    Low-rank adapters are trained in the prompt that fastedit asks the model with, then merged. For several GPUs, start
    it under torchrun.

    Examples:
        fastedit train finetune --model owner/name --edits edits.jsonl.gz --out tuned
        torchrun --nproc-per-node 2 -m fastedit.train finetune --model owner/name --edits edits.jsonl.gz --out tuned
    """
    gather.new_folder(out)
    if edits is None and corpus is None:
        raise UsageError("nothing to learn from; give --edits, --corpus or both")
    if importlib.util.find_spec("peft") is None:
        raise UsageError(not_installed("peft", "train"))
    if fsdp and "LOCAL_RANK" not in os.environ:
        raise UsageError(
            "--fsdp splits the model over processes; start them with: "
            "torchrun --nproc-per-node GPUS -m fastedit.train finetune --fsdp ..."
        )
    from fastedit.train.lora.adapters import finetune as tune
    from fastedit.train.lora.trainer import LoraRecipe

    files, real = gather.material(corpus, [edits] if edits else [])
    folder = model_folder(model)
    stage = Stage(2, 80, instruction=0.4 if files else 0.0, hunks=3, real=1.0 if not files else 0.5)
    source = ExampleSource(files, EmbeddedFormat.load(NANO), stage, seed, real)
    recipe = LoraRecipe(steps, batch, accumulate, longest, rank, rate, seed)
    tune(folder, source, recipe, gather.RUNS / run, out, fsdp=fsdp)
    if os.environ.get("RANK", "0") == "0":
        say(f"the tuned model is in {out}; use it with: fastedit apply --model {out}")
