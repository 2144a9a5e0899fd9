"""`fastedit train`: the commands of the embedded model, from its tokenizer to its data card. All are repeatable."""

from __future__ import annotations

from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated

import torch
import typer
from transformers import Qwen3ForCausalLM

from fastedit.console import reported
from fastedit.engine.models.folder import NANO as WEIGHTS
from fastedit.errors import UsageError
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.train import options
from fastedit.train.changes.real import RealChanges
from fastedit.train.embedded import shape
from fastedit.train.embedded.card import card as data_card
from fastedit.train.embedded.card import read_log
from fastedit.train.embedded.export import blend as blended
from fastedit.train.embedded.export import check_vocabulary, load_weights, uncalibrated
from fastedit.train.embedded.export import export as write_weights
from fastedit.train.embedded.tokenizer import sampled_lines, save_tokenizer, train_tokenizer
from fastedit.train.embedded.trainer import Trainer, evaluate
from fastedit.train.loop import Rates
from fastedit.train.sources import corpus as corpora
from fastedit.train.synthesis import gather
from fastedit.train.synthesis.examples import BatchLoader, ExampleSource, Stage

TOKENIZER = "tokenizer.json"
TEXT_VOCAB = 3696
EVALUATED = 1500  # examples of a data card
TOKENIZER_LINES = 600_000  # that its tokenizer is trained on
DEFAULT_SIZE: shape.SizeName = "nano"
Corpus = Annotated[Path, typer.Option(help="The sources, as the command `corpus` writes them.")]
Int8 = Annotated[bool, typer.Option("--int8", help="Keep matrices in int8, at half the size.")]
Edits = Annotated[
    list[Path] | None,
    typer.Option(
        help="Real edits to learn from, as `python -m evals.edits build` writes them; may be repeated."
    ),
]
# Share of the time budget up to which a stage lasts, and the stage. Weights that have learned to copy begin with the
# last: shorter regions only make them forget long ones.
CURRICULUM = (
    (0.35, Stage(least=2, most=16, instruction=0.70, hunks=2, several=0.4, real=0.4)),
    (0.65, Stage(least=2, most=35, instruction=0.65, hunks=3, several=0.3, real=0.4)),
    (0.85, Stage(least=2, most=60, instruction=0.60, hunks=3, several=0.25, real=0.5)),
    (
        1.00,
        Stage(least=2, most=90, instruction=0.5, hunks=3, several=0.2, real=0.7, longest=4096),
    ),
)


@reported
def tokenizer(
    run: Annotated[str, typer.Option(help="Folder under runs/.")] = "embedded",
    vocabulary: Annotated[int, options.count("Tokens of text.")] = TEXT_VOCAB,
    corpus: Corpus = gather.CORPUS,
) -> None:
    """Train a tokenizer for a run on the corpus.

    A run that has one keeps it.

    Examples:
        fastedit train tokenizer --run nano
    """
    path = gather.RUNS / run / TOKENIZER
    if not path.exists():
        lines = sampled_lines(corpora.load(corpus), TOKENIZER_LINES)
        save_tokenizer(train_tokenizer(lines, vocabulary), path)


@reported
def train(
    minutes: Annotated[float, options.minutes("The time budget; a resumed run continues within it.")] = 120.0,
    run: Annotated[str, typer.Option(help="Folder under runs/.")] = "embedded",
    size: Annotated[
        shape.SizeName | None,
        typer.Option(
            help=f"The model's size. [default: {DEFAULT_SIZE}, or that of --init, which may grow in depth]"
        ),
    ] = None,
    tokens: Annotated[int, options.count("Tokens per step.")] = 4096,
    workers: Annotated[
        int, options.size("Processes that make examples; 0 makes them between steps.", options.PROCESSES)
    ] = 0,
    layers: Annotated[int, options.size("Layers; 0 takes the size's.", options.LAYERS)] = 0,
    rate: Annotated[float, options.rate("Peak learning rate of Muon, for the matrices.")] = 0.015,
    seed: Annotated[int, options.seed("Seed of weights and examples.")] = 0,
    corpus: Corpus = gather.CORPUS,
    edits: Edits = None,
    init: Annotated[
        Path | None, typer.Option(help="Start from these weights instead of the initial ones that copy.")
    ] = None,
    fuse: Annotated[
        bool,
        typer.Option(
            "--compile",
            help="Compile the passes first, a minute or two; needs a C++ compiler. A third faster on a CPU.",
        ),
    ] = False,
) -> None:
    """Train the embedded model, or resume a run.

    A run without a tokenizer gets that of --init, or nano's.

    Examples:
        fastedit train train --run nano --minutes 600 --compile
        fastedit train train --run longer --init runs/nano --minutes 60
    """
    if init is None:
        form = _format(run, WEIGHTS)
        depth = layers or shape.SIZES[size or DEFAULT_SIZE]
        model = shape.fresh(shape.config(form.vocab_size, layers=depth), seed, form.tags)
    else:
        model = uncalibrated(load_weights(init))
        form = _format(run, init)
        check_vocabulary(init, model, form)
        depth = layers or (shape.SIZES[size] if size else model.config.num_hidden_layers)
        model = shape.grown(model, depth)
    files, real = gather.material(corpus, edits or ())
    save_tokenizer(form.tokenizer, gather.RUNS / run / TOKENIZER)
    model.to("cuda" if torch.cuda.is_available() else "cpu")
    trainer = Trainer(model, Rates(minutes, matrix_rate=rate), gather.RUNS / run, fuse=fuse)
    trainer.resume()
    for share, stage in CURRICULUM if init is None else CURRICULUM[-1:]:
        loader = BatchLoader(files, form, stage, seed=seed, tokens=tokens, real=real)
        trainer.run(partial(loader.stream, workers), share * minutes * 60)
    _write(model, gather.RUNS / run / "weights", form)


