"""How a model is to run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fastedit.errors import UsageError

Exactness = Literal["default", "bitwise"]
WeightFormat = Literal["default", "fp8", "int4"]


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """`bitwise` gives a row of a pass the same bits whatever rows run with it: greedy answers do not depend on drafts,
    batch or cache. `weights` are kept as the folder has them (in the type that the device computes in), or quantized.

    Raises UsageError for both at once.
    """

    exactness: Exactness = "default"
    weights: WeightFormat = "default"

    def __post_init__(self) -> None:
        if self.exactness == "bitwise" and self.weights != "default":
            raise UsageError(f"products of {self.weights} weights are not bitwise exact: drop one of the two")


DEFAULT = ModelSettings()
