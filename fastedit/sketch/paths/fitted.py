"""What was fitted on sketches, as it is kept beside this module; docs/merge.md says how."""

from __future__ import annotations

from functools import cache
from json import loads
from pathlib import Path
from typing import Any, Final

WEIGHTS: Final = Path(__file__).with_name("weights.json")


@cache
def fitted() -> dict[str, Any]:
    """By part, read once: `weights` of paths, `evidence` of texts, `words` of comments, and `whole`."""
    found: dict[str, Any] = loads(WEIGHTS.read_text("utf-8"))
    return found
