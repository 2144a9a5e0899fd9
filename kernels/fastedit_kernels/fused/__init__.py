"""What lies between the matrix products of a Llama-like layer, each in one pass over its rows."""

from fastedit_kernels.fused.reference import add_norm, gate, linear, rope_write, turns

__all__ = ["add_norm", "gate", "linear", "rope_write", "turns"]
