"""llama.cpp on the same weights, through `llama-cpp-python`: plain, and with prompt lookup by its own hook."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from evals.ceilings import Clock
from evals.replay.edits import Case, prompt_of
from evals.replay.gguf_file import write_tensors
from evals.replay.models import random_config
from evals.replay.passes import PassLog, ReplayedEdit
from evals.replay.ways import TransformersLookup, Way
from fastedit.errors import not_installed

PACKAGES = ("llama_cpp", "gguf")


def lacking() -> str | None:
    """Why llama.cpp cannot run here; None where it can."""
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    return not_installed(missing[0], "bench") if missing else None


class LlamaFile:
    """A model's weights as a GGUF file, and ways to write with them."""

    def __init__(self, name: str, weights: Mapping[str, Tensor], dtype: torch.dtype, folder: Path) -> None:
        self._config, self._file = random_config(name), folder / f"{name}.gguf"
        tied = bool(self._config["tie_word_embeddings"])
        kept = ((name, one) for name, one in weights.items() if not (tied and name == "lm_head.weight"))
        write_tensors(self._config, kept, self._file, dtype)

    def way(self, lookup: TransformersLookup | None, context: int, clock: Clock) -> Way:
        """With prompt lookup, or plain; for prompts and answers of up to `context` tokens."""
        model = self._load(lookup, context, clock)
        vocab = int(str(self._config["vocab_size"]))

        def write(found: Case, most: int | None = None) -> ReplayedEdit:
            prompt, wanted = prompt_of(found, vocab)
            text = wanted[:most]
            model.begin(len(prompt.ids), text)
            for _ in islice(model.generate(list(prompt.ids), temp=0.0, top_k=1), len(text)):
                pass
            edit: ReplayedEdit = model.passes.edit(whole=most is None)
            return edit

        return write

    def _load(self, lookup: TransformersLookup | None, context: int, clock: Clock) -> Any:
        from llama_cpp import Llama
        from llama_cpp.llama_speculative import LlamaPromptLookupDecoding

        class Overruled(Llama):  # type: ignore[misc]
            """Samples as llama.cpp does, and takes the wanted token."""

            def begin(self, prompt: int, wanted: Sequence[int]) -> None:
                self.reset()
                self._last, self.passes = prompt - 1, PassLog(prompt, wanted, clock)

            def eval(self, tokens: Sequence[int]) -> None:
                self.passes.begin(len(tokens))
                super().eval(tokens)

            def sample(self, *arguments: Any, idx: int, **options: Any) -> int:
                super().sample(*arguments, idx=idx, **options)
                return self.passes.token(idx - self._last)

        draft = (
            LlamaPromptLookupDecoding(lookup.max_matching_ngram_size, lookup.prompt_lookup_num_tokens)
            if lookup
            else None
        )
        threads = torch.get_num_threads()
        return Overruled(
            model_path=str(self._file), n_ctx=context, n_batch=context, n_threads=threads,
            n_threads_batch=threads, verbose=False, logits_all=lookup is not None, draft_model=draft,
        )  # fmt: skip
