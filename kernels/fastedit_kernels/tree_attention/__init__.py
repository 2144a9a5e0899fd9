"""Attention of flat rows to a committed prefix and to their own ancestors."""

from fastedit_kernels.tree_attention.reference import tree_attention
from fastedit_kernels.tree_attention.span import PAGE, Batch, Span, place, unpack

__all__ = ["PAGE", "Batch", "Span", "place", "tree_attention", "unpack"]
