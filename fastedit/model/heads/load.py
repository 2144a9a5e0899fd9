"""An EAGLE head from a folder, refused where it does not belong to the target."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import torch
from safetensors.torch import load_file
from torch import Tensor

from fastedit.errors import ModelUnavailable
from fastedit.model.base import Network
from fastedit.model.eagle import EagleHead, HeadShape
from fastedit.model.heads.formats import Format, TargetSizes, format_of

KNOWN = "SafeAILab EAGLE-1 to -3, SpecForge EAGLE-3, speculators eagle and eagle3"
FILES = ("model.safetensors", "pytorch_model.bin")
H = TypeVar("H", bound=EagleHead)
_DIGESTED = 256  # rows of the embedding


def load_head(
    folder: Path, network: Network, dtype: torch.dtype, *, of_these_weights: bool = True
) -> EagleHead:
    """The head in `folder`, on the target's device. Raises ModelUnavailable, naming what differs or is missing.

    `of_these_weights` also asks that the target has the weights that the head was trained for, where it tells them.
    """
    config, tensors = read_config(folder), read_tensors(folder)
    form = format_of(config)
    if form is None:
        said = config.get("speculators_model_type") or config.get("architectures") or config.get("model_type")
        raise ModelUnavailable(
            f"{folder}: no format of EAGLE heads that is known ({said}); known are {KNOWN}"
        )
    return built(EagleHead, folder, form, config, tensors, network, dtype, of_these_weights=of_these_weights)


def built(
    make: Callable[[HeadShape, Tensor | None, Tensor | None], H],
    folder: Path,
    form: Format,
    config: Mapping[str, Any],
    given: Mapping[str, Tensor],
    network: Network,
    dtype: torch.dtype,
    *,
    of_these_weights: bool = True,
) -> H:
    """The head that `make` makes of its shape, with the tensors of the folder. Raises ModelUnavailable."""
    tensors = renamed(form, given)
    sizes = TargetSizes(network.hidden, network.vocab, network.layers)
    try:
        shape = form.shape(config, tensors, sizes)
    except KeyError as error:
        raise ModelUnavailable(
            f"{folder}: its config.json is no {form.name} head's: {error} is missing"
        ) from None
    except (TypeError, AttributeError) as error:
        raise ModelUnavailable(f"{folder}: its config.json is no {form.name} head's ({error})") from None
    except ValueError as error:
        raise ModelUnavailable(f"{folder}: {error}; choose another head") from None
    _check_target(folder, shape, tensors, sizes)
    if of_these_weights:
        _check_digest(folder, config, network)
    own = "embed_tokens.weight" in tensors
    with torch.device(network.embedding.device):
        head = make(shape, None if own else network.embedding, network.head)
    _check_tensors(folder, form, head, tensors)
    head.load_state_dict(tensors, strict=False)
    return head.to(network.embedding.device, dtype).eval().requires_grad_(False)


def digest(embedding: Tensor) -> str:
    """Tells targets of the same sizes apart, by their first tokens' embeddings as bfloat16 has them."""
    rows = embedding[:_DIGESTED].detach().to("cpu", torch.bfloat16).contiguous()
    return hashlib.sha256(rows.view(torch.int16).numpy().tobytes()).hexdigest()[:16]


def renamed(form: Format, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """By the names of `EagleHead`, without what it does not need."""
    found = {}
    for name, tensor in tensors.items():
        if name.endswith(form.needless):
            continue
        for old, new in form.rename.items():
            if name.startswith(old):
                name = new + name.removeprefix(old)
        found[name] = tensor
    return found


def read_config(folder: Path) -> dict[str, Any]:
    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ModelUnavailable(
            f"no drafter head in {folder}: expected a folder with config.json and {' or '.join(FILES)}"
        ) from error
    if not isinstance(config, dict):
        raise ModelUnavailable(f"{folder / 'config.json'} is not a head's configuration: fetch it again")
    return config


def read_tensors(folder: Path, files: Sequence[str] = FILES, what: str = "head") -> dict[str, Tensor]:
    """The tensors of the first of these files that the folder has. Raises ModelUnavailable."""
    file = next((folder / name for name in files if (folder / name).is_file()), None)
    if file is None:
        raise ModelUnavailable(f"no weights in {folder}: expected {' or '.join(files)}")
    try:
        safe = file.suffix == ".safetensors"
        loaded: dict[str, Tensor] = (
            load_file(file) if safe else torch.load(file, map_location="cpu", weights_only=True)
        )
        return loaded
    except Exception as error:  # a torn file fails in as many ways as there are readers
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ModelUnavailable(f"cannot read the {what} in {folder}: {reason}; fetch it again") from error


def _check_target(folder: Path, shape: HeadShape, tensors: Mapping[str, Tensor], target: TargetSizes) -> None:
    vocab = len(tensors["t2d"]) if "t2d" in tensors else shape.vocab
    for what, mine, theirs in (
        ("hidden states of size", shape.target_hidden, target.hidden),
        ("a vocabulary of", vocab, target.vocab),
    ):
        if mine != theirs:
            raise ModelUnavailable(
                f"{folder}: the head is for a target with {what} {mine}, and this one has {theirs}: choose its own head"
            )
    if max(shape.layers) > target.layers or min(shape.layers) < 0:
        raise ModelUnavailable(
            f"{folder}: the head reads layers {list(shape.layers)}, and the target has {target.layers}: "
            "choose its own head"
        )


def _check_digest(folder: Path, config: Mapping[str, Any], network: Network) -> None:
    told = config.get("verifier_digest")
    if told is not None and told != (mine := digest(network.embedding)):
        name = (
            (config.get("speculators_config") or {}).get("verifier", {}).get("name_or_path", "another model")
        )
        raise ModelUnavailable(
            f"{folder}: the head was trained for {name} with weights {told}, and this target has weights {mine}: "
            "train it again, or use the model that it is for"
        )


def _check_tensors(folder: Path, form: Format, head: EagleHead, tensors: dict[str, Tensor]) -> None:
    """Drops what only tells about the vocabulary."""
    shape = head.shape
    tensors.pop("t2d", None)
    wanted = head.state_dict()
    if shape.draft_vocab == shape.vocab:
        tensors.setdefault("d2t", wanted["d2t"]) if "d2t" in wanted else None
    missing = [name for name in wanted if name not in tensors]
    if missing:
        raise ModelUnavailable(f"{folder}: as a {form.name} head it lacks {_some(missing)}; fetch it again")
    needless = [name for name in tensors if name not in wanted]
    if needless:
        raise ModelUnavailable(f"{folder}: no {form.name} head has {_some(needless)}; choose another head")
    for name, tensor in tensors.items():
        if tensor.shape != wanted[name].shape:
            raise ModelUnavailable(
                f"{folder}: {name} has the sizes {list(tensor.shape)}, and by config.json {list(wanted[name].shape)}"
            )
    if "d2t" in tensors:
        ids = torch.arange(shape.draft_vocab) + tensors["d2t"].cpu()
        if not bool(((ids >= 0) & (ids < shape.vocab)).all()):
            raise ModelUnavailable(f"{folder}: d2t leads outside the target's vocabulary of {shape.vocab}")


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
