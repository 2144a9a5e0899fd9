"""llama.cpp on the same weights, through `llama-cpp-python`: plain, and with prompt lookup by its own hook.

Prompts go over as ids, so the GGUF file of the weights says that it has no vocabulary. llama.cpp's `qwen2` and `qwen3`
graphs pair the dimensions of their rotary embedding as transformers does: nothing has to be permuted.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from evals.replay.edits import Case, prompt_of
from evals.replay.models import random_config
from evals.replay.passes import PassLog, ReplayedEdit
from evals.replay.ways import TransformersLookup, Way
from evals.timing.ceilings import Clock
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


def write_tensors(
    config: dict[str, Any], weights: Iterable[tuple[str, Tensor]], file: Path, dtype: torch.dtype
) -> None:
    """A GGUF file without a tokenizer: matrices in `dtype`, float32 or bfloat16; what is no matrix in float32, as
    llama.cpp wants it. Raises ValueError for another architecture or a tensor that it has not."""
    import gguf

    if config["model_type"] not in ("qwen2", "qwen3"):
        raise ValueError(f"is {config['model_type']}; only qwen2 and qwen3 are converted")
    (arch,) = (arch for arch, name in gguf.MODEL_ARCH_NAMES.items() if name == config["model_type"])
    names = gguf.get_tensor_name_map(arch, config["num_hidden_layers"])
    writer = gguf.GGUFWriter(file, config["model_type"])
    wide = dtype == torch.float32
    _describe(writer, config, gguf.LlamaFileType.ALL_F32 if wide else gguf.LlamaFileType.MOSTLY_BF16)
    for name, tensor in weights:
        known = names.get_name(name, try_suffixes=(".weight", ".bias"))
        if known is None:
            raise ValueError(f"{name}: no tensor of a {config['model_type']} model")
        if wide or tensor.ndim == 1:
            writer.add_tensor(known, tensor.float().numpy())
        else:
            raw = tensor.to(dtype).contiguous().view(torch.uint8).numpy()
            writer.add_tensor(known, raw, raw_dtype=gguf.GGMLQuantizationType.BF16)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _describe(writer: Any, config: dict[str, Any], file_type: Any) -> None:
    heads = config["num_attention_heads"]
    size = config.get("head_dim") or config["hidden_size"] // heads
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(heads)
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_key_length(size)
    writer.add_value_length(size)
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_rope_freq_base(config.get("rope_parameters", config)["rope_theta"])
    writer.add_file_type(file_type)
    writer.add_vocab_size(config["vocab_size"])
    writer.add_tokenizer_model("no_vocab")
