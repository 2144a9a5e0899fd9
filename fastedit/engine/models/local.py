"""Models that run on this machine, where what runs them is installed (the extra `local`)."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from fastedit.engine.models.folder import model_folder
from fastedit.errors import ModelUnavailable, WayOut, not_installed
from fastedit.model.settings import ModelSettings

if TYPE_CHECKING:
    from fastedit.engine.models.load import LoadedModel


def runs_models() -> bool:
    """Whether any can."""
    return find_spec("torch") is not None


def loaded(model: str, settings: ModelSettings) -> LoadedModel:
    """The model of this name. Its code is imported here, so that planning, merging and asking a server never load
    torch. Raises ModelUnavailable."""
    model_folder(model)
    if not runs_models():
        said = f"the model {model} runs on this machine, and {not_installed('torch', 'local')}"
        raise ModelUnavailable(f"{said}, or connect a model", ways_out=(WayOut.CONNECT,))
    from fastedit.engine.models.load import load_model

    return load_model(model, settings)
