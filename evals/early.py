"""The first layers of a model, saved as a model of their own: a draft model without any training."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

from safetensors.torch import save_file

from fastedit.model.storage import read_weights

_LAYER = re.compile(r"model\.layers\.(\d+)\.")


def save_early(folder: Path, layers: int, out: Path) -> None:
    """Writes the first `layers` layers of the model in `folder` to `out`."""
    out.mkdir(parents=True)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    assert 0 < layers <= config["num_hidden_layers"]
    config["num_hidden_layers"] = layers
    if config.get("layer_types"):
        config["layer_types"] = config["layer_types"][:layers]
    (out / "config.json").write_text(json.dumps(config, indent=2), "utf-8")
    weights = read_weights(folder)
    kept = {
        name: w for name, w in weights.items() if (at := _LAYER.match(name)) is None or int(at[1]) < layers
    }
    save_file(kept, out / "model.safetensors", metadata={"format": "pt"})
    if (folder / "tokenizer.json").exists():
        shutil.copy(folder / "tokenizer.json", out / "tokenizer.json")
