"""What a folder of weights offers, read off its configuration and the headers of its files. Loads no weight, no torch.

Names of tensors and settings: transformers' models, multi-token-prediction modules (DeepSeek-V3, GLM, MiMo,
Qwen3-Next), EAGLE heads of SafeAILab, SpecForge and speculators, P-EAGLE heads of speculators and vLLM, Medusa and
Hydra heads, IBM's MLP speculators, PEFT's adapters.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any

from fastedit.errors import ModelUnavailable

Shapes = Mapping[str, tuple[int, ...]]
_LAYER = re.compile(r"model\.layers\.(\d+)\.")
_MTP = re.compile(r"(?:^|\.)mtp(?:_layers|\.layers)?\.(\d+)\.")
_MEDUSA = re.compile(r"(?:^|\.)medusa_heads?\.(\d+)\.|^(\d+)\.\d+\.linear\.")
_MTP_SETTINGS = ("num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules")
MASK_SETTINGS = ("pard_token", "ptd_token_id", "mask_token_id")  # what vLLM, AWS and speculators call it
# Kinds of heads, and what the drafters are called that each serves.
_DRAFTERS = {
    "eagle head": ("eagle", "online"),
    "p-eagle head": ("p-eagle",),
    "medusa heads": ("medusa",),
    "hydra heads": ("hydra",),
    "mlp speculator": ("mlp",),
    "lstm speculator": ("lstm",),
}
_WIDTHS = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "U8": 1, "I8": 1, "BOOL": 1}


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """`kind` is "model", "adapter" or one of those in _DRAFTERS; `detail` which of that kind.

    `parameters` and `bytes` are None where the weights are in no safetensors file; `sizes` are what the configuration
    gives, by its names; `heads` counts Medusa or Hydra heads, `mtp` multi-token-prediction modules; `own` are the
    drafters that come with a model.
    """

    folder: Path
    kind: str
    detail: str
    vocab: int | None
    parameters: int | None
    bytes: int | None
    dtypes: tuple[str, ...]
    heads: int = 0
    mtp: int = 0
    sizes: dict[str, int] = field(default_factory=dict)
    tokenizer: bool = False
    own: tuple[str, ...] = ()

    def drafters(self) -> list[str]:
        """The settings of a drafter that it can serve."""
        name = str(self.folder)
        if self.kind == "model":
            exits = self.sizes.get("num_hidden_layers", 0) - 1
            early = [f"layerskip=1 to layerskip={exits}"] if exits > 0 else []
            return [*self.own, *early, f"draft={name}", f"cascade={name}"]
        return [f"{drafter}={name}" for drafter in _DRAFTERS.get(self.kind, ())]


def read_checkpoint(folder: Path) -> Checkpoint:
    """Raises ModelUnavailable for a folder that holds neither a model nor what drafts for one."""
    config = _config(folder)
    shapes, dtypes, size = _tensors(folder)
    kind, detail = _kind(config, shapes)
    if kind is None:
        raise ModelUnavailable(
            f"{folder}: neither a language model nor a drafter's heads ({detail}): name another folder"
        )
    layer = _part(_part(config, "text_config"), "transformer_layer_config")
    vocab = layer.get("vocab_size") or config.get("vocab_size")
    return Checkpoint(
        folder=folder,
        kind=kind,
        detail=detail,
        vocab=vocab if isinstance(vocab, int) else None,
        parameters=_parameters(shapes) if shapes else None,
        bytes=size if shapes else None,
        dtypes=dtypes,
        heads=_number(config, "medusa_num_heads", "hydra_num_heads") or _count(_MEDUSA, shapes),
        mtp=_mtp(config, shapes),
        sizes={name: layer[name] for name in _SIZES if isinstance(layer.get(name), int)},
        tokenizer=any((folder / name).is_file() for name in ("tokenizer.json", "tokenizer.model")),
        own=_own(folder, config, shapes) if kind == "model" else (),
    )


_SIZES = (
    "num_hidden_layers",
    "hidden_size",
    "num_attention_heads",
    "num_key_value_heads",
    "max_position_embeddings",
    "draft_vocab_size",
    "target_hidden_size",
    "n_predict",
)


def architectures(config: Mapping[str, Any]) -> list[str]:
    """Those that the configuration names."""
    named = config.get("architectures")
    return [str(name) for name in named] if isinstance(named, list) else []


def _part(config: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The part of this name; the whole where there is none."""
    part = config.get(name)
    return part if part and isinstance(part, dict) else config


def _number(config: Mapping[str, Any], *names: str) -> int:
    """The first of these that is given; 0 where none is a whole number."""
    return next((config[name] for name in names if isinstance(config.get(name), int) and config[name]), 0)


