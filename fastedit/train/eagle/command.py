"""`fastedit train eagle`: a head that drafts what a model writes anew."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import torch
import typer

from fastedit.console import reported, say
from fastedit.engine.models.folder import NANO, model_folder
from fastedit.engine.models.load import LoadedModel, load_model
from fastedit.errors import UsageError
from fastedit.model.heads import write_head
from fastedit.model.heads.lesson import Answer, Lesson
from fastedit.model.heads.load import digest
from fastedit.model.target import Target
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.train import options
from fastedit.train.eagle.answers import Teacher, keep_lesson, kept_lesson, read_answers, regenerate
from fastedit.train.eagle.heads import AHEAD, HeadKind, HeadSize, going_on, known_head, new_head
from fastedit.train.eagle.trainer import EagleRecipe, EagleTrainer
from fastedit.train.synthesis import gather
from fastedit.train.synthesis.examples import ExampleSource, Stage


@reported
def eagle(
    out: Annotated[Path, typer.Option(help="Where the head goes; for `--drafter lookup+eagle=OUT`.")],
    model: Annotated[str, typer.Option(help="The target: 'embedded', a folder or a hub id.")] = "embedded",
    kind: Annotated[
        HeadKind,
        typer.Option(
            help="`eagle3` drafts a token a step, `p-eagle` all tokens in one pass over mask tokens."
        ),
    ] = "eagle3",
    run: Annotated[str, typer.Option(help="Folder under runs/; the same name resumes it.")] = "eagle",
    minutes: Annotated[float, options.minutes("Of training, after the answers.")] = 10.0,
    stop_after: Annotated[
        float,
        options.minutes(
            "Minutes after which this call stops, answers included; another one with the same --run goes on."
        ),
    ] = math.inf,
    answers: Annotated[int, options.count("The target's own answers to learn from.")] = 600,
    corpus: options.Sources = None,
    edits: options.OwnEdits = None,
    offline: Annotated[
        bool, typer.Option(help="Keep the target's hidden states on disk and read them from there.")
    ] = False,
    steps: Annotated[
        int,
        options.size("Tokens ahead that the head learns to draft; 0 takes 3, for `p-eagle` 6.", 64),
    ] = 0,
    batch: Annotated[int, options.count("Answers an update.")] = 4,
    rate: Annotated[float, options.rate("Peak learning rate.")] = 1e-3,
    draft_vocab: Annotated[
        int,
        options.size(
            "Tokens that the head can draft; 0 takes those that nearly all answers need.", options.MANY
        ),
    ] = 0,
    mlp: Annotated[
        int, options.size("Width of the head's MLP; 0 takes 8/3 of the target's.", options.WIDTH)
    ] = 0,
    heads: Annotated[int, options.size("Attention heads; 0 takes as many as the target has.", 1024)] = 0,
    layers: Annotated[
        int, options.size("Of a `p-eagle` head; 0 takes one, or those of --init.", options.LAYERS)
    ] = 0,
    workers: Annotated[int, options.size("Answers that the target writes at once.", options.AT_ONCE)] = 0,
    longest: Annotated[int, options.count("Lines of the longest region.")] = 60,
    init: Annotated[
        Path | None,
        typer.Option(
            help="Begin with this head, of earlier weights of the same model; for `p-eagle` also an EAGLE-3 head."
        ),
    ] = None,
    seed: Annotated[
        int, options.seed("Of the answers, and of the order in which they are learned from.")
    ] = 0,
) -> None:
    """Train an EAGLE-3 or P-EAGLE head for a model.

    It learns from the model's own answers to edits, and is written in the speculators format.

    Examples:
        fastedit train eagle --model owner/name --edits edits.jsonl.gz --out head
        fastedit train eagle --kind p-eagle --layers 2 --init head --out parallel
    """
    until = time.monotonic() + 60 * stop_after
    gather.new_folder(out)
    if init is not None and (draft_vocab or mlp or heads):
        raise UsageError(f"{init} has a shape of its own: drop --init, or --draft-vocab, --mlp and --heads")
    if kind == "eagle3" and layers > 1:
        raise UsageError("an EAGLE-3 head has one layer: drop --layers, or give --kind p-eagle")
    source = _source(corpus, edits, longest)
    folder = gather.RUNS / run
    folder.mkdir(parents=True, exist_ok=True)
    loaded = load_model(model)
    target = loaded.target
    _same_target(folder, target)
    ahead = steps or AHEAD[kind]
    size = HeadSize(kind, ahead, layers, draft_vocab, mlp, heads)
    begun = None if init is None else going_on(init, size, target)
    written = _answers(loaded, source, folder / "answers.jsonl", answers, workers, seed, until)
    if len(written) < answers:
        say(f"stopped with {len(written)} of {answers} answers; give the same command again to go on")
        return
    head = new_head(size, target, written, folder) if begun is None else begun
    teacher = Teacher(target, head.shape.layers)
    lesson_of: Callable[[Answer], Lesson] = teacher.lesson
    if offline:
        lesson_of = _kept(teacher, written, folder / "states", target.device)
    recipe = EagleRecipe(minutes, rate=rate, steps=ahead, batch=batch, seed=seed)
    trainer = EagleTrainer(head, teacher.output, written, lesson_of, recipe, folder)
    if trainer.resume():
        say(f"going on at step {trainer.step}, {trainer.spent_s:.0f} s into the budget")
    trainer.run(trainer.batches, 60 * minutes, until)
    config = json.loads((model_folder(model) / "config.json").read_text("utf-8"))
    write_head(
        head,
        out,
        target=model,
        architectures=config.get("architectures", []),
        embedding=target.network.embedding,
        context=target.context,
    )
    known_head(out, kind, target)
    if (left := 60 * minutes - trainer.spent_s) > 0:
        say(f"stopped with {left:.0f} s of training left; go on with --run {run} and another --out")
    drafter = "eagle" if kind == "eagle3" else kind
    say(f"the head is in {out}; use it with: fastedit apply --drafter lookup+{drafter}={out}")


def _source(corpus: Path | None, edits: Path | None, longest: int) -> Callable[[int], ExampleSource]:
    """Makes a source of examples with a seed. Raises UsageError where there is nothing to make them from."""
    if corpus is None and edits is None:
        corpus = gather.CORPUS
        if not corpus.is_file():
            raise UsageError(
                "nothing to learn from; give --edits or --corpus, or make one with: fastedit train corpus"
            )
    files, real = gather.material(corpus, [edits] if edits else [])
    # Instructions are made from sources; real edits alone are shown as updates.
    instructed, real_share, both = (0.4, 0.5, 0.05) if files else (0.0, 1.0, 0.0)
    stage = Stage(2, longest, instructed, hunks=3, several=0.2, real=real_share, both=both)
    form = EmbeddedFormat.load(NANO)
    return lambda seed: ExampleSource(files, form, stage, seed, real)


def _same_target(folder: Path, target: Target) -> None:
    """A run belongs to one target: its answers are that one's. Raises UsageError."""
    mark, name = folder / "target", f"{target.fingerprint} {digest(target.network.embedding)}"
    if not mark.exists():
        mark.write_text(name)
    if mark.read_text() != name:
        raise UsageError(f"{folder} holds a run for another target; give another --run")