def _format(run: str, initial: Path) -> EmbeddedFormat:
    """With the run's tokenizer, or with that of the weights that it begins with while it has none."""
    return EmbeddedFormat.load(gather.RUNS / run if (gather.RUNS / run / TOKENIZER).exists() else initial)


@reported
def export(
    run: Annotated[str, typer.Option(help="Folder under runs/, or any folder of weights.")] = "embedded",
    out: Annotated[Path, typer.Option(help="The folder to write.", show_default="nano's")] = WEIGHTS,
    int8: Int8 = False,
) -> None:
    """Write a run's last checkpoint as a folder for `--model`.

    Examples:
        fastedit train export --run nano --out models/nano --int8
    """
    folder = gather.RUNS / run if (gather.RUNS / run).exists() else Path(run)
    model = load_weights(folder)
    form = EmbeddedFormat.load(folder)
    check_vocabulary(folder, model, form)
    _write(model, out, form, int8=int8)


@reported
def blend(
    run: Annotated[str, typer.Option(help="Folder under runs/.")],
    share: Annotated[float, options.share("The share of the run's weights.")] = 0.75,
    init: Annotated[
        Path, typer.Option(help="The weights that it began with.", show_default="nano's")
    ] = WEIGHTS,
    out: Annotated[Path, typer.Option(help="The folder to write.", show_default="nano's")] = WEIGHTS,
    int8: Int8 = False,
) -> None:
    """Mix a run's weights with those that it began with.

    Less of what these know is forgotten.

    Examples:
        fastedit train blend --run longer --share 0.75 --init runs/nano --out models/longer
    """
    _write(blended(init, gather.RUNS / run, share), out, EmbeddedFormat.load(init), int8=int8)


def _write(model: Qwen3ForCausalLM, folder: Path, form: EmbeddedFormat, *, int8: bool = False) -> None:
    """A folder for `--model`."""
    write_weights(model, folder, int8=int8)
    save_tokenizer(form.tokenizer, folder / TOKENIZER)


@reported
def card(
    run: Annotated[list[str], typer.Option(help="Folder under runs/; may be repeated, the first run first.")],
    edits: Edits = None,
    weights: Annotated[
        Path, typer.Option(help="The weights, next to which the card is written.", show_default="nano's")
    ] = WEIGHTS,
    corpus: Annotated[
        list[Path] | None,
        typer.Option(help="What the runs learned from; may be repeated, as runs may differ in it."),
    ] = None,
) -> None:
    """Write the data card of weights, with their accuracy.

    The accuracy is on packages held out for validation.

    Examples:
        fastedit train card --run nano --weights models/nano
    """
    logs = [read_log(gather.RUNS / name) for name in run]
    files = list(dict.fromkeys(file for path in corpus or [gather.CORPUS] for file in corpora.load(path)))
    trained = [file for file in files if not file.validation]
    unseen = [file for file in files if file.validation]
    if not unseen:
        raise UsageError(
            "no package of the corpus is held out for validation; give a --corpus of more packages"
        )
    model, form = load_weights(weights).eval(), EmbeddedFormat.load(weights)
    check_vocabulary(weights, model, form)
    source = ExampleSource(unseen, form, Stage(4, 60, 0.6, 3), seed=1, held_out=True)
    scores = evaluate(model, list(islice(source, EVALUATED)))
    real = RealChanges.load(edits).packages if edits else ()
    (weights / "DATA_CARD.md").write_text(data_card(trained, real, logs, scores))
