"""`python -m evals.ablations scrambled`: what one choice of the recipe is worth to the embedded model.

Models of the same shape, each trained for the same minutes from the start that copies, in that alone unlike. All answer
the same examples of packages held out for validation, teacher-forced: an answer or a line is right where each of its
tokens is. Runs are kept in `runs/`, and go on where they were broken off; the recipe as it is has one for all tables.
A few minutes bring a model to where it merges short sketches at best, so the tables tell choices apart, not how good
a model gets.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from evals.machine import machine
from evals.table import table
from fastedit.engine.folder import NANO as WEIGHTS
from fastedit.errors import UsageError
from fastedit.prompt.base import RegionTask
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.prompt.tags import Tags
from fastedit.train import corpus as corpora
from fastedit.train import shape
from fastedit.train.evaluate import evaluate
from fastedit.train.examples import Example, ExampleSource, Stage, Weights
from fastedit.train.gather import CORPUS
from fastedit.train.loader import BatchLoader
from fastedit.train.tokenizer import save_tokenizer, tokenizer_of
from fastedit.train.trainer import Settings, Trainer

RUNS = Path("runs")
SIZE = shape.SIZES["nano"]
STAGE = Stage(least=2, most=24, instruction=0.3, scrambled=0.1, hunks=2, longest=1536)
SAMPLED_LINES = 200_000  # that a tokenizer is made of
SHOWN = ("exact", "line_accuracy", "token_accuracy", "novel_accuracy")
VALIDATED = {  # what the models are asked, by name: the longest region in lines, and the share of instructions
    "sketches, up to 16 lines": Stage(2, 16, 0.0, 0.0, 2, both=0.0),
    "sketches, 30 to 60 lines": Stage(30, 60, 0.0, 0.0, 3, both=0.0),
    "instructions, up to 16 lines": Stage(2, 16, 1.0, 0.0, 2),
}


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to train: in a shape, on examples of a stage, with the shipped tokenizer or one made of the corpus.

    `vocabulary` is how many tokens of text that one has, `anchored` whether an update's lines carry the tags of those
    that they stand for.
    """

    name: str = field(compare=False)
    size: shape.Size = SIZE
    stage: Stage = STAGE
    vocabulary: int | None = None
    anchored: bool = True
    seed: int = 0


class Unanchored(EmbeddedFormat):
    """Lines of an update are numbered: where each belongs the model has to find by what it says, however far away."""

    def tags_for(self, task: RegionTask, first_original: int = 0, first_update: int = 0) -> Tags:
        return super().tags_for(replace(task, targets=None), first_original, first_update)

    def update_tags(self, task: RegionTask, tags: Tags) -> list[int]:
        assert task.targets is not None
        return super().update_tags(replace(task, targets=(None,) * len(task.targets)), tags)


FACTORS: Final[dict[str, list[Variant]]] = {
    "scrambled": [
        Variant(f"{share:.0%} of the sketches with random words", stage=replace(STAGE, scrambled=share))
        for share in (0.0, 0.1, 0.4)
    ],
    "context": [
        Variant(f"up to {most} lines, {longest} tokens", stage=replace(STAGE, most=most, longest=longest))
        for most, longest in ((12, 768), (24, 1536), (60, 3072))
    ],
    "depth": [Variant(f"{layers} layers", size=replace(SIZE, layers=layers)) for layers in (4, 6, 10)],
    "width": [
        Variant(f"width {width}, mlp {mlp}", size=replace(SIZE, width=width, mlp=mlp))
        for width, mlp in ((256, 704), (384, 1056))
    ],
    "copied": [
        Variant(
            f"a copied token {copied:g}, its line's tag {tag:g}",
            stage=replace(STAGE, weights=Weights(copied=copied, copied_tag=tag)),
        )
        for copied, tag in ((0.2, 0.4), (0.7, 0.9), (1.0, 2.5))
    ],
    "tokenizer": [
        Variant("the shipped one, 3,696 tokens, mostly of Python"),
        Variant("3,696 tokens of all languages", vocabulary=3696),
        Variant("7,792 tokens of all languages", vocabulary=7792),
    ],
    "anchors": [
        Variant("the tags of the lines they stand for"),
        Variant("numbered lines", anchored=False),
    ],
    # What differs by chance alone.
    "seed": [Variant(f"seed {seed}", seed=seed) for seed in (0, 1, 2)],
}


