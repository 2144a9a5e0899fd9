"""Attention of flat rows to a committed prefix and to their own ancestors."""

from fastedit_kernels.tree_attention.reference import tree_attention
from fastedit_kernels.tree_attention.span import Span

__all__ = ["Span", "tree_attention"]
