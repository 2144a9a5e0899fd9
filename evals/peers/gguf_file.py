"""A checkpoint of the Qwen2 or Qwen3 architecture as a GGUF file for llama.cpp, without its tokenizer.

Prompts go over as ids, so the file says that it has no vocabulary. Names are those of llama.cpp's `qwen2` and `qwen3`
graphs, whose rotary embedding pairs dimensions as transformers does: nothing has to be permuted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from fastedit.model.storage import read_weights

_WHOLE = {
    "model.embed_tokens.weight": "token_embd.weight",
    "model.norm.weight": "output_norm.weight",
    "lm_head.weight": "output.weight",
}
_LAYER = {
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm",
    "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}


def gguf_name(name: str) -> str:
    """llama.cpp's name of a tensor. Raises ValueError for one that neither a Qwen2 nor a Qwen3 model has."""
    if name in _WHOLE:
        return _WHOLE[name]
    prefix, _, rest = name.removeprefix("model.layers.").partition(".")
    part, _, kind = rest.rpartition(".")
    if not name.startswith("model.layers.") or part not in _LAYER or kind not in ("weight", "bias"):
        raise ValueError(f"{name}: no tensor of a Qwen2 or Qwen3 model")
    return f"blk.{prefix}.{_LAYER[part]}.{kind}"


def write_gguf(folder: Path, file: Path) -> None:
    """The model in `folder` as float32. Raises ValueError for another architecture."""
    config = json.loads((folder / "config.json").read_text())
    try:
        write_tensors(config, read_weights(folder).items(), file, torch.float32)
    except ValueError as error:
        raise ValueError(f"{folder}: {error}") from None


def write_tensors(
    config: dict[str, Any], weights: Iterable[tuple[str, Tensor]], file: Path, dtype: torch.dtype
) -> None:
    """Matrices in `dtype`, float32 or bfloat16; what is no matrix in float32, as llama.cpp wants it. Raises ValueError
    for another architecture."""
    import gguf

    if config["model_type"] not in ("qwen2", "qwen3"):
        raise ValueError(f"is {config['model_type']}; only qwen2 and qwen3 are converted")
    writer = gguf.GGUFWriter(file, config["model_type"])
    wide = dtype == torch.float32
    _describe(writer, config, gguf.LlamaFileType.ALL_F32 if wide else gguf.LlamaFileType.MOSTLY_BF16)
    for name, tensor in weights:
        if wide or tensor.ndim == 1:
            writer.add_tensor(gguf_name(name), tensor.float().numpy())
        else:
            raw = tensor.to(dtype).contiguous().view(torch.uint8).numpy()
            writer.add_tensor(gguf_name(name), raw, raw_dtype=gguf.GGMLQuantizationType.BF16)
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
