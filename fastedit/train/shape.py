"""The embedded model's shape, and a start that already knows how to copy."""

from __future__ import annotations

import torch
from transformers import Qwen3Config, Qwen3ForCausalLM

HEAD = 64
BASE_THETA = 1_000_000.0
CONTENT = 160  # residual dimensions that hold token content at the start
WRITE = 48  # dimensions in which the previous token's content is put down


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


def fresh(shape: Qwen3Config, seed: int) -> Qwen3ForCausalLM:
    """A new model whose first two layers hold an induction circuit (Olsson et al. 2022, In-context Learning).

    Layer 0: a head that attends one token back and puts that token's content into a subspace of its own.
    Layer 1: heads whose query is the current token's content and whose key is that subspace, so that they attend to
    what followed the same token before, and copy it. Training from noise takes an hour on two cores to find this.
    """
    torch.manual_seed(seed)
    model = Qwen3ForCausalLM(shape)
    with torch.no_grad():
        for block in model.model.layers:
            for weight in (block.self_attn.o_proj.weight, block.mlp.down_proj.weight):
                weight.zero_()
        _place_embeddings(model)
        share = _projection(shape.head_dim)
        _previous_token_head(model, share)
        _induction_heads(model, share)
    return model


def _place_embeddings(model: Qwen3ForCausalLM) -> None:
    """Content in the first dimensions, one constant dimension, the rest left free for the circuit."""
    table = model.model.embed_tokens.weight
    table.zero_()
    table[:, :CONTENT].normal_(std=0.08)
    table[:, -1] = 0.5


def _slow(count: int, head_dim: int) -> torch.Tensor:
    """Indices of the head dimensions that RoPE turns least, in pairs."""
    half = head_dim // 2
    slow = torch.arange(half - count // 2, half)
    return torch.cat([slow, slow + half])


def _projection(rows: int) -> torch.Tensor:
    """Orthonormal rows over the content dimensions."""
    rows_first: torch.Tensor = torch.linalg.qr(torch.randn(CONTENT, rows)).Q.T
    return rows_first


def _previous_token_head(model: Qwen3ForCausalLM, share: torch.Tensor) -> None:
    block = model.model.layers[0].self_attn
    dim, half = block.head_dim, block.head_dim // 2
    angles = BASE_THETA ** (-torch.arange(half) / half)
    fast = torch.arange(10)
    block.q_norm.weight.fill_(2.0)
    block.k_norm.weight.fill_(2.0)
    q, k = torch.zeros(dim), torch.zeros(dim)
    q[fast], q[fast + half] = torch.cos(-angles[fast]), torch.sin(-angles[fast])
    k[fast] = 1.0
    block.q_proj.weight[:dim] = 0.0
    block.q_proj.weight[:dim, -1] = q
    block.k_proj.weight[:dim] = 0.0
    block.k_proj.weight[:dim, -1] = k
    block.v_proj.weight[:dim] = 0.0
    block.v_proj.weight[:dim, :CONTENT] = share
    block.o_proj.weight[CONTENT : CONTENT + WRITE, :dim] = torch.eye(dim)[:WRITE]


def _induction_heads(model: Qwen3ForCausalLM, share: torch.Tensor) -> None:
    block = model.model.layers[1].self_attn
    dim, group = block.head_dim, block.num_key_value_groups
    slow = _slow(32, dim)
    block.q_norm.weight.fill_(2.0)
    block.k_norm.weight.fill_(2.0)
    for head in (0, 2 * group):
        rows = slice(head * dim, (head + 1) * dim)
        kv = slice((head // group) * dim, (head // group + 1) * dim)
        pick = slice(0, 32) if head == 0 else slice(WRITE - 32, WRITE)
        q = torch.zeros(dim, block.q_proj.in_features)
        q[slow, :CONTENT] = share[pick]
        k = torch.zeros(dim, block.k_proj.in_features)
        k[slow, CONTENT + pick.start : CONTENT + pick.stop] = torch.eye(32)
        block.q_proj.weight[rows], block.k_proj.weight[kv] = q, k
        out = _projection(dim)
        block.v_proj.weight[kv] = 0.0
        block.v_proj.weight[kv, :CONTENT] = out
        block.o_proj.weight[:CONTENT, rows] = out.T * 2.0
