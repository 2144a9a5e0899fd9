"""Low-rank adaptation of any causal language model to edits (Hu et al. 2021, LoRA), in the prompt it is asked in.

The library does the training: transformers' Trainer (which also runs under torchrun) and PEFT; `sharded.py` trains a
model that is split over several processes. Here stand the examples and what a user meets: a run that resumes, and a
folder at its end that `fastedit apply --model` takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from safetensors import SafetensorError
from torch.utils.data import IterableDataset
from transformers import Trainer, TrainingArguments, set_seed
from transformers.trainer_utils import get_last_checkpoint

from fastedit.errors import ModelUnavailable, UsageError
from fastedit.model.storage import pretrained
from fastedit.prompt.load import load_format
from fastedit.prompt.text import TextFormat
from fastedit.train.checkpoint import kept
from fastedit.train.examples import ExampleSource
from fastedit.train.trainer import out_of_memory

IGNORED = -100  # the label of a token that is not learned


@dataclass(frozen=True, slots=True)
class Recipe:
    """`rate` is the peak of a cosine; `longest` counts an example's tokens, longer ones are left out."""

    steps: int = 500
    batch: int = 4
    accumulate: int = 4
    longest: int = 4096
    rank: int = 16
    rate: float = 2e-4
    seed: int = 0

    @property
    def warmup(self) -> int:
        return min(20, self.steps // 10)

    @property
    def save_every(self) -> int:
        return max(1, min(50, self.steps // 2))


class ChatEdits(IterableDataset[dict[str, list[int]]]):
    """An endless stream of edits as token ids with labels: only the answer and its stop token are learned."""

    def __init__(self, source: ExampleSource, form: TextFormat, longest: int) -> None:
        self._source, self.form, self._longest = source, form, longest

    def __iter__(self) -> Iterator[dict[str, list[int]]]:
        for example in self._source:
            prompt = list(self.form.encode(example.task, None).ids)
            answer = self.form.answer(example.task, example.change.text)
            ids = [*prompt, *answer, self.form.end]
            if len(ids) <= self._longest:
                yield {"input_ids": ids, "labels": [IGNORED] * len(prompt) + ids[len(prompt) :]}


def padded(rows: Sequence[dict[str, list[int]]]) -> dict[str, torch.Tensor]:
    """Examples as tensors [rows, longest], padded behind their ends."""
    longest = max(len(row["input_ids"]) for row in rows)

    def filled(name: str, value: int) -> torch.Tensor:
        return torch.tensor([row[name] + [value] * (longest - len(row[name])) for row in rows])

    mask = [[1] * len(row["input_ids"]) + [0] * (longest - len(row["input_ids"])) for row in rows]
    return {
        "input_ids": filled("input_ids", 0),
        "labels": filled("labels", IGNORED),
        "attention_mask": torch.tensor(mask),
    }


def finetune(
    folder: Path, source: ExampleSource, recipe: Recipe, run: Path, out: Path, *, fsdp: bool = False
) -> None:
    """Train adapters of the model in `folder`, resuming where `run` stands, and write the merged model to `out`.

    With `fsdp` each process of torchrun holds a part of the model. Raises ModelUnavailable where the folder holds no
    usable model and UsageError where memory does not suffice or `run` was begun in the other way.
    """
    form = load_format(folder)
    _check_run(run, fsdp)
    data = ChatEdits(source, form, recipe.longest)
    try:
        model = _adapted(folder, form, recipe)
        tuned = _tuned_split(folder, model, data, recipe, run) if fsdp else _tuned(model, data, recipe, run)
    except RuntimeError as error:
        if not out_of_memory(error):
            raise
        split = "" if fsdp else ", or split the model over several GPUs with --fsdp"
        raise UsageError(
            f"out of memory with {recipe.batch} examples of up to {recipe.longest} tokens; lower --batch or "
            f"--longest{split}"
        ) from None
    if tuned is not None:
        merged: Any = tuned.merge_and_unload()
        part = out.with_name(f"{out.name}.part")  # whoever is begun again must not take a half for a model
        merged.save_pretrained(part)
        form.tokenizer.save_pretrained(part)
        if out.is_dir():
            out.rmdir()
        part.replace(out)


def _check_run(run: Path, fsdp: bool) -> None:
    whole = run.is_dir() and get_last_checkpoint(str(run)) is not None
    if whole if fsdp else kept(run) is not None:
        raise UsageError(
            f"{run} was begun {'without' if fsdp else 'with'} --fsdp; go on so, or give another --run"
        )


def _adapted(folder: Path, form: TextFormat, recipe: Recipe) -> PeftModel:
    """The model with fresh adapters, the same in every process."""
    try:
        model = pretrained(folder, "auto")
    except (OSError, ValueError, SafetensorError) as error:
        raise ModelUnavailable(f"{folder}: {str(error).splitlines()[0]}") from None
    _check_vocabulary(folder, model.get_input_embeddings().num_embeddings, len(form.tokenizer))
    set_seed(recipe.seed)  # adapters begin at random
    config = LoraConfig(
        r=recipe.rank, lora_alpha=2 * recipe.rank, target_modules="all-linear", task_type="CAUSAL_LM"
    )
    adapted: PeftModel = get_peft_model(model, config)
    return adapted


def _tuned(model: PeftModel, data: ChatEdits, recipe: Recipe, run: Path) -> PeftModel | None:
    """The model with trained adapters, in the process that is to write it."""
    trainer = Trainer(model, _arguments(recipe, run), data_collator=padded, train_dataset=data)
    trainer.train(resume_from_checkpoint=get_last_checkpoint(str(run)) if run.is_dir() else None)
    return trainer.model if trainer.is_world_process_zero() else None


def _tuned_split(
    folder: Path, model: PeftModel, data: ChatEdits, recipe: Recipe, run: Path
) -> PeftModel | None:
    from fastedit.train.sharded import ShardedTrainer

    trainer = ShardedTrainer(model, recipe, run)
    adapters = trainer.run(iter(data))
    trainer.close()
    if trainer.rank != 0:
        return None
    whole = _adapted(folder, data.form, recipe)
    whole.load_state_dict(adapters, strict=False)
    return whole


def _check_vocabulary(folder: Path, rows: int, tokens: int) -> None:
    if tokens > rows:
        raise ModelUnavailable(
            f"{folder}: its tokenizer has {tokens} tokens and its embedding {rows} rows; they do not belong together"
        )


def _arguments(recipe: Recipe, run: Path) -> TrainingArguments:
    gpu = torch.cuda.is_available()
    return TrainingArguments(
        output_dir=str(run),
        max_steps=recipe.steps,
        per_device_train_batch_size=recipe.batch,
        gradient_accumulation_steps=recipe.accumulate,
        gradient_checkpointing=gpu,
        learning_rate=recipe.rate,
        lr_scheduler_type="cosine",
        warmup_steps=recipe.warmup,
        bf16=gpu,
        use_cpu=not gpu,
        logging_steps=10,
        save_steps=recipe.save_every,
        save_total_limit=2,
        report_to=[],
        seed=recipe.seed,
        remove_unused_columns=False,
        # Each process makes all examples and keeps its share: those of one batch are padded to one length.
        accelerator_config={"dispatch_batches": False},
    )
