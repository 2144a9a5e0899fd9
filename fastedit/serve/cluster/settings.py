"""What a deployment can be told beside what every server can."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from fastedit.engine.models.folder import is_address
from fastedit.serve.settings import ServerSettings


class ClusterSettings(ServerSettings):
    """`workers` is per replica here; `queue`, `rate` and `burst` are per front."""

    min_replicas: int = Field(default=1, ge=1, description="Replicas that are kept without work.")
    max_replicas: int = Field(default=1, ge=1, description="Replicas under load.")
    cpus: float = Field(default=1.0, ge=0, description="CPU cores that a replica takes.")
    gpus: float = Field(default=0.0, ge=0, description="GPUs that a replica takes.")
    fronts: int = Field(default=1, ge=1, description="Processes that take requests.")

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if is_address(self.model):
            raise ValueError("model: one at an address has its own server; use fastedit serve")
        if self.min_replicas > self.max_replicas:
            raise ValueError(
                f"min_replicas {self.min_replicas} is more than max_replicas {self.max_replicas}"
            )
        return self
