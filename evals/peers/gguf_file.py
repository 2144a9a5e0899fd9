"""A checkpoint of the Qwen2 or Qwen3 architecture as a GGUF file for llama.cpp, without its tokenizer.

Prompts go over as ids, so the file says that it has no vocabulary. llama.cpp's `qwen2` and `qwen3` graphs pair the
dimensions of their rotary embedding as transformers does: nothing has to be permuted.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fastedit.model.storage import read_weights


def write_gguf(folder: Path, file: Path) -> None:
    """The model in `folder` as float32. Raises ValueError for another architecture or a tensor that it has not."""
    import gguf

    config = json.loads((folder / "config.json").read_text())
    if config["model_type"] not in ("qwen2", "qwen3"):
        raise ValueError(f"{folder}: is {config['model_type']}; only qwen2 and qwen3 are converted")
    (arch,) = (arch for arch, name in gguf.MODEL_ARCH_NAMES.items() if name == config["model_type"])
    names = gguf.get_tensor_name_map(arch, config["num_hidden_layers"])
    writer = gguf.GGUFWriter(file, config["model_type"])
    _describe(writer, config)
    for name, tensor in read_weights(folder).items():
        known = names.get_name(name, try_suffixes=(".weight", ".bias"))
        if known is None:
            raise ValueError(f"{folder}: {name}: no tensor of a {config['model_type']} model")
        writer.add_tensor(known, tensor.float().numpy())
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _describe(writer: Any, config: dict[str, Any]) -> None:
    from gguf import LlamaFileType

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
    writer.add_file_type(LlamaFileType.ALL_F32)
    writer.add_vocab_size(config["vocab_size"])
    writer.add_tokenizer_model("no_vocab")
