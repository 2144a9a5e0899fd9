"""The model that decides every token."""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import fastedit_kernels.exact
import numpy as np
import torch
from fastedit_kernels import fused
from fastedit_kernels.tree_attention import PAGE, place
from fastedit_kernels.tree_verify.forest import Tree
from torch import Tensor

from fastedit.errors import FasteditError, ModelUnavailable, reason
from fastedit.model.base import Inputs, Network, Rows
from fastedit.model.cache import Cache, Memory
from fastedit.model.device import Decided, Device, missing
from fastedit.model.exact import check_exact
from fastedit.model.fused import FusedNetwork, Shape
from fastedit.model.graphs import current
from fastedit.model.packed import multiplies_bfloat16, packer
from fastedit.model.pages import PagePool
from fastedit.model.quantize import quantizer
from fastedit.model.ranks import RankBroadcast, SharedPool, ranks
from fastedit.model.settings import DEFAULT, ModelSettings
from fastedit.model.storage import read_weights, weight_files
from fastedit.model.warm import warm

log = logging.getLogger(__name__)

# Rows of one pass lie after the committed tokens, so a cache holds somewhat more than a context.
PASS_SLOTS = 1024
# A CPU's cache has room for so many full contexts, and takes at most such a part of the memory: when pages are used.
FULL_CONTEXTS = 8
CPU_SHARE = 4
# What finished edits leave on a CPU takes such a part of the cache; more of it is used only by edits that run together.
IDLE_SHARE = 4
# A GPU's cache takes its memory at once; the rest is for activations.
FULL_BATCH = 64
GPU_SHARE = 0.8
# Weights up to this many bytes run in float32 on a CPU. Rounding to bfloat16 changes 2-6 % of a small model's likeliest
# tokens and makes them depend on how many rows share a pass; a large model is bound by the bytes of its weights.
SMALL = 1 << 30
PLAIN = "passes run in plain torch, several times slower: %s"


class Target:
    """A causal language model: rows in, logits out.

    `context` is the longest sequence it was made for, `vocab` the number of logits a row, `fingerprint` names
    its shape (not its weights), `folder` is where it was loaded from.
    """

    def __init__(
        self,
        name: str,
        network: Network,
        dtype: torch.dtype,
        device: torch.device,
        fingerprint: str,
        settings: ModelSettings = DEFAULT,
    ) -> None:
        self.name, self.network, self.dtype, self.device = name, network, dtype, device
        self.folder: Path | None = None
        self.fingerprint, self.settings = fingerprint, settings
        self.context, self.vocab = network.context, network.vocab
        # Attention runs in float32 where the processor has no products of bfloat16.
        as_loaded = device.type != "cpu" or (multiplies_bfloat16(device) and not self.exact)
        kept = dtype if as_loaded else torch.float32
        pages, others = _pages(network, kept, device), ranks()
        self.leads = others is None or others.rank == 0
        self._line = None if others is None else RankBroadcast()
        if self._line is not None:
            pages = self._line.least(pages)
        watermark = -(-pages // IDLE_SHARE) if device.type == "cpu" else pages
        if self._line is not None and self.leads:
            self.pool: PagePool = SharedPool(self._line, network.layers, pages, kept, device, watermark)
        else:
            self.pool = PagePool(network.layers, pages, kept, device, watermark)
        heads = network.heads
        if device.type == "cuda" and network.kv_width == 2 * network.layers * heads.kv_heads * heads.size:
            self.pool.fill(heads.kv_heads, heads.size)  # before another model counts what memory is free
        self.kernels = _kernels(network, self.pool, exact=self.exact)
        if self.exact:
            check_exact(self)
        if self.kernels is not None and self.leads:
            warm(self)

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        device: str = "cpu",
        dtype: torch.dtype | None = None,
        generic: bool = False,
        settings: ModelSettings = DEFAULT,
    ) -> Target:
        """A folder with config.json and safetensors. `generic` goes through transformers' own modules even
        for a family that has a forward pass here. Raises ModelUnavailable."""
        folder, where, others = Path(path), torch.device(device), ranks()
        if others is not None and where.type == "cuda":
            where = torch.device("cuda", others.local)
        if where.type == "cuda" and not torch.cuda.is_available():
            raise ModelUnavailable(
                f"no GPU for {device}: its driver or a torch with CUDA is missing; use device cpu"
            )
        config = _read_config(folder)
        fingerprint = hashlib.sha256(json.dumps(config, sort_keys=True).encode()).hexdigest()[:16]
        try:
            shape = None if generic or others else Shape.of(config)
            dtype = dtype or _default_dtype(folder, where, settings)
            network = (
                _fused(folder, shape, dtype, where, settings)
                if shape
                else _generic(folder, dtype, where, settings)
            )
            target = cls(folder.name, network, dtype, where, fingerprint, settings)
            target.folder = folder
            return target
        except torch.OutOfMemoryError as error:
            needed = round(_size(folder) / (1 << 20), 2)
            raise ModelUnavailable(
                f"the weights in {folder} take {needed} MiB, more than {where} has free: "
                "load them as fp8 or int4, or choose a smaller model"
            ) from error
        except FasteditError:
            raise
        except (
            Exception
        ) as error:  # what a folder holds may fail in any way at all, in libraries of others too
            said = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise ModelUnavailable(
                f"cannot load the model in {folder}: {said}; fetch it again or choose another"
            ) from error

    @property
    def exact(self) -> bool:
        return self.settings.exactness == "bitwise"

    def new_cache(self) -> Cache:
        """An empty cache for one request."""
        return Cache(self.pool)

    def forward(self, rows: Rows) -> Tensor:
        """Logits [wanted, vocab], in the type that the network makes them in; the rows stay in flight until their
        caches `keep` them. Fills the rows' taps, if they have any."""
        if self._line is not None and self.leads:
            self._line.send("forward", rows)
        return self._forward(rows)

    def decide(
        self,
        logits: Tensor,
        trees: Sequence[Tree],
        rows: Rows,
        meanwhile: Callable[[], None] | None = None,
    ) -> list[Decided] | None:
        """What stands of these trees, moved to the front of its cache; None where there are no kernels to find out.
        `meanwhile` is called while the device works."""
        if self.kernels is None:
            return None
        try:
            decided = self.kernels.decide(logits, trees, rows, meanwhile)
        except Exception as error:
            self._drop_kernels(error)
            return None
        if self._line is not None:
            for span, (path, _, _) in zip(rows.batch.spans, decided, strict=True):
                forest = span.prefix + span.trunk
                source = place(span.pages, forest + np.asarray(path, dtype=np.int64))
                self._line.send("move", source, span.slots(forest, forest + len(path)))
        return decided

    def follow(self) -> None:
        """On ranks other than 0: do its part of every pass, until rank 0 ends."""
        assert self._line is not None
        self._line.follow({"forward": self._forward, "move": self.pool.move})

    @torch.inference_mode()
    def _forward(self, rows: Rows) -> Tensor:
        if self.kernels is not None:
            try:
                return self.kernels.forward(rows)
            except Exception as error:
                self._drop_kernels(error)
        tokens, positions, wanted = (
            torch.from_numpy(part).to(self.device)
            for part in (rows.tokens, rows.batch.positions, rows.wanted)
        )
        return self.network.forward(
            Inputs(tokens, positions, wanted, Memory.of(self.pool, rows.batch, exact=self.exact), rows.taps)
        )

    def _drop_kernels(self, error: Exception) -> None:
        """From now on passes run in plain torch: the same code would fail in every one.

        Raises `error` where memory was short, which smaller passes mend, and where plain torch would not do: in exact
        mode, and on one rank of several.
        """
        if self.exact or self._line is not None or isinstance(error, torch.OutOfMemoryError):
            raise error
        log.warning(PLAIN, reason(error))
        self.kernels = None
        if isinstance(self.network, FusedNetwork):
            self.network.ops = fused


