"""Heads that nobody has trained, in their formats: what a drafter costs that is never right.

For the embedded model an EAGLE head is trained and no other. A row with one of these says what its kind takes and that
answers stay what they are, and nothing of what a trained one would bring.
"""

from __future__ import annotations

import json
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor

from fastedit.model.base import Network
from fastedit.model.heads.lstm import GATES

KINDS = ("mtp", "medusa", "hydra", "p-eagle", "mlp", "lstm")
DEPTH = 3  # tokens ahead
_SEED = 0


def save_untrained(network: Network, folder: Path) -> None:
    """One folder a kind, for a target of this shape, inside `folder`."""
    made = torch.Generator().manual_seed(_SEED)
    hidden, vocab = network.hidden, network.vocab
    for kind in KINDS:
        config, sizes = _SHAPES[kind](network)
        place = folder / kind
        place.mkdir(parents=True)
        (place / "config.json").write_text(json.dumps(config | {"hidden_size": hidden, "vocab_size": vocab}))
        tensors = {name: _random(size, made) for name, size in sizes.items()}
        save_file(tensors, place / "model.safetensors")


def _random(size: tuple[int, ...], made: torch.Generator) -> Tensor:
    """Norms' weights are ones."""
    return torch.ones(size) if len(size) == 1 else torch.randn(size, generator=made) * size[-1] ** -0.5


_Sizes = dict[str, tuple[int, ...]]
_Shape = tuple[dict[str, object], _Sizes]


def _mtp(network: Network) -> _Shape:
    hidden, heads, kv, size = network.hidden, network.heads.heads, network.heads.kv_heads, network.heads.size
    prefix, wide = f"model.layers.{network.layers}.", 2 * hidden
    config: dict[str, object] = {
        "num_hidden_layers": network.layers,
        "num_attention_heads": heads,
        "num_key_value_heads": kv,
        "head_dim": size,
        "rms_norm_eps": 1e-6,
    }
    sizes: _Sizes = dict.fromkeys(
        ("enorm", "hnorm", "shared_head.norm", "input_layernorm", "post_attention_layernorm"), (hidden,)
    )
    sizes |= {
        "eh_proj": (hidden, 2 * hidden),
        "self_attn.q_proj": (heads * size, hidden),
        "self_attn.k_proj": (kv * size, hidden),
        "self_attn.v_proj": (kv * size, hidden),
        "self_attn.o_proj": (hidden, heads * size),
        "mlp.gate_proj": (wide, hidden),
        "mlp.up_proj": (wide, hidden),
        "mlp.down_proj": (hidden, wide),
    }
    return config, {f"{prefix}{name}.weight": shape for name, shape in sizes.items()}


def _medusa(network: Network) -> _Shape:
    hidden = network.hidden
    sizes: _Sizes = {}
    for level in range(DEPTH):
        sizes |= {f"{level}.0.linear.weight": (hidden, hidden), f"{level}.0.linear.bias": (hidden,)}
        sizes[f"{level}.1.weight"] = (network.vocab, hidden)
    return {"medusa_num_heads": DEPTH, "medusa_num_layers": 1}, sizes


def _hydra(network: Network) -> _Shape:
    hidden, vocab = network.hidden, network.vocab
    sizes: _Sizes = {}
    for level in range(DEPTH):
        for part in ("linear", "res_connection"):
            name = f"hydra_mlp.{level}.0.{part}"
            sizes |= {f"{name}.weight": (hidden, (level + 2) * hidden), f"{name}.bias": (hidden,)}
        sizes |= {f"hydra_lm_head.{level}.weight": (vocab, hidden), f"hydra_lm_head.{level}.bias": (vocab,)}
    return {"hydra_num_heads": DEPTH, "hydra_head_arch": "mlp", "grounded_heads": True}, sizes


def _parallel(network: Network) -> _Shape:
    hidden, heads, kv, size = network.hidden, network.heads.heads, network.heads.kv_heads, network.heads.size
    wide, layers = 2 * hidden, 2
    config: dict[str, object] = {
        "architectures": ["LlamaForCausalLMEagle3"],
        "ptd_token_id": 0,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": kv,
        "head_dim": size,
        "intermediate_size": wide,
    }
    sizes: _Sizes = {"fc.weight": (hidden, 3 * hidden), "mask_hidden": (1, 3 * hidden)}
    sizes |= {"norm.weight": (hidden,), "lm_head.weight": (network.vocab, hidden)}
    sizes["layers.0.hidden_norm.weight"] = (hidden,)
    for level in range(layers):
        read = hidden if level else 2 * hidden  # the first layer reads the embedding as well
        parts: _Sizes = dict.fromkeys(("input_layernorm", "post_attention_layernorm"), (hidden,))
        parts |= {
            "self_attn.q_proj": (heads * size, read),
            "self_attn.k_proj": (kv * size, read),
            "self_attn.v_proj": (kv * size, read),
            "self_attn.o_proj": (hidden, heads * size),
            "mlp.gate_proj": (wide, hidden),
            "mlp.up_proj": (wide, hidden),
            "mlp.down_proj": (hidden, wide),
        }
        sizes |= {f"layers.{level}.{name}.weight": shape for name, shape in parts.items()}
    return config, sizes


def _mlp(network: Network) -> _Shape:
    hidden = network.hidden
    sizes: _Sizes = {f"speculator.{name}.0.weight": (network.vocab, hidden) for name in ("emb", "head")}
    sizes |= {f"speculator.ln.0.{part}": (hidden,) for part in ("weight", "bias")}
    sizes |= {f"speculator.proj.{level}.weight": (hidden, hidden) for level in range(2)}
    return {"n_predict": DEPTH, "inner_dim": hidden, "tie_weights": True}, sizes


def _lstm(network: Network) -> _Shape:
    hidden = network.hidden
    sizes: _Sizes = dict.fromkeys(("forget_emb.0.weight", "head.0.weight"), (network.vocab, hidden))
    sizes |= {f"{gate}_proj.{level}.weight": (hidden, hidden) for gate in GATES for level in range(2)}
    sizes |= {
        f"{norm}.0.{part}": (hidden,) for norm in ("cell_ln", "state_ln") for part in ("weight", "bias")
    }
    config: dict[str, object] = {
        "n_predict": DEPTH,
        "method": "sum_lstm",
        "tie_weights": True,
        "tie_lstm_embs": True,
    }
    return config, sizes


_SHAPES = {
    "mtp": _mtp,
    "medusa": _medusa,
    "hydra": _hydra,
    "p-eagle": _parallel,
    "mlp": _mlp,
    "lstm": _lstm,
}
