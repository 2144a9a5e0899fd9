"""transformers: plain generate, prompt lookup, and assisted by a part of the model itself."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import torch
from transformers import PreTrainedModel

from evals.early import save_early
from evals.peers.base import Bench, Peer
from evals.ways import LOOKUP_DEFAULT, Decode, Lookup, assisted_decoder, transformers_decoder
from fastedit.model.storage import pretrained

ASSISTANT_LAYERS = 2


@cache
def loaded(folder: Path, dtype: torch.dtype) -> PreTrainedModel:
    return pretrained(folder, dtype).eval()


def plain(bench: Bench) -> Decode:
    return transformers_decoder(loaded(bench.folder, bench.model.target.dtype), None)


def lookup(setting: Lookup) -> Peer:
    """Prompt lookup with a setting of its own."""

    def decoder(bench: Bench) -> Decode:
        return transformers_decoder(loaded(bench.folder, bench.model.target.dtype), setting)

    return Peer(f"transformers, prompt lookup, {setting}", "transformers", decoder)


def assisted(bench: Bench) -> Decode:
    """There is no smaller model of the same tokenizer, so the first layers of the model itself assist it."""
    dtype, first = bench.model.target.dtype, bench.scratch / "first layers"
    save_early(bench.folder, ASSISTANT_LAYERS, first)
    return assisted_decoder(loaded(bench.folder, dtype), pretrained(first, dtype).eval())


PLAIN = Peer("transformers", "transformers", plain)
DEFAULT = lookup(LOOKUP_DEFAULT)
ASSISTED = Peer(f"transformers, assisted by {ASSISTANT_LAYERS} of its layers", "transformers", assisted)
