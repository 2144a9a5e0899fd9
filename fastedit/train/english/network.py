"""The parser's network in torch: `fastedit/english/network.py`, for many instructions at once."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from fastedit.english.features import TRAITS
from fastedit.english.network import HEADS, REACH, SUMMARY

WIDTH, INNER, LAYERS = 64, 192, 3
DROPOUT = 0.1


class Network(nn.Module):
    def __init__(self, words: int, forms: int, tags: int) -> None:
        super().__init__()

        def drawn(*shape: int) -> nn.Parameter:
            return nn.Parameter(torch.randn(*shape) * shape[0] ** -0.5)

        weights = {
            "words": nn.Parameter(torch.randn(words, WIDTH) * 0.3),
            "traits": drawn(len(TRAITS), WIDTH),
            "summary": nn.Parameter(torch.randn(WIDTH) * 0.3),
            "bias": nn.Parameter(torch.zeros(LAYERS, SUMMARY + 1, HEADS)),
            "norm": nn.Parameter(torch.ones(WIDTH)),
            "form": drawn(WIDTH, forms),
            "tag": drawn(WIDTH, tags),
        }
        for layer in range(LAYERS):
            weights |= {
                f"{layer}_norm1": nn.Parameter(torch.ones(WIDTH)),
                f"{layer}_norm2": nn.Parameter(torch.ones(WIDTH)),
                f"{layer}_qkv": drawn(WIDTH, 3 * WIDTH),
                f"{layer}_mix": drawn(WIDTH, WIDTH),
                f"{layer}_in": drawn(WIDTH, INNER),
                f"{layer}_out": drawn(INNER, WIDTH),
            }
        self.weights = nn.ParameterDict(weights)

    def forward(self, numbers: Tensor, traits: Tensor, there: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of forms [batch, forms] and tags [batch, words, tags]; `there` is False for padding."""
        w = self.weights
        x = nn.functional.dropout(w["words"][numbers] + traits @ w["traits"], DROPOUT, self.training)
        x = torch.cat([w["summary"].expand(len(x), 1, -1), x], 1)
        seen = torch.cat([torch.ones_like(there[:, :1]), there], 1)[:, None, None]
        at = torch.arange(x.shape[1])
        apart = (at[None] - at[:, None]).clamp(-REACH, REACH) + REACH
        apart[0], apart[:, 0] = SUMMARY, SUMMARY
        for layer in range(LAYERS):
            bias = w["bias"][layer][apart].permute(2, 0, 1).masked_fill(~seen, float("-inf"))
            q, k, v = (
                (_normed(x, w[f"{layer}_norm1"]) @ w[f"{layer}_qkv"])
                .unflatten(-1, (3, HEADS, -1))
                .permute(2, 0, 3, 1, 4)
            )
            mixed = nn.functional.scaled_dot_product_attention(q, k, v, bias)
            x = x + self._kept(mixed.transpose(1, 2).flatten(2) @ w[f"{layer}_mix"])
            hidden = torch.relu(_normed(x, w[f"{layer}_norm2"]) @ w[f"{layer}_in"])
            x = x + self._kept(hidden @ w[f"{layer}_out"])
        x = _normed(x, w["norm"])
        return x[:, 0] @ w["form"], x[:, 1:] @ w["tag"]

    def _kept(self, x: Tensor) -> Tensor:
        return nn.functional.dropout(x, DROPOUT, self.training)


def _normed(x: Tensor, scale: Tensor) -> Tensor:
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6) * scale
