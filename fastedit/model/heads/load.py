"""An EAGLE head from a folder, refused where it does not belong to the target."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import torch
from safetensors.torch import load_file
from torch import Tensor

from fastedit.errors import ModelUnavailable
from fastedit.model.base import Network
from fastedit.model.eagle import EagleHead, HeadShape
from fastedit.model.heads.formats import HeadFormat, TargetSizes, format_of

KNOWN = "SafeAILab EAGLE-1 to -3, SpecForge EAGLE-3, speculators eagle and eagle3"
FILES = ("model.safetensors", "pytorch_model.bin")
H = TypeVar("H", bound=EagleHead)
VOCABULARY = ("d2t", "t2d")  # tensors that hold no weights
_DIGESTED = 256  # rows of the embedding
_NAMED = 3  # of the tensors that a message is about


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
    form: HeadFormat,
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
    check_target(folder, network, width=shape.target_hidden, vocab=shape.vocab)
    _check_layers(folder, shape, network.layers)
    if of_these_weights:
        _check_digest(folder, config, network)
    own = "embed_tokens.weight" in tensors
    with torch.device("meta"):  # what the configuration says takes no memory before the tensors say it too
        head = make(shape, None if own else network.embedding, network.head)
    _check_tensors(folder, form, head, tensors)
    device = network.embedding.device
    placed = {
        name: tensor.to(device, torch.int64 if name == "d2t" else dtype, copy=True)
        for name, tensor in tensors.items()
    }
    head.load_state_dict(placed, assign=True)
    return head.eval().requires_grad_(False)


def digest(embedding: Tensor) -> str:
    """Tells targets of the same sizes apart, by their first tokens' embeddings as bfloat16 has them."""
    rows = embedding[:_DIGESTED].detach().to("cpu", torch.bfloat16).contiguous()
    return hashlib.sha256(rows.view(torch.int16).numpy().tobytes()).hexdigest()[:16]


def renamed(form: HeadFormat, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
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
    except OSError as error:
        raise ModelUnavailable(
            f"no drafter head in {folder}: expected a folder with config.json and {' or '.join(FILES)}"
        ) from error
    except ValueError:
        config = None
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
        loaded = load_file(file) if safe else torch.load(file, map_location="cpu", weights_only=True)
    except Exception as error:  # a torn file fails in as many ways as there are readers
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ModelUnavailable(f"cannot read the {what} in {folder}: {reason}; fetch it again") from error
    if not isinstance(loaded, dict):
        raise ModelUnavailable(
            f"{file}: holds a {type(loaded).__name__}, not tensors by name; fetch it again"
        )
    for name, tensor in loaded.items():
        if not isinstance(name, str) or not isinstance(tensor, Tensor):
            raise ModelUnavailable(f"{file}: its {name} is no tensor; fetch it again")
        if not name.endswith(VOCABULARY):
            check_values(file, name, tensor)
    return loaded


def check_values(file: Path, name: str, tensor: Tensor) -> None:
    """Raises ModelUnavailable where a weight is quantized or no number."""
    if not tensor.is_floating_point() or tensor.itemsize == 1:
        raise ModelUnavailable(
            f"{file}: {name} holds {tensor.dtype}, and quantized weights are not supported: choose another head"
        )
    if not bool(tensor.isfinite().all()):
        raise ModelUnavailable(f"{file}: {name} holds values that are infinite or no numbers; fetch it again")


def check_tensors(
    folder: Path, what: str, tensors: Mapping[str, Tensor], wanted: Iterable[tuple[str, Sequence[int]]]
) -> None:
    """Raises ModelUnavailable where a wanted tensor is missing or has other sizes, naming it."""
    missing: list[str] = []
    for name, sizes in wanted:
        if name not in tensors:
            missing.append(name)
            if len(missing) > _NAMED:  # a configuration may announce any number of them
                break
        elif (found := list(tensors[name].shape)) != list(sizes):
            raise ModelUnavailable(
                f"{folder}: {name} has the sizes {found}, and by config.json {list(sizes)}"
            )
    if missing:
        raise ModelUnavailable(f"{folder}: as {what} it lacks {some(missing)}; fetch it again")


def check_target(folder: Path, network: Network, *, width: int | None, vocab: int | None) -> None:
    """Raises ModelUnavailable where a head is for a target of other sizes; None is a size that it does not tell."""
    for what, mine, theirs in (
        ("hidden states of size", width, network.hidden),
        ("a vocabulary of", vocab, network.vocab),
    ):
        if mine is not None and mine != theirs:
            raise ModelUnavailable(
                f"{folder}: the head is for a target with {what} {mine}, and this one has {theirs}: choose its own head"
            )


def check_embedding(folder: Path, embedding: Tensor, network: Network) -> None:
    """Raises ModelUnavailable where a head was trained with a target that has this embedding, and this one has not."""
    if (told := digest(embedding)) != (mine := digest(network.embedding)):
        raise ModelUnavailable(
            f"{folder}: was trained with a model whose weights are {told}, and this target's are {mine}: "
            "use it with its own model"
        )


def _check_layers(folder: Path, shape: HeadShape, layers: int) -> None:
    if max(shape.layers) > layers or min(shape.layers) < 0:
        raise ModelUnavailable(
            f"{folder}: the head reads layers {list(shape.layers)}, and the target has {layers}: choose its own head"
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


def _check_tensors(folder: Path, form: HeadFormat, head: EagleHead, tensors: dict[str, Tensor]) -> None:
    """Drops what only tells about the vocabulary."""
    shape, what = head.shape, f"a {form.name} head"
    wanted = {name: tensor.shape for name, tensor in head.state_dict().items()}
    if "t2d" in tensors:
        wanted["t2d"] = torch.Size([shape.vocab])
    if shape.draft_vocab == shape.vocab and "d2t" in wanted:
        tensors.setdefault("d2t", torch.zeros(wanted["d2t"], dtype=torch.int64))
    check_tensors(folder, what, tensors, wanted.items())
    if needless := [name for name in tensors if name not in wanted]:
        raise ModelUnavailable(f"{folder}: no {form.name} head has {some(needless)}; choose another head")
    tensors.pop("t2d", None)
    if "d2t" in tensors:
        ids = torch.arange(shape.draft_vocab) + tensors["d2t"].cpu()
        if not bool(((ids >= 0) & (ids < shape.vocab)).all()):
            raise ModelUnavailable(f"{folder}: d2t leads outside the target's vocabulary of {shape.vocab}")


def some(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMED]) + (" and more" if len(names) > _NAMED else "")
