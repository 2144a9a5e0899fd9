"""Batches from several processes: on a GPU one process cannot make examples as fast as they are used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.train.corpus import SourceFile
from fastedit.train.examples import Example, ExampleSource, Stage, batches
from fastedit.train.real import RealChanges

WORKER_STRIDE = 1_000_003  # keeps the seeds of workers and of resumed runs apart


@dataclass(frozen=True, eq=False)
class BatchLoader(IterableDataset[list[Example]]):
    """An endless stream of batches of about `tokens` tokens each."""

    files: Sequence[SourceFile]
    form: EmbeddedFormat
    stage: Stage
    seed: int
    tokens: int
    real: RealChanges | None = None

    def __iter__(self) -> Iterator[list[Example]]:
        worker = get_worker_info()
        seed = self.seed + (0 if worker is None else WORKER_STRIDE * (worker.id + 1))
        return batches(iter(ExampleSource(self.files, self.form, self.stage, seed, self.real)), self.tokens)

    def stream(self, workers: int, step: int = 0) -> Iterator[list[Example]]:
        """The batches that follow a step, made here (`workers` 0) or in that many processes."""
        following = replace(self, seed=self.seed + step)
        return iter(DataLoader[list[Example]](following, batch_size=None, num_workers=workers))
