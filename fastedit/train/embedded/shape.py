"""The embedded model's shape, and a start that already knows how to copy."""

from __future__ import annotations

from typing import Final, Literal

import torch
from transformers import Qwen3Config, Qwen3ForCausalLM

from fastedit.errors import UsageError
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.prompt.tags import ORIGINAL_TAGS, TagIds

HEAD = 64
BASE_THETA = 1_000_000.0
# The residual stream at the start: token content, then what layer 0 puts down about a token's surroundings.
CONTENT = slice(0, 160)
PREVIOUS = slice(160, 192)  # content of the token before
SECOND = slice(192, 200)  # of the token before that
LINE = slice(200, 214)  # of the line's tag; a tag is its own line's
LEFT_LINE = slice(214, 228)  # of the tag of the line that the token before is in
IS_TAG, ALWAYS = 254, 255
CIRCUIT_LAYERS = 3
SCALE = 0.08  # standard deviation of a content dimension; layer 0 writes at the same scale
SizeName = Literal["nano", "small"]


# Layers. With the shipped vocabulary 6.7M parameters, 7 MB in int8, and 10.5M, 11 MB. They differ in depth alone:
# `small` can begin as a `nano` that has learned (`grown`).
SIZES: Final[dict[SizeName, int]] = {"nano": 6, "small": 10}


def config(
    vocab: int, width: int = 256, layers: int = 6, heads: int = 8, kv_heads: int = 4, mlp: int = 704
) -> Qwen3Config:
    return Qwen3Config(
        vocab_size=vocab,
        hidden_size=width,
        intermediate_size=mlp,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=kv_heads,
        head_dim=HEAD,
        max_position_embeddings=16_384,
        rope_parameters={"rope_type": "default", "rope_theta": BASE_THETA},
        tie_word_embeddings=True,
        attention_bias=False,
        rms_norm_eps=1e-6,
        use_cache=False,
        prompt_format=EmbeddedFormat.name,
    )


def of_weights(state: dict[str, torch.Tensor]) -> Qwen3Config:
    """The shape that a checkpoint was trained in."""
    vocab, width = state["model.embed_tokens.weight"].shape
    layers = 1 + max(int(name.split(".")[2]) for name in state if name.startswith("model.layers."))
    first = "model.layers.0."
    return config(
        vocab,
        width,
        layers,
        heads=state[first + "self_attn.q_proj.weight"].shape[0] // HEAD,
        kv_heads=state[first + "self_attn.k_proj.weight"].shape[0] // HEAD,
        mlp=state[first + "mlp.gate_proj.weight"].shape[0],
    )


def describe(shape: Qwen3Config) -> str:
    return (
        f"{shape.vocab_size} tokens, width {shape.hidden_size}, {shape.num_hidden_layers} layers, "
        f"mlp {shape.intermediate_size}"
    )


def fresh(shape: Qwen3Config, seed: int, tags: TagIds) -> Qwen3ForCausalLM:
    """A new model whose first three layers hold a copying circuit: untrained, it mostly answers with the original.

    Layer 0 tells each token which tokens stand before it and which tag its line has, layer 1 the tag of the line before
    it. In layer 2 a head asks for the place in a line with the same tag, after the same two tokens, and copies what
    stands there; another asks for the same token anywhere, the induction head of Olsson et al. (2022, In-context
    Learning and Induction Heads). All other layers start as the identity. From noise, copying alone takes an hour on
    two cores to appear. Raises UsageError for a shape that the circuit does not fit into.
    """
    if shape.hidden_size <= ALWAYS or shape.num_hidden_layers < CIRCUIT_LAYERS:
        raise UsageError(
            f"{describe(shape)}: too small for the copying circuit that training begins with; "
            f"it takes a width of {ALWAYS + 1} and {CIRCUIT_LAYERS} layers"
        )
    torch.manual_seed(seed)
    model = Qwen3ForCausalLM(shape)
    with torch.no_grad():
        for block in model.model.layers:
            for weight in (block.self_attn.o_proj.weight, block.mlp.down_proj.weight):
                weight.zero_()
        _place_embeddings(model.model.embed_tokens.weight, tags)
        share = torch.linalg.qr(torch.randn(CONTENT.stop, 64)).Q.T
        _note_surroundings(_LayerHeads(model, 0), share)
        _note_line_before(_LayerHeads(model, 1))
        _copy(_LayerHeads(model, 2), share)
    return model


