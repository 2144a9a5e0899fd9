"""An EAGLE-3 or P-EAGLE head as a folder in the speculators layout, which vLLM loads as well.

SGLang, which has no P-EAGLE, does not know that layout and reads `config.json` as a Llama's. So what the layout says of
the layer of an EAGLE-3 head stands in `transformer_layer_config` and on its own.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor

from fastedit.model.eagle import EagleHead, HeadShape, Llama3Rope
from fastedit.model.heads.load import digest
from fastedit.model.heads.parallel import ParallelHead

SPECULATIVE_TOKENS = 3  # what others that read the folder are told to draft, where the head does not know it


def write_head(
    head: EagleHead, folder: Path, *, target: str, architectures: list[str], embedding: Tensor, context: int
) -> None:
    """Of a target of this name and these architectures; `embedding` is its own, by which it is known again."""
    assert head.shape.generation == 3
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {name: tensor.to("cpu") for name, tensor in head.state_dict().items()}
    tensors = {name: t.to(torch.bfloat16) if t.is_floating_point() else t for name, t in tensors.items()}
    offsets = tensors.pop("d2t")
    if head.shape.draft_vocab != head.shape.vocab:  # vLLM refuses a mapping of a vocabulary to itself
        reached = torch.zeros(head.shape.vocab, dtype=torch.bool)
        reached[torch.arange(head.shape.draft_vocab) + offsets] = True
        tensors |= {"d2t": offsets, "t2d": reached}
    part = folder / "model.safetensors.part"
    save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, part)
    part.replace(folder / "model.safetensors")
    config = _config(head, target, architectures, context) | {"verifier_digest": digest(embedding)}
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", "utf-8")


def _config(head: EagleHead, target: str, architectures: list[str], context: int) -> dict[str, Any]:
    shape = head.shape
    kind, depth = ("peagle", head.depth) if isinstance(head, ParallelHead) else ("eagle3", None)
    layer = _layer(shape, len(head.layers), context)
    config = {
        "speculators_model_type": kind,
        "speculators_config": {
            "algorithm": kind,
            "default_proposal_method": "greedy",
            "proposal_methods": [
                {"proposal_type": "greedy", "speculative_tokens": depth or SPECULATIVE_TOKENS}
            ],
            "verifier": {"name_or_path": target, "architectures": architectures},
        },
        "draft_vocab_size": shape.draft_vocab,
        "target_hidden_size": shape.target_hidden,
        "eagle_aux_hidden_state_layer_ids": list(shape.layers),
        "norm_before_residual": shape.norm_before_residual,
        "norm_before_fc": shape.norm_before_fc,
        "fc_norm": shape.fc_norm,
        "norm_output": shape.post_norm,
        "embed_requires_grad": False,
        "torch_dtype": "bfloat16",
        "transformer_layer_config": layer,
    }
    if isinstance(
        head, ParallelHead
    ):  # a `model_type` beside them would keep vLLM from reading the speculators layout
        return config | {"architectures": ["PEagleDraftModel"], "mask_token_id": head.mask}
    return (
        layer
        | config
        | {
            # The first is vLLM's alone, the second the one name that both engines know.
            "architectures": ["Eagle3Qwen3ForCausalLM" if shape.query_norms else "LlamaForCausalLMEagle3"],
            # SGLang counts a layer's output where speculators and vLLM count the next one's input.
            "eagle_config": {
                "use_aux_hidden_state": True,
                "eagle_aux_hidden_state_layer_ids": [read - 1 for read in shape.layers],
            },
        }
    )


def _layer(shape: HeadShape, layers: int, context: int) -> dict[str, Any]:
    turning = (
        {"rope_type": "default"} if shape.rope is None else {"rope_type": "llama3"} | _stretched(shape.rope)
    )
    return {
        "model_type": "qwen3" if shape.query_norms else "llama",
        "hidden_size": shape.hidden,
        "intermediate_size": shape.intermediate,
        "num_hidden_layers": layers,
        "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.kv_heads,
        "head_dim": shape.head_dim,
        "hidden_act": "silu",
        "rms_norm_eps": shape.eps,
        "rope_theta": shape.theta,
        "rope_parameters": turning | {"rope_theta": shape.theta},
        "vocab_size": shape.vocab,
        "max_position_embeddings": context,
        "attention_bias": shape.attention_bias,
        "mlp_bias": False,
        "tie_word_embeddings": False,
    }


def _stretched(rope: Llama3Rope) -> dict[str, float]:
    return {
        "factor": rope.factor,
        "low_freq_factor": rope.low,
        "high_freq_factor": rope.high,
        "original_max_position_embeddings": int(rope.original),
    }
