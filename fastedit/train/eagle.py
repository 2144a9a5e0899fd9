"""`fastedit train eagle`: a head that drafts what a model writes anew."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import torch
import typer
from torch import Tensor

from fastedit.console import reported, say
from fastedit.engine.folder import NANO, model_folder
from fastedit.engine.models import LoadedModel, load_model
from fastedit.errors import UsageError
from fastedit.model.eagle import EagleHead, HeadShape
from fastedit.model.heads import load_head, write_head
from fastedit.model.heads.formats import default_layers
from fastedit.model.heads.lesson import Answer, Lesson
from fastedit.model.heads.load import digest
from fastedit.model.heads.objective import Divergence
from fastedit.model.target import Target
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.train import gather
from fastedit.train.eagle_answers import (
    Teacher,
    keep_lesson,
    kept_lesson,
    read_answers,
    regenerate,
)
from fastedit.train.eagle_objective import ObjectiveName, OwnText, check_reference, objective_of
from fastedit.train.eagle_trainer import EagleRecipe, EagleTrainer
from fastedit.train.examples import ExampleSource, Stage

SEEN = 0.999  # share of the answers' tokens that a draft vocabulary holds, where it is not given


@reported
def eagle(
    out: Annotated[Path, typer.Option(help="Where the head goes; for `--drafter lookup+eagle=OUT`.")],
    model: Annotated[str, typer.Option(help="The target: 'embedded', a folder or a hub id.")] = "embedded",
    run: Annotated[str, typer.Option(help="Folder under runs/; the same name resumes it.")] = "eagle",
    minutes: Annotated[float, typer.Option(help="Of training, after the answers.")] = 10.0,
    answers: Annotated[int, typer.Option(help="The target's own answers to learn from.")] = 600,
    corpus: Annotated[
        Path | None, typer.Option(help="Sources for synthetic edits, as the command `corpus` writes them.")
    ] = None,
    edits: Annotated[
        Path | None, typer.Option(help="Real edits: gzipped JSON lines with `old` and `new`.")
    ] = None,
    offline: Annotated[
        bool, typer.Option(help="Keep the target's hidden states on disk and read them from there.")
    ] = False,
    steps: Annotated[int, typer.Option(help="Tokens ahead that the head learns to draft.")] = 3,
    batch: Annotated[int, typer.Option(help="Answers an update.")] = 4,
    rate: Annotated[float, typer.Option(help="Peak learning rate.")] = 1e-3,
    draft_vocab: Annotated[
        int, typer.Option(help="Tokens that the head can draft; 0 takes those that nearly all answers need.")
    ] = 0,
    mlp: Annotated[int, typer.Option(help="Width of the head's MLP; 0 takes 8/3 of the target's.")] = 0,
    heads: Annotated[int, typer.Option(help="Attention heads; 0 takes as many as the target has.")] = 0,
    workers: Annotated[int, typer.Option(help="Answers that the target writes at once.")] = 0,
    longest: Annotated[int, typer.Option(help="Lines of the longest region.")] = 60,
    init: Annotated[
        Path | None, typer.Option(help="Begin with this head, of earlier weights of the same model.")
    ] = None,
    objective: Annotated[
        ObjectiveName,
        typer.Option(
            help="What is learned from: `eagle3` the model's own answers, `distillspec` also the head's own text, "
            "`adaspec` those tokens of the answers that --reference says can be learned."
        ),
    ] = "eagle3",
    divergence: Annotated[
        Divergence, typer.Option(help="What is lowered, from the model to the head.")
    ] = "forward-kl",
    reference: Annotated[
        Path | None, typer.Option(help="For `adaspec`: a trained head of the same draft vocabulary.")
    ] = None,
    keep: Annotated[
        float, typer.Option(min=0.01, max=1.0, help="For `adaspec`: the share of tokens that counts.")
    ] = 0.4,
    seed: int = 0,
) -> None:
    """Train an EAGLE-3 head for a model.

    It learns from the model's own answers to edits, and is written in the speculators format.

    Examples:
        fastedit train eagle --model owner/name --edits edits.jsonl.gz --out head
        fastedit train eagle --objective distillspec --init head --out longer
    """
    gather.new_folder(out)
    if init is not None and (draft_vocab or mlp or heads):
        raise UsageError(f"{init} has a shape of its own: drop --init, or --draft-vocab, --mlp and --heads")
    check_reference(objective, reference)
    source = _source(corpus, edits, longest)
    folder = gather.RUNS / run
    folder.mkdir(parents=True, exist_ok=True)
    loaded = load_model(model)
    target = loaded.target
    _same_target(folder, target)
    written = _answers(loaded, source, folder / "answers.jsonl", answers, workers, seed)
    fresh = partial(_head, folder, target, written, draft_vocab, mlp=mlp, heads=heads)
    head = fresh() if init is None else going_on(init, target)
    teacher = Teacher(target, head.shape.layers)
    lesson_of: Callable[[Answer], Lesson] = teacher.lesson
    if offline:
        lesson_of = _kept(teacher, written, folder / "states", target.device)
    recipe = EagleRecipe(minutes, rate=rate, steps=steps, batch=batch, seed=seed)
    aim = objective_of(objective, divergence, reference, keep, head, target)
    own_text = OwnText(head, teacher) if objective == "distillspec" else None
    trainer = EagleTrainer(head, teacher.output, written, lesson_of, recipe, folder, aim, own_text)
    if trainer.resume():
        say(f"going on at step {trainer.step}, {trainer.spent_s:.0f} s into the budget")
    trainer.run(say)
    network, config = target.network, _config(model)
    write_head(
        head,
        out,
        target=model,
        architectures=config.get("architectures", []),
        embedding=network.embedding,
        context=target.context,
    )
    load_head(out, network, target.dtype)
    say(f"the head is in {out}; use it with: fastedit apply --drafter lookup+eagle={out}")


def _source(corpus: Path | None, edits: Path | None, longest: int) -> Callable[[int], ExampleSource]:
    """Makes a source of examples with a seed. Raises UsageError where there is nothing to make them from."""
    if corpus is None and edits is None:
        corpus = gather.CORPUS
        if not corpus.is_file():
            raise UsageError(
                "nothing to learn from; give --edits or --corpus, or make one with: fastedit train corpus"
            )
    files, real = gather.material(corpus, edits)
    # Instructions are made from sources; real edits alone are shown as updates.
    instructed, real_share, both = (0.4, 0.5, 0.15) if files else (0.0, 1.0, 0.0)
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
) -> list[Answer]:
    """As many answers as are wanted: those in the file, and new ones added to it."""
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
    novel = sum(sum(answer.novel) for answer in found)
    say(f"{len(found)} answers, {sum(len(a.novel) for a in found)} tokens, {novel} of them novel")
    return found[:count]


def _head(
    folder: Path, target: Target, answers: Sequence[Answer], draft_vocab: int, *, mlp: int, heads: int
) -> EagleHead:
    """A fresh head; a run that goes on keeps the vocabulary that it began with."""
    network = target.network
    kept = folder / "vocabulary.json"
    if not kept.exists():
        kept.write_text(json.dumps(_vocabulary(answers, target.vocab, draft_vocab)))
    ids = torch.tensor(json.loads(kept.read_text()))
    shape = HeadShape(
        generation=3,
        hidden=network.hidden,
        target_hidden=network.hidden,
        intermediate=mlp or -(-8 * network.hidden // (3 * 64)) * 64,
        heads=heads or network.heads.heads,
        kv_heads=max(1, (heads or network.heads.heads) * network.heads.kv_heads // network.heads.heads),
        head_dim=network.heads.size,
        vocab=target.vocab,
        draft_vocab=len(ids),
        layers=default_layers(network.layers),
    )
    torch.manual_seed(0)
    head = EagleHead(shape, network.embedding, None).to(target.device)
    with torch.no_grad():
        rows = network.head[ids.to(target.device)].float()
        head.lm_head.weight.copy_(rows / rows.norm(dim=1).mean())  # it begins unsure
        head.layer.self_attn.o_proj.weight.zero_()  # and with a block that adds nothing
        head.layer.mlp.down_proj.weight.zero_()
        offsets: Tensor = head.d2t  # type: ignore[assignment]
        offsets.copy_(ids - torch.arange(len(ids)))
    return head


def going_on(folder: Path, target: Target) -> EagleHead:
    """The head in `folder`, to be trained for the target's weights, whichever it was trained for before."""
    known = load_head(folder, target.network, torch.float32, of_these_weights=False)
    if known.shape.generation != 3:
        raise UsageError(f"{folder}: an EAGLE-{known.shape.generation} head; EAGLE-3 heads are trained here")
    head = EagleHead(known.shape, target.network.embedding, None).to(target.device)
    head.load_state_dict(known.state_dict())
    return head


