"""How EAGLE heads lie in folders: whose configuration says what, and whose tensors are called what.

Formats: SafeAILab (EAGLE's authors; EAGLE-1, -2 and -3), SpecForge (EAGLE-3), speculators (EAGLE-1 and -3, what vLLM
loads). Tensors are renamed to speculators' EAGLE-3 names, which are those of `EagleHead`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from torch import Tensor

from fastedit.model.checkpoint import architectures
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


class HeadFormat(NamedTuple):
    name: str
    shape: Callable[[Config, Mapping[str, Tensor], TargetSizes], HeadShape]
    rename: Mapping[str, str]  # beginnings of tensor names, and what stands there in `EagleHead`
    needless: tuple[str, ...] = NEEDLESS


def format_of(config: Config) -> HeadFormat | None:
    """None for what is none of them."""
    kind = config.get("speculators_model_type")
    if kind is not None:
        return {"eagle3": SPECULATORS_3, "eagle": SPECULATORS_1}.get(str(kind))
    if "eagle_config" in config:
        return SPECFORGE
    if "draft_vocab_size" in config or any("eagle3" in name.lower() for name in architectures(config)):
        return SAFEAI_3
    return SAFEAI_1 if config.get("model_type", "llama") == "llama" and "hidden_size" in config else None


def default_layers(count: int) -> tuple[int, int, int]:
    """The layers whose inputs EAGLE-3 reads in a target of `count` layers, where the head does not say.

    In a target too small for the usual ones: a low one, one in the middle and the last.
    """
    usual = (2, count // 2, count - 3)
    return usual if usual[0] < usual[1] < usual[2] else (count // 3, 2 * count // 3, count - 1)


def _eagle3(
    config: Config,
    layer: Config,
    tensors: Mapping[str, Tensor],
    target: TargetSizes,
    layers: tuple[int, ...],
) -> HeadShape:
    """Norms that some heads have are told by the configuration, by their tensors, or by both."""
    hidden, vocab = whole(layer, "hidden_size"), whole(layer, "vocab_size", target.vocab)
    return HeadShape(
        generation=3,
        hidden=hidden,
        target_hidden=whole(config, "target_hidden_size", hidden),
        vocab=vocab,
        draft_vocab=whole(config, "draft_vocab_size", vocab),
        layers=layers,
        norm_before_residual=bool(config.get("norm_before_residual", False)),
        norm_before_fc=bool(config.get("norm_before_fc", False)),
        fc_norm=bool(config.get("fc_norm", False)) or "fc_norm.0.weight" in tensors,
        query_norms=any(name.endswith("self_attn.q_norm.weight") for name in tensors),
        **block(layer),
    )


def block(layer: Config) -> dict[str, Any]:
    """What a Llama layer's configuration says of any head. Raises KeyError, and ValueError for what no head has."""
    if layer.get("hidden_act", "silu") != "silu":
        raise ValueError(f"its activation is {layer['hidden_act']}, not silu")
    if (layers := whole(layer, "num_hidden_layers", 1)) != 1:
        raise ValueError(f"it has {layers} layers, not 1")
    if layer.get("mlp_bias"):
        raise ValueError("its MLP has biases")
    if "sliding_attention" in (layer.get("layer_types") or ()):
        raise ValueError("its layers attend to a window (layer_types), which is not supported")
    turning = layer.get("rope_parameters") or {}
    if (share := turning.get("partial_rotary_factor", layer.get("partial_rotary_factor", 1.0))) != 1.0:
        raise ValueError(f"its positions turn {share} of each head (partial_rotary_factor), not all of it")
    heads = whole(layer, "num_attention_heads")
    shared, size = (
        whole(layer, "num_key_value_heads", heads),
        whole(layer, "head_dim", whole(layer, "hidden_size") // heads),
    )
    if heads % shared:
        raise ValueError(
            f"its num_attention_heads ({heads}) are no multiple of num_key_value_heads ({shared})"
        )
    if size % 2:
        raise ValueError(f"its head_dim is {size}, and positions turn pairs of numbers")
    theta, scaled = rope(layer)
    return {
        "intermediate": whole(layer, "intermediate_size"),
        "heads": heads,
        "kv_heads": shared,
        "head_dim": size,
        "theta": theta,
        "rope": scaled,
        "eps": float(layer.get("rms_norm_eps", 1e-6)),
        "attention_bias": bool(layer.get("attention_bias", False)),
    }


def whole(config: Config, name: str, otherwise: int | None = None) -> int:
    """A number of the configuration that is 1 at least; `otherwise` where there is none. Raises KeyError, and
    ValueError for anything else."""
    value = config.get(name)
    if value is None:
        if otherwise is None:
            raise KeyError(name)
        return otherwise
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"its {name} is {value!r}, not a whole number")
    return value


def told_layers(told: object, further: int, target: TargetSizes) -> tuple[int, ...]:
    """The layers whose inputs are read, where the configuration tells them; its numbers count from `further` on. Raises
    ValueError."""
    if not told:
        return default_layers(target.layers)
    if not isinstance(told, list) or not all(isinstance(layer, int) for layer in told):
        raise ValueError(f"its eagle_aux_hidden_state_layer_ids are {told!r}, not numbers")
    return tuple(layer + further for layer in told)


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
    layers = told_layers(config.get("eagle_aux_hidden_state_layer_ids"), 0, target)
    layer = config["transformer_layer_config"]
    shape = _eagle3(config, layer, tensors, target, layers)
    return replace(
        shape,
        post_norm=bool(config.get("norm_output", False)),
        query_norms=shape.query_norms or layer.get("model_type") == "qwen3",
    )


def _specforge(config: Config, tensors: Mapping[str, Tensor], target: TargetSizes) -> HeadShape:
    eagle = config["eagle_config"] or {}
    if not eagle.get("use_aux_hidden_state", True):
        raise ValueError("it reads no states of inner layers (use_aux_hidden_state)")
    # SpecForge counts a layer's output where speculators and vLLM count the next one's input. `norm_output` here only
    # says that the vocabulary is asked with the normed state, which is always so.
    layers = told_layers(eagle.get("eagle_aux_hidden_state_layer_ids"), 1, target)
    shape = _eagle3(config, config, tensors, target, layers)
    return replace(shape, norm_before_fc=bool(eagle.get("norm_before_fc", shape.norm_before_fc)))


def _safeai3(config: Config, tensors: Mapping[str, Tensor], target: TargetSizes) -> HeadShape:
    return _eagle3(config, config, tensors, target, default_layers(target.layers))


def _eagle1(layer: Config, target: TargetSizes, *, bias: bool) -> HeadShape:
    hidden, vocab = whole(layer, "hidden_size"), whole(layer, "vocab_size", target.vocab)
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


SAFEAI_1 = HeadFormat("SafeAILab EAGLE-1", _safeai1, {})
SAFEAI_3 = HeadFormat("SafeAILab EAGLE-3", _safeai3, {"midlayer.": "layers.0."})
SPECFORGE = HeadFormat("SpecForge EAGLE-3", _specforge, {"midlayer.": "layers.0.", "model.": ""})
SPECULATORS_1 = HeadFormat(
    "speculators eagle", _speculators1, {"fusion_fc.": "fc.", "transformer.": "layers.0."}
)
SPECULATORS_3 = HeadFormat("speculators eagle3", _speculators3, {"midlayer.": "layers.0."})
