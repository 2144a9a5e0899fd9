"""How EAGLE heads lie in folders: whose configuration says what, and whose tensors are called what.

Formats: SafeAILab (EAGLE's authors; EAGLE-1, -2 and -3), SpecForge (EAGLE-3), speculators (EAGLE-1 and -3, what vLLM
loads). Tensors are renamed to speculators' EAGLE-3 names, which are those of `EagleHead`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from torch import Tensor

from fastedit.model.eagle import HeadShape, Llama3Rope

Config = Mapping[str, Any]
MASK = "mask_hidden"
# Tensors that some checkpoints carry and no head needs: positions that are computed, masks for parallel drafting, the
# target's own parts that training kept.
NEEDLESS = ("rotary_emb.inv_freq", MASK, "verifier_norm.weight", "verifier_lm_head.weight")


@dataclass(frozen=True, slots=True)
class TargetSizes:
    """What a head has to agree with."""

    hidden: int
    vocab: int
    layers: int


class Format(NamedTuple):
    name: str
    shape: Callable[[Config, Mapping[str, Tensor], TargetSizes], HeadShape]
    rename: Mapping[str, str]  # beginnings of tensor names, and what stands there in `EagleHead`
    needless: tuple[str, ...] = NEEDLESS


def format_of(config: Config) -> Format | None:
    """None for what is none of them."""
    kind = config.get("speculators_model_type")
    if kind is not None:
        return {"eagle3": SPECULATORS_3, "eagle": SPECULATORS_1}.get(kind)
    if "eagle_config" in config:
        return SPECFORGE
    names = config.get("architectures") or ()
    if "draft_vocab_size" in config or any("eagle3" in str(name).lower() for name in names):
        return SAFEAI_3
    return SAFEAI_1 if config.get("model_type", "llama") == "llama" and "hidden_size" in config else None


def default_layers(count: int) -> tuple[int, int, int]:
    """The layers whose inputs EAGLE-3 reads in a target of `count` layers, where the head does not say.

    In a target too small for the usual ones: a low one, one in the middle and the last.
    """
    usual = (2, count // 2, count - 3)
    return usual if usual[0] < usual[1] < usual[2] else (count // 3, 2 * count // 3, count - 1)


def _eagle3(config: Config, layer: Config, target: TargetSizes, layers: tuple[int, ...]) -> HeadShape:
    hidden = int(layer["hidden_size"])
    vocab = int(layer.get("vocab_size") or target.vocab)
    return HeadShape(
        generation=3,
        hidden=hidden,
        target_hidden=int(config.get("target_hidden_size") or hidden),
        vocab=vocab,
        draft_vocab=int(config.get("draft_vocab_size") or vocab),
        layers=layers,
        norm_before_residual=bool(config.get("norm_before_residual", False)),
        **block(layer),
    )


def block(layer: Config) -> dict[str, Any]:
    """What a Llama layer's configuration says of any head. Raises KeyError, and ValueError for what no head has."""
    if layer.get("hidden_act", "silu") != "silu":
        raise ValueError(f"its activation is {layer['hidden_act']}, not silu")
    if int(layer.get("num_hidden_layers", 1)) != 1:
        raise ValueError(f"it has {layer['num_hidden_layers']} layers, not 1")
    if layer.get("mlp_bias"):
        raise ValueError("its MLP has biases")
    heads, hidden = int(layer["num_attention_heads"]), int(layer["hidden_size"])
    theta, scaled = rope(layer)
    return {
        "intermediate": int(layer["intermediate_size"]),
        "heads": heads,
        "kv_heads": int(layer.get("num_key_value_heads") or heads),
        "head_dim": int(layer.get("head_dim") or hidden // heads),
        "theta": theta,
        "rope": scaled,
        "eps": float(layer.get("rms_norm_eps", 1e-6)),
        "attention_bias": bool(layer.get("attention_bias", False)),
    }


def rope(layer: Config) -> tuple[float, Llama3Rope | None]:
    """Theta, and how positions are stretched; `rope_parameters` is the newer place, with theta inside. Raises
    ValueError for a scaling that is not known."""
    scaling = layer.get("rope_parameters") or layer.get("rope_scaling") or {}
    theta = float(scaling.get("rope_theta") or layer.get("rope_theta") or 10000.0)
    kind = scaling.get("rope_type", scaling.get("type", "default"))
    if kind == "default":
        return theta, None
    if kind != "llama3":
        raise ValueError(f"its positions are scaled as {kind}, and only default and llama3 are known")
    return theta, Llama3Rope(
        float(scaling["factor"]),
        float(scaling["low_freq_factor"]),
        float(scaling["high_freq_factor"]),
        float(scaling["original_max_position_embeddings"]),
    )


def _speculators3(config: Config, tensors: Mapping[str, Tensor], target: TargetSizes) -> HeadShape:
    layers = tuple(config.get("eagle_aux_hidden_state_layer_ids") or default_layers(target.layers))
    shape = _eagle3(config, config["transformer_layer_config"], target, layers)
    if any(name.startswith("fc_norm.") for name in tensors):
        raise ValueError("it norms each state by itself (fc_norm), which is not supported")
    return replace(
        shape,
        norm_before_fc=bool(config.get("norm_before_fc", False)),
        post_norm=bool(config.get("norm_output", False)),
    )


def _specforge(config: Config, tensors: Mapping[str, Tensor], target: TargetSizes) -> HeadShape:
    eagle = config["eagle_config"] or {}
    if not eagle.get("use_aux_hidden_state", True):
        raise ValueError("it reads no states of inner layers (use_aux_hidden_state)")
    # SpecForge counts a layer's output where speculators and vLLM count the next one's input. `norm_output` here only
    # says that the vocabulary is asked with the normed state, which is always so.
    given = eagle.get("eagle_aux_hidden_state_layer_ids")
    layers = tuple(layer + 1 for layer in given) if given else default_layers(target.layers)
    shape = _eagle3(config, config, target, layers)
    return replace(shape, norm_before_fc=bool(eagle.get("norm_before_fc", False)))


def _safeai3(config: Config, tensors: Mapping[str, Tensor], target: TargetSizes) -> HeadShape:
    return _eagle3(config, config, target, default_layers(target.layers))


def _eagle1(layer: Config, target: TargetSizes, *, bias: bool) -> HeadShape:
    hidden, vocab = int(layer["hidden_size"]), int(layer.get("vocab_size") or target.vocab)
    return HeadShape(
        generation=1,
        hidden=hidden,
        target_hidden=hidden,
        vocab=vocab,
        draft_vocab=vocab,
        layers=(target.layers,),
        fc_bias=bias,
        **block(layer),
    )


def _safeai1(config: Config, tensors: Mapping[str, Tensor], target: TargetSizes) -> HeadShape:
    return _eagle1(config, target, bias="fc.bias" in tensors)


def _speculators1(config: Config, tensors: Mapping[str, Tensor], target: TargetSizes) -> HeadShape:
    if config.get("layernorms"):
        raise ValueError("it has norms of its own around the layer (layernorms), which are not supported")
    return _eagle1(config["transformer_layer_config"], target, bias=bool(config.get("fusion_bias", False)))


SAFEAI_1 = Format("SafeAILab EAGLE-1", _safeai1, {})
SAFEAI_3 = Format("SafeAILab EAGLE-3", _safeai3, {"midlayer.": "layers.0."})
SPECFORGE = Format("SpecForge EAGLE-3", _specforge, {"midlayer.": "layers.0.", "model.": ""})
SPECULATORS_1 = Format("speculators eagle", _speculators1, {"fusion_fc.": "fc.", "transformer.": "layers.0."})
SPECULATORS_3 = Format("speculators eagle3", _speculators3, {"midlayer.": "layers.0."})