def grown(model: Qwen3ForCausalLM, layers: int) -> Qwen3ForCausalLM:
    """A model of `layers` layers that answers as this one does: the further ones add nothing yet.

    They are copies that stand after the layers they were made of, the last ones first, and write zeros (Wu et al.
    2024, LLaMA Pro). Raises UsageError where there are more layers already.
    """
    before = model.config.num_hidden_layers
    if layers < before:
        raise UsageError(f"{before} layers do not become {layers}: a model grows, it does not shrink")
    copies, rest = divmod(layers - before, before)
    had = model.config
    deeper = Qwen3ForCausalLM(
        config(had.vocab_size, width=had.hidden_size, layers=layers, mlp=had.intermediate_size)
    )
    deeper.model.embed_tokens.load_state_dict(model.model.embed_tokens.state_dict())
    deeper.model.norm.load_state_dict(model.model.norm.state_dict())
    places = iter(deeper.model.layers)
    for index, layer in enumerate(model.model.layers):
        next(places).load_state_dict(layer.state_dict())
        for _ in range(copies + (index >= before - rest)):
            _identity(next(places), layer)
    return deeper


def _identity(further: torch.nn.Module, layer: torch.nn.Module) -> None:
    state = layer.state_dict()
    for name in ("self_attn.o_proj.weight", "mlp.down_proj.weight"):
        state[name] = torch.zeros_like(state[name])
    further.load_state_dict(state)


def _place_embeddings(table: torch.Tensor, tags: TagIds) -> None:
    table.zero_()
    table[:, CONTENT].normal_(std=SCALE)
    # The answer begins like the original and ends where the original is followed by the answer.
    table[tags.answer] = table[tags.end] = table[tags.original]
    # A line that the request names has its number's tag with one mark on all of them.
    numbers = table[tags.first_original_id : tags.first_original_id + ORIGINAL_TAGS]
    mark = torch.zeros(table.shape[1])
    mark[CONTENT].normal_(std=SCALE / 4)
    table[tags.first_named_id : tags.first_named_id + ORIGINAL_TAGS] = numbers + mark
    table[[tags.original, tags.answer], IS_TAG] = 0.5
    table[tags.keep :, IS_TAG] = 0.5
    table[:, ALWAYS] = 0.5


