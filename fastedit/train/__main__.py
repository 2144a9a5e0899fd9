"""`python -m fastedit.train`: corpus, tokenizer, train, evaluate, export; one command each, all repeatable."""

from __future__ import annotations

import importlib.util
import json
import os
import random
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Annotated

import torch
import typer

from fastedit.cli.console import reported, say
from fastedit.engine.folder import model_folder
from fastedit.errors import UsageError
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.train import corpus as corpora
from fastedit.train import eagle, gather, shape
from fastedit.train.card import card as data_card
from fastedit.train.card import read_log
from fastedit.train.evaluate import Score
from fastedit.train.evaluate import evaluate as score
from fastedit.train.examples import ExampleSource, Stage
from fastedit.train.export import blend as blended
from fastedit.train.export import export as write_weights
from fastedit.train.export import load_weights
from fastedit.train.loader import BatchLoader
from fastedit.train.real import RealChanges
from fastedit.train.tokenizer import save_tokenizer, train_tokenizer
from fastedit.train.trainer import Settings, Trainer

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False)
WEIGHTS = Path(__file__).parent.parent / "model" / "weights"
RUNS = Path("runs")
TEXT_VOCAB = 3696
Corpus = Annotated[Path, typer.Option(help="The sources, as the command `corpus` writes them.")]
# Share of the time budget up to which a stage lasts, and the stage.
CURRICULUM = (
    (0.40, Stage(least=2, most=16, instruction=0.60, scrambled=0.10, hunks=2, several=0.4, real=0.4)),
    (0.75, Stage(least=2, most=35, instruction=0.55, scrambled=0.10, hunks=3, several=0.3, real=0.4)),
    (1.00, Stage(least=2, most=60, instruction=0.50, scrambled=0.08, hunks=3, several=0.2, real=0.5)),
)


app.command()(gather.corpus)
app.command()(gather.pin)
app.command()(eagle.eagle)


@app.command()
def tokenizer(corpus: Corpus = gather.CORPUS) -> None:
    """Train the tokenizer on the corpus and put it beside the weights."""
    files = [file for file in corpora.load(corpus) if not file.validation]
    lines = corpora.sample_lines(files, 600_000, seed=0)
    save_tokenizer(train_tokenizer(lines, TEXT_VOCAB), WEIGHTS / "tokenizer.json")


@app.command()
def train(
    minutes: Annotated[
        float, typer.Option(help="The whole budget; a resumed run continues within it.")
    ] = 120.0,
    run: Annotated[str, typer.Option(help="Folder under runs/.")] = "embedded",
    tokens: Annotated[int, typer.Option(help="Tokens a step.")] = 4096,
    workers: Annotated[
        int, typer.Option(help="Processes that make examples; 0 makes them between steps.")
    ] = 0,
    width: int = 256,
    layers: int = 6,
    mlp: int = 704,
    rate: Annotated[float, typer.Option(help="Peak rate of Muon, for the matrices.")] = 0.015,
    seed: int = 0,
    corpus: Corpus = gather.CORPUS,
    edits: Annotated[
        Path | None,
        typer.Option(help="Real edits to learn from, as `python -m evals.edits build` writes them."),
    ] = None,
    init: Annotated[
        Path | None, typer.Option(help="Start from these weights, not from the start that copies.")
    ] = None,
    fuse: Annotated[
        bool,
        typer.Option(
            "--compile",
            help="Compile the passes first, a minute or two; needs a C++ compiler. A third faster on a CPU.",
        ),
    ] = False,
) -> None:
    """Train the embedded model, resuming where the run stands."""
    form = EmbeddedFormat.load(WEIGHTS)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    files = [file for file in corpora.load(corpus) if not file.validation]
    if init is None:
        model = shape.fresh(shape.config(form.vocab_size, width, layers, mlp=mlp), seed, form.tags)
    else:
        model = load_weights(init)
    trainer = Trainer(
        model, Settings(minutes=minutes, matrix_rate=rate, device=device, fuse=fuse), RUNS / run
    )
    trainer.resume()
    real = RealChanges.load(edits) if edits else None
    for share, stage in CURRICULUM:
        if trainer.spent_s < share * minutes * 60:
            loader = BatchLoader(files, form, stage, seed=trainer.step + seed, tokens=tokens, real=real)
            trainer.run(loader.stream(workers), share * minutes * 60)
    write_weights(model, RUNS / run / "weights")