def _kernels(network: Network, pool: PagePool, *, exact: bool) -> Device | None:
    """None where passes run in plain torch; on a GPU a line in the log says why."""
    if exact:
        if not isinstance(network, FusedNetwork):
            raise ModelUnavailable(
                "bitwise exactness is there for plain Llama, Mistral, Qwen2 and Qwen3 models only: use the default"
            )
        network.ops = fastedit_kernels.exact
    why = missing(pool.device, network.heads, pool.dtype)
    if why is None:
        try:
            with current(pool.device):  # Triton compiles for the current one
                return Device(network, pool, exact=exact)
        except torch.OutOfMemoryError:
            raise
        except Exception as error:  # it compiles attention, to know how many programs fit
            why = reason(error)
    if pool.device.type == "cuda":
        if exact:
            raise ModelUnavailable(f"bitwise exactness on a GPU needs our kernels: {why}")
        log.warning(PLAIN, why)
    return None


def _pages(network: Network, dtype: torch.dtype, device: torch.device) -> int:
    """Pages of a cache: on a GPU what fits beside the weights, on a CPU a few full contexts."""
    page = PAGE * network.kv_width * dtype.itemsize
    context = -(-(network.context + PASS_SLOTS) // PAGE)
    if device.type == "cpu":
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        return min(FULL_CONTEXTS * context, memory // CPU_SHARE // page)
    free, _ = torch.cuda.mem_get_info(device)
    pages = int(free * GPU_SHARE) // page
    if pages < 1:
        needed = int(page / GPU_SHARE)
        raise ModelUnavailable(
            f"the model's weights leave {free / (1 << 20):.2f} MiB of GPU memory, "
            f"a cache takes at least {needed / (1 << 20):.2f} MiB: "
            "load them as fp8 or int4, or choose a smaller model"
        )
    return min(FULL_BATCH * context, pages)


def _read_config(folder: Path) -> dict[str, Any]:
    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ModelUnavailable(
            f"no model in {folder}: expected a folder with config.json and safetensors weights"
        ) from error
    if not isinstance(config, dict):
        raise ModelUnavailable(f"{folder / 'config.json'} is not a model's configuration: download it again")
    return config


def _default_dtype(folder: Path, device: torch.device, settings: ModelSettings) -> torch.dtype:
    if settings.weights != "default":
        return torch.bfloat16  # what torchao's products take
    return torch.float32 if device.type == "cpu" and _size(folder) <= SMALL else torch.bfloat16


def _size(folder: Path) -> int:
    """Bytes of the weights."""
    return sum(file.stat().st_size for file in weight_files(folder) if file.exists())


def _fused(
    folder: Path, shape: Shape, dtype: torch.dtype, device: torch.device, settings: ModelSettings
) -> Network:
    quantize = quantizer(settings.weights, device)
    exact = settings.exactness == "bitwise"  # its products take matrices as they are
    pack = None if exact or quantize is not None else packer(dtype, device)
    return FusedNetwork(shape, read_weights(folder), dtype, device, quantize, pack)


def _generic(folder: Path, dtype: torch.dtype, device: torch.device, settings: ModelSettings) -> Network:
    # Imported late: transformers takes seconds to import, and the embedded model does not need it.
    from fastedit.model.attention import TransformersNetwork

    return TransformersNetwork(folder, dtype, device, settings.weights)