def _answers(
    model: LoadedModel,
    source: Callable[[int], ExampleSource],
    file: Path,
    count: int,
    workers: int,
    seed: int,
    until: float,
) -> list[Answer]:
    """As many answers as are wanted, or as there are when the clock stands at `until`: those in the file, and new ones
    added to it."""
    found = read_answers(file)
    if found and len(found) < count:
        file.write_text("".join(answer.line() for answer in found), "utf-8")  # without a line cut off
    if len(found) < count:
        say(f"{model.name} writes {count - len(found)} answers")
        many = workers or (16 if model.target.device.type == "cuda" else 1)
        with file.open("a", encoding="utf-8") as out:
            for answer in regenerate(model, source(seed + len(found)), count - len(found), many):
                found.append(answer)
                out.write(answer.line())
                out.flush()
                if time.monotonic() > until:
                    break
    novel = sum(sum(answer.novel) for answer in found)
    say(f"{len(found)} answers, {sum(len(a.novel) for a in found)} tokens, {novel} of them novel")
    return found[:count]


def _kept(
    teacher: Teacher, answers: Sequence[Answer], folder: Path, device: torch.device
) -> Callable[[Answer], Lesson]:
    """Writes the lessons that are not there yet; the target is not needed after that."""
    folder.mkdir(exist_ok=True)
    files = {id(answer): folder / f"{index:06}.safetensors" for index, answer in enumerate(answers)}
    missing = [answer for answer in answers if not files[id(answer)].exists()]
    if missing:
        say(f"computing the hidden states of {len(missing)} answers")
    for answer in missing:
        keep_lesson(teacher.lesson(answer), files[id(answer)])
    return lambda answer: kept_lesson(answer, files[id(answer)], device)
