"""What a margin of the model's is worth: how often answers with such a one were right."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from fastedit.errors import ModelUnavailable

KEY = "calibration"  # in the model's config.json


@dataclass(frozen=True, slots=True)
class Calibration:
    """The confidence is a logistic curve over the least margin of an answer, 1/2 at `middle`.

    Fitted to answers for which nothing but the model speaks, on packages that neither training nor testing sees:
    `python -m evals.calibration`. Below `suspect` an answer is not delivered as ok.
    """

    middle: float
    slope: float
    suspect: float

    def confidence(self, margin: float | None) -> float:
        """From 0 to 1. An answer that only copies has no margin: nothing is known against it."""
        return 1.0 if margin is None else 1.0 / (1.0 + math.exp(-self.slope * (margin - self.middle)))


@lru_cache(maxsize=8)
def calibration_of(folder: Path) -> Calibration | None:
    """What a model's folder says of it; None for a model that nobody has calibrated. Raises ModelUnavailable."""
    file = folder / "config.json"
    try:
        kept = json.loads(file.read_text()).get(KEY)
        return None if kept is None else Calibration(**kept)
    except (OSError, ValueError, TypeError) as error:
        raise ModelUnavailable(f"{file}: no usable {KEY} ({error}); fetch the model again") from None
