"""What the side-by-side run asks of a peer."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch

from evals.ways import Decode
from fastedit.engine.models import LoadedModel
from fastedit.model.storage import is_int8, pretrained


@dataclass(frozen=True, slots=True)
class Bench:
    """What all peers of a run share: the same weights, the same number of threads, a folder for their files."""

    model: LoadedModel
    folder: Path
    scratch: Path
    threads: int

    def standard_folder(self) -> Path:
        """Where other engines can read the weights from: they know no storage of ours."""
        if not is_int8(self.folder):
            return self.folder
        copy = self.scratch / "bfloat16"
        if not copy.exists():
            pretrained(self.folder, torch.bfloat16).save_pretrained(copy)
        return copy


@dataclass(frozen=True, slots=True)
class Peer:
    """One way to decode a prompt. `package` must be importable; `decoder` loads the weights and returns the way."""

    name: str
    package: str
    decoder: Callable[[Bench], Decode]
    needs_gpu: bool = False

    def lacking(self) -> str | None:
        """Why this peer cannot run here; None where it can."""
        if importlib.util.find_spec(self.package) is None:
            return f"{self.package} is not installed"
        if self.needs_gpu and not torch.cuda.is_available():
            return "it needs a GPU"
        return None