@app.command()
@reported
def finetune(
    model: Annotated[str, typer.Option(help="A causal language model: a folder or a hub id.")],
    out: Annotated[Path, typer.Option(help="Where the tuned model goes; for `fastedit apply --model`.")],
    run: Annotated[
        str, typer.Option(help="Folder under runs/; the same name goes on where it stood.")
    ] = "tuned",
    edits: Annotated[
        Path | None,
        typer.Option(
            help="Your own edits: gzipped JSON lines with `old` and `new`, whole files before and after."
        ),
    ] = None,
    corpus: Annotated[
        Path | None, typer.Option(help="Sources for synthetic edits, as the command `corpus` writes them.")
    ] = None,
    steps: int = 500,
    batch: Annotated[int, typer.Option(help="Examples at once.")] = 4,
    accumulate: Annotated[int, typer.Option(help="Batches a step.")] = 4,
    longest: Annotated[int, typer.Option(help="Tokens of the longest example.")] = 4096,
    rank: Annotated[int, typer.Option(help="Of the adapters.")] = 16,
    rate: Annotated[float, typer.Option(help="Peak learning rate.")] = 2e-4,
    seed: int = 0,
) -> None:
    """Tune a model on edits with low-rank adapters, in the prompt that fastedit asks it with, and merge them.

    Several GPUs: start it under torchrun.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{out} is there already and not empty; give another --out")
    if edits is None and corpus is None:
        raise UsageError("nothing to learn from; give --edits, --corpus or both")
    for file in (edits, corpus):
        if file is not None and not file.is_file():
            raise UsageError(f"{file}: no such file")
    if importlib.util.find_spec("peft") is None:
        raise UsageError("fine-tuning is not installed; run: pip install 'fastedit-engine[train]'")
    from fastedit.train.lora import Recipe
    from fastedit.train.lora import finetune as tune

    folder = model_folder(model)
    files = [file for file in corpora.load(corpus) if not file.validation] if corpus else []
    real = RealChanges.load(edits) if edits else None
    if not files and not real:
        raise UsageError(f"{edits or corpus}: nothing to learn from in it")
    stage = Stage(
        2, 80, instruction=0.4 if files else 0.0, scrambled=0.0, hunks=3, real=1.0 if not files else 0.5
    )
    source = ExampleSource(files, EmbeddedFormat.load(WEIGHTS), stage, seed, real)
    tune(folder, source, Recipe(steps, batch, accumulate, longest, rank, rate, seed), RUNS / run, out)
    if os.environ.get("RANK", "0") == "0":
        say(f"the tuned model is in {out}; use it with: fastedit apply --model {out}")


@app.command()
def evaluate(
    weights: Path = WEIGHTS,
    examples: int = 600,
    most: int = 60,
    seed: int = 1,
    report: Path | None = None,
    corpus: Corpus = gather.CORPUS,
) -> None:
    """Exact answers on packages that training never saw, by kind of example."""
    scores = _validate(weights, corpora.load(corpus), examples, most, seed)
    for kind, result in scores.items():
        print(f"{kind:20} {result.examples:5} exact {result.exact:.3f} tokens {result.token_accuracy:.5f}")
    if report:
        report.write_text(json.dumps({kind: asdict(result) for kind, result in scores.items()}, indent=1))


def _validate(
    weights: Path, files: list[corpora.SourceFile], examples: int, most: int, seed: int
) -> dict[str, Score]:
    model = load_weights(weights).eval()
    source = ExampleSource(
        [file for file in files if file.validation],
        EmbeddedFormat.load(WEIGHTS),
        Stage(4, most, 0.6, 0.0, 3),
        seed,
        held_out=True,
    )
    return score(model, list(islice(source, examples)))


@app.command()
def export(run: str = "embedded") -> None:
    """Write a run's last checkpoint as the weights that the package ships."""
    model = load_weights(RUNS / run)
    write_weights(model, WEIGHTS)


@app.command()
def blend(
    run: Annotated[str, typer.Option(help="Folder under runs/, trained on from the shipped weights.")],
    share: Annotated[float, typer.Option(min=0.0, max=1.0, help="Of the run's weights.")] = 0.75,
) -> None:
    """Put a run's weights in the shipped ones' place in part, so that less of what these know is forgotten."""
    write_weights(blended(WEIGHTS, RUNS / run, share), WEIGHTS)


@app.command()
def card(
    run: Annotated[list[str], typer.Option(help="Folder under runs/; may be repeated, the first run first.")],
    edits: Annotated[Path | None, typer.Option(help="The real edits that were learned from.")] = None,
    examples: int = 1500,
    corpus: Annotated[
        list[Path] | None,
        typer.Option(help="What the runs learned from; may be repeated, as runs may differ in it."),
    ] = None,
) -> None:
    """Write the data card of the shipped weights, with their accuracy on packages held out for validation."""
    files = list(dict.fromkeys(file for path in corpus or [gather.CORPUS] for file in corpora.load(path)))
    trained = [file for file in files if not file.validation]
    scores = _validate(WEIGHTS, files, examples, most=60, seed=1)
    real = RealChanges.load(edits).packages if edits else ()
    logs = [read_log(RUNS / name) for name in run]
    (WEIGHTS / "DATA_CARD.md").write_text(data_card(trained, real, logs, scores))


@app.command()
def show(kind: str = "update", count: int = 3, seed: int = 0, corpus: Corpus = gather.CORPUS) -> None:
    """Print examples as the model sees them."""
    form = EmbeddedFormat.load(WEIGHTS)
    files = corpora.load(corpus)
    source = ExampleSource(
        random.Random(seed).sample(files, 800), form, Stage(4, 14, 0.5, 0.0, 2, several=0.3), seed
    )
    for example in source:
        if example.kind == kind and count:
            count -= 1
            print(form.describe(example.ids), "\n" + "=" * 80)
        if not count:
            break


if __name__ == "__main__":
    app()
