"""What the side-by-side run asks of a peer."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from evals.ways import Decode
from fastedit.engine.models import LoadedModel


@dataclass(frozen=True, slots=True)
class Bench:
    """What all peers of a run share: the same weights, the same number of threads, a folder for their files."""

    model: LoadedModel
    folder: Path
    scratch: Path
    threads: int


@dataclass(frozen=True, slots=True)
class Peer:
    """One way to decode a prompt. `package` must be importable; `decoder` loads the weights and returns the way."""

    name: str
    package: str
    decoder: Callable[[Bench], Decode]

    def lacking(self) -> str | None:
        """Why this peer cannot run here; None where it can."""
        if importlib.util.find_spec(self.package) is None:
            return f"{self.package} is not installed"
        return None