def _vocabulary(answers: Sequence[Answer], vocab: int, wanted: int) -> list[int]:
    """Ids of the target, ascending: the most frequent of the answers' tokens, novel ones counted a hundredfold."""
    counts: Counter[int] = Counter()
    for answer in answers:
        for token, novel in zip(answer.ids[answer.start :], answer.novel, strict=True):
            counts[token] += 100 if novel else 1
    if not wanted:
        if vocab <= 8192:
            return list(range(vocab))
        needed, wanted = SEEN * counts.total(), 0
        for _, count in counts.most_common():
            needed, wanted = needed - count, wanted + 1
            if needed <= 0:
                break
        wanted = -(-wanted // 64) * 64
    frequent = [token for token, _ in counts.most_common(wanted)]
    spare = (token for token in range(vocab) if token not in counts)
    while len(frequent) < min(wanted, vocab):
        frequent.append(next(spare))
    return sorted(frequent)


def _kept(
    teacher: Teacher, answers: Sequence[Answer], folder: Path, device: torch.device
) -> Callable[[Answer], Lesson]:
    """Writes the lessons that are not there yet; the target is not needed behind that."""
    folder.mkdir(exist_ok=True)
    files = {id(answer): folder / f"{index:06}.safetensors" for index, answer in enumerate(answers)}
    missing = [answer for answer in answers if not files[id(answer)].exists()]
    if missing:
        say(f"computing the hidden states of {len(missing)} answers")
    for answer in missing:
        keep_lesson(teacher.lesson(answer), files[id(answer)])
    return lambda answer: kept_lesson(answer, files[id(answer)], device)


def _config(model: str) -> dict[str, Any]:
    config: dict[str, Any] = json.loads((model_folder(model) / "config.json").read_text("utf-8"))
    return config