def format_of(variant: Variant, files: Sequence[corpora.SourceFile], folder: Path) -> EmbeddedFormat:
    """The variant's prompt format. A tokenizer of its own is made once, of the files that are trained on."""
    if variant.vocabulary is None:
        return (EmbeddedFormat if variant.anchored else Unanchored).load(WEIGHTS)
    if not (folder / "tokenizer.json").exists():
        made = tokenizer_of(files, variant.vocabulary, SAMPLED_LINES)
        save_tokenizer(made, folder / "tokenizer.json")
    return EmbeddedFormat.load(folder)


def examples(files: Sequence[corpora.SourceFile], form: EmbeddedFormat, count: int) -> list[list[Example]]:
    """So many of each kind that is validated, the same ones for every model."""
    validation = [file for file in files if file.validation]
    return [
        list(islice(ExampleSource(validation, form, stage, seed=7, held_out=True), count))
        for stage in VALIDATED.values()
    ]


def trained(
    variant: Variant,
    files: Sequence[corpora.SourceFile],
    form: EmbeddedFormat,
    folder: Path,
    settings: Settings,
    tokens: int,
) -> Trainer:
    """The trainer behind its run, which it has resumed if there was one."""
    model = shape.fresh(variant.size.config(form.vocab_size), variant.seed, form.tags)
    trainer = Trainer(model, settings, folder)
    trainer.resume()
    loader = BatchLoader(
        [file for file in files if not file.validation], form, variant.stage, seed=variant.seed, tokens=tokens
    )
    trainer.run(partial(loader.stream, 0), 60 * settings.minutes)
    return trainer


def measured(trainer: Trainer, asked: Sequence[Sequence[Example]]) -> list[dict[str, float]]:
    """For each kind that is validated the shares that are right."""
    figures = []
    trainer.model.eval()
    for held in asked:
        scores = evaluate(trainer.model, [replace(example, kind="all") for example in held])
        figures.append({key: value for key, value in asdict(scores["all"]).items() if key != "examples"})
    return figures


def main(
    factor: Annotated[str, typer.Argument(help=", ".join(FACTORS))],
    minutes: Annotated[float, typer.Option(help="Of training, each model.")] = 10.0,
    count: Annotated[int, typer.Option("--examples", help="Of each kind, to validate with.")] = 200,
    tokens: Annotated[int, typer.Option(help="Tokens a step.")] = 4096,
    fuse: Annotated[bool, typer.Option("--compile", help="Compile the passes first.")] = False,
    corpus: Annotated[Path, typer.Option(help="The sources to train and validate on.")] = CORPUS,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write all figures here.")] = None,
) -> None:
    """What one choice of the recipe is worth."""
    if factor not in FACTORS:
        raise typer.BadParameter(f"{factor!r}; choose from {', '.join(FACTORS)}")
    try:
        files = corpora.load(corpus)
    except UsageError as error:
        raise typer.BadParameter(str(error)) from None
    rows, figures = list[list[str]](), list[dict[str, Any]]()
    for number, variant in enumerate(FACTORS[factor]):
        folder = RUNS / ("ablation" if variant == Variant("") else f"ablation-{factor}-{number}")
        form = format_of(variant, files, folder)
        trainer = trained(variant, files, form, folder, Settings(minutes=minutes, fuse=fuse), tokens)
        scores = measured(trainer, examples(files, form, count))
        figures.append(
            {
                "variant": asdict(variant),
                "tokens": trainer.seen,
                "scores": dict(zip(VALIDATED, scores, strict=True)),
            }
        )
        cells = [" / ".join(f"{100 * score[key]:.1f}" for key in SHOWN) for score in scores]
        rows.append([variant.name, f"{trainer.seen:,}", *cells])
    print(f"{machine()}; {minutes:g} minutes each; answers / lines / tokens / novel tokens right, %")
    print(table([factor, "tokens seen", *VALIDATED], rows))
    if json_file:
        json_file.write_text(
            json.dumps({"machine": machine(), "minutes": minutes, "models": figures}, indent=1)
        )


if __name__ == "__main__":
    typer.run(main)
