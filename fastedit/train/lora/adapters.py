"""Low-rank adaptation of any causal language model to edits (Hu et al. 2021, LoRA), in the prompt it is asked in.

PEFT has the adapters, `lora_trainer.py` trains them. Here stand the examples and what a user meets: a run that resumes,
and a folder at its end that `fastedit apply --model` takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from safetensors import SafetensorError

from fastedit.engine.models.load import check_vocabulary
from fastedit.errors import ModelUnavailable, UsageError
from fastedit.model.storage import pretrained
from fastedit.prompt.load import load_format
from fastedit.prompt.text import TextFormat
from fastedit.train.loop import out_of_memory
from fastedit.train.lora.trainer import IGNORED, LoraRecipe, LoraTrainer, Row
from fastedit.train.synthesis.examples import Example, ExampleSource, fitting


class ChatEdits:
    """An endless stream of edits as token ids with labels: only the answer and its stop token are learned."""

    def __init__(self, source: ExampleSource, form: TextFormat, longest: int) -> None:
        self._source, self.form, self._longest = source, form, longest

    def __iter__(self) -> Iterator[Row]:
        return fitting(map(self._row, self._source))

    def _row(self, example: Example) -> Row | None:
        """None where it is too long."""
        prompt = list(self.form.encode(example.task, None).ids)
        ids = [*prompt, *self.form.answer(example.task, example.change.text), self.form.end]
        if len(ids) > self._longest:
            return None
        return {"input_ids": ids, "labels": [IGNORED] * len(prompt) + ids[len(prompt) :]}


def finetune(
    folder: Path, source: ExampleSource, recipe: LoraRecipe, run: Path, out: Path, *, fsdp: bool = False
) -> None:
    """Train adapters of the model in `folder`, resuming where `run` stands, and write the merged model to `out`.

    With `fsdp` each process of torchrun holds a part of the model. Raises ModelUnavailable where the folder holds no
    usable model and UsageError where memory does not suffice.
    """
    form = load_format(folder)
    data = ChatEdits(source, form, recipe.longest)
    try:
        tuned = _tuned(folder, data, recipe, run, fsdp=fsdp)
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


def _adapted(folder: Path, form: TextFormat, recipe: LoraRecipe) -> PeftModel:
    """The model with fresh adapters, the same in every process."""
    try:
        model = pretrained(folder, "auto")
    except (OSError, ValueError, SafetensorError) as error:
        raise ModelUnavailable(f"{folder}: {str(error).splitlines()[0]}") from None
    rows, tokens = model.get_input_embeddings().num_embeddings, len(form.tokenizer)
    check_vocabulary(folder, tokens, rows, fits=tokens <= rows)
    torch.manual_seed(recipe.seed)  # adapters begin at random
    config = LoraConfig(
        r=recipe.rank, lora_alpha=2 * recipe.rank, target_modules="all-linear", task_type="CAUSAL_LM"
    )
    adapted: PeftModel = get_peft_model(model, config)
    return adapted


def _tuned(folder: Path, data: ChatEdits, recipe: LoraRecipe, run: Path, *, fsdp: bool) -> PeftModel | None:
    """The model with trained adapters, in the process that is to write it."""
    model = _adapted(folder, data.form, recipe)
    trainer = LoraTrainer(model, recipe, run, split=fsdp)
    adapters = trainer.run(iter(data))
    trainer.close()
    if trainer.rank != 0 or not fsdp:
        return model if trainer.rank == 0 else None
    whole = _adapted(folder, data.form, recipe)
    whole.load_state_dict(adapters, strict=False)
    return whole
