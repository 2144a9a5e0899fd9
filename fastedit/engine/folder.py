"""Which folder a model's name stands for. Knows no tensor, so that a wrong name is told before torch is imported."""

from __future__ import annotations

import json
from pathlib import Path

from fastedit.errors import ModelUnavailable

EMBEDDED = Path(__file__).parent.parent / "model" / "weights"


def is_address(name: str) -> bool:
    """Whether the model is behind a server's address."""
    return name.startswith(("http://", "https://"))


def only_edits(name: str) -> bool:
    """Whether the model was trained by fastedit, for edits and nothing else. Raises ModelUnavailable."""
    if is_address(name):
        return False
    try:
        config = json.loads((model_folder(name) / "config.json").read_text("utf-8"))
        return config.get("prompt_format") is not None
    except (OSError, ValueError, AttributeError) as error:
        raise ModelUnavailable(
            f"{name}: config.json cannot be read ({error}); fetch the model again"
        ) from None


def model_folder(name: str) -> Path:
    """The folder of `embedded`, or the one that `name` is. Raises ModelUnavailable where it holds no model."""
    folder = EMBEDDED if name == "embedded" else Path(name)
    try:
        if not folder.is_dir():
            raise ModelUnavailable(
                f"{name}: no such model folder; give a local folder, a server's address or `embedded`"
            )
        found = (folder / "config.json").is_file()
    except OSError as error:
        raise ModelUnavailable(
            f"{name}: {error.strerror or error}; give a local folder, a server's address or `embedded`"
        ) from None
    if not found:
        raise ModelUnavailable(
            f"no model in {folder}: expected a folder with config.json and safetensors weights"
        )
    return folder
