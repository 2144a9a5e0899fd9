"""Low-rank adaptation of any causal language model to edits (Hu et al. 2021, LoRA), in the prompt it is asked in.

The library does the training: transformers' Trainer (which also runs under torchrun) and PEFT. Here stand the examples
and what a user meets: a run that resumes, and a folder at its end that `fastedit apply --model` takes.
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
from fastedit.prompt.chat import ChatFormat
from fastedit.prompt.tagged import Tags, answer_text
from fastedit.train.examples import ExampleSource

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


class ChatEdits(IterableDataset[dict[str, list[int]]]):
    """An endless stream of edits as token ids with labels: only the answer and its stop token are learned."""

    def __init__(self, source: ExampleSource, form: ChatFormat, longest: int) -> None:
        self._source, self._form, self._longest = source, form, longest

    def __iter__(self) -> Iterator[dict[str, list[int]]]:
        for example in self._source:
            prompt = list(self._form.encode(example.task, None).ids)
            answer = self._form.text_ids(answer_text(example.change.text, Tags.avoiding(example.task)))
            ids = [*prompt, *answer, self._form.end]
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


def finetune(folder: Path, source: ExampleSource, recipe: Recipe, run: Path, out: Path) -> None:
    """Train adapters of the model in `folder`, resuming where `run` stands, and write the merged model to `out`.

    Raises ModelUnavailable where the folder holds no usable model and UsageError where memory does not suffice.
    """
    form = ChatFormat.load(folder)
    try:
        model = pretrained(folder, "auto")
    except (OSError, ValueError, SafetensorError) as error:
        raise ModelUnavailable(f"{folder}: {str(error).splitlines()[0]}") from None
    _check_vocabulary(folder, model.get_input_embeddings().num_embeddings, len(form.tokenizer))
    set_seed(recipe.seed)  # adapters begin at random
    adapted = get_peft_model(
        model,
        LoraConfig(
            r=recipe.rank, lora_alpha=2 * recipe.rank, target_modules="all-linear", task_type="CAUSAL_LM"
        ),
    )
    trainer = Trainer(
        adapted,
        _arguments(recipe, run),
        data_collator=padded,
        train_dataset=ChatEdits(source, form, recipe.longest),
    )
    try:
        trainer.train(resume_from_checkpoint=get_last_checkpoint(str(run)) if run.is_dir() else None)
    except torch.OutOfMemoryError:
        raise UsageError(
            f"out of memory with {recipe.batch} examples of up to {recipe.longest} tokens; lower --batch or --longest"
        ) from None
    if trainer.is_world_process_zero():
        _merge(trainer.model, form, out)


def _check_vocabulary(folder: Path, rows: int, tokens: int) -> None:
    if tokens > rows:
        raise ModelUnavailable(
            f"{folder}: its tokenizer has {tokens} tokens and its embedding {rows} rows; they do not belong together"
        )


def _merge(model: PeftModel, form: ChatFormat, out: Path) -> None:
    merged: Any = model.merge_and_unload()
    merged.save_pretrained(out)
    form.tokenizer.save_pretrained(out)


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
        warmup_steps=min(20, recipe.steps // 10),
        bf16=gpu,
        use_cpu=not gpu,
        logging_steps=10,
        save_steps=max(1, min(50, recipe.steps // 2)),
        save_total_limit=2,
        report_to=[],
        seed=recipe.seed,
        remove_unused_columns=False,
        # Each process makes all examples and keeps its share: those of one batch are padded to one length.
        accelerator_config={"dispatch_batches": False},
    )
