"""A checkpoint of the Qwen3 architecture as a GGUF file for llama.cpp, tensor by tensor, without its tokenizer.

Prompts go over as ids, so the file says that it has no vocabulary. Names are those of llama.cpp's `qwen3` graph, whose
rotary embedding pairs dimensions as transformers does: nothing has to be permuted.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

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
    """llama.cpp's name of a tensor. Raises ValueError for one that a Qwen3 model does not have."""
    if name in _WHOLE:
        return _WHOLE[name]
    prefix, _, rest = name.removeprefix("model.layers.").partition(".")
    part = rest.removesuffix(".weight")
    if not name.startswith("model.layers.") or part not in _LAYER:
        raise ValueError(f"{name}: no tensor of a Qwen3 model")
    return f"blk.{prefix}.{_LAYER[part]}.weight"


def write_gguf(folder: Path, file: Path) -> None:
    """The model in `folder` as float32. Raises ValueError for another architecture."""
    import gguf

    config = json.loads((folder / "config.json").read_text())
    if config["model_type"] != "qwen3":
        raise ValueError(f"{folder}: is {config['model_type']}; only qwen3 is converted")
    writer = gguf.GGUFWriter(file, "qwen3")
    _describe(writer, config)
    for name, tensor in read_weights(folder).items():
        writer.add_tensor(gguf_name(name), tensor.float().numpy())
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _describe(writer: Any, config: dict[str, Any]) -> None:
    import gguf

    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_key_length(config["head_dim"])
    writer.add_value_length(config["head_dim"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_rope_freq_base(config["rope_parameters"]["rope_theta"])
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    writer.add_vocab_size(config["vocab_size"])
    writer.add_tokenizer_model("no_vocab")