class _LayerHeads:
    """One layer's attention weights by head."""

    def __init__(self, model: Qwen3ForCausalLM, layer: int) -> None:
        self._block = model.model.layers[layer].self_attn
        self._group = self._block.num_key_value_groups
        self._block.q_norm.weight.fill_(2.0)
        self._block.k_norm.weight.fill_(2.0)

    def query(self, head: int) -> torch.Tensor:
        """[HEAD, width], set to zero."""
        return self._zeroed(self._block.q_proj.weight, head)

    def key(self, head: int) -> torch.Tensor:
        return self._zeroed(self._block.k_proj.weight, head // self._group)

    def value(self, head: int) -> torch.Tensor:
        return self._zeroed(self._block.v_proj.weight, head // self._group)

    def out(self, head: int) -> torch.Tensor:
        """[width, HEAD]; zero from the start."""
        weight: torch.Tensor = self._block.o_proj.weight[:, head * HEAD : (head + 1) * HEAD]
        return weight

    def _zeroed(self, weight: torch.Tensor, index: int) -> torch.Tensor:
        part = weight[index * HEAD : (index + 1) * HEAD]
        return part.zero_()


def _note_surroundings(heads: _LayerHeads, share: torch.Tensor) -> None:
    """Heads 0 and 1 look one and two tokens back, head 2 at the nearest tag."""
    _look_back(heads, 0, 1)
    _look_back(heads, 1, 2)
    heads.value(0)[:, CONTENT] = share
    heads.out(0)[PREVIOUS, :32] = torch.eye(32) * SCALE
    heads.out(1)[SECOND, 12:20] = torch.eye(8) * SCALE
    heads.key(2)[:32, IS_TAG] = 1.0
    heads.value(2)[:, CONTENT] = share
    query = heads.query(2)
    query[:32, ALWAYS], query[32:, ALWAYS] = _nearest().chunk(2)
    heads.out(2)[LINE, 32:46] = torch.eye(14) * SCALE


def _note_line_before(heads: _LayerHeads) -> None:
    _look_back(heads, 0, 1)
    heads.value(0)[:14, LINE] = torch.eye(14)
    heads.out(0)[LEFT_LINE, :14] = torch.eye(14) * SCALE


def _look_back(heads: _LayerHeads, head: int, offset: int) -> None:
    """Attend `offset` tokens back, by the dimensions that RoPE turns fastest: they tell neighbours apart best."""
    angles = _angles()[:10] * offset
    key, query = heads.key(head), heads.query(head)
    key[:10, ALWAYS] = 1.0
    query[:10, ALWAYS], query[32:42, ALWAYS] = torch.cos(-angles), torch.sin(-angles)


def _copy(heads: _LayerHeads, share: torch.Tensor) -> None:
    """Head 0 copies from the same place of the same line, head 2 from after the same token anywhere."""
    half = HEAD // 2
    slow = torch.cat(
        [torch.arange(16, half), torch.arange(16, half) + half]
    )  # dimensions that RoPE hardly turns
    query, key = heads.query(0), heads.key(0)
    query[slow[:10], CONTENT], key[slow[:10], PREVIOUS] = share[:10], torch.eye(10, 32)
    query[slow[10:18], PREVIOUS], key[slow[10:18], SECOND] = torch.eye(32)[12:20], torch.eye(8)
    query[slow[18:], LINE], key[slow[18:], LEFT_LINE] = torch.eye(14), torch.eye(14)
    query, key = heads.query(2), heads.key(2)
    query[slow, CONTENT], key[slow, PREVIOUS] = share[:32], torch.eye(32)
    for head, gain in ((0, 2.0), (2, 0.3)):
        out = torch.linalg.qr(torch.randn(CONTENT.stop, HEAD)).Q.T
        heads.value(head)[:, CONTENT] = out
        heads.out(head)[CONTENT] = out.T * gain


def _angles() -> torch.Tensor:
    """Radians that RoPE turns each pair of head dimensions by for one token."""
    return BASE_THETA ** (-torch.arange(HEAD // 2) * 2 / HEAD)


def _nearest() -> torch.Tensor:
    """[HEAD] query whose score with a key of ones falls with distance: least squares over RoPE's cosines and sines."""
    steps = (torch.arange(0, 64), torch.arange(64, 256, 4), torch.arange(256, 4096, 64))
    weights = torch.cat([torch.full((len(s),), w) for s, w in zip(steps, (1.5, 0.5, 0.25), strict=True)])[
        :, None
    ]
    distance = torch.cat(steps).double()
    turned = distance[:, None] * _angles().double()
    basis = torch.cat([turned.cos(), turned.sin()], 1)
    wanted = 1.0 / (1.0 + distance / 24.0)
    gram = (basis * weights).T @ basis + torch.eye(HEAD)
    solved = torch.linalg.solve(gram, (basis * weights).T @ wanted)
    return torch.cat([solved[:32], -solved[32:]]).float()
