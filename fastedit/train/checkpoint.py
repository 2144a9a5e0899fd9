"""What a training run keeps in its folder: the state that it goes on from, and its log."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch

from fastedit.errors import ModelUnavailable

NAME, LOG = "last.pt", "log.jsonl"


def keep(state: dict[str, Any], folder: Path) -> None:
    """A run that dies meanwhile leaves the state before."""
    part = folder / f"{NAME}.part"
    torch.save(state, part)
    part.replace(folder / NAME)


def add_row(folder: Path, row: Mapping[str, Any]) -> str:
    """Adds a row to the run's log, and returns it as it stands there."""
    line = json.dumps(row)
    with (folder / LOG).open("a", encoding="utf-8") as out:
        out.write(line + "\n")
    return line


def forget_later(log: Path, step: int) -> None:
    """Drop what a run that died wrote into its log (JSON lines with `step`) after the state that it goes on from."""
    if log.exists():
        # A row that was being written when the run died has no end.
        rows = [row for row in log.read_text().splitlines(keepends=True) if row.endswith("\n")]
        log.write_text("".join(row for row in rows if json.loads(row)["step"] <= step))


def kept(folder: Path, device: torch.device | str = "cpu") -> dict[str, Any] | None:
    """The state, its tensors on `device`; None where the folder has none. Raises ModelUnavailable."""
    path = folder / NAME
    if not path.exists():
        return None
    try:
        state: dict[str, Any] = torch.load(path, map_location=device, weights_only=True)
    except (OSError, EOFError, RuntimeError, UnpicklingError):
        raise ModelUnavailable(f"{path}: no state of a run, or a torn one; delete it to begin anew") from None
    return state
