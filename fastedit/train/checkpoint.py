"""The state that a training run goes on from: one file in its folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

NAME = "last.pt"


def keep(state: dict[str, Any], folder: Path) -> None:
    """A run that dies meanwhile leaves the state before."""
    part = folder / f"{NAME}.part"
    torch.save(state, part)
    part.replace(folder / NAME)


def kept(folder: Path, device: torch.device | str = "cpu") -> dict[str, Any] | None:
    """The state, its tensors on `device`; None where the folder has none."""
    path = folder / NAME
    if not path.exists():
        return None
    state: dict[str, Any] = torch.load(path, map_location=device, weights_only=True)
    return state
