"""Weights of the Qwen2 or Qwen3 architecture as a GGUF file for llama.cpp, without a tokenizer.

Prompts go over as ids, so the file says that it has no vocabulary. llama.cpp's `qwen2` and `qwen3` graphs pair the
dimensions of their rotary embedding as transformers does: nothing has to be permuted.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor


def write_tensors(
    config: dict[str, Any], weights: Iterable[tuple[str, Tensor]], file: Path, dtype: torch.dtype
) -> None:
    """Matrices in `dtype`, float32 or bfloat16; what is no matrix in float32, as llama.cpp wants it. Raises ValueError
    for another architecture or a tensor that it has not."""
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