def _config(folder: Path) -> dict[str, Any]:
    for name in ("config.json", "adapter_config.json"):
        file = folder / name
        if not file.is_file():
            continue
        try:
            config = json.loads(file.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise ModelUnavailable(f"{file}: cannot be read ({error}): fetch the checkpoint again") from None
        if not isinstance(config, dict):
            raise ModelUnavailable(f"{file}: is not a configuration: fetch the checkpoint again")
        return config
    if not folder.is_dir():
        raise ModelUnavailable(f"{folder}: no such folder: name another one")
    raise ModelUnavailable(f"{folder}: no checkpoint there, for it has no config.json: name another folder")


def _tensors(folder: Path) -> tuple[dict[str, tuple[int, ...]], tuple[str, ...], int]:
    """Shapes by name, types, and bytes, of all safetensors files."""
    shapes: dict[str, tuple[int, ...]] = {}
    dtypes: set[str] = set()
    size = 0
    for file in sorted(folder.glob("*.safetensors")):
        try:
            with file.open("rb") as stream:
                header = json.loads(stream.read(int.from_bytes(stream.read(8), "little")))
            header.pop("__metadata__", None)
            for name, tensor in header.items():
                shapes[name] = tuple(tensor["shape"])
                dtypes.add(tensor["dtype"])
                size += prod(tensor["shape"]) * _WIDTHS.get(tensor["dtype"], 1)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, MemoryError, OverflowError):
            raise ModelUnavailable(f"{file}: is not a safetensors file: fetch the checkpoint again") from None
    return shapes, tuple(sorted(dtypes)), size


def _parameters(shapes: Shapes) -> int:
    """The scales of weights in int8 (`model/storage.py`) are none."""
    return sum(
        prod(shape)
        for name, shape in shapes.items()
        if name.removesuffix("_scale") not in shapes.keys() - {name}
    )


def _kind(config: Mapping[str, Any], shapes: Shapes) -> tuple[str | None, str]:
    names = architectures(config)
    said = config.get("speculators_model_type")
    if said is not None:
        kinds = {
            "eagle3": "eagle head",
            "eagle": "eagle head",
            "peagle": "p-eagle head",
            "mlp": "mlp speculator",
        }
        return kinds.get(str(said)), f"speculators, {said}"
    if config.get("model_type") == "mlp_speculator":
        lstm = config.get("method") == "sum_lstm"
        return ("lstm speculator", "Arctic") if lstm else ("mlp speculator", "accelerator layout")
    if "hydra_num_heads" in config:
        return "hydra heads", f"Hydra, {config.get('hydra_head_arch', 'mlp')}"
    if "medusa_num_heads" in config or _count(_MEDUSA, shapes):
        return "medusa heads", "Medusa"
    if (
        "eagle_config" in config
        or "draft_vocab_size" in config
        or any("eagle" in name.lower() for name in names)
    ):
        if any(name in config for name in MASK_SETTINGS) or "PEagleDraftModel" in names:
            return "p-eagle head", "vLLM layout"
        return "eagle head", "SpecForge" if "eagle_config" in config else "EAGLE-3"
    if "peft_type" in config:
        return (
            "adapter",
            f"{config['peft_type']} for {config.get('base_model_name_or_path') or 'an unnamed model'}",
        )
    if "fc.weight" in shapes:
        return "eagle head", "EAGLE-1 or -2"
    causal = next(
        (name for name in names if name.endswith(("ForCausalLM", "ForConditionalGeneration"))), None
    )
    if causal is None:
        return None, ", ".join(names) or str(
            config.get("model_type", "its configuration names no architecture")
        )
    own = config.get("prompt_format")
    return "model", causal if own is None else f"{causal}, prompt format {own}"


def _own(folder: Path, config: Mapping[str, Any], shapes: Shapes) -> tuple[str, ...]:
    """An EAGLE head beside the weights, and modules among them whose blocks are dense and attend plainly."""
    head = _DRAFTERS["eagle head"] if (folder / "eagle" / "config.json").is_file() else ()
    plain = not any(".experts." in name or ".kv_a_proj" in name for name in shapes)
    return (*head, *(("mtp",) if plain and _mtp(config, shapes) else ()))


def _count(pattern: re.Pattern[str], shapes: Shapes) -> int:
    """How many numbers the pattern finds in the names."""
    found = (pattern.search(name) for name in shapes)
    return len({next(g for g in match.groups() if g is not None) for match in found if match})


def _mtp(config: Mapping[str, Any], shapes: Shapes) -> int:
    """As the tensors say: a module may be announced and left out. Where no tensor can be read, as announced."""
    text = _part(config, "text_config")
    announced = _number(text, *_MTP_SETTINGS)
    if not shapes:
        return announced
    layers = _number(text, "num_hidden_layers")
    numbers = {int(match[1]) for name in shapes if (match := _LAYER.match(name))}
    behind = sum(number >= layers for number in numbers)
    return behind or _count(_MTP, shapes)
