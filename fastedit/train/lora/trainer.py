"""Trains a model's adapters: in one process, or in those of torchrun, of which each takes its share of the examples.

A model that no single GPU holds is split over the processes (PyTorch's FSDP2): each loads the weights into its own main
memory and gives its device a part of each layer; a layer is whole on a device only while it works. Checkpoints hold the
adapters alone, whole, so a run may go on with another number of processes, split or not.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
import torch.nn.functional as F
from peft import PeftModel
from torch import Tensor
from torch.distributed.checkpoint.state_dict import (
    StateDictOptions,
    get_model_state_dict,
    get_optimizer_state_dict,
    set_model_state_dict,
    set_optimizer_state_dict,
)
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.nn.utils.rnn import pad_sequence
from transformers import get_cosine_schedule_with_warmup

from fastedit.train.loop import LOG, add_row, forget_later, keep, kept

LOGGED_STEPS = 10
WHOLE = StateDictOptions(full_state_dict=True, cpu_offload=True, ignore_frozen_params=True, strict=False)
Row = dict[str, list[int]]
IGNORED = -100  # the label of a token that is not learned


@dataclass(frozen=True, slots=True)
class LoraRecipe:
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


def padded(rows: Sequence[Row]) -> dict[str, Tensor]:
    """Examples as tensors [rows, longest], padded after their ends."""
    ids, labels = ([torch.tensor(row[name]) for row in rows] for name in ("input_ids", "labels"))
    return {
        "input_ids": pad_sequence(ids, batch_first=True),
        "labels": pad_sequence(labels, batch_first=True, padding_value=IGNORED),
        "attention_mask": pad_sequence([torch.ones_like(row) for row in ids], batch_first=True),
    }


class LoraTrainer:
    """Trains the adapters of `model` in place; one in each process. With `split` they share the model."""

    def __init__(self, model: PeftModel, recipe: LoraRecipe, folder: Path, *, split: bool = False) -> None:
        gpu = torch.cuda.is_available()
        self.device = (
            torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0"))) if gpu else torch.device("cpu")
        )
        if gpu:
            torch.cuda.set_device(self.device)
        self.model, self.recipe, self.folder, self.step = model, recipe, folder, 0
        self.rank, self.world, self._split = 0, int(os.environ.get("WORLD_SIZE", "1")), split
        if self.world > 1:
            mesh = init_device_mesh(self.device.type, (self.world,))
            self.rank = mesh.get_rank()
        base: Any = model.get_base_model()
        if gpu:
            base.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
        if split:
            for module in list(model.modules()):
                if type(module).__name__ in (base._no_split_modules or ()):
                    fully_shard(module, mesh=mesh)
            fully_shard(model, mesh=mesh)
        else:
            model.to(self.device)
        model.train()
        self._learned = {name: weight for name, weight in model.named_parameters() if weight.requires_grad}
        self.optimizer = torch.optim.AdamW(self._learned.values(), lr=recipe.rate, weight_decay=0.0)
        self.schedule = get_cosine_schedule_with_warmup(self.optimizer, recipe.warmup, recipe.steps)
        folder.mkdir(parents=True, exist_ok=True)

    def run(self, examples: Iterator[Row]) -> dict[str, Tensor]:
        """Train to the end, from where the folder's run stands; returns the adapters, on rank 0 alone."""
        self._resume()
        mine = islice(examples, self.rank, None, self.world)
        a_step = self.recipe.batch * self.recipe.accumulate
        following = islice(mine, self.step * a_step, None)
        while self.step < self.recipe.steps:
            loss = self._one_step(list(islice(following, a_step)))
            if self.step % LOGGED_STEPS == 0 or self.step == self.recipe.steps:
                self._log(loss)
            if self.step % self.recipe.save_every == 0 or self.step == self.recipe.steps:
                self._save()
        return self._adapters()

    def close(self) -> None:
        """Behind it processes need not wait for each other. They leave together: who still talks to one that is gone
        is aborted."""
        if self.world > 1:
            dist.barrier()
            dist.destroy_process_group()

    def _one_step(self, rows: Sequence[Row]) -> float:
        """The mean loss over the answers' tokens of all processes."""
        answers = sum(label != IGNORED for row in rows for label in row["labels"][1:])
        tokens = self._summed(torch.tensor([float(answers)], device=self.device)).item()
        summed = torch.zeros(1, device=self.device)
        for at in range(0, len(rows), self.recipe.batch):
            loss = self._summed_loss(rows[at : at + self.recipe.batch])
            # Gradients are averaged over processes, and what counts is the mean over all their tokens.
            torch.autograd.backward(loss * (self.world / tokens))
            summed += loss.detach()
        if not self._split:
            for weight in self._learned.values():
                if weight.grad is not None:
                    weight.grad = self._summed(weight.grad) / self.world
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.schedule.step()
        self.optimizer.zero_grad()
        self.step += 1
        return self._summed(summed).item() / tokens

    def _summed(self, tensor: Tensor) -> Tensor:
        """Over all processes."""
        if self.world > 1:
            dist.all_reduce(tensor)
        return tensor

    def _summed_loss(self, rows: Sequence[Row]) -> Tensor:
        batch = {name: tensor.to(self.device) for name, tensor in padded(rows).items()}
        labels = batch.pop("labels")[:, 1:]
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            logits: Tensor = self.model(**batch, use_cache=False).logits[:, :-1]
        return F.cross_entropy(
            logits.float().flatten(0, 1), labels.flatten(), ignore_index=IGNORED, reduction="sum"
        )

    def _adapters(self) -> dict[str, Tensor]:
        found: Any = get_model_state_dict(self.model, options=WHOLE)
        # Frozen weights that are tied come along under their second name.
        return {name: tensor for name, tensor in found.items() if name in self._learned}

    def _save(self) -> None:
        state = {
            "model": self._adapters(),
            "optimizer": get_optimizer_state_dict(self.model, self.optimizer, options=WHOLE),
            "schedule": self.schedule.state_dict(),
            "step": self.step,
        }
        if self.rank == 0:
            keep(state, self.folder)
        if self.world > 1:
            dist.barrier()

    def _resume(self) -> None:
        state = kept(self.folder)
        if state is not None:
            set_model_state_dict(self.model, state["model"], options=WHOLE)
            set_optimizer_state_dict(self.model, self.optimizer, state["optimizer"], options=WHOLE)
            self.schedule.load_state_dict(state["schedule"])
            self.step = state["step"]
        if self.rank == 0:
            forget_later(self.folder / LOG, self.step)

    def _log(self, loss: float) -> None:
        if self.rank == 0:
            print(
                add_row(self.folder, {"step": self.step, "loss": loss, "processes": self.world}), flush=True
            )
